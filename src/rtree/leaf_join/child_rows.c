/*-------------------------------------------------------------------------
 *
 * child_rows.c
 *	  Rows of leaves as an index scan of PostgreSQL would return them.  See child_rows.h.
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
#include "utils/rel.h"

#include "compat.h"
#include "rtree/leaf_join/child_rows.h"
#include "rtree/scan/tuple.h"
#include "rtree/store/buffer.h"

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
spq_rtree_child_rows_begin(SpqRtreeChildRows *rows, ScanState *child)
{
	MemoryContext old;

	rows->child = child;
	rows->index_only = IsA(child, IndexOnlyScanState);
	rows->recheck = rows->index_only ? ((IndexOnlyScanState *) child)->recheckqual :
		((IndexScanState *) child)->indexqualorig;
	/* the child ends it, so it is in the child's memory */
	old = MemoryContextSwitchTo(child->ps.state->es_query_cxt);
	rows->scan = child_scan(child);
	MemoryContextSwitchTo(old);
	rows->fetched = rows->index_only ? ((IndexOnlyScanState *) child)->ioss_TableSlot : NULL;
	rows->nfetched = 0;
}

TupleTableSlot *
spq_rtree_child_rows_store(SpqRtreeChildRows *rows, IndexTuple tuple)
{
	TupleTableSlot *slot = rows->child->ss_ScanTupleSlot;

	ExecClearTuple(slot);
	index_deform_tuple(tuple, RelationGetDescr(rows->scan->indexRelation), slot->tts_values,
					   slot->tts_isnull);
	return ExecStoreVirtualTuple(slot);
}

TupleTableSlot *
spq_rtree_child_rows_load(SpqRtreeChildRows *rows, Page page, BlockNumber block, int entry)
{
	TupleTableSlot *slot = rows->child->ss_ScanTupleSlot;

	ExecClearTuple(slot);
	spq_rtree_row_values(rows->scan->opaque, rows->scan->indexRelation, page, block, entry, rows->key,
						 slot->tts_values, slot->tts_isnull);
	return ExecStoreVirtualTuple(slot);
}

bool
spq_rtree_child_rows_find(SpqRtreeChildRows *rows, BlockNumber block, const ItemPointerData *tid,
						  bool visible, TupleTableSlot **slot)
{
	IndexScanDesc scan = rows->scan;
	bool		found;

	spq_rtree_check_tid(scan->indexRelation, block, tid);
	if (rows->index_only && visible)
	{
		/* as PostgreSQL does where an index-only scan reads no table */
		PredicateLockPage(scan->heapRelation, ItemPointerGetBlockNumber(tid), scan->xs_snapshot);
		return true;
	}
	*slot = rows->index_only ? rows->fetched : rows->child->ss_ScanTupleSlot;
	scan->xs_heaptid = *tid;
	rows->nfetched++;
	if (rows->index_only)
		InstrCountTuples2(&rows->child->ps, 1);
	found = index_fetch_heap(scan, *slot);
	scan->xs_heap_continue = false;
	scan->kill_prior_tuple = false;
	if (rows->index_only)
		ExecClearTuple(*slot);
	return found;
}

TupleTableSlot *
spq_rtree_child_rows_project(SpqRtreeChildRows *rows, TupleTableSlot *slot, bool recheck)
{
	PlanState  *ps = &rows->child->ps;
	ExprContext *econtext = ps->ps_ExprContext;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = slot;
	if (recheck && !ExecQual(rows->recheck, econtext))
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

void
spq_rtree_child_rows_count(SpqRtreeChildRows *rows)
{
	PlanState  *child = &rows->child->ps;

	if (child->instrument == NULL)
		return;
	child->instrument->running = true;
	child->instrument->tuplecount++;
}
