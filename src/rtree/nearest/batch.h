/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  What a search in order of distance has in its queue: the entries of a page.
 *
 * A *batch* has the entries of one page, each by a lower bound of its distance.  It finds
 * the least one among the least of its groups of eight.  So a page of 200 entries is one
 * entry of the queue.  A part of a level that is not among the entries of a page is a
 * batch of its own.
 *
 * The bounds are squares (gap.h): only of the least one the root is computed.  The least
 * square of a group has the number of the group in its lowest bits, so that the least of
 * all says where it is.  A row
 * that was the least, but whose exact distance is greater than what comes next, waits in
 * a heap that its batch has for such rows.
 *
 * Exact distances are *keys*: integers that have the order of float8, with NaN behind
 * infinity, one for each ORDER BY expression, compared in turn.  A bound is one of the
 * first expression that has an argument, alone: distances from NULL, which come before, are
 * the same for all rows, and of what comes behind it says nothing.  So, if something
 * does come behind, a bound goes before rows that have the same key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_BATCH_H
#define SPQ_RTREE_NEAREST_BATCH_H

#include "lib/binaryheap.h"
#include "lib/pairingheap.h"
#include "port/pg_bitutils.h"

#include "rtree/class/gap.h"
#include "rtree/scan/scan_state.h"

/* Keys that no distance has: of NaN, and of a batch that has nothing left. */
#define SPQ_RTREE_KEY_NAN	(PG_INT64_MAX - 1)
#define SPQ_RTREE_KEY_GONE	PG_INT64_MAX

/* The square of an entry that is gone; others are less. */
#define SPQ_RTREE_SQUARE_GONE	DBL_MAX

/* The lowest bits of a square, for the number of a group. */
#define SPQ_RTREE_GROUP_BITS	UINT64CONST(63)

StaticAssertDecl(BLCKSZ <= 8192, "spqtree needs a server with pages of 8 kB or less");
StaticAssertDecl(SPQ_RTREE_GROUPS_MAX <= SPQ_RTREE_GROUP_BITS + 1, "they are enough");

/* The last rows that were returned from a part: all that have these keys. */
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
	int64		key;			/* a bound of all that is left */
	const int64 *first_keys;	/* if it is of exact keys: all of these; else
								 * NULL */
	bool		waiting_first;	/* that is those of a row that waits */
	bool		full_size;		/* not of a single part */
	bool		is_leaf;
	bool		again;			/* a leaf that was put back before */

	/* a single part; or that of a page itself */
	SpqRtreePart part;
	SpqRtreeReturned *returned; /* rows returned from there; or NULL */

	/* of a page: */
	int			ngroups;
	int			left;			/* entries with a bound */
	int			best;			/* the least of them */
	int64		bound;			/* and its key */
	float8		least[TYPEALIGN(SPQ_RTREE_GROUP, SPQ_RTREE_GROUPS_MAX)];	/* of each group, with
																			 * its number */
	float8		squares[SPQ_RTREE_LEAF_MAX];	/* of each entry */

	/* of an inner page: */
	BlockNumber child[SPQ_RTREE_INNER_MAX];
	uint32		stop[SPQ_RTREE_INNER_MAX];

	/* of a leaf, once there was one: */
	char	   *page;			/* a copy, all of it that is used */
	SpqRtreeLeaf *leaf;
	int			pin_place;		/* in the array of those with pins, or -1 */
	binaryheap *waiting;		/* entries with exact keys; or NULL */
	int64	   *keys;			/* these */
	int			norders;		/* of each entry */
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

/* Return the keys of a row that waits. */
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

/* Return the least of a number of squares, a multiple of eight: chains of dependent steps. */
static inline float8
spq_rtree_least_square(const float8 *squares, int n)
{
#ifdef __SSE2__
	__m128d		a = _mm_loadu_pd(&squares[0]),
				b = _mm_loadu_pd(&squares[2]),
				c = _mm_loadu_pd(&squares[4]),
				d = _mm_loadu_pd(&squares[6]);

	for (int i = SPQ_RTREE_GROUP; i < n; i += SPQ_RTREE_GROUP)
	{
		a = _mm_min_pd(_mm_loadu_pd(&squares[i]), a);
		b = _mm_min_pd(_mm_loadu_pd(&squares[i + 2]), b);
		c = _mm_min_pd(_mm_loadu_pd(&squares[i + 4]), c);
		d = _mm_min_pd(_mm_loadu_pd(&squares[i + 6]), d);
	}
	a = _mm_min_pd(_mm_min_pd(a, b), _mm_min_pd(c, d));
	return _mm_cvtsd_f64(_mm_min_sd(_mm_unpackhi_pd(a, a), a));
#else
	float8		least[SPQ_RTREE_GROUP];

	memcpy(least, squares, sizeof(least));
	for (int i = SPQ_RTREE_GROUP; i < n; i++)
		least[i % SPQ_RTREE_GROUP] = Min(squares[i], least[i % SPQ_RTREE_GROUP]);
	for (int i = 1; i < SPQ_RTREE_GROUP; i++)
		least[0] = Min(least[i], least[0]);
	return least[0];
#endif
}

/* Return a square, rounded down, with other lowest bits. */
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

/* Return the number of the group that a least square has. */
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

/* Return which squares of a group, rounded down, are the same as this one: bit i is for entry i. */
static inline uint32
spq_rtree_equal_squares(const float8 *squares, float8 square)
{
	uint32		equal = 0;

#ifdef __SSE2__
	const __m128d mask = _mm_castsi128_pd(_mm_set1_epi64x(~SPQ_RTREE_GROUP_BITS));

	for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
		equal |= _mm_movemask_pd(_mm_cmpeq_pd(_mm_and_pd(_mm_loadu_pd(&squares[i]), mask),
											  _mm_set1_pd(square))) << i;
#else
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		equal |= (spq_rtree_square_with(squares[i], 0) == square) << i;
#endif
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

/* Find the entry with the least bound, after those of the groups have been found. */
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

/* Take the entry with the least bound out of a batch. */
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

#endif							/* SPQ_RTREE_NEAREST_BATCH_H */
