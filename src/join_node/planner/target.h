/*-------------------------------------------------------------------------
 *
 * target.h
 *	  Decides whether the node may join rows that a query changes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_TARGET_H
#define SPQ_JOIN_NODE_PLANNER_TARGET_H

#include "nodes/pathnodes.h"

extern bool spq_node_may_join_target(PlannerInfo *root, RelOptInfo *joinrel);

#endif							/* SPQ_JOIN_NODE_PLANNER_TARGET_H */
