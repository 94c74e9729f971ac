/*-------------------------------------------------------------------------
 *
 * index_join.h
 *	  Joins that read indexes, to the node engines like that of src/join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_INDEXES_INDEX_JOIN_H
#define SPQ_JOIN_NODE_INDEXES_INDEX_JOIN_H

#include "join_node/rows/state.h"

/*
 * Return whether the node can read its children's indexes; else it joins the rows that
 * the children return.
 */
extern bool spq_node_can_join_indexes(const EState *estate);

/*
 * index_join.c: both children are index scans.  window_join.c: that of the build side is.
 *
 * Begin the join of a node; its "join" from then on.
 */
extern SpqJoin *spq_node_begin_index_join(SpqNodeState *node);
extern SpqJoin *spq_node_begin_window_join(SpqNodeState *node);

/* "next", "more", "accept", "restart", "stats" and "end" of these joins. */
extern const SpqJoinEngine spq_node_index_engine;
extern const SpqJoinEngine spq_node_window_engine;

#endif							/* SPQ_JOIN_NODE_INDEXES_INDEX_JOIN_H */
