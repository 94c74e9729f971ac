/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  What a search in order of distance has in its queue: the entries of a page.
 *
 * A *batch* has the entries of one page, and finds the one with the least key among
 * the least of its groups of eight.  So a page of 200 entries is one entry of the
 * queue.  A part of a level that is not among the entries of a page is a batch of
 * its own.
 *
 * Keys are distances as integers that have the order of float8, with NaN behind
 * infinity: one for each ORDER BY expression, compared in turn.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BATCH_H
#define SPQ_RTREE_BATCH_H

#include "lib/pairingheap.h"

#include "rtree/scan.h"

/* Keys that no distance has: of a part about which nothing is known, ... */
#define SPQ_RTREE_KEY_FIRST	PG_INT64_MIN

/* ... of NaN, and of an entry that is gone from its batch. */
#define SPQ_RTREE_KEY_NAN		(PG_INT64_MAX - 1)
#define SPQ_RTREE_KEY_GONE	PG_INT64_MAX

/* The last rows that were returned from a part: all that have this key. */
typedef struct SpqRtreeReturned
{
	int			ntids;
	int			size;
	ItemPointerData *tids;
	int64		keys[FLEXIBLE_ARRAY_MEMBER];
} SpqRtreeReturned;

typedef struct SpqRtreeBatch
{
	pairingheap_node node;
	struct SpqRtreeBatch *next_free;
	bool		full_size;		/* not of a single part */
	bool		is_leaf;
	bool		again;			/* a leaf that was put back before */
	int			norders;		/* keys of each entry */
	int			count;			/* of entries, with those that are gone */
	int			left;			/* of those that are not */
	int			best;			/* the entry with the least key */
	uint16		least[SPQ_RTREE_GROUPS_MAX];	/* and that of each group */
	int64		least_key[SPQ_RTREE_GROUPS_MAX];	/* the first key of these */
	int64	   *keys;			/* of each entry */

	/* of a single part: */
	SpqRtreePart part;

	/* of a page: */
	char	   *page;			/* a copy, all of it that is used */

	/* of a leaf: */
	SpqRtreePart self;			/* the leaf, as a part */
	SpqRtreeLeaf *leaf;
	uint8		exact[SPQ_RTREE_GROUPS_MAX];	/* entries with exact keys */
	SpqRtreeReturned *returned; /* also of a leaf that was put back; or NULL */
	int			pin_place;		/* in the array of those with pins, or -1 */
} SpqRtreeBatch;

static inline int64
spq_rtree_distance_key(float8 distance)
{
	union
	{
		float8		number;
		int64		key;
	}			bits;

	if (unlikely(isnan(distance)))
		return SPQ_RTREE_KEY_NAN;
	bits.number = distance + 0.0;	/* there is one zero */
	return bits.key < 0 ? bits.key ^ PG_INT64_MAX : bits.key;
}

static inline float8
spq_rtree_key_distance(int64 key)
{
	union
	{
		float8		number;
		int64		key;
	}			bits;

	if (unlikely(key == SPQ_RTREE_KEY_NAN))
		return get_float8_nan();
	bits.key = key < 0 ? key ^ PG_INT64_MAX : key;
	return bits.number;
}

static inline int
spq_rtree_compare_keys(const int64 *a, const int64 *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static inline const int64 *
spq_rtree_batch_keys(const SpqRtreeBatch *batch, int entry)
{
	return &batch->keys[entry * batch->norders];
}

/* Find the entry with the least key of a group. */
static inline void
spq_rtree_batch_find_least(SpqRtreeBatch *batch, int group)
{
	int			least = group * SPQ_RTREE_GROUP,
				end = Min(least + SPQ_RTREE_GROUP, batch->count);

	if (batch->norders == 1)
	{
		int64		key = batch->keys[least];

		for (int entry = least + 1; entry < end; entry++)
		{
			least = batch->keys[entry] < key ? entry : least;
			key = Min(batch->keys[entry], key);
		}
	}
	else
	{
		for (int entry = least + 1; entry < end; entry++)
			if (spq_rtree_compare_keys(spq_rtree_batch_keys(batch, entry),
									   spq_rtree_batch_keys(batch, least), batch->norders) < 0)
				least = entry;
	}
	batch->least[group] = least;
	batch->least_key[group] = batch->keys[least * batch->norders];
}

/* Find the entry with the least key of all. */
static inline void
spq_rtree_batch_find_best(SpqRtreeBatch *batch)
{
	int			best = 0,
				ngroups = spq_rtree_groups(batch->count);

	if (batch->norders == 1)
	{
		int64		key = batch->least_key[0];

		for (int group = 1; group < ngroups; group++)
		{
			best = batch->least_key[group] < key ? group : best;
			key = Min(batch->least_key[group], key);
		}
	}
	else
	{
		for (int group = 1; group < ngroups; group++)
			if (spq_rtree_compare_keys(spq_rtree_batch_keys(batch, batch->least[group]),
									   spq_rtree_batch_keys(batch, batch->least[best]),
									   batch->norders) < 0)
				best = group;
	}
	batch->best = batch->least[best];
}

/* Prepare a batch whose keys are set. */
static void
spq_rtree_batch_order(SpqRtreeBatch *batch)
{
	int			ngroups = spq_rtree_groups(batch->count);

	for (int group = 0; group < ngroups; group++)
		spq_rtree_batch_find_least(batch, group);
	spq_rtree_batch_find_best(batch);
}

/* Find the best entry after the keys of one have changed. */
static inline void
spq_rtree_batch_order_again(SpqRtreeBatch *batch, int entry)
{
	spq_rtree_batch_find_least(batch, entry / SPQ_RTREE_GROUP);
	spq_rtree_batch_find_best(batch);
}

/* Take an entry out of a batch. */
static inline void
spq_rtree_batch_remove(SpqRtreeBatch *batch, int entry)
{
	batch->keys[entry * batch->norders] = SPQ_RTREE_KEY_GONE;
	batch->left--;
}

/* Compare what is first in two batches: rows come before parts. */
static inline int
spq_rtree_batch_compare(const SpqRtreeBatch *a, const SpqRtreeBatch *b)
{
	int			order = spq_rtree_compare_keys(spq_rtree_batch_keys(a, a->best),
											   spq_rtree_batch_keys(b, b->best), a->norders);

	if (order == 0)
		order = (int) b->is_leaf - (int) a->is_leaf;
	return order;
}

#endif							/* SPQ_RTREE_BATCH_H */
