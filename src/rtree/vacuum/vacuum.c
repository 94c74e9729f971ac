/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *	  VACUUM: rows that are dead go, and bounds shrink to what is left.
 *
 *		first pass	all blocks in the order of the file: rows are removed from
 *					leaves and from the chain of NULLs, and leaves promise less
 *		second pass	the inner levels from the bottom up, if a leaf promises less
 *					now or is empty: tighten.c
 *		then		pages that are free are linked, for splits to take them
 *
 * README.md says why no row is missed, and why scans and insertions at the same
 * time are not disturbed.  Between the passes a set of blocks remembers whose
 * promise has shrunk: a bit a block of the index, so 16 MB for one of a terabyte.
 * If VACUUM is interrupted, downlinks stay wider than they need be until their
 * child shrinks again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/xact.h"
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"

#include "compat.h"
#include "inject.h"
#include "rtree/store/free.h"
#include "rtree/store/remove_rows.h"
#include "rtree/store/wal.h"
#include "rtree/vacuum/tighten.h"
#include "rtree/vacuum/vacuum.h"

/* Return how many rows of a leaf the callback names, and which. */
static int
find_dead(SpqRtreeVacuum *vacuum, Buffer leaf, SpqRtreeEntrySet *dead)
{
	Page		page = BufferGetPage(leaf);
	int			count = spq_rtree_count(page),
				ndead = 0;

	memset(dead, 0, sizeof(*dead));
	for (int entry = 0; entry < count; entry++)
	{
		ItemPointer tid = spq_rtree_tid(page, entry);

		spq_rtree_check_tid(vacuum->index, BufferGetBlockNumber(leaf), tid);
		if (vacuum->callback(tid, vacuum->callback_state))
		{
			spq_rtree_entry_set_add(dead, entry);
			ndead++;
		}
	}
	return ndead;
}

/*
 * Remove dead rows of a leaf or of a page of NULLs, and let it promise less.  The
 * buffer has the cleanup lock.
 */
static void
vacuum_leaf(SpqRtreeVacuum *vacuum, Buffer buffer)
{
	BlockNumber block = BufferGetBlockNumber(buffer);
	Page		page = BufferGetPage(buffer);
	bool		nulls = (spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS) != 0;
	SpqRtreeBounds promised = spq_rtree_promise(page);
	SpqRtreeEntrySet dead;
	int			ndead = find_dead(vacuum, buffer, &dead);
	bool		shrunk = false;

	if (ndead > 0)
	{
		SpqRtreeBounds left;

		spq_rtree_remove_rows(vacuum->index, buffer, &dead, SPQ_RTREE_SHRINK_PROMISE);
		left = spq_rtree_promise(page);
		shrunk = !spq_rtree_bounds_equal(&promised, &left);
	}
	else if (!nulls && block != SPQ_RTREE_ROOT)
		shrunk = spq_rtree_shrink_promise(vacuum, buffer);
	if (shrunk && !nulls && block != SPQ_RTREE_ROOT)
		spq_rtree_block_set_add(&vacuum->shrunk, block);

	vacuum->stats->tuples_removed += ndead;
	vacuum->stats->num_index_tuples += spq_rtree_count(page);
	if (spq_rtree_count(page) == 0 && !nulls && block != SPQ_RTREE_ROOT)
		spq_rtree_block_set_add(&vacuum->empty, block);
	if (nulls && !BlockNumberIsValid(vacuum->null_room) && spq_rtree_page_has_room(page, 0))
		vacuum->null_room = block;
}

/* Add a page that was found free to the list of such. */
static void
add_free(SpqRtreeVacuum *vacuum, BlockNumber block)
{
	spq_rtree_chain_free_page(vacuum->index, block, vacuum->first_free);
	vacuum->first_free = block;
	if (!BlockNumberIsValid(vacuum->last_free))
		vacuum->last_free = block;
	vacuum->stats->pages_deleted++;
	vacuum->stats->pages_free++;
}

/*
 * Note in the root, an inner page, that no scan has it pinned as a leaf.  The buffer has the
 * cleanup lock.
 */
static void
settle_root(SpqRtreeVacuum *vacuum, Buffer buffer)
{
	SpqRtreeSpecial *special = spq_rtree_special(BufferGetPage(buffer));
	uint16		flags = special->flags | SPQ_RTREE_SETTLED;
	SpqRtreeDelta delta;

	spq_rtree_delta_begin(&delta, vacuum->index, buffer);
	spq_rtree_delta_write(&delta, &special->flags, &flags, sizeof(flags));
	spq_rtree_delta_end(&delta);
}

/*
 * Remove dead rows of a page that has them.  Scans rely on the cleanup lock of each page that
 * they may have pinned as a leaf, whatever it is now and even if nothing is removed.
 */
static void
vacuum_page(SpqRtreeVacuum *vacuum, BlockNumber block)
{
	Buffer		buffer = spq_rtree_read_for_vacuum(vacuum->index, block, BUFFER_LOCK_SHARE,
												   vacuum->info->strategy);
	Page		page;
	bool		is_free;

	if (!BufferIsValid(buffer))
	{
		spq_rtree_block_set_add(&vacuum->zeros, block);
		return;
	}
	page = BufferGetPage(buffer);
	is_free = spq_rtree_is_free(page);
	if (spq_rtree_may_be_pinned_as_leaf(page, block))
	{
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		LockBufferForCleanup(buffer);

		/*
		 * Without a lock, only the root can have become an inner page.  A
		 * free page stays so: there is no list that it could be taken from.
		 */
		if (!spq_rtree_is_leaf(page))
			settle_root(vacuum, buffer);
		else if (!is_free)
			vacuum_leaf(vacuum, buffer);
	}
	UnlockReleaseBuffer(buffer);
	if (is_free)
		add_free(vacuum, block);
}

/* Nobody extends the index while its length is read; see nbtree's btvacuumscan(). */
static BlockNumber
index_length(Relation index)
{
	bool		lock = !RELATION_IS_LOCAL(index);
	BlockNumber length;

	if (lock)
		LockRelationForExtension(index, ExclusiveLock);
	length = RelationGetNumberOfBlocks(index);
	if (lock)
		UnlockRelationForExtension(index, ExclusiveLock);
	return length;
}

/* Remove rows everywhere, in the order of blocks; new pages are at the end. */
static void
first_pass(SpqRtreeVacuum *vacuum)
{
	BlockNumber block = SPQ_RTREE_META + 1,
				length;

	while ((length = index_length(vacuum->index)) > block)
	{
		if (vacuum->info->report_progress)
			pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_TOTAL, length);
		for (; block < length; block++)
		{
			spq_vacuum_delay_point();
			vacuum_page(vacuum, block);
			if (vacuum->info->report_progress)
				pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE, block + 1);
		}
	}
	vacuum->stats->num_pages = length;
}

/* Let splits take the pages that are free, those first that have been so longer. */
static void
give_free(SpqRtreeVacuum *vacuum)
{
	BlockNumber first = vacuum->first_freed;

	if (BlockNumberIsValid(vacuum->first_free))
	{
		if (BlockNumberIsValid(first))
			spq_rtree_chain_free_page(vacuum->index, vacuum->last_free, first);
		first = vacuum->first_free;
	}
	if (BlockNumberIsValid(first))
		spq_rtree_set_free_list(vacuum->index, first);

	/*
	 * The next transaction is to be able to take the pages, which wait for
	 * the one that was next when they got free.  Be that one; but never fail
	 * for lack of transactions, which VACUUM is the remedy for.
	 */
	if (BlockNumberIsValid(vacuum->first_freed) && !IsInParallelMode() &&
		TransactionIdPrecedes(ReadNextTransactionId(), spq_transam_variables->xidVacLimit))
		(void) GetCurrentTransactionId();
}

/* Let insertions of NULLs begin where room has been found. */
static void
set_null_page(SpqRtreeVacuum *vacuum)
{
	Buffer		buffer;
	SpqRtreeMeta *meta;

	if (!BlockNumberIsValid(vacuum->null_room))
		return;
	buffer = spq_rtree_read_meta(vacuum->index, BUFFER_LOCK_EXCLUSIVE);
	meta = spq_rtree_meta(BufferGetPage(buffer));
	if (meta->null_page > vacuum->null_room)
	{
		SpqRtreeDelta delta;

		spq_rtree_delta_begin(&delta, vacuum->index, buffer);
		spq_rtree_delta_write(&delta, &meta->null_page, &vacuum->null_room, sizeof(BlockNumber));
		spq_rtree_delta_end(&delta);
	}
	UnlockReleaseBuffer(buffer);
}

/* Remove the rows that the callback names. */
IndexBulkDeleteResult *
spq_rtree_bulk_delete(IndexVacuumInfo *info, IndexBulkDeleteResult *stats,
					  IndexBulkDeleteCallback callback, void *callback_state)
{
	SpqRtreeVacuum vacuum = {
		.info = info,
		.index = info->index,
		.stats = stats ? stats : palloc0(sizeof(IndexBulkDeleteResult)),
		.callback = callback,
		.callback_state = callback_state,
		.shrunk = {.context = CurrentMemoryContext},
		.empty = {.context = CurrentMemoryContext},
		.zeros = {.context = CurrentMemoryContext},
		.first_free = InvalidBlockNumber,
		.last_free = InvalidBlockNumber,
		.first_freed = InvalidBlockNumber,
		.null_room = InvalidBlockNumber
	};

	/* of this pass; what was removed adds up */
	vacuum.stats->estimated_count = false;
	vacuum.stats->num_index_tuples = 0;
	vacuum.stats->pages_deleted = 0;
	vacuum.stats->pages_free = 0;

	/* no page gets rows that this has passed */
	spq_rtree_drop_free_list(vacuum.index);
	first_pass(&vacuum);
	SPQ_INJECT_POINT("passed");
	set_null_page(&vacuum);
	if (vacuum.shrunk.size > 0 || vacuum.empty.size > 0 || vacuum.zeros.size > 0)
		spq_rtree_tighten(&vacuum);
	give_free(&vacuum);
	spq_rtree_block_set_free(&vacuum.shrunk);
	spq_rtree_block_set_free(&vacuum.empty);
	spq_rtree_block_set_free(&vacuum.zeros);
	return vacuum.stats;
}

/*
 * Finish VACUUM.  If there was nothing to remove, there is nothing to do: as with
 * B-trees, the index's statistics stay as they are.
 */
IndexBulkDeleteResult *
spq_rtree_vacuum_cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	if (info->analyze_only || stats == NULL)
		return stats;

	/* rows that a split moved to the end of the index were counted twice */
	if (!info->estimated_count && stats->num_index_tuples > info->num_heap_tuples)
		stats->num_index_tuples = info->num_heap_tuples;
	return stats;
}
