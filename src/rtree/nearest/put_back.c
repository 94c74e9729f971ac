/*-------------------------------------------------------------------------
 *
 * put_back.c
 *	  Leaves that a search in order of distance puts back, since it has too many pins.
 *
 * An index-only scan keeps the pins of the leaves whose rows wait.  If these are
 * too many, the leaf whose rows come last is put back into the queue as a part:
 * from the leaf up to the right neighbor that it had when it was read.  When it
 * is read again, the rows are left out that were returned before: those whose
 * key is less than that of the last row returned from the leaf, and those with
 * the same key whose TIDs have been remembered.  (That is seen when a row gets
 * its exact key, which is before any row with a greater key is returned.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/nearest/batch.h"
#include "rtree/nearest/put_back.h"

/*
 * Make room for a pin: put the leaf back whose rows come last.  All leaves are in the
 * queue.
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
	spq_rtree_queue_part(nearest, &last->part, last->key, last->first_keys, last->returned);
	spq_rtree_leave_batch(scan, last);
}
