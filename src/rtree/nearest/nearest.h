/*-------------------------------------------------------------------------
 *
 * nearest.h
 *	  The search in order of distance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_NEAREST_H
#define SPQ_RTREE_NEAREST_NEAREST_H

#include "rtree/scan/scan_state.h"

extern SpqRtreeNearest *spq_rtree_nearest_begin(IndexScanDesc scan);
extern void spq_rtree_nearest_start(IndexScanDesc scan);
extern bool spq_rtree_nearest_next(IndexScanDesc scan);
extern void spq_rtree_nearest_stop(IndexScanDesc scan);

#endif							/* SPQ_RTREE_NEAREST_NEAREST_H */
