/*-------------------------------------------------------------------------
 *
 * scan_state.h
 *	  The state of a scan, for the files that make it up:
 *
 *		span.c			the first page of a span of a level, locked
 *		page_order.c	the search in the order of pages
 *		parallel_scan.c	the unread spans that several processes share
 *		leaf.c			leaves that rows are returned from: pins, dead rows
 *		tuple.c			index tuples of rows
 *		read_ahead.c	requests for blocks that will be read soon
 *		table_ahead.c	the same for blocks of the table
 *		cache_ahead.c	requests for pages from memory
 *		rows_ahead.c	the same for rows of the table
 *
 * The scan's conditions are in rtree/conditions, the callbacks in rtree/index_scan.c,
 * the search in order of distance in rtree/nearest.  README.md shows that a scan
 * finds each row once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_SCAN_STATE_H
#define SPQ_RTREE_SCAN_SCAN_STATE_H

#include "access/genam.h"
#include "access/itup.h"
#include "access/relscan.h"
#include "storage/bufmgr.h"

#include "rtree/conditions/filters.h"
#include "rtree/keys/code.h"
#include "rtree/page/page.h"
#include "rtree/store/buffer.h"

/*
 * Memory for the index tuple of a row, and for those of all rows of a leaf.  To
 * a payload, a tuple adds at most a bitmap of nulls and the ends, or the ends
 * and their alignment.  Without a payload it has the scalars of an exact code.
 */
#define SPQ_RTREE_KEY_SIZE_MAX \
	(MAXALIGN(sizeof(IndexTupleData) + sizeof(IndexAttributeBitMapData)) + \
	 SPQ_RTREE_ENDS * sizeof(float8) + SPQ_RTREE_EXACT_MAX * MAXIMUM_ALIGNOF)
#define SPQ_RTREE_TUPLE_SIZE	(SPQ_RTREE_PAYLOAD_MAX + SPQ_RTREE_KEY_SIZE_MAX)
#define SPQ_RTREE_TUPLES_SIZE	(BLCKSZ + SPQ_RTREE_LEAF_MAX * SPQ_RTREE_KEY_SIZE_MAX)

StaticAssertDecl(SPQ_RTREE_INNER_MAX <= SPQ_RTREE_LEAF_MAX,
				 "a downlink is no smaller than a row");

/* The most leaves whose rows are taken before those of the leaf before them are returned. */
#define SPQ_RTREE_LEAVES_AHEAD	3

/* The most pages that are read, before a row is returned, to find the next of these leaves. */
#define SPQ_RTREE_PAGES_AHEAD	4

/* The most rows whose pages are looked up before the row is returned. */
#define SPQ_RTREE_ROWS_AHEAD	16

/* A span of a level, to be read: from child to the page that ends it. */
typedef struct SpqRtreeSpan
{
	BlockNumber child;
	uint32		stop;
	int			level;			/* or SPQ_RTREE_ANY_LEVEL or _NULL_LEVEL */
	uint32		steps;			/* to the right, since the downlink */
	bool		requested;		/* from the system, before it is read */
	bool		cached;			/* requested from memory */
} SpqRtreeSpan;

static inline SpqRtreeSpan
spq_rtree_whole_tree(void)
{
	SpqRtreeSpan span = {SPQ_RTREE_ROOT, 0, SPQ_RTREE_ANY_LEVEL, 0, false, false};

	return span;
}

static inline SpqRtreeSpan
spq_rtree_all_nulls(void)
{
	SpqRtreeSpan span = {SPQ_RTREE_NULLS, 0, SPQ_RTREE_NULL_LEVEL, 0, false, false};

	return span;
}

/* Return the span of a downlink. */
static inline SpqRtreeSpan
spq_rtree_child_span(Page page, int entry)
{
	SpqRtreeSpan span = {
		spq_rtree_child(page, entry), spq_rtree_stop(page, entry),
		spq_rtree_special(page)->level - 1, 0, false, false
	};

	return span;
}

/* A leaf that rows are returned from. */
typedef struct SpqRtreeLeaf
{
	BlockNumber block;
	Buffer		pin;			/* or InvalidBuffer */
	XLogRecPtr	lsn;			/* of the page when it was read */

	/* rows that the executor found dead */
	int			ndead;
	uint16		dead[SPQ_RTREE_LEAF_MAX];	/* numbers of entries */
	ItemPointerData dead_tid[SPQ_RTREE_LEAF_MAX];
} SpqRtreeLeaf;

/* The matching rows of a leaf, taken out of it. */
typedef struct SpqRtreeLeafRows
{
	SpqRtreeLeaf leaf;
	bool		recheck;
	int			nrows;
	int			next;			/* to be returned */
	int			nrequested;		/* whose blocks were requested, those before
								 * them included */
	ItemPointerData tid[SPQ_RTREE_LEAF_MAX];
	uint16		entry[SPQ_RTREE_LEAF_MAX];
	uint32		offset[SPQ_RTREE_LEAF_MAX]; /* of a row's index tuple */
} SpqRtreeLeafRows;

/* Requests for the blocks of the index, or of the table (read_ahead.c). */
typedef struct SpqRtreeAhead
{
	int			most;			/* requests at a time; 0: none */
	int			distance;		/* the same, now */
	int			hits;			/* since a read was seen to miss */
	BlockNumber nblocks;		/* of the relation; 0: not known */
	int64		nread;			/* blocks that the process had read */
} SpqRtreeAhead;

/*
 * What a process has read for a scan, in all searches together.  Counted for each
 * page, not for each row, so always.  EXPLAIN shows it.
 */
typedef struct SpqRtreeScanCounts
{
	int64		inner_pages;
	int64		leaf_pages;
	int64		entries;		/* of these leaves */
	int64		matches;		/* entries that the index cannot exclude */
	int64		rechecked;		/* of these, by the executor */
} SpqRtreeScanCounts;

/* Requests for rows of the table from memory (rows_ahead.c). */
typedef struct SpqRtreeRowsAhead
{
	bool		reads_table;	/* the executor reads a heap in shared buffers */
	int			nfound;			/* rows of the leaf whose pages were looked
								 * up, those before them included */
	int			nrequested;		/* the same, whose tuples were requested */
	const char *pages[SPQ_RTREE_ROWS_AHEAD];	/* the last ones found, or
												 * NULL */
} SpqRtreeRowsAhead;

/* in nearest/nearest_state.h */
typedef struct SpqRtreeNearest SpqRtreeNearest;

/* in parallel_scan.c */
typedef struct SpqRtreeShared SpqRtreeShared;

typedef struct SpqRtreeScan
{
	/* of the index */
	bool		wide;			/* it has payloads */
	uint16		leaf_flags;		/* of the layout of all leaves */
	bool		keyed;			/* it has scalar columns before the box */
	TupleDesc	payload_desc;	/* NULL if not wide */
	SpqRtreeCoder coder;
	bool		returns_key;	/* ends begin with the image of the key */
	int			key_size;		/* of that image */

	/* set for the first row */
	bool		started;
	bool		keeps_pins;		/* until the rows are returned */
	bool		skips_dead;
	BlockNumber nblocks;		/* of the index, at least */
	bool		ended_early;	/* a search left spans unread, and none since
								 * read all of its spans */

	SpqRtreeScanCounts counts;
	SpqRtreeConditions conditions;

	/*
	 * For searches with a shape that fills little of its window: whether it
	 * may meet rows within these bounds; or NULL.
	 */
	bool		(*near) (const void *argument, const SpqRtreeBounds *bounds);
	const void *near_argument;

	/* the spans to be read */
	SpqRtreeSpan *stack;
	int			nstack;
	int			stack_size;
	SpqRtreeShared *shared;		/* with other processes; or NULL */
	int			most_leaves;	/* that it takes from them at a time */
	struct SpqRtreeInnerCache *inner;	/* copies of inner pages, or NULL */
	int			nkept;			/* the lowest on the stack are these leaves */
	bool		reading;		/* other processes wait for its spans */

	/*
	 * The leaf that rows are returned from, and those after it that were read
	 * ahead, the next one first.  Behind them is room for others, or NULL.
	 */
	SpqRtreeLeafRows *rows;
	SpqRtreeLeafRows *ahead[SPQ_RTREE_LEAVES_AHEAD];
	int			nahead;
	char	   *tuples;			/* for an index-only scan */

	SpqRtreeAhead index_ahead;
	SpqRtreeAhead table_ahead;
	SpqRtreeRowsAhead rows_ahead;
	int			nreturned;		/* rows, in this scan; -1 before the first */
	int			nexpected;		/* rows of this scan, or -1 if not known */

	SpqRtreeNearest *nearest;	/* NULL for a scan in the order of pages */
} SpqRtreeScan;

#endif							/* SPQ_RTREE_SCAN_SCAN_STATE_H */
