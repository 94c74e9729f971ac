/*-------------------------------------------------------------------------
 *
 * row_keys.c
 *	  The exact distances of a row, as keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/nearest/nearest_state.h"

/*
 * Set the current keys to the exact keys of a row of a leaf.  Return false if
 * the row was returned before.
 */
bool
spq_rtree_find_keys(IndexScanDesc scan, const SpqRtreeBatch *batch, int entry)
{
	const SpqRtreeScan *state = scan->opaque;
	const SpqRtreeNearest *nearest = state->nearest;
	float8		ends[SPQ_RTREE_ENDS];

	spq_rtree_get_ends(spq_rtree_layout(batch->page),
					   spq_rtree_group(batch->page, entry / SPQ_RTREE_GROUP),
					   entry % SPQ_RTREE_GROUP, ends);
	for (int i = 0; i < nearest->norders; i++)
		nearest->keys[i] = !spq_rtree_has_argument(scan, i) ? 0 :
			spq_rtree_distance_key(nearest->orders[i].distance(&nearest->orders[i], ends));
	return !batch->again ||
		!spq_rtree_was_returned(nearest, batch, spq_rtree_tid(batch->page, entry));
}
