/*-------------------------------------------------------------------------
 *
 * pins.c
 *	  Leaves that keep their pins in a search in order of distance.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"

#include "rtree/nearest/nearest_state.h"

/* Return how many pins a scan may keep. */
int
spq_rtree_pins_max(Relation index)
{
	int			share = RelationUsesLocalBuffers(index) ? num_temp_buffers / 8 :
		NBuffers / MaxBackends;

	return Max(1, Min(share, SPQ_RTREE_PINS_MAX));
}

/* Note that a leaf, which is about to enter the queue, keeps its pin. */
void
spq_rtree_keep_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	batch->pin_place = nearest->npinned;
	nearest->pinned[nearest->npinned++] = batch;
}

/* Note that a leaf no longer has a pin. */
void
spq_rtree_forget_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	SpqRtreeBatch *last;

	if (batch->pin_place < 0)
		return;
	last = nearest->pinned[--nearest->npinned];
	nearest->pinned[batch->pin_place] = last;
	last->pin_place = batch->pin_place;
}
