/*-------------------------------------------------------------------------
 *
 * read_build.h
 *	  The engine's join, from reading the build side to the end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_READ_BUILD_H
#define SPQ_JOIN_NODE_EXECUTOR_READ_BUILD_H

#include "join_node/executor/state.h"

extern void spq_node_begin_join(SpqNodeState *node);
extern MinimalTuple spq_node_next_unmatchable(SpqNodeState *node);
extern bool spq_node_restart_join(SpqNodeState *node);
extern void spq_node_end_join(SpqNodeState *node);
extern void spq_node_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_READ_BUILD_H */
