/*-------------------------------------------------------------------------
 *
 * nearest.c
 *	  The search in order of distance.
 *
 * As Hjaltason and Samet (TODS 1999): a priority queue has rows, by their
 * distance, and parts of levels that are still to be read, by a lower bound of
 * the distances of all rows in them.  What is first in the queue is returned if
 * it is a row, and read if it is a part.
 *
 * What comes from one page stays together in a batch (batch.h), with a copy of the
 * page: the queue is a heap of batches, by the least key of each.
 *
 * A row, too, begins with a lower bound, which is computed for eight entries at
 * once.  Only when it is first in the queue its exact distance takes that place.
 *
 * Of several ORDER BY expressions, each key is a lower bound, so they are together,
 * in their order, too.  The distance from NULL is NULL for all rows.  Rows without a box have no distance at all and come last:
 * when the queue is empty, scan.c reads the chain of NULLs.
 *
 * An index-only scan keeps the pins of the leaves whose rows wait.  If these are
 * too many, the leaf whose rows come last is put back into the queue as a part:
 * from the leaf up to the right neighbor that it had when it was read.  When it
 * is read again, the rows are left out that were returned before: those whose
 * key is less than that of the last row returned from the leaf, and those with
 * the same key whose TIDs have been remembered.  (That is seen when a row gets
 * its exact key, which is before any row with a greater key is returned.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "rtree/batch.h"
#include "rtree/buffer.h"

/* Pins a scan keeps at most. */
#define PINS_MAX	32

struct SpqRtreeNearest
{
	MemoryContext context;		/* of all batches */
	int			norders;
	SpqRtreeOrder *orders;
	Oid		   *types;			/* of distances: float8 */
	IndexOrderByDistance *distances;	/* of the current row */
	int64	   *keys;			/* of the part that is being read */

	pairingheap queue;			/* of batches, but for the current one */
	SpqRtreeBatch *current;
	int			entry;			/* of the current batch, that was returned
								 * last, or -1 */
	SpqRtreeBatch *free;
	char	   *tuple;			/* for an index-only scan */

	SpqRtreeBatch *pinned[PINS_MAX];
	int			npinned;
	int			pins_max;
};

/* For the heap, whose first is the greatest. */
static int
compare_nodes(const pairingheap_node *a, const pairingheap_node *b, void *arg)
{
	return -spq_rtree_batch_compare(pairingheap_const_container(SpqRtreeBatch, node, a),
									pairingheap_const_container(SpqRtreeBatch, node, b));
}

/* Return a batch with room for a page. */
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
	batch->keys = MemoryContextAlloc(nearest->context, SPQ_RTREE_LEAF_MAX *
									 nearest->norders * sizeof(int64));
	batch->page = MemoryContextAlloc(nearest->context, BLCKSZ);
	batch->leaf = NULL;
	batch->returned = NULL;
	return batch;
}

/* Copy what a page uses: groups, payloads, and the special space. */
static void
copy_page(char *copy, Page page)
{
	const PageHeaderData *header = (PageHeader) page;

	memcpy(copy, page, header->pd_lower);
	memcpy(copy + header->pd_upper, (char *) page + header->pd_upper,
		   BLCKSZ - header->pd_upper);
}

/* Put a single part into the queue.  "returned" is copied. */
static void
queue_part(SpqRtreeNearest *nearest, const SpqRtreePart *part, const int64 *keys,
		   const SpqRtreeReturned *returned)
{
	MemoryContext old = MemoryContextSwitchTo(nearest->context);
	Size		keys_size = nearest->norders * sizeof(int64);
	SpqRtreeBatch *batch = palloc(sizeof(SpqRtreeBatch));

	batch->full_size = false;
	batch->norders = nearest->norders;
	batch->is_leaf = false;
	batch->count = batch->left = 1;
	batch->keys = palloc(keys_size);
	memcpy(batch->keys, keys, keys_size);
	batch->part = *part;
	batch->returned = NULL;
	if (returned)
	{
		batch->returned = palloc(sizeof(SpqRtreeReturned) + keys_size);
		memcpy(batch->returned, returned, sizeof(SpqRtreeReturned) + keys_size);
		batch->returned->size = returned->ntids;
		batch->returned->tids = palloc(returned->ntids * sizeof(ItemPointerData));
		memcpy(batch->returned->tids, returned->tids,
			   returned->ntids * sizeof(ItemPointerData));
	}
	spq_rtree_batch_order(batch);
	pairingheap_add(&nearest->queue, &batch->node);
	MemoryContextSwitchTo(old);
}

/* Have done with a batch that is not in the queue. */
static void
leave_batch(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (batch->is_leaf)
	{
		spq_rtree_leave_leaf(scan, batch->leaf);
		if (batch->pin_place >= 0)
		{
			SpqRtreeBatch *last = nearest->pinned[--nearest->npinned];

			nearest->pinned[batch->pin_place] = last;
			last->pin_place = batch->pin_place;
		}
	}
	if (batch->returned)
	{
		pfree(batch->returned->tids);
		pfree(batch->returned);
		batch->returned = NULL;
	}
	if (batch->full_size)
	{
		batch->next_free = nearest->free;
		nearest->free = batch;
	}
	else
	{
		pfree(batch->keys);
		pfree(batch);
	}
}

/* Remember the row of a leaf that is returned, in case the leaf is put back. */
static void
remember_row(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, const int64 *keys, ItemPointer tid)
{
	SpqRtreeReturned *returned = batch->returned;

	if (!returned)
	{
		returned = MemoryContextAlloc(nearest->context, sizeof(SpqRtreeReturned) +
									  nearest->norders * sizeof(int64));
		returned->ntids = 0;
		returned->size = 4;
		returned->tids = MemoryContextAlloc(nearest->context,
											returned->size * sizeof(ItemPointerData));
		batch->returned = returned;
	}
	else if (spq_rtree_compare_keys(returned->keys, keys, nearest->norders) != 0)
		returned->ntids = 0;
	memcpy(returned->keys, keys, nearest->norders * sizeof(int64));

	if (returned->ntids == returned->size)
	{
		returned->size *= 2;
		returned->tids = repalloc(returned->tids,
								  returned->size * sizeof(ItemPointerData));
	}
	returned->tids[returned->ntids++] = *tid;
}

/* Return whether a row of a leaf that was put back had been returned before. */
static bool
was_returned(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch, const int64 *keys,
			 ItemPointer tid)
{
	const SpqRtreeReturned *returned = batch->returned;
	int			order = spq_rtree_compare_keys(keys, returned->keys, nearest->norders);

	for (int i = 0; i < returned->ntids && order == 0; i++)
		if (ItemPointerEquals(&returned->tids[i], tid))
			order = -1;
	return order < 0;
}

/* Make room for a pin: put the leaf back whose rows come last. */
static void
put_back(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *last = nearest->pinned[0];

	for (int i = 1; i < nearest->npinned; i++)
		if (spq_rtree_batch_compare(last, nearest->pinned[i]) < 0)
			last = nearest->pinned[i];
	pairingheap_remove(&nearest->queue, &last->node);
	queue_part(nearest, &last->self, spq_rtree_batch_keys(last, last->best),
			   last->returned);
	leave_batch(scan, last);
}

/* Return whether there is an order with other than a NULL argument. */
static inline bool
has_argument(const IndexScanDescData *scan, int order)
{
	return !(scan->orderByData[order].sk_flags & SK_ISNULL);
}

/*
 * Give a row of a leaf its exact keys, or remove it if it was returned before.
 * Return whether it is still there.
 */
static bool
set_exact_keys(IndexScanDesc scan, SpqRtreeBatch *batch, int entry)
{
	const SpqRtreeScan *state = scan->opaque;
	const SpqRtreeNearest *nearest = state->nearest;
	const SpqRtreeLeafGroup *group =
		spq_rtree_leaf_group(batch->page, entry / SPQ_RTREE_GROUP);
	int64	   *keys = &batch->keys[entry * nearest->norders];
	float8		ends[SPQ_RTREE_ENDS];

	for (int end = 0; end < SPQ_RTREE_ENDS; end++)
		ends[end] = group->ends[end][entry % SPQ_RTREE_GROUP];
	for (int i = 0; i < nearest->norders; i++)
		keys[i] = !has_argument(scan, i) ? 0 :
			spq_rtree_distance_key(nearest->orders[i].distance(&nearest->orders[i], ends));
	batch->exact[entry / SPQ_RTREE_GROUP] |= 1 << entry % SPQ_RTREE_GROUP;
	if (batch->again && was_returned(nearest, batch, keys, spq_rtree_tid(batch->page, entry)))
	{
		spq_rtree_batch_remove(batch, entry);
		return false;
	}
	return true;
}

/* Set lower bounds as the keys of the entries of a group. */
static inline void
set_least_keys(IndexScanDesc scan, SpqRtreeBatch *batch, int g, const char *group)
{
	const SpqRtreeScan *state = scan->opaque;
	const SpqRtreeNearest *nearest = state->nearest;
	int64	   *keys = &batch->keys[g * SPQ_RTREE_GROUP * nearest->norders];

	for (int i = 0; i < nearest->norders; i++)
	{
		float8		least[SPQ_RTREE_GROUP] = {0};

		if (has_argument(scan, i))
			nearest->orders[i].least(&nearest->orders[i],
									 (const float8 (*)[SPQ_RTREE_GROUP]) group, least);
		for (int e = 0; e < SPQ_RTREE_GROUP; e++)
			Assert(least[e] >= 0.0);

		/* for such numbers spq_rtree_distance_key() changes nothing */
		if (nearest->norders == 1)
			memcpy(keys, least, sizeof(least));
		else
			for (int e = 0; e < SPQ_RTREE_GROUP; e++)
				keys[e * nearest->norders + i] = spq_rtree_distance_key(least[e]);
	}
}

/* Set the keys of all entries of a batch: of those that do not match, SPQ_RTREE_KEY_GONE. */
static void
set_keys(IndexScanDesc scan, SpqRtreeBatch *batch, const uint8 *matches)
{
	const SpqRtreeScan *state = scan->opaque;
	const SpqRtreeNearest *nearest = state->nearest;
	const SpqRtreeSpecial *special = spq_rtree_special(batch->page);
	int			ngroups = spq_rtree_groups(batch->count);
	const char *group = spq_rtree_group(batch->page, 0);
	Size		size = spq_rtree_group_size(batch->page);

	for (int g = 0; g < ngroups; g++, group += size)
	{
		int			first = g * SPQ_RTREE_GROUP;
		uint8		mask = matches[g];

		batch->exact[g] = 0;
		if (special->flags & SPQ_RTREE_HAS_NAN)
		{
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				if (mask & (1 << i))
					(void) set_exact_keys(scan, batch, first + i);
		}
		else if (mask != 0)
			set_least_keys(scan, batch, g, group);
		if (mask != 0xFF)
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				if (!(mask & (1 << i)))
					batch->keys[(first + i) * nearest->norders] = SPQ_RTREE_KEY_GONE;
	}
}

/*
 * Read the first page of a part that was taken from the queue, and put what it
 * has into the queue.  "keys" are those of the part.  Takes over "returned".
 */
static void
read_part(IndexScanDesc scan, SpqRtreePart part, const int64 *keys, SpqRtreeReturned *returned)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch;
	SpqRtreePart rest;
	Buffer		buffer;
	Page		page;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	if (part.level == 0 && nearest->npinned == nearest->pins_max)
		put_back(scan);

	buffer = spq_rtree_read_part(scan, &part, &rest);
	page = BufferGetPage(buffer);
	batch = make_batch(nearest);
	copy_page(batch->page, page);
	batch->is_leaf = spq_rtree_is_leaf(page);
	batch->count = spq_rtree_count(page);
	batch->pin_place = -1;
	if (batch->is_leaf)
	{
		if (!batch->leaf)
			batch->leaf = MemoryContextAlloc(nearest->context, sizeof(SpqRtreeLeaf));
		spq_rtree_enter_leaf(state, buffer, batch->leaf);
		batch->self = part;
		batch->self.stop = spq_rtree_special(batch->page)->splits;
		batch->again = returned != NULL;
		batch->returned = returned;
		batch->left = spq_rtree_match_leaf(&state->conditions, batch->page,
										   state->skips_dead, matches);
	}
	else
	{
		/* only a leaf is put back, and a leaf remains one */
		Assert(!returned);
		UnlockReleaseBuffer(buffer);
		batch->left = spq_rtree_match_inner(&state->conditions, batch->page, matches);
	}
	if (rest.child != InvalidBlockNumber)
		queue_part(nearest, &rest, keys, returned);

	if (batch->left > 0)
		set_keys(scan, batch, matches);
	if (batch->left == 0)
	{
		leave_batch(scan, batch);
		return;
	}
	if (batch->is_leaf && state->keeps_pins)
	{
		batch->pin_place = nearest->npinned;
		nearest->pinned[nearest->npinned++] = batch;
	}
	spq_rtree_batch_order(batch);
	pairingheap_add(&nearest->queue, &batch->node);
}

/* Return how many pins a scan may keep. */
static int
pins_max(Relation index)
{
	int			share = RelationUsesLocalBuffers(index) ? num_temp_buffers / 8 :
		NBuffers / MaxBackends;

	return Max(1, Min(share, PINS_MAX));
}

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
	nearest->queue.ph_compare = compare_nodes;
	nearest->pins_max = pins_max(scan->indexRelation);
	if (scan->xs_want_itup)
		nearest->tuple = palloc(SPQ_RTREE_TUPLE_SIZE);
	return nearest;
}

void
spq_rtree_nearest_start(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreePart tree = spq_rtree_whole_tree();

	spq_rtree_parse_orders(scan, &state->conditions, nearest->orders);
	nearest->entry = -1;
	if (state->conditions.reads_tree)
	{
		for (int i = 0; i < nearest->norders; i++)
			nearest->keys[i] = SPQ_RTREE_KEY_FIRST;
		queue_part(nearest, &tree, nearest->keys, NULL);
	}
}

/* Take the best entry out of a batch, and note its keys. */
static int
take_best(SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	int			entry = batch->best;

	memcpy(nearest->keys, spq_rtree_batch_keys(batch, entry),
		   nearest->norders * sizeof(int64));
	spq_rtree_batch_remove(batch, entry);
	spq_rtree_batch_order_again(batch, entry);
	return entry;
}

/*
 * Let a row of the current batch, which was taken out of it, be the scan's current
 * one.
 */
static void
return_row(IndexScanDesc scan, int entry)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch = nearest->current;

	scan->xs_heaptid = *spq_rtree_tid(batch->page, entry);
	if (nearest->tuple)
	{
		spq_rtree_form_tuple(state, scan->indexRelation, batch->page,
							 batch->leaf->block, entry, nearest->tuple);
		scan->xs_itup = (IndexTuple) nearest->tuple;
	}
	for (int i = 0; i < nearest->norders; i++)
	{
		nearest->distances[i].isnull = !has_argument(scan, i);
		nearest->distances[i].value = spq_rtree_key_distance(nearest->keys[i]);
	}
	index_store_float8_orderby_distances(scan, nearest->types, nearest->distances,
										 !state->returns_key);
	scan->xs_recheck = state->conditions.recheck;

	if (state->keeps_pins)
		remember_row(nearest, batch, nearest->keys, &scan->xs_heaptid);
	nearest->entry = entry;
}

/* Take the best part out of a batch and read it. */
static void
read_best_part(IndexScanDesc scan, SpqRtreeBatch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	int			entry = take_best(nearest, batch);
	SpqRtreeReturned *returned = NULL;
	SpqRtreePart part;

	if (batch->full_size)
	{
		SpqRtreeBounds bounds = spq_rtree_entry_bounds(batch->page, entry);

		/* an empty leaf has no distance, and so is near to all */
		if (spq_rtree_bounds_are_nothing(&bounds))
			return;
		part = spq_rtree_child_part(batch->page,
									spq_rtree_inner_group(batch->page,
														  entry / SPQ_RTREE_GROUP),
									entry % SPQ_RTREE_GROUP);
	}
	else
	{
		part = batch->part;
		returned = batch->returned;
		batch->returned = NULL;
	}
	read_part(scan, part, nearest->keys, returned);
}

/* Let the batch with the least key be the current one; return false if none is left. */
static bool
choose_batch(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch = nearest->current;

	if (batch && batch->left == 0)
	{
		nearest->current = NULL;
		leave_batch(scan, batch);
		batch = NULL;
	}
	if (!pairingheap_is_empty(&nearest->queue))
	{
		SpqRtreeBatch *first = pairingheap_container(SpqRtreeBatch, node,
													 pairingheap_first(&nearest->queue));

		/* it remains so while no other is before it */
		if (!batch || spq_rtree_batch_compare(first, batch) < 0)
		{
			pairingheap_remove_first(&nearest->queue);
			if (batch)
				pairingheap_add(&nearest->queue, &batch->node);
			nearest->current = batch = first;
		}
	}
	return batch != NULL;
}

/* Return whether no keys in the queue or in the current batch are less than these. */
static bool
are_least(SpqRtreeNearest *nearest, const int64 *keys)
{
	const SpqRtreeBatch *batch = nearest->current;

	if (batch->left > 0 &&
		spq_rtree_compare_keys(spq_rtree_batch_keys(batch, batch->best), keys, nearest->norders) < 0)
		return false;
	if (pairingheap_is_empty(&nearest->queue))
		return true;
	batch = pairingheap_container(SpqRtreeBatch, node, pairingheap_first(&nearest->queue));
	return spq_rtree_compare_keys(spq_rtree_batch_keys(batch, batch->best), keys,
								  nearest->norders) >= 0;
}

/*
 * Give the best row of the current batch, which is a leaf, its exact keys.  In most
 * cases it remains the best: then return it.
 */
static bool
settle_row(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *batch = nearest->current;
	int			entry = batch->best;
#ifdef USE_ASSERT_CHECKING
	int64		bound = batch->keys[entry * nearest->norders];
#endif

	if (!set_exact_keys(scan, batch, entry))
	{
		spq_rtree_batch_order_again(batch, entry);
		return false;
	}
	Assert(batch->keys[entry * nearest->norders] >= bound);

	take_best(nearest, batch);
	if (are_least(nearest, nearest->keys))
	{
		return_row(scan, entry);
		return true;
	}
	memcpy(&batch->keys[entry * nearest->norders], nearest->keys,
		   nearest->norders * sizeof(int64));
	batch->left++;
	spq_rtree_batch_order_again(batch, entry);
	return false;
}

/* Return the next row that has a distance, or false. */
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
		int			entry = batch->best;

		if (!batch->is_leaf)
			read_best_part(scan, batch);
		else if (batch->exact[entry / SPQ_RTREE_GROUP] & (1 << entry % SPQ_RTREE_GROUP))
		{
			return_row(scan, take_best(nearest, batch));
			return true;
		}
		else if (settle_row(scan))
			return true;
	}

	/* what scan.c returns now is the rows without a distance */
	memset(scan->xs_orderbynulls, true, nearest->norders * sizeof(bool));
	return false;
}

void
spq_rtree_nearest_stop(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (nearest->current)
		leave_batch(scan, nearest->current);
	nearest->current = NULL;
	while (!pairingheap_is_empty(&nearest->queue))
		leave_batch(scan, pairingheap_container(SpqRtreeBatch, node,
												pairingheap_remove_first(&nearest->queue)));
}
