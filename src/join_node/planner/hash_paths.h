/*-------------------------------------------------------------------------
 *
 * hash_paths.h
 *	  The cost of PostgreSQL's own hash joins with a spatial condition as a
 *	  filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_HASH_PATHS_H
#define SPQ_JOIN_NODE_PLANNER_HASH_PATHS_H

#include "nodes/pathnodes.h"

extern void spq_node_recost_hash_paths(PlannerInfo *root, RelOptInfo *joinrel,
									   RelOptInfo *outerrel,
									   RelOptInfo *innerrel,
									   JoinType jointype, RestrictInfo *condition);

#endif							/* SPQ_JOIN_NODE_PLANNER_HASH_PATHS_H */
