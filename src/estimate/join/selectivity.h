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

#include "estimate/pairs/touched.h"
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

extern const SpqEstimateSelectivity *spq_estimate_clause(PlannerInfo *root,
														 RestrictInfo *rinfo,
														 const SpqSpatialOperator *op);
extern bool spq_estimate_prime_clause(PlannerInfo *root, RestrictInfo *rinfo,
									  List *conditions, List *join_info);
extern bool spq_estimate_prime_partitions(PlannerInfo *root, List *clauses,
										  SpecialJoinInfo *sjinfo);
extern double spq_estimate_candidates_per_match(PlannerInfo *root, RestrictInfo *clause,
												const SpqSpatialOperator *op);
extern List *spq_estimate_prime_clauses(PlannerInfo *root, RelOptInfo *rel);
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

#endif							/* SPQ_ESTIMATE_JOIN_SELECTIVITY_H */
