/*-------------------------------------------------------------------------
 *
 * returned.h
 *	  Rows that a search in order of distance has returned from leaves that
 *	  it may have to put back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_RETURNED_H
#define SPQ_RTREE_NEAREST_RETURNED_H

#include "rtree/nearest/nearest_state.h"

extern void spq_rtree_remember_row(SpqRtreeNearest *nearest, SpqRtreeBatch *batch,
								   ItemPointer tid);
extern bool spq_rtree_was_returned(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch,
								   ItemPointer tid);
extern SpqRtreeReturned *spq_rtree_copy_returned(const SpqRtreeNearest *nearest,
												 const SpqRtreeReturned *returned);
extern void spq_rtree_forget_returned(SpqRtreeReturned *returned);

#endif							/* SPQ_RTREE_NEAREST_RETURNED_H */
