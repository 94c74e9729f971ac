/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  Index scans: the callbacks, and the search in the order of pages.
 *
 * The search keeps a stack of the parts of levels that are still to be read, and
 * holds one lock at a time.  README.md, Search, has the argument.
 *
 * No row is lossy: what is returned satisfies the conditions, and distances are
 * exact.  But of a class whose ends are bounds only (class.h), each is, unless the
 * conditions are about nothing but bounds; and conditions that may raise an error are
 * left to the executor.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "rtree/keys/payload.h"
#include "rtree/rtree.h"
#include "rtree/scan/scan_state.h"
#include "rtree/store/buffer.h"

/* Parts that the stack has room for at first. */
#define STACK_SIZE	64

IndexScanDesc
spq_rtree_begin_scan(Relation index, int nkeys, int norderbys)
{
	IndexScanDesc scan = RelationGetIndexScan(index, nkeys, norderbys);
	SpqRtreeScan *state = palloc(sizeof(SpqRtreeScan));
	SpqRtreeConditions *conditions = &state->conditions;

	state->leaf_flags = spq_rtree_leaf_flags(index);
	state->keyed = spq_rtree_has_scalars(index);
	state->payload_desc = spq_rtree_payload_descriptor(index);
	state->wide = state->payload_desc != NULL;
	spq_rtree_coder_init(&state->coder, index);
	state->returns_key = spq_rtree_returns_key(index);
	state->key_size = TupleDescAttr(RelationGetDescr(index), state->coder.nscalars)->attlen;
	state->started = false;
	state->nblocks = 0;

	/* and two of codes */
	conditions->of_rows =
		palloc(2 * (nkeys * SPQ_RTREE_COMPARISONS + 2) * sizeof(SpqRtreeComparison));
	conditions->of_bounds = conditions->of_rows + nkeys * SPQ_RTREE_COMPARISONS + 2;
	conditions->operators = palloc(nkeys * sizeof(SpqRtreeOperator));
	conditions->reach = palloc(nkeys * sizeof(SpqRtreeReach));
	conditions->arguments = conditions->short_lived = NULL;
	conditions->scalars = palloc(nkeys * sizeof(ScanKey));
	conditions->sets = palloc(nkeys * sizeof(SpqRtreeSet));
	conditions->choices = palloc(nkeys * sizeof(SpqRtreeChoice));
	conditions->coder = &state->coder;
	conditions->payload_desc = state->payload_desc;
	conditions->index = index;
	conditions->leaf_layout = spq_rtree_layout_of(0, state->leaf_flags);

	state->stack_size = STACK_SIZE;
	state->stack = palloc(STACK_SIZE * sizeof(SpqRtreePart));
	state->leaf.pin = InvalidBuffer;
	state->leaf.ndead = 0;
	state->tuples = NULL;
	state->shared = NULL;
	state->reading = false;
	state->nearest = NULL;

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

/* Let go of what the scan holds. */
static void
stop_scan(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	if (!state->started)
		return;
	spq_rtree_leave_leaf(scan, &state->leaf);
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
 * Whether an index-only scan can return a column.  On a standby VACUUM's
 * cleanup lock does not wait for pins, so none can.  Nor can the executor sort by
 * distances that are bounds only, so none can with such a class: if the key, or what
 * it is computed from, is an INCLUDE column as well, then it would be asked to.
 */
bool
spq_rtree_can_return(Relation index, int attno)
{
	return !RecoveryInProgress() && spq_rtree_returns_key(index);
}

/* Add a part that is to be read next. */
static inline void
push(SpqRtreeScan *state, SpqRtreePart part)
{
	if (unlikely(state->nstack == state->stack_size))
	{
		state->stack_size *= 2;
		state->stack = repalloc_huge(state->stack,
									 state->stack_size * sizeof(SpqRtreePart));
	}
	state->stack[state->nstack++] = part;
}

/* Prepare for the first row. */
static void
start_scan(IndexScanDesc scan)
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
	 * The snapshot of a plain scan does not see a row that takes the place of
	 * one that was removed.  Without WAL there are no LSNs to tell whether a
	 * page has changed.
	 */
	state->keeps_pins = scan->xs_want_itup || !IsMVCCSnapshot(scan->xs_snapshot) ||
		!RelationNeedsWAL(scan->indexRelation);

	if (scan->xs_want_itup && !state->tuples)
		state->tuples = palloc(SPQ_RTREE_TUPLES_SIZE);
	state->nrows = 0;
	state->next = 0;
	state->nstack = 0;
	if (state->conditions.reads_nulls)
		push(state, spq_rtree_all_nulls());
	if (scan->numberOfOrderBys > 0)
	{
		if (!state->nearest)
			state->nearest = spq_rtree_nearest_begin(scan);
		spq_rtree_nearest_start(scan);
	}
	else if (state->conditions.reads_tree)
		push(state, spq_rtree_whole_tree());
	state->started = true;
}

/* Return whether a row of a leaf may be one without bounds. */
static bool
may_be_unbounded(Page page)
{
	SpqRtreeBounds promise = spq_rtree_promise(page);

	for (int axis = 0; axis < spq_rtree_page_axes(page); axis++)
		if (isinf(promise.high[axis]) || isinf(promise.low[axis]))
			return true;
	return false;
}

/* Take the matching rows out of a leaf. */
static void
take_rows(IndexScanDesc scan, Buffer buffer, const uint8 *matches)
{
	SpqRtreeScan *state = scan->opaque;
	Page		page = BufferGetPage(buffer);
	const SpqRtreeSpecial *special = spq_rtree_special(page);
	int			ngroups = spq_rtree_groups(special->count),
				nends = state->key_size / sizeof(float8),
				nrows = 0;
	bool		plain_tuples = state->tuples && state->returns_key && !state->wide &&
		!state->keyed && !(special->flags & SPQ_RTREE_IS_NULLS);
	const char *place = spq_rtree_group(page, 0);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	Size		size = 0;

	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		const SpqRtreeColumn *columns = (const SpqRtreeColumn *) place;
		const ItemPointerData *tids = (const ItemPointerData *) (place + layout->tid);

		for (uint32 left = matches[g]; left != 0; left &= left - 1)
		{
			int			i = pg_rightmost_one_pos32(left);

			state->tid[nrows] = tids[i];
			state->entry[nrows] = g * SPQ_RTREE_GROUP + i;
			if (plain_tuples)
			{
				/* as spq_rtree_form_tuple() would, but here it is quick */
				IndexTuple	tuple = (IndexTuple) (state->tuples + size);
				float8	   *ends = (float8 *) ((char *) tuple +
											   MAXALIGN(sizeof(IndexTupleData)));

				tuple->t_tid = tids[i];
				tuple->t_info = MAXALIGN(sizeof(IndexTupleData)) + state->key_size;
				for (int end = 0; end < nends; end++)
					ends[end] = columns[end][i];
				state->offset[nrows] = size;
				size += tuple->t_info;
			}
			else if (state->tuples)
			{
				state->offset[nrows] = size;
				size += spq_rtree_form_tuple(state, scan->indexRelation, page,
											 BufferGetBlockNumber(buffer),
											 g * SPQ_RTREE_GROUP + i,
											 state->tuples + size);
			}
			nrows++;
		}
	}
	state->nrows = nrows;
	state->next = 0;
	state->recheck = state->conditions.recheck ||
		(state->conditions.recheck_unbounded && may_be_unbounded(page));
}

/*
 * Take the next part; return false if there is none.
 */
static inline bool
take_part(SpqRtreeScan *state, SpqRtreePart *part)
{
	if (state->nstack > 0)
	{
		*part = state->stack[--state->nstack];
		return true;
	}
	if (!state->shared)
		return false;
	if (state->reading)
		spq_rtree_give_shared(state);	/* there was nothing to begin with */
	return spq_rtree_take_shared(state, part);
}

/* In a parallel scan, let others have what was found. */
static inline void
share_parts(SpqRtreeScan *state)
{
	if (state->shared && (state->reading || state->nstack > 0))
		spq_rtree_give_shared(state);
}

/*
 * Go on to the next leaf that has matching rows, and take them; return whether
 * there is one.
 */
static bool
next_leaf(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreePart part;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	spq_rtree_leave_leaf(scan, &state->leaf);
	state->nrows = state->next = 0;
	while (take_part(state, &part))
	{
		SpqRtreePart rest;
		Buffer		buffer = spq_rtree_read_part(scan, &part, &rest);
		Page		page = BufferGetPage(buffer);

		if (rest.child != InvalidBlockNumber)
			push(state, rest);

		if (spq_rtree_is_leaf(page))
		{
			if (spq_rtree_match_leaf(&state->conditions, page, state->skips_dead,
									 matches) > 0)
			{
				take_rows(scan, buffer, matches);
				spq_rtree_enter_leaf(state, buffer, &state->leaf);
				share_parts(state);
				return true;
			}
		}
		else
		{
			spq_rtree_match_inner(&state->conditions, page, matches);

			/* backward, so that they are read forward */
			for (int g = spq_rtree_groups(spq_rtree_count(page)) - 1; g >= 0; g--)
			{
				for (uint32 left = matches[g]; left != 0;)
				{
					int			i = pg_leftmost_one_pos32(left);

					push(state, spq_rtree_child_part(page, g * SPQ_RTREE_GROUP + i));
					left ^= 1U << i;
				}
			}
		}
		UnlockReleaseBuffer(buffer);
		share_parts(state);
	}
	return false;
}

bool
spq_rtree_get_tuple(IndexScanDesc scan, ScanDirection direction)
{
	SpqRtreeScan *state = scan->opaque;

	if (direction != ForwardScanDirection)
		elog(ERROR, "spqtree only supports forward scan direction");

	if (!state->started)
		start_scan(scan);
	if (state->nearest && spq_rtree_nearest_next(scan))
		return true;

	if (scan->kill_prior_tuple && state->next > 0)
		spq_rtree_note_dead(&state->leaf, state->entry[state->next - 1],
							&state->tid[state->next - 1]);
	if (state->next >= state->nrows && !next_leaf(scan))
		return false;
	spq_rtree_check_tid(scan->indexRelation, state->leaf.block, &state->tid[state->next]);
	scan->xs_heaptid = state->tid[state->next];
	if (state->tuples)
		scan->xs_itup = (IndexTuple) (state->tuples + state->offset[state->next]);
	scan->xs_recheck = state->recheck;
	state->next++;
	return true;
}

int64
spq_rtree_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	SpqRtreeScan *state = scan->opaque;
	int64		total = 0;

	start_scan(scan);
	while (next_leaf(scan))
	{
		for (int i = 0; i < state->nrows; i++)
			spq_rtree_check_tid(scan->indexRelation, state->leaf.block, &state->tid[i]);
		tbm_add_tuples(bitmap, state->tid, state->nrows, state->recheck);
		total += state->nrows;
	}
	return total;
}
