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
 * wherever reading ends.  It ends after a number of blocks, of rows, or of
 * values fetched from TOAST tables, never by the clock.  The choice of blocks
 * and rows depends only on the names of the relation and its schema and on its
 * number of blocks.  So the same table gives the same sample, and the same
 * plan, in each session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_SAMPLE_H
#define SPQ_ESTIMATE_SAMPLE_SAMPLE_H

#include "nodes/pg_list.h"
#include "storage/itemptr.h"

#include "spatial/operators/operators.h"

/*
 * A plain table, a partition or an arm of UNION ALL, and the expression that
 * yields its boxes.
 */
typedef struct SpqEstimateChild
{
	Oid			relid;
	double		pages;			/* according to the planner */
	double		tuples;
	Node	   *expr;			/* spq_estimate_expression_key() */
	List	   *rows;			/* constant rows, if there is no table */
} SpqEstimateChild;

typedef struct SpqEstimateCenters SpqEstimateCenters;	/* centers.h */

typedef struct SpqEstimateSample
{
	uint64		id;				/* unique in the session */
	uint64		source;			/* equal for the same relations */
	int			rows;			/* rows read, including nulls */
	int			count;			/* boxes; rows without null, NaN and skipped
								 * values */
	int			axes;			/* of the boxes: 2 or 3 */
	bool		lines;			/* the boxes are of segments or rays of three
								 * dimensions */
	float8	   *ends;			/* for each box, "axes" high ends and as many
								 * low ends */
	uint16	   *block;			/* for each box, the number of its block */
	uint32	   *row;			/* for each box, its row_number(), equal in
								 * all samples */
	ItemPointerData *tid;		/* of its row; NULL if values are not tried */
	uint16	   *child;			/* for each tid, the number of its child */
	List	   *children;		/* SpqEstimateChild */
	double		pages;			/* of the whole relation */
	bool		complete;		/* these are all rows */
	SpqEstimateCenters *centers;	/* of the boxes; NULL if there are none or
									 * the sample is complete */
} SpqEstimateSample;

#define SPQ_ESTIMATE_MAX_AXES	3
#define SPQ_ESTIMATE_ENDS		SPQ_SPATIAL_NUMBERS

/* Return the high and the low corner of a box in a sample. */
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
 * Rows to take from a block, if there are enough blocks.  The first access of
 * a session to a block costs as much as a dozen rows, so a join, which samples
 * two tables, takes many.  A scan takes few: in a table stored in spatial
 * order, a small window lies in few blocks, which a sample of few blocks
 * misses.
 */
#define SPQ_ESTIMATE_JOIN_BLOCK_ROWS	16
#define SPQ_ESTIMATE_SCAN_BLOCK_ROWS	4

extern double spq_estimate_mean_side(const SpqEstimateSample *sample, int axis);
extern void spq_estimate_take_sample(SpqEstimateSample *sample, List *children,
									 const SpqSpatialOperand *operand,
									 int rows, int block_rows);

#endif							/* SPQ_ESTIMATE_SAMPLE_SAMPLE_H */
