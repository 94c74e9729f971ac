/*-------------------------------------------------------------------------
 *
 * cell_order.h
 *	  Puts boxes into the order of the cells that hold their centres.
 *
 * A key names a level and a cell of it.  Levels are classes of size, each 32
 * times as large as the one before, so that the large boxes do not lie among
 * the small ones.  The cells of a lattice are numbered in Z-order (Morton
 * 1966): what is near in the order is near in the plane.
 *
 *		 31 30..28	27 ......................... 0	  +---+---+
 *		+--+-------+------------------------------+   | 2 | 3 |  y1 x1 y0 x0
 *		| 0| level | y13 x13 y12 x12 ...	y0 x0 |   +---+---+
 *		+--+-------+------------------------------+   | 0 | 1 |
 *													  +---+---+
 * In keyed joins rows with the same key make a group, and groups follow each
 * other in the order of keys; each has a lattice of its own.  Then bit 31 of
 * SpqCellKey changes from group to group, which makes groups the largest cells.
 *
 * The order decides how fast a join is, never what it answers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_CELL_ORDER_H
#define SPQ_JOIN_CELL_ORDER_H

#include "join/item.h"

#define SPQ_CELL_BITS	14		/* a lattice has 2^14 cells a side */
#define SPQ_LEVEL_STEP	5		/* log2 of the ratio of sizes of two levels */
#define SPQ_LEVELS		8

/* Key of a box, and where the box is. */
typedef struct SpqCellKey
{
	uint32		key;
	uint32		index;
} SpqCellKey;

#define SPQ_GROUP_BIT	((uint32) 1 << 31)

typedef struct SpqCellLattice
{
	double		x,				/* low corner, in halves: see centre() */
				y;
	double		scale;			/* cells per half unit; 0: a single cell */
	int			exponent;		/* of the largest side on level 0 */
} SpqCellLattice;

extern SpqCellLattice spq_fit_lattice(const SpqJoinItem *items, uint32 count,
									  double cell_size);
extern uint32 spq_cell_key(const SpqCellLattice *lattice, const BOX *box);
extern void spq_cell_order(SpqJoinItem *items, SpqJoinItem *sorted,
						   uint32 count, const SpqCellLattice *lattice,
						   double cell_size, SpqCellKey *keys,
						   SpqCellKey *workspace);
extern int	spq_keyed_order(SpqJoinItem *items, SpqJoinItem *sorted,
							uint32 count, double cell_size, SpqCellKey *keys,
							SpqCellKey *workspace, SpqCellLattice *lattice);
extern int	spq_order_items(SpqJoinItem *items, SpqJoinItem *sorted,
							uint32 count, double cell_size, bool keyed,
							SpqCellKey *keys, SpqCellKey *workspace,
							SpqCellLattice *lattice);

static inline double
spq_lattice_cell_size(const SpqCellLattice *lattice)
{
	return lattice->scale > 0 ? 2 / lattice->scale : 0;
}

static inline int
spq_key_level(uint32 key)
{
	return key >> (2 * SPQ_CELL_BITS);
}

#endif							/* SPQ_JOIN_CELL_ORDER_H */
