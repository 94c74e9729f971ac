/*-------------------------------------------------------------------------
 *
 * nearest_state.h
 *	  The state of a search in order of distance, for the files that make it up:
 *
 *		nearest.c	the search
 *		batch.h		a batch: its entries and the least of them
 *		batch.c		batches of pages and of single spans
 *		row_keys.c	the exact distances of a row
 *		pins.c		leaves that keep their pins
 *		returned.c	rows that were returned from leaves that may be put back
 *		put_back.c	leaves put back because the scan has too many pins
 *		nearest_ahead.c	requests for blocks that will be read soon
 *
 * Exact distances are *keys*: integers that sort as float8 does, with NaN after
 * infinity, one for each ORDER BY expression, compared in turn.  A bound is for
 * one expression only, the first that has an argument.  Distances from NULL,
 * which come before it, are the same for all rows; for expressions after it,
 * the bound says nothing.  So if any of these has an argument, a bound comes
 * before rows with the same key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_NEAREST_STATE_H
#define SPQ_RTREE_NEAREST_NEAREST_STATE_H

#include "lib/binaryheap.h"
#include "lib/pairingheap.h"

#include "rtree/class/class.h"
#include "rtree/scan/scan_state.h"

/*
 * The keys of a NaN, and of a batch with nothing left; no other distance has
 * them.
 */
#define SPQ_RTREE_KEY_NAN	(PG_INT64_MAX - 1)
#define SPQ_RTREE_KEY_GONE	PG_INT64_MAX

/* The square of an entry that is gone; all others are less. */
#define SPQ_RTREE_SQUARE_GONE	DBL_MAX

/* The lowest bits of a square, for the number of a group. */
#define SPQ_RTREE_GROUP_BITS	UINT64CONST(63)

StaticAssertDecl(BLCKSZ <= 8192, "spqtree needs a server with pages of 8 kB or less");
StaticAssertDecl(SPQ_RTREE_GROUPS_MAX <= SPQ_RTREE_GROUP_BITS + 1, "they are enough");

/* The last rows returned from a span: all those with these keys. */
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
	int64		key;			/* a lower bound of all that is left */
	const int64 *first_keys;	/* if the key is exact: all keys of its row;
								 * else NULL */
	bool		waiting_first;	/* that row waits in the batch */
	bool		full_size;		/* not of a single span */
	bool		is_leaf;
	bool		again;			/* a leaf that returned rows before it was put
								 * back */

	/* a single span, or the one of the page itself */
	SpqRtreeSpan span;
	SpqRtreeReturned *returned; /* rows returned from it, or NULL */

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

	/* of a leaf, allocated when first needed: */
	char	   *page;			/* a copy of its used spans */
	SpqRtreeLeaf *leaf;
	int			pin_place;		/* in the array of pinned leaves, or -1 */
	int			nreturned;		/* rows, since the order below was made */
	int			nordered;		/* entries in that order; -1: not made */
	int			nrequested;		/* of these */
	uint16	   *order;			/* entries, the nearest first */
	binaryheap *waiting;		/* entries with exact keys; or NULL */
	int64	   *keys;			/* the exact keys of these */
	int			norders;		/* number of keys of each */
} SpqRtreeBatch;

/* The most pins that a scan keeps. */
#define SPQ_RTREE_PINS_MAX	32

struct SpqRtreeNearest
{
	MemoryContext context;		/* of all batches */
	int			norders;
	SpqRtreeOrder *orders;
	int			bounding;		/* the order that bounds are for */
	bool		is_bounded;		/* it has an argument */
	bool		has_more;		/* so has a later order */
	bool		prefilters;		/* its bounds decide a condition, too */
	SpqRtreeBatch *bounded;		/* the batch that then gets the bounds */
	Oid		   *types;			/* of distances: float8 */
	IndexOrderByDistance *distances;	/* of the current row */
	int64	   *keys;			/* of that row, or of a candidate */

	pairingheap queue;			/* of all batches but the current one */
	SpqRtreeBatch *current;
	int			entry;			/* returned last, from the current batch; or
								 * -1 */
	SpqRtreeBatch *free;
	char	   *tuple;			/* for an index-only scan */

	/* a row that will be returned soon, and its page, or NULL (rows_ahead.c) */
	ItemPointerData found_tid;
	const char *found_page;

	SpqRtreeBatch *pinned[SPQ_RTREE_PINS_MAX];
	int			npinned;
	int			pins_max;
};

/* Return whether the argument of an order is other than NULL. */
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
	bits.number = distance + 0.0;	/* -0 becomes 0 */
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

/*
 * nearest_ahead.c: requests for blocks that a search in order of distance will
 * read soon.
 */

/* Request the nearest pages below an inner page that was put into the queue. */
extern void spq_rtree_ahead_of_children(IndexScanDesc scan, const SpqRtreeBatch *batch);

/* Request the table's blocks of the nearest rows of the current batch, a leaf. */
extern void spq_rtree_ahead_of_nearest(IndexScanDesc scan, SpqRtreeBatch *batch);

/*
 * pins.c: leaves that keep their pins in a search in order of distance.
 */

extern int	spq_rtree_pins_max(Relation index);
extern void spq_rtree_keep_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);
extern void spq_rtree_forget_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);

/*
 * put_back.c: leaves that a search in order of distance puts back, because it
 * has too many pins.
 */

extern void spq_rtree_put_back(IndexScanDesc scan);

/*
 * returned.c: rows that a search in order of distance has returned from leaves
 * that it may have to put back.
 */

extern void spq_rtree_remember_row(SpqRtreeNearest *nearest, SpqRtreeBatch *batch,
								   ItemPointer tid);
extern bool spq_rtree_was_returned(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch,
								   ItemPointer tid);
extern SpqRtreeReturned *spq_rtree_copy_returned(const SpqRtreeNearest *nearest,
												 const SpqRtreeReturned *returned);
extern void spq_rtree_forget_returned(SpqRtreeReturned *returned);

/* ---- row_keys.c: the exact distances of a row, as keys ---- */

extern bool spq_rtree_find_keys(IndexScanDesc scan, const SpqRtreeBatch *batch, int entry);

#endif							/* SPQ_RTREE_NEAREST_NEAREST_STATE_H */
