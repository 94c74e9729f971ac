/*-------------------------------------------------------------------------
 *
 * returned.c
 *	  Rows that a search in order of distance has returned from leaves that
 *	  it may have to put back (put_back.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "rtree/nearest/nearest_state.h"

/*
 * Remember the row that is returned, with the current keys, in case its leaf is
 * put back.
 */
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
 * Return whether a row of a leaf that was put back, with the current keys, was
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
