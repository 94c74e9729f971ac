/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  An element of the queue of a search in order of distance: a batch.
 *
 * A *batch* has the entries of one page, each with a lower bound of its
 * distance.  It finds the least one among the least ones of its groups of
 * eight.  So a page of 200 entries is one element of the queue.  A span of a
 * level that is not in the batch of an inner page is a batch of its own.
 *
 * Bounds are squares (gap.h); a root is computed for the least one only.  The
 * least square of a group has the number of the group in its lowest bits, so
 * the least of all says which group it is from.  If the exact distance of the
 * row with the least bound is greater than the next key, the row waits in a
 * heap of its batch.
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_BATCH_H
#define SPQ_RTREE_NEAREST_BATCH_H

#include "port/pg_bitutils.h"

#include "rtree/class/gap.h"
#include "rtree/nearest/nearest_state.h"

/* Return the keys of a waiting row. */
static inline int64 *
spq_rtree_batch_keys(const SpqRtreeBatch *batch, int entry)
{
	return &batch->keys[entry * batch->norders];
}

static inline int
spq_rtree_batch_first_waiting(const SpqRtreeBatch *batch)
{
	return DatumGetInt32(binaryheap_first(batch->waiting));
}

/*
 * Return the least of n squares, where n is a multiple of eight.  Several
 * chains of dependent steps run in parallel.
 */
static inline float8
spq_rtree_least_square(const float8 *squares, int n)
{
	SpqDoubles	a = spq_doubles_load(&squares[0]),
				b = spq_doubles_load(&squares[2]),
				c = spq_doubles_load(&squares[4]),
				d = spq_doubles_load(&squares[6]);

	for (int i = SPQ_RTREE_GROUP; i < n; i += SPQ_RTREE_GROUP)
	{
		a = spq_doubles_min(spq_doubles_load(&squares[i]), a);
		b = spq_doubles_min(spq_doubles_load(&squares[i + 2]), b);
		c = spq_doubles_min(spq_doubles_load(&squares[i + 4]), c);
		d = spq_doubles_min(spq_doubles_load(&squares[i + 6]), d);
	}
	return spq_doubles_least(spq_doubles_min(spq_doubles_min(a, b), spq_doubles_min(c, d)));
}

/* Return a square, rounded down, with these lowest bits. */
static inline float8
spq_rtree_square_with(float8 square, uint64 lowest_bits)
{
	union
	{
		float8		number;
		uint64		bits;
	}			both;

	both.number = square;
	both.bits = (both.bits & ~SPQ_RTREE_GROUP_BITS) | lowest_bits;
	return both.number;
}

/* Return the number of the group in a least square. */
static inline int
spq_rtree_square_group(float8 square)
{
	union
	{
		float8		number;
		uint64		bits;
	}			both;

	both.number = square;
	return both.bits & SPQ_RTREE_GROUP_BITS;
}

/*
 * Return which squares of a group, rounded down, equal this one: bit i is for
 * entry i.
 */
static inline uint32
spq_rtree_equal_squares(const float8 *squares, float8 square)
{
	const SpqDoublesMask mask = {~SPQ_RTREE_GROUP_BITS, ~SPQ_RTREE_GROUP_BITS};
	uint32		equal = 0;

	for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
	{
		SpqDoubles	rounded = spq_doubles_keep(mask, spq_doubles_load(&squares[i]));

		equal |= spq_doubles_bits(rounded == spq_doubles_set(square)) << i;
	}
	return equal;
}

/* Find the least square of a group. */
static inline void
spq_rtree_batch_find_least(SpqRtreeBatch *batch, int group)
{
	float8		least = spq_rtree_least_square(&batch->squares[group * SPQ_RTREE_GROUP],
											   SPQ_RTREE_GROUP);

	batch->least[group] = spq_rtree_square_with(least, group);
}

/* Find the entry with the least bound, given the least of each group. */
static inline void
spq_rtree_batch_find_best(SpqRtreeBatch *batch)
{
	float8		least;
	int			group;
	uint32		equal;

	batch->bound = SPQ_RTREE_KEY_GONE;
	if (batch->left == 0)
		return;
	least = spq_rtree_least_square(batch->least, TYPEALIGN(SPQ_RTREE_GROUP, batch->ngroups));
	group = spq_rtree_square_group(least);
	least = spq_rtree_square_with(least, 0);
	equal = spq_rtree_equal_squares(&batch->squares[group * SPQ_RTREE_GROUP], least);
	batch->best = group * SPQ_RTREE_GROUP + pg_rightmost_one_pos32(equal);
	batch->bound = spq_rtree_distance_key(spq_rtree_root(least));
}

/* Take the entry with the least bound out of a batch, and return it. */
static inline int
spq_rtree_batch_take_best(SpqRtreeBatch *batch)
{
	int			entry = batch->best;

	batch->squares[entry] = SPQ_RTREE_SQUARE_GONE;
	batch->left--;
	spq_rtree_batch_find_least(batch, entry / SPQ_RTREE_GROUP);
	spq_rtree_batch_find_best(batch);
	return entry;
}

/* Return the entry with the least bound after the best one; there must be one. */
static inline int
spq_rtree_batch_second(SpqRtreeBatch *batch)
{
	int			best = batch->best,
				group = best / SPQ_RTREE_GROUP,
				second;
	int64		bound = batch->bound;
	float8		square = batch->squares[best],
				least = batch->least[group];

	batch->squares[best] = SPQ_RTREE_SQUARE_GONE;
	spq_rtree_batch_find_least(batch, group);
	spq_rtree_batch_find_best(batch);
	second = batch->best;
	batch->squares[best] = square;
	batch->least[group] = least;
	batch->best = best;
	batch->bound = bound;
	return second;
}

/* Set the key of a batch to the least of what is left. */
static inline void
spq_rtree_batch_set_key(const SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	batch->key = batch->bound;
	batch->first_keys = NULL;
	batch->waiting_first = false;
	if (batch->is_leaf && batch->waiting && !binaryheap_empty(batch->waiting))
	{
		const int64 *keys = spq_rtree_batch_keys(batch, spq_rtree_batch_first_waiting(batch));
		int64		key = keys[nearest->bounding];

		if (key < batch->bound || (key == batch->bound && !nearest->has_more))
		{
			batch->key = key;
			batch->first_keys = keys;
			batch->waiting_first = true;
		}
	}
}

extern void spq_rtree_prefilter_by_order(const void *nearest, const SpqRtreeColumns *columns,
										 uint8 *matches, uint8 *sure);
extern void spq_rtree_queue_span(SpqRtreeNearest *nearest, const SpqRtreeSpan *span, int64 key,
								 const int64 *keys, const SpqRtreeReturned *returned);
extern void spq_rtree_queue_page(IndexScanDesc scan, SpqRtreeSpan span, int64 key,
								 const int64 *keys, SpqRtreeReturned *returned);
extern void spq_rtree_let_wait(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, int entry);
extern void spq_rtree_leave_batch(IndexScanDesc scan, SpqRtreeBatch *batch);
extern int	spq_rtree_compare_batches(const pairingheap_node *a, const pairingheap_node *b,
									  void *arg);

#endif							/* SPQ_RTREE_NEAREST_BATCH_H */
