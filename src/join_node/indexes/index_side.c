/*-------------------------------------------------------------------------
 *
 * index_side.c
 *	  One side of a join of two indexes.
 *
 * The child is an index scan or an index-only scan of PostgreSQL.  It is never run: the
 * join takes its scan descriptor, and treats rows as the child would.
 *
 *		leaf --> TID --> visible to all? --> index tuple, or row of the table
 *												|
 *									child's conditions, projection --> payload
 *
 * Only rows that are in a pair are read, each once for a leaf.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/tableam.h"
#include "executor/executor.h"
#include "executor/instrument.h"
#include "executor/nodeIndexonlyscan.h"
#include "executor/nodeIndexscan.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "join_node/indexes/index_side.h"
#include "rtree/scan/tuple.h"

/*
 * Return the scan descriptor of the child, which it would make for its first row.  In a
 * parallel plan PostgreSQL has made it.
 */
static IndexScanDesc
child_scan(ScanState *child)
{
	/* as ExecProcNode() would, where a parameter has changed */
	if (child->ps.chgParam != NULL)
		ExecReScan(&child->ps);
	if (IsA(child, IndexOnlyScanState))
	{
		IndexOnlyScanState *state = (IndexOnlyScanState *) child;

		if (state->ioss_NumRuntimeKeys != 0 && !state->ioss_RuntimeKeysReady)
			ExecReScan((PlanState *) child);
		if (state->ioss_ScanDesc == NULL)
		{
			state->ioss_ScanDesc = spq_begin_child_scan(state, ioss);
			index_rescan(state->ioss_ScanDesc, state->ioss_ScanKeys, state->ioss_NumScanKeys,
						 NULL, 0);
		}
		state->ioss_ScanDesc->xs_want_itup = true;
		return state->ioss_ScanDesc;
	}
	else
	{
		IndexScanState *state = castNode(IndexScanState, child);

		if (state->iss_NumRuntimeKeys != 0 && !state->iss_RuntimeKeysReady)
			ExecReScan((PlanState *) child);
		if (state->iss_ScanDesc == NULL)
		{
			state->iss_ScanDesc = spq_begin_child_scan(state, iss);
			index_rescan(state->iss_ScanDesc, state->iss_ScanKeys, state->iss_NumScanKeys,
						 NULL, 0);
		}
		return state->iss_ScanDesc;
	}
}

void
spq_index_side_begin(SpqIndexSide *side, SpqNodeState *node, int which)
{
	MemoryContext old;

	side->node = node;
	side->side = &node->side[which];
	side->child = (ScanState *) side->side->plan;
	side->index_only = IsA(side->child, IndexOnlyScanState);
	side->recheck = side->index_only ? ((IndexOnlyScanState *) side->child)->recheckqual :
		((IndexScanState *) side->child)->indexqualorig;
	side->wants_values = side->side->format != SPQ_NODE_NO_COLUMNS || side->child->ps.qual != NULL ||
		side->recheck != NULL;
	/* the child ends it, so it is in the child's memory */
	old = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
	side->scan = child_scan(side->child);
	MemoryContextSwitchTo(old);
	side->map = InvalidBuffer;
	side->fetched = NULL;
	if (side->index_only)
		side->fetched = ((IndexOnlyScanState *) side->child)->ioss_TableSlot;
	side->tuple = side->tuples = NULL;
	if (side->index_only && side->wants_values)
	{
		side->tuple = palloc(SPQ_RTREE_TUPLE_SIZE);
		side->tuples = palloc(SPQ_RTREE_TUPLES_SIZE);
	}
	side->memory = AllocSetContextCreate(CurrentMemoryContext, "spqtree rows of a leaf",
										 ALLOCSET_DEFAULT_SIZES);
	side->leaf.nrows = 0;
	side->nleaves = side->nfetched = 0;
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
	spq_rtree_leaf_copy_take(&side->leaf, side->scan, buffer, matches, odd);
	memset(side->state, SPQ_INDEX_ROW_UNREAD, side->leaf.nrows);
	MemoryContextReset(side->memory);
	side->tuples_size = 0;
	side->nleaves++;
}

/* Only index-only scans need anything of the leaf. */
void
spq_index_side_prepare_all(SpqIndexSide *side, Buffer buffer)
{
	if (!side->index_only)
		return;
	for (int row = 0; row < side->leaf.nrows; row++)
		spq_rtree_leaf_copy_visible(&side->leaf, row, side->scan->heapRelation, &side->map);
	if (side->wants_values)
		spq_rtree_leaf_copy_page(&side->leaf, buffer);
}

void
spq_index_side_prepare(SpqIndexSide *side, Buffer buffer, int row)
{
	if (!side->index_only)
		return;
	spq_rtree_leaf_copy_visible(&side->leaf, row, side->scan->heapRelation, &side->map);
	if (!side->wants_values)
		return;
	side->tuple_at[row] = side->tuples_size;
	side->tuples_size += MAXALIGN(spq_rtree_form_tuple(side->scan->opaque, side->scan->indexRelation,
													   BufferGetPage(buffer), side->leaf.block,
													   side->leaf.entry[row],
													   side->tuples + side->tuples_size));
}

/* Put the columns of the index into the child's slot. */
static TupleTableSlot *
index_slot(SpqIndexSide *side, int row)
{
	IndexTuple	tuple = side->leaf.has_page ?
		spq_rtree_leaf_copy_tuple(&side->leaf, side->scan, row, side->tuple) :
		(IndexTuple) (side->tuples + side->tuple_at[row]);
	TupleTableSlot *slot = side->child->ss_ScanTupleSlot;

	ExecClearTuple(slot);
	index_deform_tuple(tuple, RelationGetDescr(side->scan->indexRelation), slot->tts_values,
					   slot->tts_isnull);
	return ExecStoreVirtualTuple(slot);
}

/* Find a row that is visible.  Set *slot to it if the scan reads its table. */
static bool
find_row(SpqIndexSide *side, int row, TupleTableSlot **slot)
{
	SpqRtreeLeafCopy *leaf = &side->leaf;
	bool		found;

	spq_rtree_check_tid(side->scan->indexRelation, leaf->block, &leaf->tid[row]);
	if (side->index_only && leaf->visible[row])
	{
		/* as PostgreSQL does where an index-only scan reads no table */
		PredicateLockPage(side->scan->heapRelation, ItemPointerGetBlockNumber(&leaf->tid[row]),
						  side->scan->xs_snapshot);
		return true;
	}
	*slot = side->index_only ? side->fetched : side->child->ss_ScanTupleSlot;
	side->scan->xs_heaptid = leaf->tid[row];
	side->nfetched++;
	if (side->index_only)
		InstrCountTuples2(&side->child->ps, 1);
	found = index_fetch_heap(side->scan, *slot);
	side->scan->xs_heap_continue = false;
	side->scan->kill_prior_tuple = false;
	if (side->index_only)
		ExecClearTuple(*slot);
	return found;
}

/* Return the slot with the columns of a row, or NULL if the child rejects it. */
static TupleTableSlot *
child_row(SpqIndexSide *side, TupleTableSlot *slot)
{
	PlanState  *ps = &side->child->ps;
	ExprContext *econtext = ps->ps_ExprContext;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = slot;
	if (side->leaf.recheck && !ExecQual(side->recheck, econtext))
	{
		InstrCountFiltered2(ps, 1);
		return NULL;
	}
	if (!ExecQual(ps->qual, econtext))
	{
		InstrCountFiltered1(ps, 1);
		return NULL;
	}
	return ps->ps_ProjInfo ? ExecProject(ps->ps_ProjInfo) : slot;
}

static bool
read_row(SpqIndexSide *side, int row)
{
	TupleTableSlot *slot = NULL;
	SpqNodePayload payload;

	if (!find_row(side, row, &slot))
		return false;
	if (!side->wants_values)
	{
		side->ref[row] = 0;
		return true;
	}
	if (side->index_only)
		slot = index_slot(side, row);
	slot = child_row(side, slot);
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
	PlanState  *child = &side->child->ps;
	bool		found = read_row(side, row);

	/* for EXPLAIN: the child is not run, but these are its rows */
	if (found && child->instrument != NULL)
	{
		child->instrument->running = true;
		child->instrument->tuplecount++;
	}
	side->state[row] = found ? SPQ_INDEX_ROW_READ : SPQ_INDEX_ROW_HIDDEN;
	return found;
}
