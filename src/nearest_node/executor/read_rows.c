/*-------------------------------------------------------------------------
 *
 * read_rows.c
 *	  Reads all rows, and makes a tree of their bounds.
 *
 *		reading plan --> row --+--> MinimalTuple, value		rows[id]
 *							   +--> bounds, id				packed tree
 *
 * If the rows do not fit into memory, those read so far and the rest go to a file
 * (rows_on_disk.c).  Rows without a value are kept apart.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "compat.h"
#include "join/boxes/payloads.h"
#include "large_memory.h"
#include "nearest_node/executor/state.h"
#include "prefetch.h"

#define FIRST_SIZE	256

/* Rows ahead of the one that is copied. */
#define AHEAD	16

/* What is being read. */
typedef struct Reading
{
	float8	   *boxes;			/* enlarged bounds */
	uint32		room;			/* of the arrays of rows and boxes */
	MemoryContext tuples;
	SpqJoinPayloads payloads;
	Size		bytes;			/* of the rows themselves */
} Reading;

/*
 * Put the ends of a box in order, and enlarge it by the margin of the distance.  If an
 * end is not finite, the distance may be anything: such a box is everywhere.
 */
void
spq_nearest_node_grow(const SpqNearestState *node, float8 *box)
{
	float8		most = 0,
				sum = 0,
				margin;

	for (int end = 0; end < 2 * node->axes; end++)
	{
		most = Max(most, fabs(box[end]));
		sum += fabs(box[end]);
	}
	margin = node->margin + node->factor * most;
	for (int axis = 0; axis < node->axes; axis++)
	{
		float8		high = Max(box[axis], box[node->axes + axis]),
					low = Min(box[axis], box[node->axes + axis]);

		if (sum < get_float8_infinity())
		{
			box[axis] = high + margin;
			box[node->axes + axis] = low - margin;
		}
		else
		{
			box[axis] = get_float8_infinity();
			box[node->axes + axis] = -get_float8_infinity();
		}
	}
}

/* Set the enlarged bounds of a row's value. */
static void
bounds_of_row(SpqNearestState *node, Datum value, float8 *box)
{
	bool		isnull = false;

	if (node->inner_bounds)
		value = ExecEvalExprSwitchContext(node->inner_bounds, node->inner_econtext, &isnull);
	if (isnull)
		memset(box, 0xff, SPQ_TYPE_NUMBERS * sizeof(float8));	/* NaN */
	else
		spq_type_box_of(&node->inner_box, value, box);
	spq_nearest_node_grow(node, box);
}

/* Return the value in a row, which is not null. */
static Datum
value_in(const SpqNearestState *node, MinimalTuple row)
{
	HeapTupleData tuple;
	bool		isnull;

	tuple.t_len = row->t_len + MINIMAL_TUPLE_OFFSET;
	tuple.t_data = (HeapTupleHeader) ((char *) row - MINIMAL_TUPLE_OFFSET);
	return heap_getattr(&tuple, node->inner_column,
						node->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor, &isnull);
}

Datum
spq_nearest_node_value(SpqNearestState *node, uint32 row)
{
	if (node->leaves)
	{
		Datum		value;
		bool		isnull;

		if (!spq_nearest_leaves_key(node->leaves, row, &value))
			value = slot_getattr(spq_nearest_leaves_slot(node->leaves, row), node->inner_column,
								 &isnull);
		return value;
	}
	return node->disk ? value_in(node, spq_nearest_disk_row(node->disk, row)) :
		node->rows[row].value;
}

static Size
box_size(const SpqNearestState *node)
{
	return 2 * node->axes * sizeof(float8);
}

/* Return the place for the box of a row. */
static float8 *
box_of(const SpqNearestState *node, const Reading *reading, uint32 row)
{
	return reading->boxes + 2 * node->axes * (Size) row;
}

/* Return whether the rows so far, and the tree of them, fit into memory. */
static bool
fits(const SpqNearestState *node, const Reading *reading)
{
	Size		row = 2 * sizeof(SpqNearestRow) + box_size(node) +
		spq_packed_tree_row_size(node->axes);

	return reading->bytes + node->nrows * row <= get_hash_memory_limit();
}

/* Keep a row without a value. */
static void
keep_null(SpqNearestState *node, TupleTableSlot *slot)
{
	if (node->nulls == NULL)
		node->nulls = tuplestore_begin_heap(false, false, work_mem);
	tuplestore_puttupleslot(node->nulls, slot);
}

/* Copy a row or value to memory. */
static void *
store(Reading *reading, const void *data, Size size)
{
	reading->bytes += MAXALIGN(size) + sizeof(SpqJoinPayload);
	return (void *) (uintptr_t) spq_join_copy_payload(&reading->payloads, data, size);
}

/*
 * Keep a row in memory.  Its value is without compression or TOAST pointers: it will
 * be used many times.
 */
static void
keep_row(SpqNearestState *node, Reading *reading, MinimalTuple tuple, const float8 *box)
{
	SpqNearestRow *row;

	if (node->nrows == reading->room)
	{
		reading->room *= 2;
		node->rows = spq_large_realloc(node->rows, reading->room * sizeof(SpqNearestRow));
		reading->boxes = spq_large_realloc(reading->boxes, reading->room * box_size(node));
	}
	memcpy(box_of(node, reading, node->nrows), box, box_size(node));
	row = &node->rows[node->nrows++];
	row->tuple = store(reading, tuple, tuple->t_len);
	row->value = value_in(node, row->tuple);
	if (node->inner_length == -1 && VARATT_IS_EXTENDED(DatumGetPointer(row->value)))
	{
		struct varlena *value = PG_DETOAST_DATUM(row->value);

		row->value = PointerGetDatum(store(reading, value, VARSIZE(value)));
	}
}

/*
 * Make a tree of the rows in memory, and put them in its order, so that those which
 * a search finds are near each other.
 */
static SpqPackedTree *
make_tree(SpqNearestState *node, Reading *reading)
{
	Size		room = Max(node->nrows, 1);
	SpqNearestPlace *places = spq_large_alloc(node->context, 2 * room * sizeof(SpqNearestPlace));
	SpqNearestRow *rows = spq_large_alloc(node->context, room * sizeof(SpqNearestRow));
	SpqPackedTree *tree;

	spq_nearest_order(reading->boxes, node->nrows, node->axes, places);
	tree = spq_packed_tree_pack(reading->boxes, places, node->nrows, node->axes);
	pfree(reading->boxes);
	CHECK_FOR_INTERRUPTS();
	for (uint32 row = 0; row < node->nrows; row++)
	{
		if (row + AHEAD < node->nrows)
			spq_prefetch(&node->rows[spq_nearest_place_index(places[row + AHEAD])]);
		rows[row] = node->rows[spq_nearest_place_index(places[row])];
	}
	pfree(places);
	pfree(node->rows);
	node->rows = rows;
	return tree;
}

/* Write the rows in memory to a file. */
static void
move_to_disk(SpqNearestState *node, Reading *reading)
{
	node->disk = spq_nearest_disk_begin(node->axes, get_hash_memory_limit());
	for (uint32 row = 0; row < node->nrows; row++)
		spq_nearest_disk_add(node->disk, box_of(node, reading, row), node->rows[row].tuple);
	pfree(reading->boxes);
	pfree(node->rows);
	node->rows = NULL;
	MemoryContextDelete(reading->tuples);
	reading->tuples = NULL;
}

/* Add a row of the reading plan to those in memory, or in the file. */
static void
add_row(SpqNearestState *node, Reading *reading, TupleTableSlot *slot)
{
	MemoryContext old;
	MinimalTuple tuple;
	Datum		value;
	float8		box[SPQ_TYPE_NUMBERS];
	bool		isnull;

	ResetExprContext(node->inner_econtext);
	node->inner_econtext->ecxt_outertuple = slot;
	value = slot_getattr(slot, node->inner_column, &isnull);
	if (isnull)
	{
		keep_null(node, slot);
		return;
	}
	bounds_of_row(node, value, box);
	if (node->disk == NULL && !fits(node, reading))
		move_to_disk(node, reading);
	old = MemoryContextSwitchTo(node->inner_econtext->ecxt_per_tuple_memory);
	tuple = ExecCopySlotMinimalTuple(slot);
	if (node->disk == NULL)
		keep_row(node, reading, tuple, box);
	else
	{
		spq_nearest_disk_add(node->disk, box, tuple);
		node->nrows++;
	}
	MemoryContextSwitchTo(old);
}

/*
 * Read all rows.  Return the tree of them, or NULL if there are too many.  What the
 * plan allocates lives longer than the rows, in the context of the query.
 */
static SpqPackedTree *
read_all(SpqNearestState *node, MemoryContext of_query)
{
	Reading		reading = {.room = FIRST_SIZE};

	reading.boxes = palloc(reading.room * box_size(node));
	reading.tuples = AllocSetContextCreate(node->context, "rows", ALLOCSET_DEFAULT_SIZES);
	spq_join_payloads_init(&reading.payloads, reading.tuples);
	node->rows = palloc(reading.room * sizeof(SpqNearestRow));
	node->nrows = 0;
	for (;;)
	{
		TupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(of_query);
		slot = ExecProcNode(node->child[SPQ_NEAREST_READING]);
		MemoryContextSwitchTo(node->context);
		if (TupIsNull(slot))
			break;
		if (node->nrows == PG_INT32_MAX / 2)
			return NULL;
		add_row(node, &reading, slot);
	}
	if (node->disk == NULL && !fits(node, &reading))
		move_to_disk(node, &reading);
	if (node->disk)
		return spq_nearest_disk_done(node->disk);
	return make_tree(node, &reading);
}

/* The same by the leaves of an index. */
static SpqPackedTree *
read_leaves(SpqNearestState *node)
{
	node->leaves = spq_nearest_leaves_begin(node->child[SPQ_NEAREST_READING], node->axes,
											node->margin, node->factor);
	return spq_nearest_leaves_read(node->leaves, &node->nrows);
}

/* Read all rows.  Return false if there are too many, and remember that. */
bool
spq_nearest_node_read_rows(SpqNearestState *node)
{
	MemoryContext old;

	node->context = AllocSetContextCreate(node->css.ss.ps.state->es_query_cxt,
										  "spqtree nearest rows", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(node->context);
	node->tree = node->reads_leaves ? read_leaves(node) : read_all(node, old);
	MemoryContextSwitchTo(old);
	if (node->tree == NULL)
	{
		spq_nearest_node_forget_rows(node);
		node->too_many = true;
		return false;
	}
	old = MemoryContextSwitchTo(node->context);
	node->k = 1;
	node->search = spq_nearest_search_begin(node->tree, node->k, get_float8_infinity());
	spq_nearest_search_values(node->search, &node->values);
	node->hits = palloc(sizeof(SpqNearestHit));
	MemoryContextSwitchTo(old);
	node->memory = Max(node->memory, MemoryContextMemAllocated(node->context, true));
	if (node->disk)
		node->file_size = Max(node->file_size, spq_nearest_disk_size(node->disk));
	if (node->leaves)
		node->file_size = Max(node->file_size, spq_nearest_leaves_file_size(node->leaves));
	return true;
}

/* Forget the rows. */
void
spq_nearest_node_forget_rows(SpqNearestState *node)
{
	if (node->search)
		node->candidates += spq_nearest_search_candidates(node->search);
	if (node->disk)
		spq_nearest_disk_end(node->disk);
	if (node->leaves)
	{
		int64		fetches;

		node->nleaves += spq_nearest_leaves_count(node->leaves, &fetches);
		node->fetches += fetches;
		spq_nearest_leaves_end(node->leaves);
	}
	if (node->nulls)
		tuplestore_end(node->nulls);
	if (node->context)
		MemoryContextDelete(node->context);
	node->context = NULL;
	node->search = NULL;
	node->disk = NULL;
	node->leaves = NULL;
	node->nulls = NULL;
	node->rows = NULL;
	node->tree = NULL;
	node->hits = NULL;
	node->nrows = 0;
}
