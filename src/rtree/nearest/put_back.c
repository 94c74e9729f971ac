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

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "rtree/nearest/nearest_state.h"

/* Return how many pins a scan may keep. */
int
spq_rtree_pins_max(Relation index)
{
	int			share = RelationUsesLocalBuffers(index) ? num_temp_buffers / 8 :
		NBuffers / MaxBackends;

	return Max(1, Min(share, SPQ_RTREE_PINS_MAX));
}

/* Note that a leaf, which is to be in the queue, keeps its pin. */
void
spq_rtree_keep_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch)
{
	batch->pin_place = nearest->npinned;
	nearest->pinned[nearest->npinned++] = batch;
}

/* Note that a leaf has no pin any more. */
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

/* Remember the row that is returned, with the current keys, in case its leaf is put back. */
void
spq_rtree_remember_row(SpqRtreeNearest *nearest, SpqRtreeBatch *batch, ItemPointer tid)
{
	SpqRtreeReturned *returned = batch->returned;

	if (!returned)
	{
		returned = MemoryContextAlloc(nearest->context, sizeof(SpqRtreeReturned) +
									  nearest->norders * sizeof(int64));
		returned->ntids = 0;
		returned->size = 4;
		returned->tids = MemoryContextAlloc(nearest->context,
											returned->size * sizeof(ItemPointerData));
		batch->returned = returned;
	}
	else if (spq_rtree_compare_keys(returned->keys, nearest->keys, nearest->norders) != 0)
		returned->ntids = 0;
	memcpy(returned->keys, nearest->keys, nearest->norders * sizeof(int64));

	if (returned->ntids == returned->size)
	{
		returned->size *= 2;
		returned->tids = repalloc(returned->tids,
								  returned->size * sizeof(ItemPointerData));
	}
	returned->tids[returned->ntids++] = *tid;
}

/*
 * Return whether a row of a leaf that was put back, with the current keys, had been
 * returned before.
 */
bool
spq_rtree_was_returned(const SpqRtreeNearest *nearest, const SpqRtreeBatch *batch,
					   ItemPointer tid)
{
	const SpqRtreeReturned *returned = batch->returned;
	int			order = spq_rtree_compare_keys(nearest->keys, returned->keys, nearest->norders);

	for (int i = 0; i < returned->ntids && order == 0; i++)
		if (ItemPointerEquals(&returned->tids[i], tid))
			order = -1;
	return order < 0;
}

SpqRtreeReturned *
spq_rtree_copy_returned(const SpqRtreeNearest *nearest, const SpqRtreeReturned *returned)
{
	Size		size = sizeof(SpqRtreeReturned) + nearest->norders * sizeof(int64);
	SpqRtreeReturned *copy = MemoryContextAlloc(nearest->context, size);

	memcpy(copy, returned, size);
	copy->size = returned->ntids;
	copy->tids = MemoryContextAlloc(nearest->context, copy->size * sizeof(ItemPointerData));
	memcpy(copy->tids, returned->tids, copy->size * sizeof(ItemPointerData));
	return copy;
}

void
spq_rtree_forget_returned(SpqRtreeReturned *returned)
{
	pfree(returned->tids);
	pfree(returned);
}
