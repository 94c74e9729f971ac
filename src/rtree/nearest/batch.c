/*-------------------------------------------------------------------------
 *
 * batch.c
 *	  Batches of a search in order of distance (batch.h), of pages and of single
 *	  spans.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "rtree/class/kernel.h"
#include "rtree/conditions/match.h"
#include "rtree/nearest/batch.h"
#include "rtree/nearest/nearest_state.h"
#include "rtree/scan/leaf.h"
#include "rtree/scan/span.h"

/* Compare batches for the heap, whose first element is the greatest. */
int
spq_rtree_compare_batches(const pairingheap_node *x, const pairingheap_node *y, void *arg)
{
	const SpqRtreeNearest *nearest = arg;
	const SpqRtreeBatch *a = pairingheap_const_container(SpqRtreeBatch, node, x),
			   *b = pairingheap_const_container(SpqRtreeBatch, node, y);

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	if (nearest->has_more)
	{
		int			order = a->first_keys && b->first_keys ?
			spq_rtree_compare_keys(b->first_keys, a->first_keys, nearest->norders) :
			(int) !a->first_keys - (int) !b->first_keys;

		if (order != 0)
			return order;
	}
	if (a->waiting_first != b->waiting_first)
		return a->waiting_first ? 1 : -1;
	return (int) a->is_leaf - (int) b->is_leaf;
}

/* Compare waiting rows of a batch for its heap. */
static int
compare_waiting(Datum a, Datum b, void *arg)
{
	const SpqRtreeBatch *batch = arg;

	return -spq_rtree_compare_keys(spq_rtree_batch_keys(batch, DatumGetInt32(a)),
								   spq_rtree_batch_keys(batch, DatumGetInt32(b)),
								   batch->norders);
}

/*
 * Return a batch with room for the entries of a page, a free one if there is
 * one.
 */
static SpqRtreeBatch *
make_batch(SpqRtreeNearest *nearest)
{
	SpqRtreeBatch *batch = nearest->free;

	if (batch)
	{
		nearest->free = batch->next_free;
		return batch;
	}
	batch = MemoryContextAlloc(nearest->context, sizeof(SpqRtreeBatch));
	batch->full_size = true;
	batch->norders = nearest->norders;
	batch->returned = NULL;
	batch->page = NULL;
	batch->waiting = NULL;
	return batch;
}

/*
 * Put a single span into the queue: with a bound, or with the exact keys of its
 * first row if "keys" is not NULL.  "keys" and "returned" are copied.
 */
void
spq_rtree_queue_span(SpqRtreeNearest *nearest, const SpqRtreeSpan *span, int64 key,
					 const int64 *keys, const SpqRtreeReturned *returned)
{
	Size		size = offsetof(SpqRtreeBatch, ngroups),
				keys_size = nearest->norders * sizeof(int64);
	SpqRtreeBatch *batch = MemoryContextAlloc(nearest->context, MAXALIGN(size) + keys_size);

	batch->full_size = batch->is_leaf = batch->waiting_first = false;
	batch->key = key;
	batch->first_keys = NULL;
	if (keys)
		batch->first_keys = memcpy((char *) batch + MAXALIGN(size), keys, keys_size);
	batch->span = *span;
	batch->returned = returned ? spq_rtree_copy_returned(nearest, returned) : NULL;
	pairingheap_add(&nearest->queue, &batch->node);
}

/* Release a batch that is not in the queue, and leave its leaf. */
void
spq_rtree_leave_batch(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (batch->is_leaf)
	{
		spq_rtree_leave_leaf(scan, batch->leaf);
		spq_rtree_forget_pin(nearest, batch);
		if (batch->waiting)
			binaryheap_reset(batch->waiting);
	}
	if (batch->returned)
	{
		spq_rtree_forget_returned(batch->returned);
		batch->returned = NULL;
	}
	if (batch->full_size)
	{
		batch->next_free = nearest->free;
		nearest->free = batch;
	}
	else
		pfree(batch);
}

/* Add a row, with the current keys, to the rows that wait in its batch. */
void
spq_rtree_let_wait(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, int entry)
{
	if (!batch->waiting)
	{
		MemoryContext old = MemoryContextSwitchTo(nearest->context);

		batch->waiting = binaryheap_allocate(SPQ_RTREE_LEAF_MAX, compare_waiting, batch);
		batch->keys = palloc(SPQ_RTREE_LEAF_MAX * nearest->norders * sizeof(int64));
		MemoryContextSwitchTo(old);
	}
	memcpy(spq_rtree_batch_keys(batch, entry), nearest->keys, nearest->norders * sizeof(int64));
	binaryheap_add(batch->waiting, Int32GetDatum(entry));
}

/* Copy the used spans of a leaf: groups, payloads, and the special space. */
static void
copy_leaf(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, Page page)
{
	const PageHeaderData *header = (PageHeader) page;

	if (!batch->page)
	{
		batch->page = MemoryContextAlloc(nearest->context, BLCKSZ);
		batch->leaf = MemoryContextAlloc(nearest->context, sizeof(SpqRtreeLeaf));
		batch->order = MemoryContextAlloc(nearest->context, SPQ_RTREE_LEAF_MAX * sizeof(uint16));
	}
	batch->nreturned = 0;
	batch->nordered = -1;
	memcpy(batch->page, page, header->pd_lower);
	memcpy(batch->page + header->pd_upper, (char *) page + header->pd_upper,
		   BLCKSZ - header->pd_upper);
}

/*
 * Copy the content of downlinks.  Clear the bits of matching ones with empty
 * bounds: an empty page has no distance, but its lower bound could be 0.
 */
static void
copy_downlinks(SpqRtreeBatch *batch, Page page, uint8 *matches)
{
	/* empty bounds do not satisfy this, and hardly any others */
	const SpqRtreeComparison is_something = {.end = 0,.at_most = false,.number = -DBL_MAX};
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));

	for (int g = 0; g < ngroups; g++)
	{
		const char *group = spq_rtree_group(page, g);
		uint8		doubtful = matches[g] & ~spq_rtree_match_group((const SpqRtreeColumn *) group,
																   &is_something, 1);

		memcpy(&batch->child[g * SPQ_RTREE_GROUP], group + layout->child,
			   SPQ_RTREE_GROUP * sizeof(BlockNumber));
		memcpy(&batch->stop[g * SPQ_RTREE_GROUP], group + layout->stop,
			   SPQ_RTREE_GROUP * sizeof(uint32));
		for (uint32 left = doubtful; unlikely(left != 0); left &= left - 1)
		{
			int			i = pg_rightmost_one_pos32(left);
			SpqRtreeBounds bounds = spq_rtree_entry_bounds(page, g * SPQ_RTREE_GROUP + i);

			if (spq_rtree_bounds_are_nothing(&bounds))
			{
				matches[g] &= ~(1 << i);
				batch->left--;
			}
		}
	}
}

/* Compute the exact keys of all matching rows of a leaf, and let them wait. */
static void
let_all_wait(IndexScanDesc scan, SpqRtreeBatch *batch, const uint8 *matches)
{
	const SpqRtreeScan *state = scan->opaque;

	for (int g = 0; g < batch->ngroups; g++)
		for (uint32 left = matches[g]; left != 0; left &= left - 1)
		{
			int			entry = g * SPQ_RTREE_GROUP + pg_rightmost_one_pos32(left);

			if (spq_rtree_find_keys(scan, batch, entry))
				spq_rtree_let_wait(state->nearest, batch, entry);
		}
	batch->left = 0;
}

/*
 * A prefilter (condition.h): clear the bits of entries that the order's bounds
 * exclude, and leave these bounds in the batch.  Rows need a further test;
 * bounds that are not missed count as met.
 */
void
spq_rtree_prefilter_by_order(const void *argument, const SpqRtreeColumns *columns,
							 uint8 *matches, uint8 *sure)
{
	const SpqRtreeNearest *nearest = argument;
	const SpqRtreeOrder *order = &nearest->orders[nearest->bounding];
	SpqRtreeColumns matching = *columns;
	float8	   *squares = nearest->bounded->squares;
	float8		gone[SPQ_RTREE_GROUP];

	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		gone[i] = SPQ_RTREE_SQUARE_GONE;
	matching.matches = matches;
	order->least(order, &matching, squares);
	for (int g = 0; g < columns->ngroups; g++)
	{
		if (matches[g] != 0)
			matches[g] &= spq_rtree_less(&squares[g * SPQ_RTREE_GROUP], gone);
		if (!columns->of_rows)
			sure[g] = matches[g];
	}
}

/*
 * Set the bounds of the matching entries of a batch, and find each group's
 * least.
 */
static void
set_bounds(const SpqRtreeNearest *nearest, SpqRtreeBatch *batch, Page page, const uint8 *matches)
{
	const SpqRtreeOrder *order = &nearest->orders[nearest->bounding];
	SpqRtreeWideLeaf wide;
	SpqRtreeColumns columns = spq_rtree_wide_columns(page, &wide);
	int			g;

	if (nearest->bounded == batch)
		;						/* done by spq_rtree_prefilter_by_order() */
	else if (nearest->is_bounded)
		order->least(order, &columns, batch->squares);
	else
		memset(batch->squares, 0, batch->ngroups * SPQ_RTREE_GROUP * sizeof(float8));
	for (g = 0; g < batch->ngroups; g++)
	{
		float8	   *squares = &batch->squares[g * SPQ_RTREE_GROUP];

		if (matches[g] != 0xFF)
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				squares[i] = matches[g] & (1 << i) ? squares[i] : SPQ_RTREE_SQUARE_GONE;
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			Assert(squares[i] >= 0.0);
		spq_rtree_batch_find_least(batch, g);
	}
	for (; g % SPQ_RTREE_GROUP != 0; g++)
		batch->least[g] = SPQ_RTREE_SQUARE_GONE;
}

/*
 * Read the first page of a span that was taken from the queue, and put its
 * entries into the queue.  "key" and "keys" are those of the span.  Takes over
 * "returned".  If the scan keeps pins, there must be room for one.
 */
void
spq_rtree_queue_page(IndexScanDesc scan, SpqRtreeSpan span, int64 key, const int64 *keys,
					 SpqRtreeReturned *returned)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch;
	SpqRtreeSpan rest;
	Buffer		buffer;
	Page		page;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	buffer = spq_rtree_read_span(scan, &span, &rest);
	page = BufferGetPage(buffer);
	batch = make_batch(nearest);
	batch->is_leaf = spq_rtree_is_leaf(page);
	batch->ngroups = spq_rtree_groups(spq_rtree_count(page));
	batch->span = span;
	batch->span.level = spq_rtree_special(page)->level;
	batch->again = returned != NULL;
	batch->returned = returned;
	nearest->bounded = nearest->prefilters ? batch : NULL;
	if (batch->is_leaf)
	{
		copy_leaf(nearest, batch, page);
		page = batch->page;
		batch->span.stop = spq_rtree_special(page)->splits;
		batch->pin_place = -1;
		spq_rtree_enter_leaf(state, buffer, batch->leaf);
		batch->left = spq_rtree_match_leaf(&state->conditions, page, state->skips_dead,
										   matches);
		state->counts.entries += spq_rtree_count(page);
		state->counts.matches += batch->left;
		if (state->conditions.rows.recheck || state->conditions.rows.recheck_unbounded)
			state->counts.rechecked += batch->left;
		if (unlikely(spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN))
			let_all_wait(scan, batch, matches);
		else if (batch->left > 0)
			set_bounds(nearest, batch, page, matches);
	}
	else
	{
		/* only leaves are put back, and a leaf remains a leaf */
		Assert(!returned);
		batch->left = spq_rtree_match_inner(&state->conditions, page, matches);
		if (batch->left > 0)
		{
			copy_downlinks(batch, page, matches);
			set_bounds(nearest, batch, page, matches);
		}
		UnlockReleaseBuffer(buffer);
		spq_rtree_ahead_of_children(scan, batch);
	}
	if (rest.child != InvalidBlockNumber)
		spq_rtree_queue_span(nearest, &rest, key, keys, returned);

	spq_rtree_batch_find_best(batch);
	spq_rtree_batch_set_key(nearest, batch);
	if (batch->key == SPQ_RTREE_KEY_GONE)
	{
		spq_rtree_leave_batch(scan, batch);
		return;
	}
	if (batch->is_leaf && state->keeps_pins)
		spq_rtree_keep_pin(nearest, batch);
	if (batch->is_leaf)
		spq_rtree_ahead_of_nearest(scan, batch);
	pairingheap_add(&nearest->queue, &batch->node);
}
