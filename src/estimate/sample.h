/*-------------------------------------------------------------------------
 *
 * sample.h
 *	  Boxes of some rows of a relation, read during planning.
 *
 * Blocks are drawn one from each of many equal stretches of the relation, and
 * the first rows from each block:
 *
 *		relation  |----x----|-x-------|-------x-|--x------|
 *					   3rd     1st         4th     2nd		read in this order
 *
 * The order jumps about, because the clock may end it at any time: what has
 * been read by then is spread over the whole relation, too.  Which blocks and
 * rows are read does not change from one time to the next, and so plans do not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_SAMPLE_H
#define SPQ_JOIN_NODE_SAMPLE_H

#include "spatial/operators.h"
#include "nodes/pg_list.h"

/* A plain table, or a part of a partitioned one, and what its rows yield. */
typedef struct SpqSampled
{
	Oid			relid;
	double		pages;			/* according to the planner */
	double		tuples;
	Node	   *expr;			/* spq_expression_key() */
} SpqSampled;

typedef struct SpqSample
{
	uint64		id;				/* of this sample and no other */
	int			rows;			/* that were read, with nulls */
	int			count;			/* boxes of those that can match any */
	BOX		   *box;
	uint16	   *block;			/* which of the blocks read a box is from */
	double		pages;			/* of the relation, of which some were read */
	bool		complete;		/* these are all rows there are */
	bool		hurried;		/* there was no time for more */
} SpqSample;

extern void spq_sample_take(SpqSample *sample, List *parts,
							const SpqOperand *operand, bool exact, int rows);

#endif							/* SPQ_JOIN_NODE_SAMPLE_H */
