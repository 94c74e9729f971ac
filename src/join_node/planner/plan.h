/*-------------------------------------------------------------------------
 *
 * plan.h
 *	  Makes the plan of a spatial hash join from its path.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_PLAN_H
#define SPQ_JOIN_NODE_PLANNER_PLAN_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

extern Plan *spq_node_plan(PlannerInfo *root, RelOptInfo *rel,
						   CustomPath *best_path, List *tlist, List *clauses,
						   List *custom_plans);

#endif							/* SPQ_JOIN_NODE_PLANNER_PLAN_H */
