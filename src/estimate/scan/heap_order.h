/*-------------------------------------------------------------------------
 *
 * heap_order.h
 *	  Whether neighbors lie together in a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_HEAP_ORDER_H
#define SPQ_ESTIMATE_SCAN_HEAP_ORDER_H

#include "nodes/pathnodes.h"

extern double spq_estimate_heap_order(PlannerInfo *root, const IndexPath *path);

#endif							/* SPQ_ESTIMATE_SCAN_HEAP_ORDER_H */
