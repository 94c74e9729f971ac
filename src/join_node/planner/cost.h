/*-------------------------------------------------------------------------
 *
 * cost.h
 *	  The cost of a spatial hash join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_COST_H
#define SPQ_JOIN_NODE_PLANNER_COST_H

#include "join_node/planner/clauses.h"

extern bool spq_node_is_disabled(void);
extern double spq_node_parallel_divisor(const Path *path);
extern bool spq_node_cost(PlannerInfo *root, CustomPath *path,
						  List *restrictlist, const SpqNodeClauses *clauses,
						  const SemiAntiJoinFactors *factors, bool shared, bool exchanged);

#endif							/* SPQ_JOIN_NODE_PLANNER_COST_H */
