/*-------------------------------------------------------------------------
 *
 * parent.c
 *	  Finding the parent of a page, and finishing its split.
 *
 * A downlink moves only right.  So it is found by following right links from the
 * page where it was.  If a page on the way is INCOMPLETE, its split is finished
 * first: the downlink may have moved to the right half, which has no downlink of
 * its own yet.  See "Finding the parent" in README.md.
 *
 * Locks are taken from child to parent and from left to right, and the locks of
 * children are kept.  So these functions call each other, at most once per level.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"

#include "inject.h"
#include "rtree/insert/parent.h"

/*
 * Lock the page of a level that the descent passed.  If that was the root, or the
 * level did not exist, the level may have pages of its own now: return the first.
 */
static Buffer
lock_passed(Relation index, const SpqRtreePath *path, int level)
{
	BlockNumber block = path->block[level];
	Buffer		buffer;

	if (!BlockNumberIsValid(block))
		block = SPQ_RTREE_ROOT;
	if (block == SPQ_RTREE_ROOT)
	{
		buffer = spq_rtree_read(index, SPQ_RTREE_ROOT, BUFFER_LOCK_EXCLUSIVE,
								SPQ_RTREE_ANY_LEVEL);
		if (spq_rtree_special(BufferGetPage(buffer))->level == level)
			return buffer;
		UnlockReleaseBuffer(buffer);
		block = spq_rtree_first_of_level(index, level);
	}
	return spq_rtree_read(index, block, BUFFER_LOCK_EXCLUSIVE, level);
}

Buffer
spq_rtree_find_parent(Relation index, SpqRtreePath *path, Buffer child, int *entry)
{
	BlockNumber child_block = BufferGetBlockNumber(child);
	int			level = spq_rtree_special(BufferGetPage(child))->level + 1;
	BlockNumber steps = 0;
	Buffer		buffer;

	if (level >= SPQ_RTREE_LEVELS)
		spq_rtree_damaged(index, child_block, "it has an impossible level");
	buffer = lock_passed(index, path, level);
	for (;;)
	{
		Page		page = BufferGetPage(buffer);
		BlockNumber next;

		if (spq_rtree_special(page)->flags & SPQ_RTREE_INCOMPLETE)
		{
			/*
			 * with a copy: parents of the next pages may be left of its
			 * parent
			 */
			SpqRtreePath copy = *path;

			spq_rtree_finish_split(index, &copy, buffer);
		}
		*entry = spq_rtree_find_child(page, child_block);
		if (*entry >= 0)
			break;

		next = spq_rtree_special(page)->next;
		UnlockReleaseBuffer(buffer);
		if (!BlockNumberIsValid(next))
			spq_rtree_damaged(index, child_block, "it has no downlink");
		if (++steps % 1024 == 0 && steps > RelationGetNumberOfBlocks(index))
			spq_rtree_damaged(index, next, "right links form a cycle");
		buffer = spq_rtree_read(index, next, BUFFER_LOCK_EXCLUSIVE, level);
	}
	path->block[level] = BufferGetBlockNumber(buffer);
	return buffer;
}

void
spq_rtree_finish_split(Relation index, SpqRtreePath *path, Buffer buffer)
{
	const SpqRtreeSpecial *special = spq_rtree_special(BufferGetPage(buffer));
	SpqRtreeDownlink left,
				right;
	Buffer		right_buffer,
				parent;
	int			entry;
	GenericXLogState *state;
	Page		page;

	Assert(special->flags & SPQ_RTREE_INCOMPLETE);
	left.bounds = spq_rtree_promise(BufferGetPage(buffer));
	left.child = BufferGetBlockNumber(buffer);
	left.stop = special->splits;

	/* its promise cannot be widened before we give it a downlink */
	right.child = special->next;
	right_buffer = spq_rtree_read(index, right.child, BUFFER_LOCK_SHARE, special->level);
	right.bounds = spq_rtree_promise(BufferGetPage(right_buffer));
	UnlockReleaseBuffer(right_buffer);

	for (;;)
	{
		parent = spq_rtree_find_parent(index, path, buffer, &entry);
		if (spq_rtree_page_has_room(BufferGetPage(parent), 0) &&
			!SPQ_INJECT_FULL(spq_rtree_count(BufferGetPage(parent))))
			break;
		spq_rtree_make_room(index, path, parent);
		UnlockReleaseBuffer(parent);
	}
	SPQ_INJECT_POINT("unposted");

	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, parent, 0);
	right.stop = spq_rtree_stop(page, entry);
	spq_rtree_put_downlink(page, entry, &left);
	spq_rtree_append_downlink(page, &right);
	page = GenericXLogRegisterBuffer(state, buffer, 0);
	spq_rtree_special(page)->flags &= ~SPQ_RTREE_INCOMPLETE;
	GenericXLogFinish(state);
	UnlockReleaseBuffer(parent);
	SPQ_INJECT_POINT("posted");
}

void
spq_rtree_make_room(Relation index, SpqRtreePath *path, Buffer buffer)
{
	if (BufferGetBlockNumber(buffer) == SPQ_RTREE_ROOT)
		spq_rtree_grow_root(index, buffer);
	else
	{
		spq_rtree_split(index, path->heap, buffer);
		spq_rtree_finish_split(index, path, buffer);
	}
}
