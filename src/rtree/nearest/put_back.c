/*-------------------------------------------------------------------------
 *
 * put_back.c
 *	  Leaves that a search in order of distance puts back, because it has
 *	  too many pins.
 *
 * A scan that has to keep pins keeps those of the leaves with rows in the
 * queue.  If there are too many, the leaf whose rows come last is put back into
 * the queue as a span: from the leaf up to the right neighbor that it had when
 * it was read.  When it is read again, rows that were returned before are left
 * out: those with lower keys than the last row returned from the leaf, and
 * those with the same keys whose TIDs are remembered.  (A row is tested when it
 * gets its exact keys, which is before any row with greater keys is returned.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/nearest/batch.h"
#include "rtree/nearest/nearest_state.h"

/*
 * Make room for a pin: put back the leaf whose rows come last.  All pinned
 * leaves must be in the queue.
 */
void
spq_rtree_put_back(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeNearest *nearest = state->nearest;
	SpqRtreeBatch *last = nearest->pinned[0];

	for (int i = 1; i < nearest->npinned; i++)
		if (spq_rtree_compare_batches(&nearest->pinned[i]->node, &last->node, nearest) < 0)
			last = nearest->pinned[i];
	pairingheap_remove(&nearest->queue, &last->node);
	spq_rtree_queue_span(nearest, &last->span, last->key, last->first_keys, last->returned);
	spq_rtree_leave_batch(scan, last);
}
