/*-------------------------------------------------------------------------
 *
 * leaf.c
 *	  A leaf that rows are returned from: its pin, and its dead rows.
 *
 * A scan takes all matching rows out of a leaf while it has the page's lock,
 * and returns them later.  src/rtree/vacuum/README.md says when it must keep
 * the pin until then, and what happens to rows that the executor finds dead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/rmgr.h"
#include "access/xlog.h"
#include "utils/memutils.h"

#include "compat.h"
#include "inject.h"
#include "rtree/scan/leaf.h"

/* Make room for the rows of a leaf, as long as the scan lasts. */
SpqRtreeLeafRows *
spq_rtree_make_leaf(SpqRtreeScan *state)
{
	SpqRtreeLeafRows *rows = MemoryContextAlloc(GetMemoryChunkContext(state), sizeof(SpqRtreeLeafRows));

	rows->leaf.pin = InvalidBuffer;
	rows->leaf.ndead = 0;
	rows->nrows = rows->next = 0;
	return rows;
}

/*
 * Begin with a leaf whose rows have been taken.  Release its lock and, unless
 * the scan must keep it, its pin.
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
 * Set the bits of dead rows.  If the TID is still in its place, and VACUUM has
 * not processed the page since it was read, the row is the same.  VACUUM has
 * not if the page was pinned all the time, or if its LSN is the same.  (A split
 * may have moved an entry; then it is not marked.)  If the page is being written,
 * the bits may be left to the next scan.
 *
 * Generic records do not carry hints, so redo does not set these bits, and
 * wal_consistency_checking would report a difference between pages.
 */
static void
mark_dead(IndexScanDesc scan, SpqRtreeLeaf *leaf)
{
	Buffer		buffer = leaf->pin;
	Page		page;
	bool		marked = false;

	if (wal_consistency_checking[RM_GENERIC_ID])
		return;
	SPQ_INJECT_LOCK(leaf->block);
	if (!BufferIsValid(buffer))
		buffer = ReadBuffer(scan->indexRelation, leaf->block);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	page = BufferGetPage(buffer);

	if ((BufferIsValid(leaf->pin) || BufferGetLSNAtomic(buffer) == leaf->lsn) &&
		spq_begin_hints(buffer))
	{
		for (int i = 0; i < leaf->ndead; i++)
		{
			int			entry = leaf->dead[i];

			/* the root may have become an inner page */
			if (spq_rtree_is_leaf(page) && entry < spq_rtree_count(page) &&
				ItemPointerEquals(spq_rtree_tid(page, entry), &leaf->dead_tid[i]))
			{
				/*
				 * Before 19, other processes may set bits of this byte at the
				 * same time.  A bit that is lost here, but not on disk, could
				 * come back after a crash when its place has another row.
				 */
				__atomic_fetch_or(spq_rtree_dead(page, entry / SPQ_RTREE_GROUP),
								  1 << entry % SPQ_RTREE_GROUP, __ATOMIC_RELAXED);
				marked = true;
			}
		}
		spq_finish_hints(buffer, marked);
	}

	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (!BufferIsValid(leaf->pin))
		ReleaseBuffer(buffer);
}

/* Finish with a leaf: set the bits of its dead rows, and release its pin. */
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
