/*-------------------------------------------------------------------------
 *
 * unique_paths.h
 *	  Semi joins by an index of the large side.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_UNIQUE_PATHS_H
#define SPQ_JOIN_NODE_PLANNER_UNIQUE_PATHS_H

#include "optimizer/paths.h"

extern void spq_node_unique_paths(PlannerInfo *root, RelOptInfo *joinrel,
								  RelOptInfo *outerrel, RelOptInfo *innerrel,
								  JoinPathExtraData *extra);

#endif							/* SPQ_JOIN_NODE_PLANNER_UNIQUE_PATHS_H */
