/*-------------------------------------------------------------------------
 *
 * leaf_search.h
 *	  The leaves of an index, for a caller that takes their rows itself.
 *
 *		spq_rtree_start_leaves(scan, ...)		all leaves, once
 *		while (spq_rtree_find_leaf(scan, ...))
 *
 *		spq_rtree_start_windows(scan, ...)		those that meet a window,
 *		for each window							for many windows
 *			spq_rtree_search_window(scan, ...)
 *			while (spq_rtree_find_leaf(scan, ...))
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_LEAF_SEARCH_H
#define SPQ_RTREE_LEAF_SEARCH_H

#include "rtree/scan/page_order.h"

/*
 * Start a scan of the leaves with rows that satisfy the scan's conditions; "nulls": also
 * the rows without a box.  Other processes may share it.
 */
extern void spq_rtree_start_leaves(IndexScanDesc scan, bool nulls);

/*
 * Start a scan for many windows.  The window of a search has 2 x axes numbers, the high
 * ends first.  "within": rows are within the window, else they meet it.  "near" leaves out bounds that
 * the window meets, but not what it was made for.  "memory" is for copies of inner pages, in
 * the current context, which must live as long as the searches.
 */
extern void spq_rtree_start_windows(IndexScanDesc scan, bool within, Size memory,
									bool (*near) (const void *argument, const SpqRtreeBounds *bounds),
									const void *argument);
extern void spq_rtree_end_windows(IndexScanDesc scan);
extern void spq_rtree_search_window(IndexScanDesc scan, const float8 *window);

#endif							/* SPQ_RTREE_LEAF_SEARCH_H */
