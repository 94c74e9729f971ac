/*-------------------------------------------------------------------------
 *
 * sides.h
 *	  The keys of the rows of one side of a spatial hash join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_SIDES_H
#define SPQ_JOIN_NODE_EXECUTOR_SIDES_H

#include "join_node/executor/state.h"

extern void spq_node_side_init(SpqNodeState *node, int which);
extern bool spq_node_side_key(SpqNodeSide *side, TupleTableSlot *slot, float8 *box,
							  uint32 *hash);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_SIDES_H */
