/*-------------------------------------------------------------------------
 *
 * heap_order.c
 *	  Whether neighbors lie together in a table.
 *
 * PostgreSQL's ANALYZE computes the correlation of a column's order with that
 * of the table; it tells how many pages of the table an index scan fetches.  A
 * box has no such order, but a sample knows which rows are in one block:
 *
 *		block 1		block 2		block 3
 *		. .			  o  o		 x x	in order: a row is nearer to one of
 *		..			  oo		xx		its block than to one of another
 *
 *		. o x		 o  .  x	 x . o	at random: half of the time
 *
 * With P, the fraction of the rows for which that is true on an axis, 2 P - 1
 * goes from 0 to 1.  Its mean over the axes determines the square of the
 * correlation, with which cost_index() interpolates between a page for each
 * row and the fewest pages possible.  A table sorted along one axis has about
 * one half.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "estimate/cache/cache.h"
#include "estimate/sample/sample.h"
#include "estimate/scan/scan.h"

/* By chance alone, rows seem to be in order to this extent. */
#define NOISE	0.1

/*
 * The square of the correlation in perfect order.  With 1, plain scans would
 * be chosen for large results, where a bitmap scan takes half the time: plain
 * scans pin and lock a page for each row, which cost_index() does not charge.
 * With 1/2, the first ten rows of a quarter of the table would be searched by
 * a sequential scan, which may read half of the table before the first one.
 */
#define MOST	0.75

/*
 * Return how far the rows of a sample's blocks are neighbors, from 0 to MOST.
 */
static double
compute_order(const SpqEstimateSample *sample)
{
	int			nearer[SPQ_ESTIMATE_MAX_AXES],
				tries,
				sum = 0;
	double		order;

	if (sample->complete)
		return 0;				/* a small table */
	tries = sample->axes * spq_estimate_nearer_neighbors(sample, nearer);
	for (int axis = 0; axis < sample->axes; axis++)
		sum += nearer[axis];
	if (tries == 0)
		return 0;
	order = 2.0 * sum / tries - 1;
	return MOST * Max(order - NOISE, 0) / (1 - NOISE);
}

/* The same, computed once for all partitions of a table. */
static double
order_of_sample(const SpqEstimateSample *sample)
{
	static uint64 last = 0;
	static double order;

	if (sample->id != last)
		order = compute_order(sample);
	last = sample->id;
	return order;
}

/*
 * Return the sample of a condition's column if the condition was estimated
 * from one, or NULL.
 */
static const SpqEstimateSample *
sample_of_condition(PlannerInfo *root, const RelOptInfo *rel, const RestrictInfo *rinfo)
{
	SpqSpatialOperator op;
	SpqEstimateExpression column;
	double		tuples;

	/* spq_estimate_scan_clauses() sets outer_selec */
	if (rinfo->outer_selec < 0 || !is_opclause(rinfo->clause) ||
		bms_membership(rinfo->clause_relids) != BMS_SINGLETON ||
		!spq_spatial_scan_operator(((OpExpr *) rinfo->clause)->opno, &op))
		return NULL;
	for (int side = 0; side < 2; side++)
		if (spq_estimate_expression(list_nth(((OpExpr *) rinfo->clause)->args, side),
									side == 0 ? &op.left : &op.right, &column) &&
			column.varno == rel->relid)
			return spq_estimate_column_sample(root, &column, SPQ_ESTIMATE_SCAN_BLOCK_ROWS,
											  &tuples);
	return NULL;
}

/*
 * Return the correlation between an index on boxes and the order of its table,
 * or 0 if it is unknown.  It is computed from the sample of a condition; no
 * sample is taken for it.
 */
double
spq_estimate_heap_order(PlannerInfo *root, const IndexPath *path)
{
	ListCell   *lc;

	if (path->path.param_info)
		return 0;
	foreach(lc, path->indexclauses)
	{
		const SpqEstimateSample *sample =
			sample_of_condition(root, path->indexinfo->rel,
								lfirst_node(IndexClause, lc)->rinfo);

		if (sample)
			return sqrt(order_of_sample(sample));
	}
	return 0;
}
