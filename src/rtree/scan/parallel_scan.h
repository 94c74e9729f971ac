/*-------------------------------------------------------------------------
 *
 * parallel_scan.h
 *	  A scan by several processes: unread spans are in memory that they share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_PARALLEL_SCAN_H
#define SPQ_RTREE_SCAN_PARALLEL_SCAN_H

#include "compat.h"
#include "rtree/scan/scan_state.h"

/* callbacks of the access method */
extern Size spq_rtree_estimate_parallel_scan(SPQ_ESTIMATE_PARALLEL_SCAN_ARGS);
extern void spq_rtree_init_parallel_scan(void *target);
extern void spq_rtree_parallel_rescan(IndexScanDesc scan);

extern bool spq_rtree_enter_shared(IndexScanDesc scan);
extern bool spq_rtree_take_shared(SpqRtreeScan *state, SpqRtreeSpan *span);
extern void spq_rtree_give_shared(SpqRtreeScan *state);

#endif							/* SPQ_RTREE_SCAN_PARALLEL_SCAN_H */
