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

#include "nodes/parsenodes.h"
#include "nodes/pathnodes.h"
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

typedef struct SpqEstimateCenters SpqEstimateCenters;	/* sample.h */

/* Where a box comes from. */
typedef struct SpqEstimateRow
{
	uint32		number;			/* row_number(), equal in all samples */
	uint16		block;			/* the number of its block */
	uint16		child;			/* the number of its child */
	ItemPointerData tid;
} SpqEstimateRow;

typedef struct SpqEstimateSample
{
	uint64		id;				/* unique in the session */
	uint64		source;			/* equal for the same relations */
	int			rows;			/* rows read, including nulls */
	int			count;			/* boxes; rows without null, NaN and skipped
								 * values */
	int			axes;			/* of the boxes: 2 or 3 */
	bool		lines;			/* the boxes are of segments or rays */
	Size		value_size;		/* if values are kept, their size; otherwise 0 */
	float8	   *ends;			/* for each box, "axes" high ends and as many
								 * low ends */
	SpqEstimateRow *row;		/* for each box */
	char	   *values;			/* the value of each box, if they are kept */
	bool		tried;			/* values may be tried later */
	List	   *children;		/* SpqEstimateChild */
	double		pages;			/* of the whole relation */
	bool		complete;		/* these are all rows */
	SpqEstimateCenters *centers;	/* of the boxes; NULL if there are none or
									 * the sample is complete */
} SpqEstimateSample;

#define SPQ_ESTIMATE_MAX_AXES	3
#define SPQ_ESTIMATE_ENDS		SPQ_TYPE_NUMBERS

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

extern bool spq_estimate_keeps_values(const SpqType *type);
extern int	spq_estimate_nearer_neighbors(const SpqEstimateSample *sample, int *nearer);
extern double spq_estimate_mean_side(const SpqEstimateSample *sample, int axis);
extern void spq_estimate_take_sample(SpqEstimateSample *sample, List *children,
									 const SpqTypeOperand *operand,
									 int rows, int block_rows);

/*
 * box_expression.c
 *
 * A sample reads rows that the query might never return, with or without row
 * security.  So nothing is evaluated that could reveal a value or fail:
 *
 *		box(point(t.x, t.y), point(3, t.z))		columns, constants, and
 *		 |     |    |   |         |				conversions that never raise
 *		ok    ok  Var  Var      Const			an error
 *
 * An expression is brought into a normal form, so that the same expression in
 * two queries is equal().
 */

/* An expression over one relation, and how its value yields a box. */
typedef struct SpqEstimateExpression
{
	Node	   *expr;
	Index		varno;			/* of all its Vars */
	SpqTypeOperand operand;
} SpqEstimateExpression;

extern bool spq_estimate_expression(Node *node, const SpqTypeOperand *operand,
									SpqEstimateExpression *result);
extern bool spq_estimate_shape_expression(Node *node, const SpqTypeOperand *operand,
										  SpqEstimateExpression *result);
extern void spq_estimate_expression_of_parent(PlannerInfo *root,
											  SpqEstimateExpression *expression);
extern bool spq_estimate_expression_of_subquery(List *targetlist,
												SpqEstimateExpression *expression);
extern Node *spq_estimate_expression_of_child(PlannerInfo *root, Node *expr,
											  AppendRelInfo *appinfo);
extern Node *spq_estimate_expression_key(Node *expr);

/* condition_value.c */
extern const SpqType spq_estimate_truth;
extern bool spq_estimate_is_condition_node(const Node *node);
extern bool spq_estimate_is_short(Node *condition);

/* constant_rows.c */
extern List *spq_estimate_constant_elements(const Const *constant, int most, double *all);
extern List *spq_estimate_constant_rows(const RangeTblEntry *rte, int most, double *all);
extern Node *spq_estimate_of_constant_row(Node *expr, List *row);

/* centers.c */

/* What is known of the boxes on one axis. */
typedef struct SpqEstimateCentersAxis
{
	double		extent_low;		/* range of the boxes */
	double		extent_high;
	double		low;			/* range of the centers */
	double		high;
	double		scale;			/* extent of the middle half of the centers,
								 * never 0 */
	double	   *center;			/* of each box, clipped to the extent */
	double	   *half;			/* half its size */
} SpqEstimateCentersAxis;

struct SpqEstimateCenters
{
	bool		too_large;		/* differences of coordinates could overflow;
								 * the rest is not set */
	SpqEstimateCentersAxis axis[SPQ_ESTIMATE_MAX_AXES];
};

extern SpqEstimateCenters *spq_estimate_find_centers(const SpqEstimateSample *sample);

#endif							/* SPQ_ESTIMATE_SAMPLE_SAMPLE_H */
