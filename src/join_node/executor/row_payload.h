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
 *
 * If there are conditions on parts, the part of the row goes with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H
#define SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H

#include "join_node/executor/state.h"

/* The reference of a null, in the format NUMBER. */
#define SPQ_NODE_NULL	(UINT64CONST(1) << 32)

/*
 * The part of a row takes 34 bits (row_parts.c); above, each of the first values has a
 * bit for null.  Any others have a byte, behind all datums.
 */
#define SPQ_NODE_NULL_VALUE(i)	(UINT64CONST(1) << (34 + (i)))
#define SPQ_NODE_NULL_BITS	30

typedef struct SpqNodePayload
{
	uint64		ref;
	const void *data;			/* NULL: the reference is all */
	Size		length;
} SpqNodePayload;

extern void spq_node_payload_init(SpqNodeState *node, int which);
extern SpqNodePayload spq_node_payload_of(SpqNodeSide *side, TupleTableSlot *slot, uint64 part);
extern uint64 spq_node_payload_part(const SpqNodeSide *side, uint64 ref);
extern void spq_node_load_slot(SpqNodeSide *side, TupleTableSlot *scan, TupleTableSlot *slot);
extern void spq_node_load_nulls(SpqNodeSide *side, TupleTableSlot *scan);

/* Return whether rows of a side have a payload, besides their reference. */
static inline bool
spq_node_has_payload(const SpqNodeSide *side)
{
	return side->format == SPQ_NODE_VALUES;
}

/* Return the bytes for null, of which the first ones do not exist. */
static inline bool *
spq_node_null_bytes(const SpqNodeSide *side, const SpqNodeValues *row)
{
	return unconstify(bool *, (const bool *) (row->value + side->ncolumns)) - SPQ_NODE_NULL_BITS;
}

/* Load a row that the engine has returned into the scan tuple. */
static inline void
spq_node_load(SpqNodeSide *side, TupleTableSlot *scan, uint64 ref)
{
	const SpqNodeValues *row;
	int			i = 0;

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
			/* no branch: an address is added if it is a distance */
			for (; i < side->null_bits; i++)
			{
				scan->tts_values[side->to[i]] =
					row->value[i] + ((uintptr_t) row & side->by_reference[i]);
				scan->tts_isnull[side->to[i]] = (row->part & SPQ_NODE_NULL_VALUE(i)) != 0;
			}
			for (; i < side->ncolumns; i++)
			{
				scan->tts_values[side->to[i]] =
					row->value[i] + ((uintptr_t) row & side->by_reference[i]);
				scan->tts_isnull[side->to[i]] = spq_node_null_bytes(side, row)[i];
			}
			break;
	}
}

#endif							/* SPQ_JOIN_NODE_EXECUTOR_ROW_PAYLOAD_H */
