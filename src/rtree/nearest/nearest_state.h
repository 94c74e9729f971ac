/*-------------------------------------------------------------------------
 *
 * nearest_state.h
 *	  The state of a search in order of distance, for the files that make it up:
 *
 *		nearest.c	the search
 *		batch.h		a batch: its entries and the least of them
 *		batch.c		batches of pages and of single parts
 *		row_keys.c	the exact distances of a row
 *		pins.c		leaves that keep their pins
 *		returned.c	rows that were returned, of leaves that may be put back
 *		put_back.c	leaves whose pins are too many
 *
 * Exact distances are *keys*: integers that have the order of float8, with NaN behind
 * infinity, one for each ORDER BY expression, compared in turn.  A bound is one of the
 * first expression that has an argument, alone: distances from NULL, which come before, are
 * the same for all rows, and of what comes behind it says nothing.  So, if something
 * does come behind, a bound goes before rows that have the same key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_NEAREST_STATE_H
#define SPQ_RTREE_NEAREST_NEAREST_STATE_H

#include "lib/binaryheap.h"
#include "lib/pairingheap.h"

#include "rtree/class/class.h"
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

/* Pins a scan keeps at most. */
#define SPQ_RTREE_PINS_MAX	32

struct SpqRtreeNearest
{
	MemoryContext context;		/* of all batches */
	int			norders;
	SpqRtreeOrder *orders;
	int			bounding;		/* the order that bounds are of */
	bool		is_bounded;		/* it has an argument */
	bool		has_more;		/* so has one behind it */
	bool		prefilters;		/* its bounds decide a condition, too */
	SpqRtreeBatch *bounded;		/* has got them for that */
	Oid		   *types;			/* of distances: float8 */
	IndexOrderByDistance *distances;	/* of the current row */
	int64	   *keys;			/* of that, or of what is to be it */

	pairingheap queue;			/* of batches, but for the current one */
	SpqRtreeBatch *current;
	int			entry;			/* of the current batch, that was returned
								 * last, or -1 */
	SpqRtreeBatch *free;
	char	   *tuple;			/* for an index-only scan */

	SpqRtreeBatch *pinned[SPQ_RTREE_PINS_MAX];
	int			npinned;
	int			pins_max;
};

/* Return whether there is an order with other than a NULL argument. */
static inline bool
spq_rtree_has_argument(const IndexScanDescData *scan, int order)
{
	return !(scan->orderByData[order].sk_flags & SK_ISNULL);
}

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

#endif							/* SPQ_RTREE_NEAREST_NEAREST_STATE_H */
