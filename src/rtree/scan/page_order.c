/*-------------------------------------------------------------------------
 *
 * page_order.c
 *	  The search in the order of pages.
 *
 * The search keeps a stack of the spans of levels that it has not read yet, and
 * holds one lock at a time.  README.md shows that it finds each row once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "rtree/conditions/match.h"
#include "rtree/scan/inner_cache.h"
#include "rtree/scan/leaf.h"
#include "rtree/scan/page_order.h"
#include "rtree/scan/parallel_scan.h"
#include "rtree/scan/read_ahead.h"
#include "rtree/scan/span.h"
#include "rtree/scan/tuple.h"

/* Add a span, to be read next. */
static inline void
push(SpqRtreeScan *state, SpqRtreeSpan span)
{
	if (unlikely(state->nstack == state->stack_size))
	{
		state->stack_size *= 2;
		state->stack = repalloc_huge(state->stack,
									 state->stack_size * sizeof(SpqRtreeSpan));
	}
	state->stack[state->nstack++] = span;
}

/* The same, for other files. */
void
spq_rtree_push_span(SpqRtreeScan *state, SpqRtreeSpan span)
{
	push(state, span);
}

/* Return whether a leaf may have a row with infinite ends. */
static bool
may_be_unbounded(Page page)
{
	SpqRtreeBounds promise = spq_rtree_promise(page);

	for (int axis = 0; axis < spq_rtree_page_axes(page); axis++)
		if (isinf(promise.high[axis]) || isinf(promise.low[axis]))
			return true;
	return false;
}

/* Return whether the executor rechecks the matching rows of a leaf. */
bool
spq_rtree_needs_recheck(const SpqRtreeScan *state, Page page)
{
	return state->conditions.rows.recheck ||
		(state->conditions.rows.recheck_unbounded && may_be_unbounded(page));
}

/* Take the matching rows out of a leaf. */
static void
take_rows(IndexScanDesc scan, Buffer buffer, const uint8 *matches, SpqRtreeLeafRows *rows)
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

			rows->tid[nrows] = tids[i];
			rows->entry[nrows] = g * SPQ_RTREE_GROUP + i;
			if (plain_tuples)
			{
				/* as spq_rtree_form_tuple() does, but faster */
				IndexTuple	tuple = (IndexTuple) (state->tuples + size);
				float8	   *ends = (float8 *) ((char *) tuple +
											   MAXALIGN(sizeof(IndexTupleData)));

				tuple->t_tid = tids[i];
				tuple->t_info = MAXALIGN(sizeof(IndexTupleData)) + state->key_size;
				for (int end = 0; end < nends; end++)
					ends[end] = columns[end][i];
				rows->offset[nrows] = size;
				size += tuple->t_info;
			}
			else if (state->tuples)
			{
				rows->offset[nrows] = size;
				size += spq_rtree_form_tuple(state, scan->indexRelation, page,
											 BufferGetBlockNumber(buffer),
											 g * SPQ_RTREE_GROUP + i,
											 state->tuples + size);
			}
			nrows++;
		}
	}
	rows->nrows = nrows;
	rows->recheck = spq_rtree_needs_recheck(state, page);
	if (rows->recheck)
		state->counts.rechecked += nrows;
}

/* Take the next span, of this process only or of any.  Return false at the end. */
static inline bool
take_span(SpqRtreeScan *state, SpqRtreeSpan *span, bool only_own)
{
	if (state->nstack > 0)
	{
		*span = state->stack[--state->nstack];
		state->nkept = Min(state->nkept, state->nstack);
		return true;
	}
	if (!state->shared || only_own)
		return false;
	if (state->reading)
		spq_rtree_give_shared(state);	/* the first process had no spans */
	return spq_rtree_take_shared(state, span);
}

/*
 * After a page was read and released: request those that come next, and in a parallel
 * scan, share the spans that were found.
 */
static inline void
leave_page(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	spq_rtree_ahead_of_spans(scan);
	if (state->shared && (state->reading || state->nstack > state->nkept))
		spq_rtree_give_shared(state);
}

/* Add the spans of the matching downlinks of an inner page. */
static void
push_children(SpqRtreeScan *state, Page page, uint8 *matches)
{
	spq_rtree_match_inner(&state->conditions, page, matches);

	/* backward, so that they are read forward */
	for (int g = spq_rtree_groups(spq_rtree_count(page)) - 1; g >= 0; g--)
	{
		for (uint32 left = matches[g]; left != 0;)
		{
			int			i = pg_leftmost_one_pos32(left);

			left ^= 1U << i;
			if (state->near != NULL)
			{
				SpqRtreeBounds bounds = spq_rtree_entry_bounds(page, g * SPQ_RTREE_GROUP + i);

				if (!state->near(state->near_argument, &bounds))
					continue;
			}
			push(state, spq_rtree_child_span(page, g * SPQ_RTREE_GROUP + i));
		}
	}
}

/*
 * Read up to the next leaf with matching rows.  Return it with a share lock and a pin,
 * and the bits of these rows.  Return InvalidBuffer if there is no such leaf; ahead,
 * also if there is none in a few pages of the spans of this process: its rows may never
 * be wanted.
 */
static Buffer
find_leaf(IndexScanDesc scan, bool ahead, uint8 *matches)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeSpan span;

	for (int npages = 0; !ahead || npages < SPQ_RTREE_PAGES_AHEAD; npages++)
	{
		SpqRtreeSpan rest;
		Buffer		buffer;
		Page		page;

		if (!take_span(state, &span, ahead))
			break;
		if (state->inner != NULL && (page = spq_rtree_inner_cache_find(state->inner, span.child)) != NULL)
		{
			rest = spq_rtree_rest_of_span(scan, &span, page);
			if (rest.child != InvalidBlockNumber)
				push(state, rest);
			push_children(state, page, matches);
			continue;
		}
		buffer = spq_rtree_read_span(scan, &span, &rest);
		page = BufferGetPage(buffer);
		if (rest.child != InvalidBlockNumber)
			push(state, rest);

		if (spq_rtree_is_leaf(page))
		{
			int			found;

			spq_rtree_cache_ahead_of_spans(scan);
			found = spq_rtree_match_leaf(&state->conditions, page, state->skips_dead, matches);
			state->counts.entries += spq_rtree_count(page);
			state->counts.matches += found;
			if (found > 0)
				return buffer;
		}
		else
		{
			if (state->inner != NULL)
				spq_rtree_inner_cache_add(state->inner, span.child, page);
			push_children(state, page, matches);
			spq_rtree_cache_ahead_of_spans(scan);
		}
		UnlockReleaseBuffer(buffer);
		leave_page(scan);
	}
	return InvalidBuffer;
}

/* Take the rows of the next leaf that has any; see find_leaf(). */
static bool
read_leaf(IndexScanDesc scan, SpqRtreeLeafRows *rows, bool ahead)
{
	uint8		matches[SPQ_RTREE_GROUPS_MAX];
	Buffer		buffer;

	rows->nrows = rows->next = rows->nrequested = 0;
	buffer = find_leaf(scan, ahead, matches);
	if (!BufferIsValid(buffer))
		return false;
	take_rows(scan, buffer, matches, rows);
	spq_rtree_enter_leaf(scan->opaque, buffer, &rows->leaf);
	leave_page(scan);
	return true;
}

/*
 * For a caller that takes the rows of leaves itself: return the next leaf with matching
 * rows, and their bits, or InvalidBuffer at the end.
 */
Buffer
spq_rtree_find_leaf(IndexScanDesc scan, uint8 *matches)
{
	return find_leaf(scan, false, matches);
}

/* Release the leaf that was returned last. */
void
spq_rtree_release_leaf(IndexScanDesc scan, Buffer buffer)
{
	UnlockReleaseBuffer(buffer);
	leave_page(scan);
}

bool
spq_rtree_next_leaf(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeLeafRows *rows = state->rows;

	spq_rtree_leave_leaf(scan, &rows->leaf);
	state->rows_ahead.nfound = state->rows_ahead.nrequested = 0;
	if (state->nahead > 0)
	{
		state->rows = state->ahead[0];
		memmove(state->ahead, state->ahead + 1, sizeof(state->ahead) - sizeof(rows));
		state->ahead[SPQ_RTREE_LEAVES_AHEAD - 1] = rows;
		state->nahead--;
		return true;
	}
	if (read_leaf(scan, rows, false))
		return true;
	state->ended_early = false;
	return false;
}

SpqRtreeLeafRows *
spq_rtree_leaf_ahead(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeLeafRows **rows = &state->ahead[state->nahead];

	/* one pin at a time, and no waiting for other processes */
	if (state->keeps_pins || state->nstack == 0 || state->nahead == SPQ_RTREE_LEAVES_AHEAD)
		return NULL;
	if (!*rows)
		*rows = spq_rtree_make_leaf(state);
	if (!read_leaf(scan, *rows, true))
		return NULL;
	state->nahead++;
	return *rows;
}
