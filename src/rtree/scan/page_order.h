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

/* The initial size of the stack, in parts. */
#define SPQ_RTREE_STACK_SIZE	64

/* Add a part, to be read next. */
extern void spq_rtree_push_part(SpqRtreeScan *state, SpqRtreePart part);

/*
 * Go on to the next leaf with matching rows, and take these rows.  Return false
 * if there is no such leaf.
 */
extern bool spq_rtree_next_leaf(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_PAGE_ORDER_H */
