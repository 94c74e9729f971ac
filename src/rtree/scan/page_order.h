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

/* Parts that the stack has room for at first. */
#define SPQ_RTREE_STACK_SIZE	64

/* Add a part that is to be read next. */
extern void spq_rtree_push_part(SpqRtreeScan *state, SpqRtreePart part);

/*
 * Go on to the next leaf that has matching rows, and take them; return whether
 * there is one.
 */
extern bool spq_rtree_next_leaf(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_PAGE_ORDER_H */
