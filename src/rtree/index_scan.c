/*-------------------------------------------------------------------------
 *
 * index_scan.c
 *	  Index scans: the callbacks.
 *
 * Rows come in the order of pages (scan/page_order.c) or of distance
 * (nearest/nearest.c), then those without a distance.
 *
 * Rows satisfy the conditions, and distances are exact, so the executor
 * rechecks nothing, with two exceptions.  If a class's ends are only bounds
 * (class.h), it rechecks each distance and, unless the conditions compare only
 * bounds, each row.  And it evaluates conditions that may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "pgstat.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "rtree/conditions/calls.h"
#include "rtree/conditions/conditions.h"
#include "rtree/keys/payload.h"
#include "rtree/nearest/nearest.h"
#include "rtree/rtree.h"
#include "rtree/scan/leaf.h"
#include "rtree/scan/page_order.h"
#include "rtree/scan/parallel_scan.h"
#include "rtree/scan/read_ahead.h"

IndexScanDesc
spq_rtree_begin_scan(Relation index, int nkeys, int norderbys)
{
	IndexScanDesc scan = RelationGetIndexScan(index, nkeys, norderbys);
	SpqRtreeScan *state = palloc(sizeof(SpqRtreeScan));
	SpqRtreeConditions *conditions = &state->conditions;
	int			ncomparisons;

	state->leaf_flags = spq_rtree_leaf_flags(index);
	state->keyed = spq_rtree_has_scalars(index);
	state->payload_desc = spq_rtree_payload_descriptor(index);
	state->wide = state->payload_desc != NULL;
	spq_rtree_coder_init(&state->coder, index);
	state->returns_key = spq_rtree_returns_key(index);
	state->key_size = TupleDescAttr(RelationGetDescr(index), state->coder.nscalars)->attlen;
	state->started = state->ended_early = false;
	state->nblocks = 0;
	memset(&state->counts, 0, sizeof(SpqRtreeScanCounts));

	/* comparisons of all keys, two with codes, and those of a window */
	ncomparisons = nkeys * SPQ_RTREE_COMPARISONS + 2 + SPQ_RTREE_ENDS;
	conditions->rows.comparisons = palloc_array(SpqRtreeComparison, 2 * ncomparisons);
	conditions->bounds.comparisons = conditions->rows.comparisons + ncomparisons;
	conditions->rows.operators = palloc(nkeys * sizeof(SpqRtreeOperator));
	conditions->bounds.reach = palloc(nkeys * sizeof(SpqRtreeReach));
	conditions->arguments = conditions->short_lived = NULL;
	conditions->scalars.keys = palloc(nkeys * sizeof(ScanKey));
	conditions->scalars.sets = palloc(nkeys * sizeof(SpqRtreeSet));
	conditions->choices = palloc(nkeys * sizeof(SpqRtreeChoice));
	conditions->scalars.coder = &state->coder;
	conditions->scalars.payload_desc = state->payload_desc;
	conditions->scalars.index = index;
	conditions->leaf_layout = spq_rtree_layout_of(0, state->leaf_flags);

	state->stack_size = SPQ_RTREE_STACK_SIZE;
	state->stack = palloc(SPQ_RTREE_STACK_SIZE * sizeof(SpqRtreeSpan));
	state->rows = spq_rtree_make_leaf(state);
	memset(state->ahead, 0, sizeof(state->ahead));
	state->nahead = 0;
	state->tuples = NULL;
	state->shared = NULL;
	state->reading = false;
	state->inner = NULL;
	state->near = NULL;
	state->nearest = NULL;
	memset(&state->index_ahead, 0, sizeof(SpqRtreeAhead));
	memset(&state->table_ahead, 0, sizeof(SpqRtreeAhead));
	state->nreturned = -1;

	scan->xs_itupdesc = RelationGetDescr(index);
	if (norderbys > 0)
	{
		scan->xs_orderbyvals = palloc0(norderbys * sizeof(Datum));
		scan->xs_orderbynulls = palloc(norderbys * sizeof(bool));
		memset(scan->xs_orderbynulls, true, norderbys * sizeof(bool));
	}
	scan->opaque = state;
	return scan;
}

/* End the current search, and release its pins. */
static void
stop_scan(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	if (!state->started)
		return;
	state->ended_early |= state->nstack > 0 || state->nahead > 0;
	spq_rtree_leave_leaf(scan, &state->rows->leaf);
	if (state->nearest)
		spq_rtree_nearest_stop(scan);
	state->started = false;
}

void
spq_rtree_rescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys,
				 int norderbys)
{
	SpqRtreeScan *state = scan->opaque;

	stop_scan(scan);
	if (keys || orderbys)
		spq_rtree_forget_arguments(&state->conditions);
	if (keys && scan->numberOfKeys > 0)
		memmove(scan->keyData, keys, scan->numberOfKeys * sizeof(ScanKeyData));
	if (orderbys && scan->numberOfOrderBys > 0)
		memmove(scan->orderByData, orderbys, scan->numberOfOrderBys * sizeof(ScanKeyData));
}

void
spq_rtree_end_scan(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	stop_scan(scan);
	spq_rtree_end_calls(&state->conditions);
}

/*
 * Return whether an index-only scan can return a column.  On a standby none
 * can, because VACUUM's cleanup lock does not wait for pins there.  A spatial
 * column can be returned if the class stores the values, and not only bounds.
 */
bool
spq_rtree_can_return(Relation index, int attno)
{
	int			first = spq_rtree_box_column(index);

	return !RecoveryInProgress() &&
		(attno < first || attno >= first + spq_rtree_spatial_columns(index) ||
		 spq_rtree_returns_key(index));
}

/* Prepare for the first row. */
void
spq_rtree_start_scan(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	bool		first;

	state->shared = NULL;
	state->reading = false;
	first = !scan->parallel_scan || spq_rtree_enter_shared(scan);
	if (first)
	{
		pgstat_count_index_scan(scan->indexRelation);
		spq_count_index_search(scan);
	}

	spq_rtree_parse_conditions(scan, &state->conditions);
	if (!first)
		state->conditions.reads_tree = state->conditions.reads_nulls = false;
	scan->xs_recheckorderby = false;
	state->skips_dead = scan->ignore_killed_tuples;

	/*
	 * A plain scan need not keep pins: its snapshot does not see a row that
	 * takes the place of a removed one.  Without WAL, no LSN shows whether a
	 * page has changed.
	 */
	state->keeps_pins = scan->xs_want_itup || !IsMVCCSnapshot(scan->xs_snapshot) ||
		!RelationNeedsWAL(scan->indexRelation);

	if (scan->xs_want_itup && !state->tuples)
		state->tuples = palloc(SPQ_RTREE_TUPLES_SIZE);
	state->rows->nrows = state->rows->next = 0;
	state->nahead = 0;
	state->nstack = state->nkept = 0;
	state->most_leaves = 1;
	spq_rtree_ahead_start(scan);
	if (state->conditions.reads_nulls)
		spq_rtree_push_span(state, spq_rtree_all_nulls());
	if (scan->numberOfOrderBys > 0)
	{
		if (!state->nearest)
			state->nearest = spq_rtree_nearest_begin(scan);
		spq_rtree_nearest_start(scan);
	}
	else if (state->conditions.reads_tree)
		spq_rtree_push_span(state, spq_rtree_whole_tree());
	state->started = true;
}

bool
spq_rtree_get_tuple(IndexScanDesc scan, ScanDirection direction)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeLeafRows *rows;
	bool		requests;

	if (direction != ForwardScanDirection)
		elog(ERROR, "spqtree only supports forward scan direction");

	if (!state->started)
		spq_rtree_start_scan(scan);
	requests = spq_rtree_ahead_of_table(scan);
	if (state->nearest && spq_rtree_nearest_next(scan))
	{
		state->nreturned++;
		spq_rtree_ahead_leave(scan);
		return true;
	}

	rows = state->rows;
	if (scan->kill_prior_tuple && rows->next > 0)
		spq_rtree_note_dead(&rows->leaf, rows->entry[rows->next - 1], &rows->tid[rows->next - 1]);
	if (rows->next >= rows->nrows)
	{
		if (!spq_rtree_next_leaf(scan))
			return false;
		rows = state->rows;
	}
	spq_rtree_check_tid(scan->indexRelation, rows->leaf.block, &rows->tid[rows->next]);
	scan->xs_heaptid = rows->tid[rows->next];
	if (state->tuples)
		scan->xs_itup = (IndexTuple) (state->tuples + rows->offset[rows->next]);
	scan->xs_recheck = rows->recheck;
	if (requests)
		spq_rtree_ahead_of_rows(scan);
	if (state->rows_ahead.reads_table)
		spq_rtree_request_rows(scan);
	rows->next++;
	state->nreturned++;
	spq_rtree_ahead_leave(scan);
	return true;
}

int64
spq_rtree_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	SpqRtreeLeafRows *rows = ((SpqRtreeScan *) scan->opaque)->rows;
	int64		total = 0;

	spq_rtree_start_scan(scan);
	while (spq_rtree_next_leaf(scan))
	{
		for (int i = 0; i < rows->nrows; i++)
			spq_rtree_check_tid(scan->indexRelation, rows->leaf.block, &rows->tid[i]);
		tbm_add_tuples(bitmap, rows->tid, rows->nrows, rows->recheck);
		total += rows->nrows;
	}
	return total;
}
