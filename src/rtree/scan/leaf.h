/*-------------------------------------------------------------------------
 *
 * leaf.h
 *	  A leaf that rows are returned from: its pin, and its dead rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_LEAF_H
#define SPQ_RTREE_SCAN_LEAF_H

#include "rtree/scan/scan_state.h"

extern SpqRtreeLeafRows *spq_rtree_make_leaf(SpqRtreeScan *state);
extern void spq_rtree_enter_leaf(SpqRtreeScan *state, Buffer buffer, SpqRtreeLeaf *leaf);
extern void spq_rtree_note_dead(SpqRtreeLeaf *leaf, int entry, ItemPointer tid);
extern void spq_rtree_leave_leaf(IndexScanDesc scan, SpqRtreeLeaf *leaf);

#endif							/* SPQ_RTREE_SCAN_LEAF_H */
