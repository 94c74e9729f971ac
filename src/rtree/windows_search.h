/*-------------------------------------------------------------------------
 *
 * windows_search.h
 *	  The rows in any of many windows.
 *
 *		search = spq_rtree_windows_begin(scan, ...);
 *		while ((leaf = spq_rtree_windows_next(search)) != InvalidBuffer)
 *			take the rows that "matches" has for the windows "near"
 *			UnlockReleaseBuffer(leaf);
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_WINDOWS_SEARCH_H
#define SPQ_RTREE_WINDOWS_SEARCH_H

#include "port/pg_bswap.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

#include "rtree/scan/scan_state.h"

/* Words with a bit for each entry of a page, in the order of entries. */
#define SPQ_RTREE_MATCH_WORDS	((SPQ_RTREE_GROUPS_MAX + 7) / 8)

/* A word in the order of memory: a byte for each group. */
#ifdef WORDS_BIGENDIAN
#define SPQ_RTREE_MATCH_BYTES(word)	pg_bswap64(word)
#else
#define SPQ_RTREE_MATCH_BYTES(word)	(word)
#endif

typedef struct SpqRtreeWindowSpan SpqRtreeWindowSpan;

typedef struct SpqRtreeWindows
{
	/* the windows: 2 x axes numbers each, the high ends first */
	const float8 *windows;
	int			axes;
	bool	   *done;			/* for each window: it needs no more rows; the
								 * caller sets it */

	/* the windows near the current page, and what they match of its groups */
	int			nnear;
	int		   *near;
	uint64	   *matches;		/* SPQ_RTREE_MATCH_WORDS for each of them: a
								 * bit for each entry of the page */
	int			nwords;			/* in use */

	int64		nleaves;		/* that were read */

	/* private */
	IndexScanDesc scan;
	SpqRtreeWindowSpan *stack;
	int			nstack;
	int			stack_size;
	int		   *lists;
	int			nlists;
	int			lists_size;
	int			most_of_page;	/* numbers that the downlinks of a page add to
								 * the lists, but for one window */
	SpqRtreeColumn hulls[SPQ_RTREE_GROUPS_MAX / SPQ_RTREE_GROUP + 1][SPQ_RTREE_ENDS];
	int			count[SPQ_RTREE_INNER_MAX]; /* windows of each downlink */
} SpqRtreeWindows;

/*
 * Search an index, whose scan has been started (spq_rtree_start_scan()), for all windows,
 * and read each page once, unless windows meet many downlinks of a page.  Rows match a window if their bounds touch it, or if they have
 * a NaN; and they satisfy the scan's keys.  Memory is in the current context.
 */
extern SpqRtreeWindows *spq_rtree_windows_begin(IndexScanDesc scan, int nwindows,
												const float8 *windows);

/*
 * Return the next leaf with a row in a window, with a share lock and a pin, or
 * InvalidBuffer.
 */
extern Buffer spq_rtree_windows_next(SpqRtreeWindows *search);
extern void spq_rtree_windows_end(SpqRtreeWindows *search);

/* Return the matches of one of the windows near the current page. */
static inline uint64 *
spq_rtree_window_matches(const SpqRtreeWindows *search, int near)
{
	return search->matches + (Size) near * SPQ_RTREE_MATCH_WORDS;
}

/*
 * For a caller that needs no table: "found" is called for each window and row, with the
 * row's ends (class.h).  It returns true if the window is done.  Rows may be dead, or not
 * visible to the caller, so "found" must not raise an error because of a row.
 */
typedef bool (*SpqRtreeFound) (void *argument, int window, const float8 *ends);

/* Return whether the function below can search an index, whose rows are the images of keys. */
extern bool spq_rtree_can_search_windows(Relation index);

/* Memory is in the current context; pages get predicate locks as the snapshot demands. */
extern void spq_rtree_search_windows(Relation index, Snapshot snapshot, int nwindows,
									 const float8 *windows, SpqRtreeFound found, void *argument);

#endif							/* SPQ_RTREE_WINDOWS_SEARCH_H */
