/*-------------------------------------------------------------------------
 *
 * row_parts.h
 *	  Decides the join conditions on the part that owns a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H
#define SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H

#include "access/htup_details.h"

#include "join_node/executor/state.h"

/*
 * True if the padding of minimal tuples has room for a part.  With a maximum
 * alignment of 4 bytes, it is too short.
 */
#define SPQ_NODE_PART_FITS	(MINIMAL_TUPLE_PADDING > sizeof(int32))

/* A function of the engine that receives a row: "build" or "probe". */
typedef bool (*SpqNodeTakeRow) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
								const void *payload, Size length);

extern bool spq_node_give_row(SpqNodeState *node, SpqNodeSide *side, TupleTableSlot *slot,
							  const float8 *box, uint32 hash, SpqNodeTakeRow take);
extern bool spq_node_pair_owned(const SpqNodeState *node, const SpqJoinPair *pair);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H */
