/*-------------------------------------------------------------------------
 *
 * join_side.h
 *	  One side of a join clause: its relation and its sample.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_JOIN_SIDE_H
#define SPQ_ESTIMATE_JOIN_JOIN_SIDE_H

#include "nodes/pathnodes.h"

#include "estimate/sample/box_expression.h"
#include "estimate/sample/sample_boxes.h"
#include "estimate/window/window.h"

typedef struct SpqEstimateSide
{
	RelOptInfo *rel;			/* NULL if there is not just one */
	SpqEstimateExpression expression;
	double		tuples;			/* of the sampled tables, or of the relation */
	double		rows;			/* after the query's conditions */
	const SpqEstimateSample *sample;	/* NULL if there is none */

	/* about its conditions on the same column */
	double		in_window;		/* fraction of rows that satisfy them; 1 if
								 * there are none */
	bool		window_known;
	SpqEstimateWindow window;
} SpqEstimateSide;

extern RelOptInfo *spq_estimate_single_rel(PlannerInfo *root, Relids relids);
extern void spq_estimate_sample_sides(PlannerInfo *root, const RestrictInfo *rinfo,
									  const SpqSpatialOperator *op,
									  SpqEstimateSide *left, SpqEstimateSide *right);
extern void spq_estimate_sample_more_blocks(PlannerInfo *root, SpqEstimateSide *left,
											SpqEstimateSide *right);

#endif							/* SPQ_ESTIMATE_JOIN_JOIN_SIDE_H */
