/*-------------------------------------------------------------------------
 *
 * nearest.c
 *	  The search in order of distance.
 *
 * As in Hjaltason and Samet (TODS 1999), a priority queue has rows, by their
 * distance, and unread spans of levels, by a lower bound of the distances of
 * all rows in them.  If the first element is a row, it is returned; if it is a
 * span, it is read.
 *
 * What comes from one page stays together in a batch (batch.h): the queue is a
 * heap of batches, by the least key of each.
 *
 * A row begins with a lower bound as well, computed for all entries of a page at
 * once.  Its exact distance is computed only when it is first in the queue.
 *
 * The distance from NULL is NULL for all rows.  Rows without a box have no
 * distance and come last: when the queue is empty, index_scan.c reads the chain
 * of NULLs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/memutils.h"

#include "rtree/conditions/conditions.h"
#include "rtree/nearest/batch.h"
#include "rtree/nearest/nearest.h"
#include "rtree/nearest/nearest_state.h"
#include "rtree/scan/leaf.h"
#include "rtree/scan/read_ahead.h"
#include "rtree/scan/tuple.h"

/* The current row, the next one, and the one that is requested. */
#define ROWS_AHEAD	3

SpqRtreeNearest *
spq_rtree_nearest_begin(IndexScanDesc scan)
{
	SpqRtreeNearest *nearest = palloc0(sizeof(SpqRtreeNearest));
	int			norders = scan->numberOfOrderBys;

	nearest->context = CurrentMemoryContext;
	nearest->norders = norders;
	nearest->orders = palloc(norders * sizeof(SpqRtreeOrder));
	nearest->keys = palloc(norders * sizeof(int64));
	nearest->distances = palloc(norders * sizeof(IndexOrderByDistance));
	nearest->types = palloc(norders * sizeof(Oid));
	for (int i = 0; i < norders; i++)
		nearest->types[i] = FLOAT8OID;
	nearest->queue.ph_compare = spq_rtree_compare_batches;
	nearest->queue.ph_arg = nearest;
	nearest->pins_max = spq_rtree_pins_max(scan->indexRelation);
	if (scan->xs_want_itup)
		nearest->tuple = palloc(SPQ_RTREE_TUPLE_SIZE);
	return nearest;
}

/*
 * Choose the order that bounds are computed for: the first one with an
 * argument.
 */
static void
choose_order(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	nearest->bounding = 0;
	nearest->is_bounded = nearest->has_more = false;
	for (int i = nearest->norders - 1; i >= 0; i--)
		if (spq_rtree_has_argument(scan, i))
		{
			nearest->has_more = nearest->is_bounded;
			nearest->is_bounded = true;
			nearest->bounding = i;
		}
}

/*
 * If a condition has the same argument as the order, as in a search for a first
 * hit, compute bounds once for both.
 */
static void
prefilter_by_order(SpqRtreeNearest *nearest, SpqRtreeConditions *conditions)
{
	SpqRtreeOrder *order = &nearest->orders[nearest->bounding];

	nearest->prefilters = false;
	order->missed = SPQ_RTREE_MOST_SQUARE;
	for (int k = 0; k < conditions->bounds.nreaches && nearest->is_bounded && order->prefilter; k++)
	{
		SpqRtreeReach *reach = &conditions->bounds.reach[k];

		if (reach->prefilter != order->prefilter ||
			memcmp(reach->argument, order->argument, reach->argument_size) != 0)
			continue;
		reach->prefilter = spq_rtree_prefilter_by_order;
		reach->prefilter_argument = nearest;
		nearest->prefilters = true;
		order->missed = SPQ_RTREE_SQUARE_GONE;
		break;
	}
}

void
spq_rtree_nearest_start(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	spq_rtree_parse_orders(scan, &state->conditions, nearest->orders);
	choose_order(scan);
	prefilter_by_order(nearest, &state->conditions);
	nearest->entry = -1;
	nearest->found_page = NULL;
	if (state->conditions.reads_tree)
		spq_rtree_queue_page(scan, spq_rtree_whole_tree(), spq_rtree_distance_key(0), NULL, NULL);
}

/*
 * Request from memory the row that comes after the next one, if both are of this batch:
 * look up its page (rows_ahead.c), and request its tuple when the next row is returned.
 */
static void
request_nearest(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	const SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (nearest->found_page)
		spq_rtree_request_row(nearest->found_page, &nearest->found_tid);
	nearest->found_page = NULL;
	if (batch->left > 1 && spq_rtree_rows_wanted(state, ROWS_AHEAD) == ROWS_AHEAD)
	{
		nearest->found_tid = *spq_rtree_tid(batch->page, spq_rtree_batch_second(batch));
		nearest->found_page = spq_rtree_find_row(scan->heapRelation, &nearest->found_tid);
	}
}

/*
 * Make a row the scan's current one.  It was taken out of the current batch,
 * and the current keys are its own.
 */
static void
return_row(IndexScanDesc scan, int entry)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch = nearest->current;

	spq_rtree_check_tid(scan->indexRelation, batch->leaf->block, spq_rtree_tid(batch->page, entry));
	scan->xs_heaptid = *spq_rtree_tid(batch->page, entry);
	if (nearest->tuple)
	{
		spq_rtree_form_tuple(state, scan->indexRelation, batch->page,
							 batch->leaf->block, entry, nearest->tuple);
		scan->xs_itup = (IndexTuple) nearest->tuple;
	}
	for (int i = 0; i < nearest->norders; i++)
	{
		nearest->distances[i].isnull = !spq_rtree_has_argument(scan, i);
		nearest->distances[i].value = spq_rtree_key_distance(nearest->keys[i]);
	}
	index_store_float8_orderby_distances(scan, nearest->types, nearest->distances,
										 !state->returns_key);
	scan->xs_recheck = state->conditions.rows.recheck || state->conditions.rows.recheck_unbounded;

	if (state->keeps_pins)
		spq_rtree_remember_row(nearest, batch, &scan->xs_heaptid);
	nearest->entry = entry;
	batch->nreturned++;
	spq_rtree_ahead_of_nearest(scan, batch);
	if (state->rows_ahead.reads_table)
		request_nearest(scan, batch);
}

/*
 * Read a span that was taken out of the queue, after making room for a pin.
 * See spq_rtree_queue_page().
 */
static void
read_span(IndexScanDesc scan, SpqRtreeSpan span, int64 key, const int64 *keys,
		  SpqRtreeReturned *returned)
{
	const SpqRtreeScan *state = scan->opaque;
	const SpqRtreeNearest *nearest = state->nearest;

	if (span.level == 0 && nearest->npinned == nearest->pins_max)
		spq_rtree_put_back(scan);
	spq_rtree_queue_page(scan, span, key, keys, returned);
}

/* Take the best span out of a batch and read it. */
static void
read_best_span(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	int64		key = batch->key;

	if (batch->full_size)
	{
		int			entry = spq_rtree_batch_take_best(batch);
		SpqRtreeSpan span = {
			batch->child[entry], batch->stop[entry], batch->span.level - 1, 0, false, false
		};

		spq_rtree_batch_set_key(nearest, batch);

		/* at distance 0, the next leaf will be read as well */
		if (span.level == 0 && batch->bound == spq_rtree_distance_key(0))
			spq_rtree_cache_ahead(scan->indexRelation, batch->child[batch->best]);
		read_span(scan, span, key, NULL, NULL);
	}
	else
	{
		SpqRtreeReturned *returned = batch->returned;

		batch->key = SPQ_RTREE_KEY_GONE;
		batch->returned = NULL;
		read_span(scan, batch->span, key, batch->first_keys, returned);
	}
}

/*
 * Make the batch with the least key the current one; return false if none is
 * left.
 */
static bool
choose_batch(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch = nearest->current;

	if (batch && batch->key == SPQ_RTREE_KEY_GONE)
	{
		nearest->current = NULL;
		spq_rtree_leave_batch(scan, batch);
		batch = NULL;
	}
	if (!pairingheap_is_empty(&nearest->queue))
	{
		pairingheap_node *first = pairingheap_first(&nearest->queue);

		/* the current batch remains so unless another comes before it */
		if (!batch || spq_rtree_compare_batches(first, &batch->node, nearest) > 0)
		{
			pairingheap_remove_first(&nearest->queue);
			if (batch)
				pairingheap_add(&nearest->queue, &batch->node);
			nearest->current = batch = pairingheap_container(SpqRtreeBatch, node, first);
		}
	}
	return batch != NULL;
}

/*
 * Return whether nothing in a batch comes before a row with the current keys.
 */
static inline bool
comes_first(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch)
{
	int64		key = nearest->keys[nearest->bounding];

	if (key != batch->key)
		return key < batch->key;
	if (!nearest->has_more)
		return true;
	return batch->first_keys &&
		spq_rtree_compare_keys(nearest->keys, batch->first_keys, nearest->norders) <= 0;
}

#ifdef USE_ASSERT_CHECKING

/*
 * Return whether the ends of a row are in order.  Bounds guarantee nothing for
 * other rows, nor for damaged ones.
 */
static bool
has_ends_in_order(const SpqRtreeBatch *batch, int entry)
{
	SpqRtreeRow row = spq_rtree_get_row(batch->page, entry);
	int			axes = spq_rtree_page_axes(batch->page);
	bool		in_order = true;

	for (int axis = 0; axis < axes; axis++)
		in_order &= row.ends[axis] >= row.ends[axes + axis];
	return in_order;
}
#endif

/*
 * Find the exact keys of the best row of the current batch, a leaf.  If the row
 * still comes first, as in most cases, make it the scan's current row and
 * return true.  Otherwise let it wait, unless it was returned before.
 */
static bool
settle_row(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	int64		bound PG_USED_FOR_ASSERTS_ONLY = batch->bound;
	int			entry = spq_rtree_batch_take_best(batch);
	bool		is_new = spq_rtree_find_keys(scan, batch, entry);

	spq_rtree_batch_set_key(nearest, batch);
	if (!is_new)
		return false;
	Assert(nearest->keys[nearest->bounding] >= bound || !has_ends_in_order(batch, entry));

	if (comes_first(nearest, batch) &&
		(pairingheap_is_empty(&nearest->queue) ||
		 comes_first(nearest, pairingheap_container(SpqRtreeBatch, node,
													pairingheap_first(&nearest->queue)))))
	{
		return_row(scan, entry);
		return true;
	}
	spq_rtree_let_wait(nearest, batch, entry);
	spq_rtree_batch_set_key(nearest, batch);
	return false;
}

/* Return the first of the current batch's waiting rows. */
static void
return_waiting(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	int			entry = DatumGetInt32(binaryheap_remove_first(batch->waiting));

	memcpy(nearest->keys, spq_rtree_batch_keys(batch, entry), nearest->norders * sizeof(int64));
	spq_rtree_batch_set_key(nearest, batch);
	return_row(scan, entry);
}

/* Find the next row that has a distance; return false if there is none. */
bool
spq_rtree_nearest_next(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (nearest->entry >= 0 && scan->kill_prior_tuple)
		spq_rtree_note_dead(nearest->current->leaf, nearest->entry,
							spq_rtree_tid(nearest->current->page, nearest->entry));
	nearest->entry = -1;

	while (choose_batch(scan))
	{
		SpqRtreeBatch *batch = nearest->current;

		if (!batch->is_leaf)
			read_best_span(scan, batch);
		else if (batch->waiting_first)
		{
			return_waiting(scan, batch);
			return true;
		}
		else if (settle_row(scan, batch))
			return true;
	}

	/* from now on, index_scan.c returns the rows without a distance */
	memset(scan->xs_orderbynulls, true, nearest->norders * sizeof(bool));
	return false;
}

void
spq_rtree_nearest_stop(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (nearest->current)
		spq_rtree_leave_batch(scan, nearest->current);
	nearest->current = NULL;
	while (!pairingheap_is_empty(&nearest->queue))
		spq_rtree_leave_batch(scan, pairingheap_container(SpqRtreeBatch, node,
														  pairingheap_remove_first(&nearest->queue)));
}
