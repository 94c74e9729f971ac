/*-------------------------------------------------------------------------
 *
 * leaf.c
 *	  A leaf that rows are returned from: its pin, and which rows are dead.
 *
 * A scan takes all matching rows out of a leaf while it has the page's lock, and
 * returns them later.  src/rtree/vacuum/README.md says when it has to keep the
 * pin until then, and what it does about rows that the executor finds dead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/rmgr.h"
#include "access/xlog.h"

#include "inject.h"
#include "rtree/scan/leaf.h"

/*
 * Begin with a leaf, whose rows have been taken.  Its lock goes, and so does its
 * pin, unless the scan has to keep it.
 */
void
spq_rtree_enter_leaf(SpqRtreeScan *state, Buffer buffer, SpqRtreeLeaf *leaf)
{
	leaf->block = BufferGetBlockNumber(buffer);
	leaf->lsn = BufferGetLSNAtomic(buffer);
	leaf->ndead = 0;
	leaf->pin = InvalidBuffer;
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (state->keeps_pins)
		leaf->pin = buffer;
	else
		ReleaseBuffer(buffer);
	SPQ_INJECT_POINT("entered");
}

/* Note that the executor found a row dead to all. */
void
spq_rtree_note_dead(SpqRtreeLeaf *leaf, int entry, ItemPointer tid)
{
	Assert(leaf->ndead < SPQ_RTREE_LEAF_MAX);
	leaf->dead[leaf->ndead] = entry;
	leaf->dead_tid[leaf->ndead++] = *tid;
}

/*
 * Set the bits of rows that are dead.  That the TID is still in its place says
 * that the row is the same if VACUUM has not been here: the page was pinned all
 * the time, or has not changed.  (An entry may have moved by a split; then it is
 * not marked.)
 *
 * A generic record does not tell redo of hints, so they would fail the comparison
 * of pages by wal_consistency_checking.
 */
static void
mark_dead(IndexScanDesc scan, SpqRtreeLeaf *leaf)
{
	Buffer		buffer = leaf->pin;
	Page		page;
	bool		marked = false;

	if (wal_consistency_checking[RM_GENERIC_ID])
		return;
	if (!BufferIsValid(buffer))
		buffer = ReadBuffer(scan->indexRelation, leaf->block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	page = BufferGetPage(buffer);

	if (BufferIsValid(leaf->pin) || BufferGetLSNAtomic(buffer) == leaf->lsn)
	{
		for (int i = 0; i < leaf->ndead; i++)
		{
			int			entry = leaf->dead[i];

			/* the root may have become an inner page */
			if (spq_rtree_is_leaf(page) && entry < spq_rtree_count(page) &&
				ItemPointerEquals(spq_rtree_tid(page, entry), &leaf->dead_tid[i]))
			{
				/*
				 * Others may set bits of this byte at the same time.  A bit
				 * that got lost here, but not on disk, could come back after
				 * a crash when its place has another row.
				 */
				__atomic_fetch_or(spq_rtree_dead(page, entry / SPQ_RTREE_GROUP),
								  1 << entry % SPQ_RTREE_GROUP, __ATOMIC_RELAXED);
				marked = true;
			}
		}
		if (marked)
			MarkBufferDirtyHint(buffer, true);
	}

	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (!BufferIsValid(leaf->pin))
		ReleaseBuffer(buffer);
}

/* Have done with a leaf. */
void
spq_rtree_leave_leaf(IndexScanDesc scan, SpqRtreeLeaf *leaf)
{
	if (leaf->ndead > 0)
		mark_dead(scan, leaf);
	leaf->ndead = 0;
	if (BufferIsValid(leaf->pin))
		ReleaseBuffer(leaf->pin);
	leaf->pin = InvalidBuffer;
}
