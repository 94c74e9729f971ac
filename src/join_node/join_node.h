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

extern void spq_node_init(void);

#endif							/* SPQ_JOIN_NODE_JOIN_NODE_H */
