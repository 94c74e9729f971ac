/*-------------------------------------------------------------------------
 *
 * page_order.h
 *	  The search in the order of pages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_PAGE_ORDER_H
#define SPQ_RTREE_SCAN_PAGE_ORDER_H

#include "rtree/scan/scan_state.h"

/* The initial size of the stack, in spans. */
#define SPQ_RTREE_STACK_SIZE	64

/* Add a span, to be read next. */
extern void spq_rtree_push_span(SpqRtreeScan *state, SpqRtreeSpan span);

/*
 * Go on to the next leaf with matching rows, and take these rows.  Return false
 * if there is no such leaf.
 */
extern bool spq_rtree_next_leaf(IndexScanDesc scan);

/*
 * Take the rows of one more leaf, before those in memory have been returned.
 * Return it, or NULL: then the next leaf, if there is one, must be read later.
 */
extern SpqRtreeLeafRows *spq_rtree_leaf_ahead(IndexScanDesc scan);

/*
 * For a caller that takes the rows of leaves itself (leaf_search.c): the next leaf with
 * matching rows, with a share lock and a pin, and a bit for each of these rows; or
 * InvalidBuffer.  Release it before the next one.
 */
extern Buffer spq_rtree_find_leaf(IndexScanDesc scan, uint8 *matches);
extern void spq_rtree_release_leaf(IndexScanDesc scan, Buffer buffer);

/* Return whether the executor rechecks the matching rows of a leaf. */
extern bool spq_rtree_needs_recheck(const SpqRtreeScan *state, Page page);

#endif							/* SPQ_RTREE_SCAN_PAGE_ORDER_H */
