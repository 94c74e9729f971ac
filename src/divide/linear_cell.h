/*-------------------------------------------------------------------------
 *
 * linear_cell.h
 *	  Cells of a linear quadtree, and their numbers.
 *
 * A regular quadtree divides a square into 4^level cells on each level.  A
 * linear quadtree (Gargantini, CACM 1982) stores no tree.  A cell is given by
 * its level and its code, the interleaved bits of row and column (Morton
 * 1966).  One number combines them: the count of cells on the levels above,
 * plus the code.
 *
 *		level 0		level 1			level 2
 *		+-------+	+---+---+		+--+--+--+--+
 *		|		|	| 3 | 4 |		|15|16|19|20|		code:  y1 x1 y0 x0
 *		|	0	|	|	|	|		|13|14|17|18|
 *		|		|	+---+---+		| 7| 8|11|12|		children of n: 4n+1 .. 4n+4
 *		|		|	| 1 | 2 |		| 5| 6| 9|10|		parent of n: (n-1) / 4
 *		+-------+	+---+---+		+--+--+--+--+
 *
 * So the descendants of a cell on one level have consecutive numbers.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_LINEAR_CELL_H
#define SPQ_DIVIDE_LINEAR_CELL_H

#include "port/pg_bitutils.h"

#include "box/bits.h"

/* The deepest level whose numbers fit in a bigint. */
#define SPQ_LINEAR_MAX_LEVEL	31

typedef struct SpqLinearCell
{
	int			level;			/* 0 .. SPQ_LINEAR_MAX_LEVEL */
	uint32		column;			/* below 2^level, from the low end */
	uint32		row;
} SpqLinearCell;

/*
 * Return the number of a level's first cell.  For SPQ_LINEAR_MAX_LEVEL + 1,
 * return the end of all numbers.
 */
static inline int64
spq_linear_first_number(int level)
{
	return level > SPQ_LINEAR_MAX_LEVEL ? INT64CONST(0x5555555555555555) :
		((INT64CONST(1) << (2 * level)) - 1) / 3;
}

static inline int64
spq_linear_code(uint32 column, uint32 row)
{
	return (int64) (spq_box_spread(row) << 1 | spq_box_spread(column));
}

static inline int64
spq_linear_number(SpqLinearCell cell)
{
	return spq_linear_first_number(cell.level) + spq_linear_code(cell.column, cell.row);
}

/*
 * Return the level of a cell's number.  This works because 3n + 1 is between
 * 4^level and 4^(level + 1) - 1.
 */
static inline int
spq_linear_level(int64 number)
{
	return pg_leftmost_one_pos64((uint64) number * 3 + 1) / 2;
}

static inline SpqLinearCell
spq_linear_cell(int64 number)
{
	SpqLinearCell cell;
	uint64		code;

	cell.level = spq_linear_level(number);
	code = (uint64) (number - spq_linear_first_number(cell.level));
	cell.column = spq_box_gather(code);
	cell.row = spq_box_gather(code >> 1);
	return cell;
}

#endif							/* SPQ_DIVIDE_LINEAR_CELL_H */
