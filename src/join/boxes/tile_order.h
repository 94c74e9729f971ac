/*-------------------------------------------------------------------------
 *
 * tile_order.h
 *	  Puts boxes into the order of the tiles that contain their centers.
 *
 * A code consists of a size class and a tile.  The boxes of each size class
 * are 32 times as large as those of the one before, so that large boxes do not
 * lie among small ones.  The tiles of a grid are numbered in Z-order
 * (Morton 1966): neighbors in this order are near each other in space.  In two
 * dimensions:
 *
 *		 31 30..28	27 ......................... 0	  +---+---+
 *		+--+-------+------------------------------+   | 2 | 3 |  y1 x1 y0 x0
 *		| 0| class | y13 x13 y12 x12 ...	y0 x0 |   +---+---+
 *		+--+-------+------------------------------+   | 0 | 1 |
 *													  +---+---+
 *
 * In three dimensions, a code is one bit shorter: bits 29..27 and 26..0: z8 y8
 * x8 ... z0 y0 x0.
 *
 * In hashed joins rows with the same hash form a group, and groups are in the
 * order of their hashes.  Each large group has its own grid.  Bit 31 of the
 * code changes from group to group, so that groups act as the largest tiles.
 *
 * The order affects the speed of a join, never its answer.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_TILE_ORDER_H
#define SPQ_JOIN_BOXES_TILE_ORDER_H

#include "join/boxes/item.h"

#define SPQ_JOIN_TILE_BITS	(28 / SPQ_DIM)	/* 2^14 tiles a side, or 2^9 */
#define SPQ_JOIN_CODE_BITS	(SPQ_DIM * SPQ_JOIN_TILE_BITS + 3)
#define SPQ_JOIN_SIZE_CLASS_STEP	5	/* log2 of the ratio of sizes of two
										 * classes */
#define SPQ_JOIN_SIZE_CLASSES		8

/* The code of a box, and the index of its item. */
typedef struct SpqJoinTileCode
{
	uint32		key;			/* the code; during sorting also a hash */
	uint32		index;
} SpqJoinTileCode;

#define SPQ_JOIN_GROUP_BIT	((uint32) 1 << 31)

typedef struct SpqJoinGrid
{
#if SPQ_DIM > 2
	double		unit[SPQ_DIM];	/* factors applied to coordinates first */
#endif
	double		low[SPQ_DIM];	/* low corner, halved: see center() */
	double		scale;			/* tiles per half unit; 0: a single tile */
	int			exponent;		/* of the largest side in size class 0 */
} SpqJoinGrid;

extern SpqJoinGrid spq_join_fit_grid(const SpqJoinItem *items, uint32 count,
									 double tile_size);
extern uint32 spq_join_tile_code(const SpqJoinGrid *grid, const SpqBox *box);
extern void spq_join_tile_order(SpqJoinItem *items, SpqJoinItem *sorted,
								uint32 count, const SpqJoinGrid *grid,
								double tile_size, SpqJoinTileCode *codes,
								SpqJoinTileCode *workspace);
extern int	spq_join_hashed_order(SpqJoinItem *items, SpqJoinItem *sorted,
								  uint32 count, double tile_size, SpqJoinTileCode *codes,
								  SpqJoinTileCode *workspace, SpqJoinGrid *grid);
extern int	spq_join_order_items(SpqJoinItem *items, SpqJoinItem *sorted,
								 uint32 count, double tile_size, bool hashed, bool probes,
								 SpqJoinTileCode *codes, SpqJoinTileCode *workspace,
								 SpqJoinGrid *grid);

static inline double
spq_join_grid_tile_size(const SpqJoinGrid *grid)
{
	return grid->scale > 0 ? 2 / grid->scale : 0;
}

static inline int
spq_join_code_size_class(uint32 code)
{
	return code >> (SPQ_DIM * SPQ_JOIN_TILE_BITS);
}

#endif							/* SPQ_JOIN_BOXES_TILE_ORDER_H */
