/*-------------------------------------------------------------------------
 *
 * join_node.h
 *	  Spatial hash join, a join node for PostgreSQL's planner and executor.
 *
 *		 clauses.c		 choose the key among the join conditions
 *		 cost.c			 cost of a path
 *		 hash_paths.c	 cost of PostgreSQL's hash joins with a spatial filter
 *		 plan.c			 path -> plan						  (planner, once)
 *		 paths.c		 offer paths for a join				  (planner, each join)
 *		 sides.c		 box, hash and payload of a row of one side
 *		 read_build.c	 read the build side; start and end the engine's join
 *		 parallel.c		 shared memory of a parallel plan
 *		 explain.c		 lines in EXPLAIN
 *		 execute.c		 rows in, rows out					  (executor)
 *
 * plan_format.h describes what the planner hands to the executor, state.h the
 * executor's state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_JOIN_NODE_H
#define SPQ_JOIN_NODE_JOIN_NODE_H

extern void spq_node_init(void);

#endif							/* SPQ_JOIN_NODE_JOIN_NODE_H */
