/*-------------------------------------------------------------------------
 *
 * nearest_ahead.h
 *	  Requests for blocks that a search in order of distance will read soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_NEAREST_AHEAD_H
#define SPQ_RTREE_NEAREST_NEAREST_AHEAD_H

#include "rtree/nearest/nearest_state.h"

/* Request the nearest pages below an inner page that was put into the queue. */
extern void spq_rtree_ahead_of_children(IndexScanDesc scan, const SpqRtreeBatch *batch);

/* Request the table's blocks of the nearest rows of the current batch, a leaf. */
extern void spq_rtree_ahead_of_nearest(IndexScanDesc scan, SpqRtreeBatch *batch);

#endif							/* SPQ_RTREE_NEAREST_NEAREST_AHEAD_H */
