/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *	  The selectivity of spatial join clauses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_SELECTIVITY_H
#define SPQ_ESTIMATE_JOIN_SELECTIVITY_H

#include "nodes/pathnodes.h"

#include "estimate/pairs/near_pairs.h"
#include "estimate/sample/sample.h"
#include "estimate/window/window.h"
#include "spatial/operators/operators.h"
#include "spatial/operators/sides.h"

/* What PostgreSQL assumes for overlaps (areasel, areajoinsel). */
#define SPQ_DEFAULT_SELECTIVITY	0.005

typedef struct SpqEstimateSelectivity
{
	double		inner;			/* fraction of all pairs of rows that match */
	double		candidates;		/* fraction whose boxes are in the relation
								 * that is searched for */
	double		left_fraction;	/* of the rows on the left side of the clause
								 * that have a match */
	double		right_fraction;
	SpqEstimateTouched left_touched;	/* of the left side, by scans for
										 * right rows */
	SpqEstimateTouched right_touched;
	bool		sampled;		/* estimated from samples of both sides */
} SpqEstimateSelectivity;

/* Two comparisons that are the condition that intervals overlap. */
typedef struct SpqEstimateInterval
{
	RestrictInfo *first,
			   *second;
	double		selectivity;	/* of both together */
} SpqEstimateInterval;

extern const SpqEstimateSelectivity *spq_estimate_clause(PlannerInfo *root,
														 RestrictInfo *rinfo,
														 const SpqSpatialOperator *op);
extern bool spq_estimate_prime_clause(PlannerInfo *root, RestrictInfo *rinfo,
									  List *conditions, List *join_info);
extern bool spq_estimate_prime_partitions(PlannerInfo *root, List *clauses,
										  SpecialJoinInfo *sjinfo);
extern const SpqEstimateSelectivity *spq_estimate_whole_clause(PlannerInfo *root,
															   RestrictInfo *clause,
															   const SpqSpatialOperator *op);
extern List *spq_estimate_prime_clauses(PlannerInfo *root, RelOptInfo *rel);
extern List *spq_estimate_intervals(PlannerInfo *root, RelOptInfo *rel);
extern const SpqEstimateSelectivity *spq_estimate_clause_of(PlannerInfo *root, RelOptInfo *rel,
															RestrictInfo *rinfo, bool *left);
extern Selectivity spq_estimate_scan_selectivity(PlannerInfo *root, RelOptInfo *rel,
												 RestrictInfo *rinfo);
extern RestrictInfo *spq_estimate_clause_between(PlannerInfo *root, RestrictInfo *rinfo,
												 List *conditions,
												 const SpqSpatialSides *sides,
												 SpqSpatialOperator *op);
extern RestrictInfo *spq_estimate_join_clause(PlannerInfo *root, RestrictInfo *rinfo,
											  List *conditions, SpqSpatialOperator *op);

/* join_side.c */
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

/*
 * join_window.c
 *
 * PostgreSQL multiplies the rows of both sides by the selectivity of the join,
 * as if all three were independent.  But rows in the same window match far
 * more often than others:
 *
 *		a.b && b.b AND a.b && W AND b.b && W
 *
 *		+-----------------+		pairs of rows in the window, from the rows of
 *		|	+----+		  |		both samples in it; if these are too few, from
 *		|	| W	 |	grown |		those of a larger window: a row meets as many
 *		|	+----+		  |		others there as in the window itself
 *		+-----------------+
 */
extern double spq_estimate_restrict_sides(SpqEstimateSide *left, SpqEstimateSide *right);

/* shape_pairs.c */
extern bool spq_estimate_shape_pairs(PlannerInfo *root, const OpExpr *clause,
									 const SpqSpatialOperator *op,
									 const SpqEstimateSide *left, const SpqEstimateSide *right,
									 SpqEstimateSelectivity *result);

/* owner_clause.c */
extern List *spq_estimate_join_clauses(PlannerInfo *root, RelOptInfo *left, RelOptInfo *right);
extern RestrictInfo *spq_estimate_owner_clause(List *clauses);
extern double spq_estimate_owner_share(PlannerInfo *root, RestrictInfo *owner,
									   const SpqEstimateSample *left,
									   const SpqEstimateSample *right);
extern bool spq_estimate_set_owned(RestrictInfo *owner, List *clauses, double share);

/* matched_rows.c */
extern void spq_estimate_limit_matched(PlannerInfo *root, RestrictInfo *rinfo,
									   RelOptInfo *left, RelOptInfo *right);

#endif							/* SPQ_ESTIMATE_JOIN_SELECTIVITY_H */
