/*-------------------------------------------------------------------------
 *
 * row_payload.c
 *	  The columns of rows that pass through the engine.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "utils/expandeddatum.h"

#include "compat.h"
#include "join_node/rows/state.h"

/* Return the columns of the scan tuple to which target list and filter refer. */
static Bitmapset *
result_columns(CustomScan *cscan)
{
	Bitmapset  *needed = NULL;

	pull_varattnos((Node *) cscan->scan.plan.targetlist, INDEX_VAR, &needed);
	pull_varattnos(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_FILTER), INDEX_VAR,
				   &needed);
	return needed;
}

/* Return the columns of the scan tuple to which expressions refer. */
static Bitmapset *
needed_columns(CustomScan *cscan)
{
	Bitmapset  *needed = result_columns(cscan);

	pull_varattnos(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK), INDEX_VAR,
				   &needed);
	return needed;
}

/* Find the columns of which conditions may keep what they make of them. */
static void
find_kept_columns(SpqNodeSide *side, CustomScan *cscan)
{
	Bitmapset  *recheck = NULL;

	pull_varattnos(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK), INDEX_VAR, &recheck);
	for (int i = 0; i < side->ncolumns; i++)
	{
		if (TupleDescAttr(side->desc, i)->attlen == -1 &&
			bms_is_member(side->to[i] + 1 - FirstLowInvalidHeapAttributeNumber, recheck))
			side->in_recheck = bms_add_member(side->in_recheck, i);
	}
	bms_free(recheck);
}

/* Choose how the columns pass through the engine. */
static SpqNodeFormat
choose_format(const SpqNodeState *node, const SpqNodeSide *side)
{
	if (side->has_line)
		return SPQ_NODE_VALUES;
	if (side->ncolumns == 0)
		return SPQ_NODE_NO_COLUMNS;
	if (side->ncolumns == 1 && TupleDescAttr(side->desc, 0)->attbyval &&
		TupleDescAttr(side->desc, 0)->attlen == sizeof(int32) && node->partitioning == NULL)
		return SPQ_NODE_NUMBER;
	return SPQ_NODE_VALUES;
}

/* Find the columns that are needed of a side, and choose their format. */
void
spq_node_payload_init(SpqNodeState *node, int which)
{
	SpqNodeSide *side = &node->side[which];
	CustomScan *cscan = (CustomScan *) node->css.ss.ps.plan;
	TupleDesc	scan = node->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor;
	List	   *sides = list_nth(cscan->custom_private, SPQ_NODE_PLAN_COLUMN_SIDES),
			   *columns = list_nth(cscan->custom_private, SPQ_NODE_PLAN_COLUMNS);
	Bitmapset  *needed = needed_columns(cscan),
			   *in_result = result_columns(cscan);

	side->child_column = palloc(scan->natts * sizeof(AttrNumber));
	side->to = palloc(scan->natts * sizeof(int));
	for (int i = 0; i < scan->natts; i++)
	{
		AttrNumber	column = list_nth_int(columns, i);

		if (list_nth_int(sides, i) != which ||
			!bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, needed))
			continue;
		side->in_result |= bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, in_result);
		side->child_column[side->ncolumns] = column;
		side->to[side->ncolumns++] = i;
		side->last_column = Max(side->last_column, column);
	}

	side->desc = CreateTemplateTupleDesc(side->ncolumns);
	for (int i = 0; i < side->ncolumns; i++)
		TupleDescCopyEntry(side->desc, i + 1, scan, side->to[i] + 1);
	spq_finalize_descriptor(side->desc);
	side->has_line = which == SPQ_NODE_PROBE &&
		list_nth_int(list_nth(cscan->custom_private, SPQ_NODE_PLAN_NUMBERS),
					 SPQ_NODE_NUMBER_LINES) != 0;
	side->format = choose_format(node, side);
	if (which == SPQ_NODE_BUILD)
		find_kept_columns(side, cscan);
	side->by_reference = palloc(side->ncolumns * sizeof(uintptr_t));
	for (int i = 0; i < side->ncolumns; i++)
		side->by_reference[i] = TupleDescAttr(side->desc, i)->attbyval ? 0 : UINTPTR_MAX;
	side->null_bits = Min(side->ncolumns, SPQ_NODE_NULL_BITS);
	side->fixed_size = offsetof(SpqNodeValues, value) + side->ncolumns * sizeof(Datum) +
		side->ncolumns - side->null_bits;
	side->row_room = side->fixed_size;
	side->row = palloc0(side->row_room);
	bms_free(needed);
}

/* Return the bytes that a value takes behind the datums, before it is aligned. */
static inline Size
value_size(const FormData_pg_attribute *column, Datum value)
{
	if (column->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		return EOH_get_flat_size(DatumGetEOHP(value));
	return att_addlength_datum(0, column->attlen, value);
}

/* Enlarge the memory for a row to this size. */
static inline void
make_room(SpqNodeSide *side, Size size)
{
	if (size <= side->row_room)
		return;
	/* as for a tuple, there is an error if that is too large */
	side->row_room = Max(Min(2 * side->row_room, MaxAllocSize), size);
	side->row = repalloc(side->row, side->row_room);
}

/*
 * Copy a value that is passed by reference behind the first "length" bytes of a
 * side's row, as heap_form_minimal_tuple() would, and return the new length.
 */
static Size
add_value(SpqNodeSide *side, int i, Datum value, Size length)
{
	const FormData_pg_attribute *column = TupleDescAttr(side->desc, i);
	Size		size = value_size(column, value),
				at;

	/* a value with a short header may be anywhere, as in a tuple */
	if (column->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		at = MAXALIGN(length);
	else
		at = att_align_datum(length, column->attalign, column->attlen, value);
	make_room(side, at + size);
	if (column->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		EOH_flatten_into(DatumGetEOHP(value), (char *) side->row + at, size);
	else
		memcpy((char *) side->row + at, DatumGetPointer(value), size);
	side->row->value[i] = at;
	return at + size;
}

/* Make the payload of a row that consists of datums, and return its length. */
static Size
put_values(SpqNodeSide *side, TupleTableSlot *slot, uint64 part)
{
	Size		length = side->fixed_size;

	slot_getsomeattrs(slot, side->last_column);
	side->row->part = part;
	for (int i = 0; i < side->ncolumns; i++)
	{
		int			column = side->child_column[i] - 1;
		Datum		value = slot->tts_values[column];

		if (i >= SPQ_NODE_NULL_BITS)
			spq_node_null_bytes(side, side->row)[i] = slot->tts_isnull[column];
		else if (slot->tts_isnull[column])
			side->row->part |= SPQ_NODE_NULL_VALUE(i);
		if (slot->tts_isnull[column])
			continue;
		if (side->by_reference[i])
			length = add_value(side, i, value, length);
		else
			side->row->value[i] = value;
	}
	if (side->has_line)
	{
		length = MAXALIGN(length);
		make_room(side, length + sizeof(SpqLine));
		memcpy((char *) side->row + length, &side->line, sizeof(SpqLine));
		length += sizeof(SpqLine);
	}
	return length;
}

/*
 * Return what the engine is given of a row: its columns, and its part.  It is
 * valid until the next row.
 */
SpqNodePayload
spq_node_payload_of(SpqNodeSide *side, TupleTableSlot *slot, uint64 part)
{
	SpqNodePayload payload = {0};

	switch (side->format)
	{
		case SPQ_NODE_NO_COLUMNS:
			payload.ref = part;
			break;

		case SPQ_NODE_NUMBER:
			{
				bool		isnull;
				Datum		value = slot_getattr(slot, side->last_column, &isnull);

				payload.ref = isnull ? SPQ_NODE_NULL : (uint32) DatumGetInt32(value);
				break;
			}

		case SPQ_NODE_VALUES:
			payload.length = put_values(side, slot, part);
			payload.data = side->row;
			break;

	}
	return payload;
}

/* Return the part of a row that the engine has returned. */
uint64
spq_node_payload_part(const SpqNodeSide *side, uint64 ref)
{
	switch (side->format)
	{
		case SPQ_NODE_NO_COLUMNS:
			return ref;
		case SPQ_NODE_VALUES:
			return ((const SpqNodeValues *) (uintptr_t) ref)->part & (SPQ_NODE_NULL_VALUE(0) - 1);
		case SPQ_NODE_NUMBER:
			break;
	}
	pg_unreachable();
}

/* Return whether a value is null. */
static bool
is_null(const SpqNodeSide *side, const SpqNodeValues *row, int i)
{
	return i < SPQ_NODE_NULL_BITS ? (row->part & SPQ_NODE_NULL_VALUE(i)) != 0 :
		spq_node_null_bytes(side, row)[i];
}

/*
 * Return about how much memory conditions will take for what they keep of a row: as
 * much as its values in TOAST tables, which they fetch.  Others are short.
 */
Size
spq_node_kept_bytes(const void *payload, const void *argument)
{
	const SpqNodeSide *side = argument;
	const SpqNodeValues *row = payload;
	Size		bytes = 0;
	int			i = -1;

	while ((i = bms_next_member(side->in_recheck, i)) >= 0)
	{
		const char *value = (const char *) row + row->value[i];

		if (!is_null(side, row, i) && VARATT_IS_EXTERNAL_ONDISK(value))
		{
			struct varatt_external pointer;

			VARATT_EXTERNAL_GET_POINTER(pointer, value);
			bytes += pointer.va_rawsize;
		}
	}
	return bytes;
}

/* Load a row that is still in its child's slot into the scan tuple. */
void
spq_node_load_slot(SpqNodeSide *side, TupleTableSlot *scan, TupleTableSlot *slot)
{
	slot_getsomeattrs(slot, side->last_column);
	for (int i = 0; i < side->ncolumns; i++)
	{
		scan->tts_values[side->to[i]] = slot->tts_values[side->child_column[i] - 1];
		scan->tts_isnull[side->to[i]] = slot->tts_isnull[side->child_column[i] - 1];
	}
}

/* Set this side of the scan tuple to nulls. */
void
spq_node_load_nulls(SpqNodeSide *side, TupleTableSlot *scan)
{
	for (int i = 0; i < side->ncolumns; i++)
		scan->tts_isnull[side->to[i]] = true;
}
