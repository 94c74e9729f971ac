/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *	  VACUUM: remove dead rows, and shrink bounds to the remaining ones.
 *
 *		first pass	all blocks in file order: remove rows from leaves and from
 *					the chain of NULLs, and shrink the promises of leaves
 *		second pass	if a promise has shrunk or a leaf is empty, the inner levels
 *					from the bottom up: tighten.c
 *		then		link the free pages, so that splits can take them
 *
 * README.md shows why no row is missed, and why concurrent scans and insertions
 * are right.  Between the passes, a set of blocks has the pages whose promise has
 * shrunk: a bit for each block, 16 MB for an index of a terabyte.  If VACUUM is
 * interrupted, downlinks stay wider than necessary until their child shrinks
 * again.
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
#include "rtree/vacuum/vacuum.h"
#include "rtree/vacuum/vacuum_state.h"

/* Find the rows of a leaf that the callback reports dead; return their number. */
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
 * Remove the dead rows of a leaf or of a page of NULLs, and shrink its promise.
 * The caller holds the cleanup lock.
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

/* Add a page that was found free to the list of these. */
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
 * Flag the root, an inner page: no scan has it pinned as a leaf.  The caller holds
 * the cleanup lock.
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
 * Process a block, which is pinned, in the first pass.  Scans rely on VACUUM
 * taking the cleanup lock of every page that they may have pinned as a leaf,
 * whatever the page is now, and even if nothing is removed.
 */
static void
vacuum_page(SpqRtreeVacuum *vacuum, Buffer buffer)
{
	BlockNumber block = BufferGetBlockNumber(buffer);
	Page		page;
	bool		is_free;

	buffer = spq_rtree_lock_for_vacuum(vacuum->index, buffer, BUFFER_LOCK_SHARE);
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
		SPQ_INJECT_LOCK(block);
		LockBufferForCleanup(buffer);

		/*
		 * While the page was unlocked, the root may have become an inner
		 * page, but no other leaf.  A free page is still free, because the
		 * list from which splits take pages is empty.
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

/* Return the length of the index; see the locking in nbtree's btvacuumscan(). */
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

/* Process all blocks in file order, also those added in the meantime. */
static void
first_pass(SpqRtreeVacuum *vacuum)
{
	BlockNumber block = SPQ_RTREE_META + 1,
				length;

	while ((length = index_length(vacuum->index)) > block)
	{
		SpqRangeReader reader;

		if (vacuum->info->report_progress)
			pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_TOTAL, length);
		spq_range_reader_begin(&reader, vacuum->index, vacuum->info->strategy, block, length);
		for (; block < length; block++)
		{
			spq_vacuum_delay_point();
			vacuum_page(vacuum, spq_range_reader_next(&reader));
			if (vacuum->info->report_progress)
				pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE, block + 1);
		}
		spq_range_reader_end(&reader);
	}
	vacuum->stats->num_pages = length;
}

/* Make the list of free pages: those free before first, then those just freed. */
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
	 * A freed page can be taken once the transaction that was the next one
	 * when it was freed has ended.  Assign that transaction ID to VACUUM, so
	 * that the page can be reused right after it.  But do not assign one near
	 * wraparound, which VACUUM is to prevent.
	 */
	if (BlockNumberIsValid(vacuum->first_freed) && !IsInParallelMode() &&
		TransactionIdPrecedes(ReadNextTransactionId(), spq_transam_variables->xidVacLimit))
		(void) GetCurrentTransactionId();
}

/* Have insertions of NULLs begin with the first page found with room. */
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

/* ambulkdelete: remove the rows that the callback reports dead. */
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

	/* tuples_removed adds up over calls; the others are of this call */
	vacuum.stats->estimated_count = false;
	vacuum.stats->num_index_tuples = 0;
	vacuum.stats->pages_deleted = 0;
	vacuum.stats->pages_free = 0;

	/* so that no page already passed is reused for rows not seen yet */
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
 * amvacuumcleanup.  If there was nothing to remove, leave the statistics of the
 * index as they are, as nbtree does.
 */
IndexBulkDeleteResult *
spq_rtree_vacuum_cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	if (info->analyze_only || stats == NULL)
		return stats;

	/* rows that a split moved to the end of the file were counted twice */
	if (!info->estimated_count && stats->num_index_tuples > info->num_heap_tuples)
		stats->num_index_tuples = info->num_heap_tuples;
	return stats;
}
