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
 * What comes from one page stays together in a *batch*: the queue is a heap of
 * batches, by the least key of each, and a batch finds its next least key among
 * the least of its groups of eight.  So a page of 200 entries is one entry of
 * the heap, and little is spent on rows that are never returned.
 *
 * Keys are distances as integers that have the order of float8, with NaN behind
 * infinity: one for each ORDER BY expression, compared in turn.  Each is a lower
 * bound, so in that order they are together, too.  The distance from NULL is
 * NULL for all rows.  Rows without a box have no distance at all and come last:
 * when the queue is empty, scan.c reads the chain of NULLs.
 *
 * An index-only scan keeps the pins of the leaves whose rows wait.  If these are
 * too many, the leaf whose rows come last is put back into the queue as a part:
 * from the leaf up to the right neighbor that it had when it was read.  When it
 * is read again, the rows are left out that were returned before: those whose
 * key is less than that of the last row returned from the leaf, and those with
 * the same key whose TIDs have been remembered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/pairingheap.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "rtree/buffer.h"
#include "rtree/scan.h"

/* Pins a scan keeps at most. */
#define PINS_MAX	32

/* Keys that no distance has: of a part about which nothing is known, ... */
#define KEY_FIRST	PG_INT64_MIN

/* ... of NaN, and of what has left its batch. */
#define KEY_NAN		(PG_INT64_MAX - 1)
#define KEY_GONE	PG_INT64_MAX

/* The last rows that were returned from a part: all that have this key. */
typedef struct Returned
{
	int			ntids;
	int			size;
	ItemPointerData *tids;
	int64		keys[FLEXIBLE_ARRAY_MEMBER];
} Returned;

typedef struct Batch
{
	pairingheap_node node;
	struct Batch *next_free;
	bool		full_size;		/* not of a single part */
	bool		is_leaf;
	int			count;			/* of entries, with those that have left */
	int			left;			/* of those that have not */
	int			best;			/* the entry with the least key */
	uint16		least[SPQ_RTREE_GROUPS_MAX];	/* and that of each group */
	int64	   *keys;			/* as many for each entry as there are orders */
	SpqRtreePart *parts;		/* unless is_leaf */

	/* of a leaf: */
	SpqRtreePart self;			/* the leaf itself, as a part */
	SpqRtreeWaiting *rows;
	Returned   *returned;		/* or NULL */
	int			pin_place;		/* in the array of those with pins, or -1 */
} Batch;

struct SpqRtreeNearest
{
	MemoryContext context;		/* of all batches */
	int			norders;
	SpqRtreeOrder *orders;
	Oid		   *types;			/* of distances: float8 */
	IndexOrderByDistance *distances;	/* of the current row */
	int64	   *keys;			/* of what was taken from the queue last */

	pairingheap queue;			/* of batches, but for the current one */
	Batch	   *current;
	int			row;			/* that was returned last, of the current batch,
								 * or -1 */
	Batch	   *free;

	Batch	   *pinned[PINS_MAX];
	int			npinned;
	int			pins_max;
};

static inline int64
distance_key(float8 distance)
{
	union
	{
		float8		number;
		int64		key;
	}			bits;

	if (unlikely(isnan(distance)))
		return KEY_NAN;
	bits.number = distance + 0.0;	/* there is one zero */
	return bits.key < 0 ? bits.key ^ PG_INT64_MAX : bits.key;
}

static inline float8
key_distance(int64 key)
{
	union
	{
		float8		number;
		int64		key;
	}			bits;

	if (unlikely(key == KEY_NAN))
		return get_float8_nan();
	bits.key = key < 0 ? key ^ PG_INT64_MAX : key;
	return bits.number;
}

static inline int
compare_keys(const int64 *a, const int64 *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static inline const int64 *
entry_keys(const SpqRtreeNearest *nearest, const Batch *batch, int entry)
{
	return &batch->keys[entry * nearest->norders];
}

/* Find the entry with the least key of a group. */
static inline void
find_least(const SpqRtreeNearest *nearest, Batch *batch, int group)
{
	int			least = group * SPQ_RTREE_GROUP,
				end = Min(least + SPQ_RTREE_GROUP, batch->count);

	for (int entry = least + 1; entry < end; entry++)
		if (compare_keys(entry_keys(nearest, batch, entry),
						 entry_keys(nearest, batch, least), nearest->norders) < 0)
			least = entry;
	batch->least[group] = least;
}

/* Find the entry with the least key of all. */
static inline void
find_best(const SpqRtreeNearest *nearest, Batch *batch)
{
	int			best = batch->least[0],
				ngroups = spq_rtree_groups(batch->count);

	for (int group = 1; group < ngroups; group++)
	{
		int			least = batch->least[group];

		if (compare_keys(entry_keys(nearest, batch, least),
						 entry_keys(nearest, batch, best), nearest->norders) < 0)
			best = least;
	}
	batch->best = best;
}

/* Prepare a batch whose keys are set. */
static void
order_batch(const SpqRtreeNearest *nearest, Batch *batch)
{
	int			ngroups = spq_rtree_groups(batch->count);

	for (int group = 0; group < ngroups; group++)
		find_least(nearest, batch, group);
	find_best(nearest, batch);
}

/* Take the entry with the least key out of a batch, and note its keys. */
static int
take_best(SpqRtreeNearest *nearest, Batch *batch)
{
	int			entry = batch->best;

	memcpy(nearest->keys, entry_keys(nearest, batch, entry),
		   nearest->norders * sizeof(int64));
	batch->keys[entry * nearest->norders] = KEY_GONE;
	batch->left--;
	find_least(nearest, batch, entry / SPQ_RTREE_GROUP);
	find_best(nearest, batch);
	return entry;
}

/* Compare what is first in two batches: rows come before parts. */
static inline int
compare_batches(const SpqRtreeNearest *nearest, const Batch *a, const Batch *b)
{
	int			order = compare_keys(entry_keys(nearest, a, a->best),
									 entry_keys(nearest, b, b->best), nearest->norders);

	if (order == 0)
		order = (int) b->is_leaf - (int) a->is_leaf;
	return order;
}

/* For the heap, whose first is the greatest. */
static int
compare_nodes(const pairingheap_node *a, const pairingheap_node *b, void *arg)
{
	return -compare_batches(arg, pairingheap_const_container(Batch, node, a),
							pairingheap_const_container(Batch, node, b));
}

/* Return a batch with room for the entries of a page. */
static Batch *
make_batch(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	Batch	   *batch = nearest->free;

	if (batch)
	{
		nearest->free = batch->next_free;
		return batch;
	}
	batch = MemoryContextAlloc(nearest->context, sizeof(Batch));
	batch->full_size = true;
	batch->keys = MemoryContextAlloc(nearest->context, SPQ_RTREE_LEAF_MAX *
									 nearest->norders * sizeof(int64));
	batch->parts = NULL;
	batch->rows = NULL;
	batch->returned = NULL;
	return batch;
}

/* Put a single part into the queue.  "returned" is copied. */
static void
queue_part(SpqRtreeNearest *nearest, const SpqRtreePart *part, const int64 *keys,
		   const Returned *returned)
{
	MemoryContext old = MemoryContextSwitchTo(nearest->context);
	Size		keys_size = nearest->norders * sizeof(int64);
	Batch	   *batch = palloc(sizeof(Batch));

	batch->full_size = false;
	batch->is_leaf = false;
	batch->count = batch->left = 1;
	batch->keys = palloc(keys_size);
	memcpy(batch->keys, keys, keys_size);
	batch->parts = palloc(sizeof(SpqRtreePart));
	batch->parts[0] = *part;
	batch->rows = NULL;
	batch->returned = NULL;
	if (returned)
	{
		batch->returned = palloc(sizeof(Returned) + keys_size);
		memcpy(batch->returned, returned, sizeof(Returned) + keys_size);
		batch->returned->size = Max(returned->ntids, 1);
		batch->returned->tids = palloc(batch->returned->size * sizeof(ItemPointerData));
		memcpy(batch->returned->tids, returned->tids,
			   returned->ntids * sizeof(ItemPointerData));
	}
	batch->pin_place = -1;
	order_batch(nearest, batch);
	pairingheap_add(&nearest->queue, &batch->node);
	MemoryContextSwitchTo(old);
}

/* Have done with a batch that is not in the queue. */
static void
leave_batch(IndexScanDesc scan, Batch *batch)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (batch->is_leaf)
	{
		spq_rtree_leave_leaf(scan, batch->rows);
		if (batch->pin_place >= 0)
		{
			Batch	   *last = nearest->pinned[--nearest->npinned];

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
		pfree(batch->parts);
		pfree(batch);
	}
}

/* Remember the row of a leaf that is returned, in case the leaf is put back. */
static void
remember_row(SpqRtreeNearest *nearest, Batch *batch, ItemPointer tid)
{
	Returned   *returned = batch->returned;

	if (!returned)
	{
		returned = MemoryContextAlloc(nearest->context, sizeof(Returned) +
									  nearest->norders * sizeof(int64));
		returned->ntids = 0;
		returned->size = 4;
		returned->tids = MemoryContextAlloc(nearest->context,
											returned->size * sizeof(ItemPointerData));
		batch->returned = returned;
	}
	else if (compare_keys(returned->keys, nearest->keys, nearest->norders) != 0)
		returned->ntids = 0;
	memcpy(returned->keys, nearest->keys, nearest->norders * sizeof(int64));

	if (returned->ntids == returned->size)
	{
		returned->size *= 2;
		returned->tids = repalloc(returned->tids,
								  returned->size * sizeof(ItemPointerData));
	}
	returned->tids[returned->ntids++] = *tid;
}

/* Take the rows out of a batch that were returned before. */
static void
forget_returned(SpqRtreeNearest *nearest, Batch *batch)
{
	const Returned *returned = batch->returned;

	for (int entry = 0; entry < batch->count; entry++)
	{
		int			order = compare_keys(entry_keys(nearest, batch, entry),
										 returned->keys, nearest->norders);

		for (int i = 0; i < returned->ntids && order == 0; i++)
			if (ItemPointerEquals(&returned->tids[i], &batch->rows->tid[entry]))
				order = -1;
		if (order < 0)
		{
			batch->keys[entry * nearest->norders] = KEY_GONE;
			batch->left--;
		}
	}
}

/* Make room for a pin: put the leaf back whose rows come last. */
static void
put_back(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	Batch	   *last = nearest->pinned[0];

	for (int i = 1; i < nearest->npinned; i++)
		if (compare_batches(nearest, last, nearest->pinned[i]) < 0)
			last = nearest->pinned[i];
	pairingheap_remove(&nearest->queue, &last->node);
	queue_part(nearest, &last->self, entry_keys(nearest, last, last->best),
			   last->returned);
	leave_batch(scan, last);
}

/* Set the keys of the rows of a leaf. */
static void
set_row_keys(const SpqRtreeNearest *nearest, ScanKey keys, Page page, Batch *batch)
{
	int64	   *key = batch->keys;

	for (int row = 0; row < batch->count; row++)
	{
		int			entry = batch->rows->entry[row];
		const SpqRtreeLeafGroup *group =
			spq_rtree_leaf_group(page, entry / SPQ_RTREE_GROUP);
		float8		ends[SPQ_RTREE_ENDS];

		for (int end = 0; end < SPQ_RTREE_ENDS; end++)
			ends[end] = group->ends[end][entry % SPQ_RTREE_GROUP];
		for (int i = 0; i < nearest->norders; i++)
		{
			const SpqRtreeOrder *order = &nearest->orders[i];

			*key++ = keys[i].sk_flags & SK_ISNULL ? 0 :
				distance_key(order->distance(order, ends));
		}
	}
}

/* Make parts of the matching downlinks of an inner page, and set their keys. */
static void
take_parts(const SpqRtreeNearest *nearest, ScanKey keys, Page page,
		   const uint8 *matches, Batch *batch)
{
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	int64	   *key = batch->keys;
	SpqRtreePart *part = batch->parts;

	for (int g = 0; g < ngroups; g++)
	{
		const SpqRtreeInnerGroup *group = spq_rtree_inner_group(page, g);

		for (uint32 left = matches[g]; left != 0; left &= left - 1)
		{
			int			place = pg_rightmost_one_pos32(left);
			SpqRtreeBounds bounds =
				spq_rtree_entry_bounds(page, g * SPQ_RTREE_GROUP + place);

			*part++ = spq_rtree_child_part(page, group, place);
			for (int i = 0; i < nearest->norders; i++)
			{
				const SpqRtreeOrder *order = &nearest->orders[i];

				*key++ = keys[i].sk_flags & SK_ISNULL ? 0 :
					distance_key(order->least(order, &bounds));
			}
		}
	}
}

/*
 * Read the first page of a part that was taken from the queue, and put what it
 * has into the queue.  Takes over "returned".
 */
static void
read_part(IndexScanDesc scan, SpqRtreePart part, Returned *returned)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	Batch	   *batch;
	SpqRtreePart rest;
	Buffer		buffer;
	Page		page;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	if (part.level == 0 && nearest->npinned == nearest->pins_max)
		put_back(scan);

	buffer = spq_rtree_read_part(scan, &part, &rest);
	page = BufferGetPage(buffer);
	batch = make_batch(scan);
	batch->is_leaf = spq_rtree_is_leaf(page);
	batch->pin_place = -1;
	if (batch->is_leaf)
	{
		batch->count = spq_rtree_match_leaf(&state->conditions, page,
											state->skips_dead, matches);
		if (!batch->rows)
		{
			MemoryContext old = MemoryContextSwitchTo(nearest->context);

			batch->rows = palloc(sizeof(SpqRtreeWaiting));
			spq_rtree_waiting_init(scan, batch->rows);
			MemoryContextSwitchTo(old);
		}
		batch->self = part;
		batch->self.stop = spq_rtree_special(page)->next;
		spq_rtree_take_rows(scan, buffer, matches, batch->rows);
		set_row_keys(nearest, scan->orderByData, page, batch);
	}
	else
	{
		batch->count = spq_rtree_match_inner(&state->conditions, page, matches);
		if (!batch->parts)
			batch->parts = MemoryContextAlloc(nearest->context, SPQ_RTREE_INNER_MAX *
											  sizeof(SpqRtreePart));
		take_parts(nearest, scan->orderByData, page, matches, batch);
	}
	batch->left = batch->count;
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);

	if (rest.child != InvalidBlockNumber)
		queue_part(nearest, &rest, nearest->keys, returned);
	if (returned)
	{
		/* only a leaf is put back, and a leaf remains one */
		Assert(batch->is_leaf);
		batch->returned = returned;
		forget_returned(nearest, batch);
	}

	if (batch->is_leaf && state->keeps_pins && batch->left > 0)
	{
		batch->rows->pin = buffer;
		batch->pin_place = nearest->npinned;
		nearest->pinned[nearest->npinned++] = batch;
	}
	else
		ReleaseBuffer(buffer);
	if (batch->left > 0)
	{
		order_batch(nearest, batch);
		pairingheap_add(&nearest->queue, &batch->node);
	}
	else
		leave_batch(scan, batch);
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
	nearest->queue.ph_arg = nearest;
	nearest->pins_max = pins_max(scan->indexRelation);
	return nearest;
}

void
spq_rtree_nearest_start(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreePart tree = spq_rtree_whole_tree();

	spq_rtree_parse_orders(scan, nearest->orders);
	nearest->row = -1;
	if (state->conditions.reads_tree)
	{
		for (int i = 0; i < nearest->norders; i++)
			nearest->keys[i] = KEY_FIRST;
		queue_part(nearest, &tree, nearest->keys, NULL);
	}
}

/* Let a row of the current batch be the scan's current one. */
static void
return_row(IndexScanDesc scan, int row)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeWaiting *rows = nearest->current->rows;

	if (state->keeps_pins)
		remember_row(nearest, nearest->current, &rows->tid[row]);
	for (int i = 0; i < nearest->norders; i++)
	{
		nearest->distances[i].isnull = (scan->orderByData[i].sk_flags & SK_ISNULL) != 0;
		nearest->distances[i].value = key_distance(nearest->keys[i]);
	}
	index_store_float8_orderby_distances(scan, nearest->types, nearest->distances, false);
	spq_rtree_return_row(scan, rows, row);
	nearest->row = row;
}

/* Return the next row that has a distance, or false. */
bool
spq_rtree_nearest_next(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;

	if (nearest->row >= 0 && scan->kill_prior_tuple)
		spq_rtree_note_dead(nearest->current->rows, nearest->row);
	nearest->row = -1;

	for (;;)
	{
		Batch	   *batch = nearest->current;
		int			entry;

		if (batch && batch->left == 0)
		{
			nearest->current = NULL;
			leave_batch(scan, batch);
			batch = NULL;
		}

		/* the current batch remains so while no other is before it */
		if (!pairingheap_is_empty(&nearest->queue))
		{
			Batch	   *first = pairingheap_container(Batch, node,
													  pairingheap_first(&nearest->queue));

			if (!batch || compare_batches(nearest, first, batch) < 0)
			{
				pairingheap_remove_first(&nearest->queue);
				if (batch)
					pairingheap_add(&nearest->queue, &batch->node);
				nearest->current = batch = first;
			}
		}
		if (!batch)
			break;

		entry = take_best(nearest, batch);
		if (batch->is_leaf)
		{
			return_row(scan, entry);
			return true;
		}
		else
		{
			Returned   *returned = batch->returned;

			batch->returned = NULL;
			read_part(scan, batch->parts[entry], returned);
		}
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
		leave_batch(scan, pairingheap_container(Batch, node,
												pairingheap_remove_first(&nearest->queue)));
}
