/*-------------------------------------------------------------------------
 *
 * row_payload.h
 *	  The columns of rows that pass through the engine.
 *
 * Only columns that the result or conditions need.  If there are none, as with
 * count(*), there is no payload.  The formats:
 *
 *		NUMBER		one column of four bytes: it is the reference, so that reading
 *					it takes no access to other memory
 *		VALUES		datums, ready to be read.  Those that are passed by reference
 *					follow, as they are stored, and their datums are distances
 *					from the beginning: rows go to other memory, and to disk
 *		TUPLE		too many columns for that: a minimal tuple
 *
 * If there are conditions on parts, the part of the row goes with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H
#define SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H

#include "access/htup_details.h"

#include "join_node/executor/state.h"

/* The reference of a null, in the format NUMBER. */
#define SPQ_NODE_NULL	(UINT64CONST(1) << 32)

/* The part of a row takes 34 bits (row_parts.c); above, value i has a bit for null. */
#define SPQ_NODE_NULL_VALUE(i)	(UINT64CONST(1) << (34 + (i)))
#define SPQ_NODE_MOST_VALUES	30

typedef struct SpqNodePayload
{
	uint64		ref;
	const void *data;			/* NULL: the reference is all */
	Size		length;
} SpqNodePayload;

extern void spq_node_payload_init(SpqNodeState *node, int which);
extern MinimalTuple spq_node_payload_tuple(SpqNodeSide *side, TupleTableSlot *slot);
extern SpqNodePayload spq_node_payload_of(SpqNodeSide *side, TupleTableSlot *slot, uint64 part);
extern uint64 spq_node_payload_part(const SpqNodeSide *side, uint64 ref);
extern void spq_node_load_tuple(SpqNodeSide *side, TupleTableSlot *scan, MinimalTuple tuple);
extern void spq_node_load_slot(SpqNodeSide *side, TupleTableSlot *scan, TupleTableSlot *slot);
extern void spq_node_load_nulls(SpqNodeSide *side, TupleTableSlot *scan);

/* Return whether rows of a side have a payload, besides their reference. */
static inline bool
spq_node_has_payload(const SpqNodeSide *side)
{
	return side->format == SPQ_NODE_VALUES || side->format == SPQ_NODE_TUPLE;
}

/* Load a row that the engine has returned into the scan tuple. */
static inline void
spq_node_load(SpqNodeSide *side, TupleTableSlot *scan, uint64 ref)
{
	const SpqNodeValues *row;

	switch (side->format)
	{
		case SPQ_NODE_NO_COLUMNS:
			break;
		case SPQ_NODE_NUMBER:
			scan->tts_values[side->to[0]] = Int32GetDatum((int32) (uint32) ref);
			scan->tts_isnull[side->to[0]] = ref == SPQ_NODE_NULL;
			break;
		case SPQ_NODE_VALUES:
			row = (const SpqNodeValues *) (uintptr_t) ref;
			for (int i = 0; i < side->ncolumns; i++)
			{
				/* no branch: an address is added if it is a distance */
				scan->tts_values[side->to[i]] =
					row->value[i] + ((uintptr_t) row & side->by_reference[i]);
				scan->tts_isnull[side->to[i]] = (row->part & SPQ_NODE_NULL_VALUE(i)) != 0;
			}
			break;
		case SPQ_NODE_TUPLE:
			spq_node_load_tuple(side, scan, (MinimalTuple) (uintptr_t) ref);
			break;
	}
}

#endif							/* SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H */
