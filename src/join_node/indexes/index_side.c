/*-------------------------------------------------------------------------
 *
 * index_side.c
 *	  One side of a join of two indexes.
 *
 *		leaf --> TID, index tuple --> row of the child (rtree/leaf_join/child_rows) --> payload
 *
 * Only rows that are in a pair are read, each once for a leaf.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/memutils.h"

#include "join_node/indexes/index_side.h"
#include "rtree/scan/tuple.h"
#include "rtree/store/buffer.h"

void
spq_index_side_begin(SpqIndexSide *side, SpqNodeState *node, int which)
{
	side->node = node;
	side->side = &node->side[which];
	spq_rtree_child_rows_begin(&side->rows, (ScanState *) side->side->plan);
	side->wants_values = side->side->format != SPQ_NODE_NO_COLUMNS ||
		side->side->plan->qual != NULL || side->rows.recheck != NULL;

	/*
	 * EXPLAIN counts rows in pairs, and a serializable transaction locks
	 * their pages
	 */
	side->only_visible = side->rows.index_only && !side->wants_values &&
		side->side->plan->instrument == NULL && !IsolationIsSerializable();
	side->map = InvalidBuffer;
	side->tuples = side->rows.index_only && side->wants_values ? palloc(SPQ_RTREE_TUPLES_SIZE) : NULL;
	side->memory = AllocSetContextCreate(CurrentMemoryContext, "spqtree rows of a leaf",
										 ALLOCSET_DEFAULT_SIZES);
	side->leaf.nrows = 0;
	side->nleaves = 0;
}

void
spq_index_side_end(SpqIndexSide *side)
{
	if (BufferIsValid(side->map))
		ReleaseBuffer(side->map);
	side->map = InvalidBuffer;
}

void
spq_index_side_enter(SpqIndexSide *side, Buffer buffer, const uint8 *matches,
					 SpqRtreeOddBoxes odd)
{
	spq_rtree_leaf_copy_take(&side->leaf, side->rows.scan, buffer, matches, odd);
	memset(side->state, SPQ_INDEX_ROW_UNREAD, side->leaf.nrows);
	MemoryContextReset(side->memory);
	side->tuples_size = 0;
	side->all_read = side->only_visible;
	side->nleaves++;
}

/* Note whether a row is visible to all.  If it needs no more than that, it is read. */
static void
prepare_visible(SpqIndexSide *side, int row)
{
	SpqRtreeLeafCopy *leaf = &side->leaf;

	if (side->only_visible)
		spq_rtree_check_tid(side->rows.scan->indexRelation, leaf->block, &leaf->tid[row]);
	spq_rtree_leaf_copy_visible(leaf, row, side->rows.scan->heapRelation, &side->map);
	if (side->only_visible && likely(leaf->visible[row]))
	{
		side->state[row] = SPQ_INDEX_ROW_READ;
		side->ref[row] = 0;
	}
	else
		side->all_read = false;
}

/* Only index-only scans need anything of the leaf. */
void
spq_index_side_prepare_all(SpqIndexSide *side, Buffer buffer)
{
	if (!side->rows.index_only)
		return;
	for (int row = 0; row < side->leaf.nrows; row++)
		prepare_visible(side, row);
	if (side->wants_values)
		spq_rtree_leaf_copy_page(&side->leaf, buffer);
}

void
spq_index_side_prepare(SpqIndexSide *side, Buffer buffer, int row)
{
	if (!side->rows.index_only)
		return;
	prepare_visible(side, row);
	if (!side->wants_values)
		return;
	side->tuple_at[row] = side->tuples_size;
	side->tuples_size += MAXALIGN(spq_rtree_form_tuple(side->rows.scan->opaque, side->rows.scan->indexRelation,
													   BufferGetPage(buffer), side->leaf.block,
													   side->leaf.entry[row],
													   side->tuples + side->tuples_size));
}

/* Put the columns of the index into the child's slot. */
static TupleTableSlot *
index_slot(SpqIndexSide *side, int row)
{
	SpqRtreeLeafCopy *leaf = &side->leaf;

	return leaf->has_page ?
		spq_rtree_child_rows_load(&side->rows, leaf->page.data, leaf->block, leaf->entry[row]) :
		spq_rtree_child_rows_store(&side->rows, (IndexTuple) (side->tuples + side->tuple_at[row]));
}

static bool
read_row(SpqIndexSide *side, int row)
{
	const SpqRtreeLeafCopy *leaf = &side->leaf;
	TupleTableSlot *slot = NULL;
	SpqNodePayload payload;

	if (!spq_rtree_child_rows_find(&side->rows, leaf->block, &leaf->tid[row],
								   side->rows.index_only && leaf->visible[row], &slot))
		return false;
	if (!side->wants_values)
	{
		side->ref[row] = 0;
		return true;
	}
	if (side->rows.index_only)
		slot = index_slot(side, row);
	slot = spq_rtree_child_rows_project(&side->rows, slot, leaf->recheck);
	if (slot == NULL)
		return false;
	payload = spq_node_payload_of(side->side, slot, 0);
	if (payload.data)
	{
		void	   *copy = MemoryContextAlloc(side->memory, payload.length);

		memcpy(copy, payload.data, payload.length);
		payload.ref = (uint64) (uintptr_t) copy;
	}
	side->ref[row] = payload.ref;
	return true;
}

bool
spq_index_side_read(SpqIndexSide *side, int row)
{
	bool		found = read_row(side, row);

	if (found)
		spq_rtree_child_rows_count(&side->rows);
	side->state[row] = found ? SPQ_INDEX_ROW_READ : SPQ_INDEX_ROW_HIDDEN;
	return found;
}
