/*-------------------------------------------------------------------------
 *
 * tighten.c
 *	  The second pass of VACUUM: the inner levels, from the bottom up.
 *
 * The bounds of downlinks become the promises of their children.  Downlinks of
 * empty leaves are removed, so that splits can reuse these pages.  Then the
 * promise of each page becomes the bounds of its downlinks.  README.md has the
 * argument.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/spccache.h"

#include "compat.h"
#include "inject.h"
#include "rtree/store/wal.h"
#include "rtree/vacuum/vacuum_state.h"

/* Set bounds in an exclusively locked page.  Return whether they have changed. */
static bool
set_bounds(SpqRtreeVacuum *vacuum, Buffer buffer, const SpqRtreeBoundsPlace *place,
		   const SpqRtreeBounds *bounds)
{
	SpqRtreeBounds old = spq_rtree_get_bounds(place);
	SpqRtreeDelta delta;

	if (spq_rtree_bounds_equal(&old, bounds))
		return false;
	spq_rtree_delta_begin(&delta, vacuum->index, buffer);
	spq_rtree_delta_set_bounds(&delta, place, bounds);
	spq_rtree_delta_end(&delta);
	return true;
}

bool
spq_rtree_shrink_promise(SpqRtreeVacuum *vacuum, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);
	SpqRtreeBoundsPlace promise = spq_rtree_promise_place(page);
	SpqRtreeBounds hull = spq_rtree_page_hull(page);

	return set_bounds(vacuum, buffer, &promise, &hull);
}

/*
 * Read and lock a page of this level that something refers to.  If it is the root
 * and has grown, return InvalidBuffer.
 */
static Buffer
read_page_of_level(SpqRtreeVacuum *vacuum, BlockNumber block, int lock, int level)
{
	Buffer		buffer = spq_rtree_read_for_vacuum(vacuum->index, block, lock,
												   vacuum->info->strategy);

	if (!BufferIsValid(buffer))
		spq_rtree_damaged(vacuum->index, block, "it is all zeros");
	if (spq_rtree_special(BufferGetPage(buffer))->level == level)
		return buffer;
	if (block != SPQ_RTREE_ROOT)
		spq_rtree_damaged(vacuum->index, block, "it is not of the level where it is linked to");
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

/* Read and lock the child of a downlink. */
static Buffer
read_child(SpqRtreeVacuum *vacuum, Buffer parent, BlockNumber child, int lock, int level)
{
	Buffer		buffer = read_page_of_level(vacuum, child, lock, level);

	if (!BufferIsValid(buffer))
		spq_rtree_damaged(vacuum->index, BufferGetBlockNumber(parent), "it has a downlink to the root");
	return buffer;
}

/*
 * Set the bounds of a child's downlink to the child's promise.  The buffer, pinned
 * but not locked, is the page that had the downlink.  If the downlink has moved
 * right since, the child stays in the set, for the page that has it now.
 */
static void
tighten_downlink(SpqRtreeVacuum *vacuum, Buffer buffer, int level, BlockNumber child)
{
	Buffer		child_buffer = read_child(vacuum, buffer, child, BUFFER_LOCK_SHARE, level - 1);
	Page		page = BufferGetPage(buffer);
	const SpqRtreeSpecial *special = spq_rtree_special(BufferGetPage(child_buffer));
	SpqRtreeBounds promise = spq_rtree_promise(BufferGetPage(child_buffer));

	SPQ_INJECT_LOCK(BufferGetBlockNumber(buffer));
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	if (spq_rtree_special(page)->level == level &&
		(special->flags & SPQ_RTREE_INCOMPLETE) == 0)
	{
		int			entry = spq_rtree_find_child(page, child);

		if (entry >= 0)
		{
			SpqRtreeBoundsPlace downlink = spq_rtree_downlink_place(page, entry);

			set_bounds(vacuum, buffer, &downlink, &promise);
			spq_rtree_block_set_remove(&vacuum->shrunk, child);
		}
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	UnlockReleaseBuffer(child_buffer);
}

/*
 * Remove a leaf from the tree and mark it free, if it is still empty.  The buffer,
 * pinned but not locked, is the page that had the downlink.  An inner page keeps
 * at least one downlink.
 */
static void
free_leaf(SpqRtreeVacuum *vacuum, Buffer buffer, BlockNumber leaf)
{
	Buffer		leaf_buffer = read_child(vacuum, buffer, leaf, BUFFER_LOCK_EXCLUSIVE, 0);
	Page		page = BufferGetPage(buffer);
	const SpqRtreeSpecial *special = spq_rtree_special(BufferGetPage(leaf_buffer));

	SPQ_INJECT_LOCK(BufferGetBlockNumber(buffer));
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);

	/* the root may have grown */
	if (spq_rtree_special(page)->level == 1 && spq_rtree_count(page) > 1 &&
		special->count == 0 && (special->flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_FREE)) == 0)
	{
		int			entry = spq_rtree_find_child(page, leaf);

		if (entry >= 0)
		{
			GenericXLogState *state = GenericXLogStart(vacuum->index);

			/* others could read the downlink until the page was locked */
			FullTransactionId xid = ReadNextFullTransactionId();

			spq_rtree_remove_downlink(GenericXLogRegisterBuffer(state, buffer, 0), entry);
			spq_rtree_page_set_free(GenericXLogRegisterBuffer(state, leaf_buffer, 0), xid,
									vacuum->first_freed);
			GenericXLogFinish(state);
			vacuum->first_freed = leaf;
			vacuum->stats->pages_deleted++;
			vacuum->stats->pages_newly_deleted++;
			spq_rtree_block_set_remove(&vacuum->empty, leaf);
		}
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	UnlockReleaseBuffer(leaf_buffer);
	SPQ_INJECT_POINT("freed");
}

/* Set "children" to those of a share-locked page that are in a set. */
static int
children_of_set(const SpqRtreeBlockSet *set, Page page, BlockNumber *children)
{
	int			count = spq_rtree_count(page),
				n = 0;

	for (int entry = 0; entry < count; entry++)
		if (spq_rtree_block_set_has(set, spq_rtree_child(page, entry)))
			children[n++] = spq_rtree_child(page, entry);
	return n;
}

/*
 * Before child i is read, ask the system for the children after it, as many as
 * the setting allows.  The first pass has read them all, but in an index larger
 * than the buffers they are on disk again.
 */
static void
request_children(SpqRtreeVacuum *vacuum, const BlockNumber *children, int n, int i)
{
	Oid			tablespace = vacuum->index->rd_rel->reltablespace;
	int			most = get_tablespace_maintenance_io_concurrency(tablespace),
				first = i == 0 ? 1 : i + most,
				end = Min(i + most + 1, n);

	/* those up to "first" were requested with the child before */
	for (int ahead = first; most > 0 && ahead < end; ahead++)
	{
		SPQ_INJECT_POINT("ahead");
		(void) PrefetchBuffer(vacuum->index, MAIN_FORKNUM, children[ahead]);
	}
}

/* Warn of downlinks of a share-locked page to pages that are all zeros. */
static void
warn_of_zeros(SpqRtreeVacuum *vacuum, BlockNumber block, Page page)
{
	BlockNumber children[SPQ_RTREE_INNER_MAX];
	int			n = children_of_set(&vacuum->zeros, page, children);

	for (int i = 0; i < n; i++)
		ereport(WARNING,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("index \"%s\" is damaged at block %u: it is all zeros, but block %u has a downlink to it",
						RelationGetRelationName(vacuum->index), children[i], block),
				 errhint("Run spqtree_check to list all problems, then REINDEX the index.")));
}

/*
 * Tighten the downlinks of a page, then its promise, and return its right
 * neighbor.  The right link is read last, so a page that was split off comes
 * next.  If the page is the root and has grown, do nothing.
 */
static BlockNumber
tighten_page(SpqRtreeVacuum *vacuum, BlockNumber block, int level)
{
	Buffer		buffer = read_page_of_level(vacuum, block, BUFFER_LOCK_SHARE, level);
	BlockNumber children[SPQ_RTREE_INNER_MAX];
	BlockNumber empty[SPQ_RTREE_INNER_MAX];
	BlockNumber next;
	int			n,
				nempty = 0;

	if (!BufferIsValid(buffer))
		return InvalidBlockNumber;
	warn_of_zeros(vacuum, block, BufferGetPage(buffer));
	n = children_of_set(&vacuum->shrunk, BufferGetPage(buffer), children);
	if (level == 1)
		nempty = children_of_set(&vacuum->empty, BufferGetPage(buffer), empty);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	for (int i = 0; i < n; i++)
	{
		spq_vacuum_delay_point();
		request_children(vacuum, children, n, i);
		tighten_downlink(vacuum, buffer, level, children[i]);
	}
	for (int i = 0; i < nempty; i++)
	{
		spq_vacuum_delay_point();
		request_children(vacuum, empty, nempty, i);
		free_leaf(vacuum, buffer, empty[i]);
	}
	SPQ_INJECT_LOCK(block);
	LockBuffer(buffer, n > 0 ? BUFFER_LOCK_EXCLUSIVE : BUFFER_LOCK_SHARE);
	if (n > 0 && block != SPQ_RTREE_ROOT && spq_rtree_shrink_promise(vacuum, buffer))
		spq_rtree_block_set_add(&vacuum->shrunk, block);
	next = spq_rtree_special(BufferGetPage(buffer))->next;
	UnlockReleaseBuffer(buffer);
	return next;
}

static int
root_level(SpqRtreeVacuum *vacuum)
{
	Buffer		buffer = spq_rtree_read_for_vacuum(vacuum->index, SPQ_RTREE_ROOT, BUFFER_LOCK_SHARE,
												   vacuum->info->strategy);
	int			level;

	if (!BufferIsValid(buffer))
		spq_rtree_damaged(vacuum->index, SPQ_RTREE_ROOT, "it is all zeros");
	level = spq_rtree_special(BufferGetPage(buffer))->level;
	UnlockReleaseBuffer(buffer);
	return level;
}

/* Tighten the pages of a level below the root. */
static void
tighten_level(SpqRtreeVacuum *vacuum, int level)
{
	BlockNumber block = spq_rtree_first_of_level(vacuum->index, level);
	BlockNumber pages = 0;

	while (BlockNumberIsValid(block))
	{
		spq_vacuum_delay_point();
		if (++pages > vacuum->stats->num_pages &&
			pages > RelationGetNumberOfBlocks(vacuum->index))
			spq_rtree_damaged(vacuum->index, block, "right links form a cycle");
		block = tighten_page(vacuum, block, level);
	}
}

void
spq_rtree_tighten(SpqRtreeVacuum *vacuum)
{
	for (int level = 1; level <= root_level(vacuum); level++)
	{
		tighten_page(vacuum, SPQ_RTREE_ROOT, level);

		/* if the root is above this level, the level has pages of its own */
		if (level < root_level(vacuum))
			tighten_level(vacuum, level);
	}
}
