/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *	  VACUUM: rows that are dead go, and bounds shrink to what is left.
 *
 *		first pass	all blocks in the order of the file: rows are removed from
 *					leaves and from the chain of NULLs, and leaves promise less
 *		second pass	the inner levels from the bottom up, if a leaf promises less
 *					now: downlinks become what their children promise, then the
 *					page promises what its downlinks need
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
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "utils/backend_progress.h"
#include "utils/memutils.h"

#include "compat.h"
#include "rtree/block_set.h"
#include "rtree/buffer.h"
#include "rtree/rtree.h"
#include "rtree/shrink.h"
#include "rtree/wal.h"

/* One call of bulkdelete. */
typedef struct Vacuum
{
	/* fixed */
	IndexVacuumInfo *info;
	Relation	index;
	IndexBulkDeleteResult *stats;
	IndexBulkDeleteCallback callback;
	void	   *callback_state;

	SpqRtreeBlockSet shrunk;	/* pages whose downlinks may be too wide */
	BlockNumber null_room;		/* first page of the chain of NULLs that has
								 * room, or InvalidBlockNumber */
} Vacuum;

/*
 * Read and lock a page.  One that is all zeros is nothing's: return
 * InvalidBuffer.
 */
static Buffer
read_page(Vacuum *vacuum, BlockNumber block, int lock)
{
	Buffer		buffer = ReadBufferExtended(vacuum->index, MAIN_FORKNUM, block,
											RBM_NORMAL, vacuum->info->strategy);
	const char *problem;

	LockBuffer(buffer, lock);
	if (PageIsNew(BufferGetPage(buffer)))
	{
		UnlockReleaseBuffer(buffer);
		return InvalidBuffer;
	}
	problem = spq_rtree_page_problem(BufferGetPage(buffer));
	if (problem)
		spq_rtree_damaged(vacuum->index, block, problem);
	return buffer;
}

/*
 * Read and lock a page that something refers to, of this level.  Only the root
 * may be of another one: InvalidBuffer.
 */
static Buffer
read_page_of_level(Vacuum *vacuum, BlockNumber block, int lock, int level)
{
	Buffer		buffer = read_page(vacuum, block, lock);

	if (!BufferIsValid(buffer))
		spq_rtree_damaged(vacuum->index, block, "it is all zeros");
	if (spq_rtree_special(BufferGetPage(buffer))->level == level)
		return buffer;
	if (block != SPQ_RTREE_ROOT)
		spq_rtree_damaged(vacuum->index, block, "it is not of the level where it is linked to");
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

/* Let an exclusively locked page promise what its entries need, if it promises more. */
static bool
shrink_promise(Vacuum *vacuum, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);
	SpqRtreeSpecial *special = spq_rtree_special(page);
	SpqRtreeBounds hull = spq_rtree_page_hull(page);
	SpqRtreeDelta delta;

	if (spq_rtree_bounds_equal(&hull, &special->bounds))
		return false;
	spq_rtree_delta_begin(&delta, vacuum->index, buffer);
	spq_rtree_delta_write(&delta, &special->bounds, &hull, sizeof(hull));
	spq_rtree_delta_end(&delta);
	return true;
}

/* Return how many rows of a leaf the callback names, and which. */
static int
find_dead(Vacuum *vacuum, Page page, SpqRtreeEntrySet *dead)
{
	int			count = spq_rtree_count(page),
				ndead = 0;

	memset(dead, 0, sizeof(*dead));
	for (int entry = 0; entry < count; entry++)
		if (vacuum->callback(spq_rtree_tid(page, entry), vacuum->callback_state))
		{
			spq_rtree_entry_set_add(dead, entry);
			ndead++;
		}
	return ndead;
}

static void
remove_dead(Vacuum *vacuum, Buffer buffer, const SpqRtreeEntrySet *dead)
{
	GenericXLogState *state = GenericXLogStart(vacuum->index);
	Page		page = GenericXLogRegisterBuffer(state, buffer, 0);
	const char *problem = spq_rtree_remove_rows(page, dead);

	if (problem)
		spq_rtree_damaged(vacuum->index, BufferGetBlockNumber(buffer), problem);
	GenericXLogFinish(state);
}

/*
 * Remove dead rows of a leaf or of a page of NULLs, and let it promise less.  The
 * buffer has the cleanup lock, which scans rely on even if nothing is removed.
 */
static void
vacuum_leaf(Vacuum *vacuum, Buffer buffer)
{
	BlockNumber block = BufferGetBlockNumber(buffer);
	Page		page = BufferGetPage(buffer);
	bool		nulls = (spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS) != 0;
	SpqRtreeBounds promised = spq_rtree_special(page)->bounds;
	SpqRtreeEntrySet dead;
	int			ndead = find_dead(vacuum, page, &dead);
	bool		shrunk = false;

	if (ndead > 0)
	{
		remove_dead(vacuum, buffer, &dead);
		shrunk = !spq_rtree_bounds_equal(&promised, &spq_rtree_special(page)->bounds);
	}
	else if (!nulls && block != SPQ_RTREE_ROOT)
		shrunk = shrink_promise(vacuum, buffer);
	if (shrunk && !nulls && block != SPQ_RTREE_ROOT)
		spq_rtree_block_set_add(&vacuum->shrunk, block);

	vacuum->stats->tuples_removed += ndead;
	vacuum->stats->num_index_tuples += spq_rtree_count(page);
	if (spq_rtree_count(page) == 0 && block != SPQ_RTREE_ROOT && block != SPQ_RTREE_NULLS)
	{
		vacuum->stats->pages_deleted++;
		if (ndead > 0)
			vacuum->stats->pages_newly_deleted++;
	}
	if (nulls && !BlockNumberIsValid(vacuum->null_room) && spq_rtree_page_has_room(page, 0))
		vacuum->null_room = block;
}

static void
vacuum_page(Vacuum *vacuum, BlockNumber block)
{
	Buffer		buffer = read_page(vacuum, block, BUFFER_LOCK_SHARE);

	if (!BufferIsValid(buffer))
		return;
	if (spq_rtree_is_leaf(BufferGetPage(buffer)))
	{
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
		LockBufferForCleanup(buffer);

		/* without a lock, only the root can have become an inner page */
		if (spq_rtree_is_leaf(BufferGetPage(buffer)))
			vacuum_leaf(vacuum, buffer);
	}
	UnlockReleaseBuffer(buffer);
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
first_pass(Vacuum *vacuum)
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

/* Let an entry of an exclusively locked page have other bounds. */
static void
set_entry_bounds(Vacuum *vacuum, Buffer buffer, int entry, const SpqRtreeBounds *bounds)
{
	SpqRtreeInnerGroup *group = spq_rtree_inner_group(BufferGetPage(buffer),
													  entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	SpqRtreeDelta delta;

	spq_rtree_delta_begin(&delta, vacuum->index, buffer);
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		spq_rtree_delta_write(&delta, &group->ends[axis][i],
							  &bounds->high[axis], sizeof(float8));
		spq_rtree_delta_write(&delta, &group->ends[SPQ_DIM + axis][i],
							  &bounds->low[axis], sizeof(float8));
	}
	spq_rtree_delta_end(&delta);
}

/*
 * Let the downlink of a child be what the child promises.  The buffer, pinned and
 * not locked, is of the page that had the downlink.  If it was moved since, to
 * the right, the child stays in the set: its page comes later.
 */
static void
tighten_downlink(Vacuum *vacuum, Buffer buffer, int level, BlockNumber child)
{
	Buffer		child_buffer = read_page_of_level(vacuum, child, BUFFER_LOCK_SHARE, level - 1);
	Page		page = BufferGetPage(buffer);
	const SpqRtreeSpecial *promise;

	if (!BufferIsValid(child_buffer))
		spq_rtree_damaged(vacuum->index, BufferGetBlockNumber(buffer), "it has a downlink to the root");
	promise = spq_rtree_special(BufferGetPage(child_buffer));
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	if (spq_rtree_special(page)->level == level &&
		(promise->flags & SPQ_RTREE_INCOMPLETE) == 0)
	{
		int			entry = spq_rtree_find_child(page, child);

		if (entry >= 0)
		{
			SpqRtreeBounds old = spq_rtree_entry_bounds(page, entry);

			if (!spq_rtree_bounds_equal(&old, &promise->bounds))
				set_entry_bounds(vacuum, buffer, entry, &promise->bounds);
			spq_rtree_block_set_remove(&vacuum->shrunk, child);
		}
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	UnlockReleaseBuffer(child_buffer);
}

/* Return the children of a share-locked page whose promise has shrunk. */
static int
shrunk_children(Vacuum *vacuum, Page page, BlockNumber *children)
{
	int			count = spq_rtree_count(page),
				n = 0;

	for (int entry = 0; entry < count; entry++)
		if (spq_rtree_block_set_has(&vacuum->shrunk, spq_rtree_child(page, entry)))
			children[n++] = spq_rtree_child(page, entry);
	return n;
}

/*
 * Tighten downlinks of a page, then what it promises.  Return its right neighbor.
 * It is looked at last, so what is split off meanwhile comes next.  The root may
 * be of another level: nothing to do.
 */
static BlockNumber
tighten_page(Vacuum *vacuum, BlockNumber block, int level)
{
	Buffer		buffer = read_page_of_level(vacuum, block, BUFFER_LOCK_SHARE, level);
	BlockNumber children[SPQ_RTREE_INNER_MAX];
	BlockNumber next;
	int			n;

	if (!BufferIsValid(buffer))
		return InvalidBlockNumber;
	n = shrunk_children(vacuum, BufferGetPage(buffer), children);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	for (int i = 0; i < n; i++)
	{
		spq_vacuum_delay_point();
		tighten_downlink(vacuum, buffer, level, children[i]);
	}
	LockBuffer(buffer, n > 0 ? BUFFER_LOCK_EXCLUSIVE : BUFFER_LOCK_SHARE);
	if (n > 0 && block != SPQ_RTREE_ROOT && shrink_promise(vacuum, buffer))
		spq_rtree_block_set_add(&vacuum->shrunk, block);
	next = spq_rtree_special(BufferGetPage(buffer))->next;
	UnlockReleaseBuffer(buffer);
	return next;
}

static int
root_level(Vacuum *vacuum)
{
	Buffer		buffer = read_page(vacuum, SPQ_RTREE_ROOT, BUFFER_LOCK_SHARE);
	int			level;

	if (!BufferIsValid(buffer))
		spq_rtree_damaged(vacuum->index, SPQ_RTREE_ROOT, "it is all zeros");
	level = spq_rtree_special(BufferGetPage(buffer))->level;
	UnlockReleaseBuffer(buffer);
	return level;
}

/* Return the first page of a level below the root. */
static BlockNumber
first_of_level(Vacuum *vacuum, int level)
{
	Buffer		buffer = spq_rtree_read_meta(vacuum->index, BUFFER_LOCK_SHARE);
	BlockNumber first;

	first = spq_rtree_meta(BufferGetPage(buffer))->first[level];
	UnlockReleaseBuffer(buffer);
	if (!BlockNumberIsValid(first))
		spq_rtree_damaged(vacuum->index, SPQ_RTREE_META, "it lacks a level of the tree");
	return first;
}

/* Tighten the pages of a level below the root. */
static void
tighten_level(Vacuum *vacuum, int level)
{
	BlockNumber block = first_of_level(vacuum, level);
	BlockNumber pages = 0;

	while (BlockNumberIsValid(block))
	{
		spq_vacuum_delay_point();
		if (++pages > vacuum->stats->num_pages &&
			pages > RelationGetNumberOfBlocks(vacuum->index))
			spq_rtree_damaged(vacuum->index, block, "its level is linked in a circle");
		block = tighten_page(vacuum, block, level);
	}
}

/* Hand shrunken promises up, level by level. */
static void
second_pass(Vacuum *vacuum)
{
	for (int level = 1; level <= root_level(vacuum); level++)
	{
		tighten_page(vacuum, SPQ_RTREE_ROOT, level);

		/* so it is, or has been since it grew, of a level above */
		if (level < root_level(vacuum))
			tighten_level(vacuum, level);
	}
}

/* Let insertions of NULLs begin where room has been found. */
static void
set_null_page(Vacuum *vacuum)
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
	Vacuum		vacuum = {
		.info = info,
		.index = info->index,
		.stats = stats ? stats : palloc0(sizeof(IndexBulkDeleteResult)),
		.callback = callback,
		.callback_state = callback_state,
		.shrunk = {.context = CurrentMemoryContext},
		.null_room = InvalidBlockNumber
	};

	/* of this pass; what was removed adds up */
	vacuum.stats->estimated_count = false;
	vacuum.stats->num_index_tuples = 0;
	vacuum.stats->pages_deleted = 0;

	first_pass(&vacuum);
	set_null_page(&vacuum);
	if (vacuum.shrunk.size > 0)
		second_pass(&vacuum);
	spq_rtree_block_set_free(&vacuum.shrunk);
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
