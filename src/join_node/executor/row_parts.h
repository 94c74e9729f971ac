/*-------------------------------------------------------------------------
 *
 * row_parts.h
 *	  The parts of rows, which decide whether their part owns a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H
#define SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H

#include "access/htup_details.h"

#include "join_node/executor/state.h"

/* Whether minimal tuples have room for a part: not where alignment is to 4 bytes. */
#define SPQ_NODE_PART_FITS	(MINIMAL_TUPLE_PADDING > sizeof(int32))

/* A function of the engine that takes a row: "build" or "probe". */
typedef bool (*SpqNodeTakeRow) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
								const void *payload, Size length);

extern bool spq_node_give_row(SpqNodeState *node, SpqNodeSide *side, TupleTableSlot *slot,
							  const float8 *box, uint32 hash, MinimalTuple payload,
							  SpqNodeTakeRow take);
extern bool spq_node_pair_owned(const SpqNodeState *node, const SpqJoinPair *pair);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_ROW_PARTS_H */
