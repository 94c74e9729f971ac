/*-------------------------------------------------------------------------
 *
 * sides.h
 *	  The rows of one side of a spatial hash join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_SIDES_H
#define SPQ_JOIN_NODE_EXECUTOR_SIDES_H

#include "join_node/executor/state.h"

extern void spq_node_side_init(SpqNodeState *node, int which);
extern bool spq_node_side_key(SpqNodeSide *side, TupleTableSlot *slot, float8 *box,
							  uint32 *hash);
extern MinimalTuple spq_node_side_payload(SpqNodeSide *side,
										  TupleTableSlot *slot);
extern void spq_node_side_load(SpqNodeSide *side, TupleTableSlot *scan,
							   uint64 payload);
extern void spq_node_side_load_slot(SpqNodeSide *side, TupleTableSlot *scan,
									TupleTableSlot *slot);
extern void spq_node_side_load_nulls(SpqNodeSide *side, TupleTableSlot *scan);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_SIDES_H */
