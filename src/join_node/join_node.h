/*-------------------------------------------------------------------------
 *
 * join_node.h
 *	  Spatial hash join: a join node for PostgreSQL's planner and executor.
 *
 * README.md lists the files.  plan_format.h describes what the planner passes
 * to the executor, state.h the executor's state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_JOIN_NODE_H
#define SPQ_JOIN_NODE_JOIN_NODE_H

#include "nodes/extensible.h"
#include "optimizer/paths.h"

extern const CustomScanMethods spq_node_scan_methods;
extern const CustomScanMethods spq_node_index_scan_methods;

extern void spq_node_add_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
							   RelOptInfo *innerrel, JoinType jointype,
							   JoinPathExtraData *extra);

extern void spq_node_count_paths(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel,
								 const GroupPathExtraData *extra);

/* The bytes that the build side of a join may take in memory. */
extern double spq_node_memory_limit(void);

#endif							/* SPQ_JOIN_NODE_JOIN_NODE_H */
