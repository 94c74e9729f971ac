/*-------------------------------------------------------------------------
 *
 * owner_clause.h
 *	  Joins of tables whose rows are copied into cells or parts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_OWNER_CLAUSE_H
#define SPQ_ESTIMATE_JOIN_OWNER_CLAUSE_H

#include "nodes/pathnodes.h"

#include "estimate/sample/sample_boxes.h"

extern List *spq_estimate_join_clauses(PlannerInfo *root, RelOptInfo *left, RelOptInfo *right);
extern RestrictInfo *spq_estimate_owner_clause(List *clauses);
extern double spq_estimate_owner_share(PlannerInfo *root, RestrictInfo *owner,
									   const SpqEstimateSample *left,
									   const SpqEstimateSample *right);
extern bool spq_estimate_set_owned(RestrictInfo *owner, List *clauses, double share);

#endif							/* SPQ_ESTIMATE_JOIN_OWNER_CLAUSE_H */
