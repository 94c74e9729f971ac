/*-------------------------------------------------------------------------
 *
 * sample.h
 *	  Boxes of some rows of a relation, read during planning.
 *
 * The relation is divided into equal stretches.  From each, one block is
 * drawn, and from each block a few rows:
 *
 *		relation  |----x----|-x-------|-------x-|--x------|
 *					   3rd     1st         4th     2nd		read in this order
 *
 * The order jumps about, so that the blocks are spread over the whole relation
 * wherever reading ends.  It ends after a number of blocks, of rows, and of
 * values fetched from TOAST tables, never by the clock.  The choice of blocks
 * and rows depends only on the relation's name and its number of blocks: the
 * same table gives the same sample, and so the same plan, in each session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_SAMPLE_H
#define SPQ_ESTIMATE_SAMPLE_SAMPLE_H

#include "nodes/pg_list.h"
#include "storage/itemptr.h"

#include "spatial/operators/operators.h"

/* A plain table, or a part of a partitioned one, and what its rows yield. */
typedef struct SpqEstimatePart
{
	Oid			relid;
	double		pages;			/* according to the planner */
	double		tuples;
	Node	   *expr;			/* spq_estimate_expression_key() */
	List	   *rows;			/* of constants, where there is no table */
} SpqEstimatePart;

typedef struct SpqEstimateSample
{
	uint64		id;				/* of this sample and no other */
	uint64		source;			/* equal for the same relations */
	int			rows;			/* that were read, with nulls */
	int			count;			/* boxes of those that can match any */
	int			axes;			/* of the boxes: 2 or 3 */
	bool		lines;			/* they are those of segments or rays of three
								 * dimensions */
	float8	   *ends;			/* of each box: "axes" high ends, then as many
								 * low ones */
	uint16	   *block;			/* which of the blocks read a box is from */
	uint32	   *row;			/* a box's row, the same in all samples */
	ItemPointerData *tid;		/* where it is; NULL: values are not tried */
	uint16	   *part;			/* in which of the parts */
	List	   *parts;			/* SpqEstimatePart */
	double		pages;			/* of the relation, of which some were read */
	bool		complete;		/* these are all rows there are */
} SpqEstimateSample;

#define SPQ_ESTIMATE_MAX_AXES	3
#define SPQ_ESTIMATE_ENDS		SPQ_SPATIAL_NUMBERS

/* The corners of a box in a sample. */
static inline const float8 *
spq_estimate_high(const SpqEstimateSample *sample, int i)
{
	return &sample->ends[2 * sample->axes * i];
}

static inline const float8 *
spq_estimate_low(const SpqEstimateSample *sample, int i)
{
	return spq_estimate_high(sample, i) + sample->axes;
}

/*
 * Rows to take from a block, if there are enough blocks.  The first access of a
 * session to a block costs as much as a dozen rows, so a join, which samples two
 * tables, takes many.  A scan takes few: in a table that is stored in spatial
 * order, a small window lies in few blocks, which a sample of few blocks misses.
 */
#define SPQ_ESTIMATE_JOIN_BLOCK_ROWS	16
#define SPQ_ESTIMATE_SCAN_BLOCK_ROWS	4

extern double spq_estimate_mean_side(const SpqEstimateSample *sample, int axis);
extern void spq_estimate_take_sample(SpqEstimateSample *sample, List *parts,
									 const SpqSpatialOperand *operand,
									 int rows, int block_rows);

#endif							/* SPQ_ESTIMATE_SAMPLE_SAMPLE_H */
