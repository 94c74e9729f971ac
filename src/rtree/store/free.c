/*-------------------------------------------------------------------------
 *
 * free.c
 *	  The list of free pages.  The metapage has its first page.
 *
 *		metapage -> free page -> free page -> ... -> none
 *
 * VACUUM makes the list, and splits take its first page.  While VACUUM reads the
 * index, the list is empty.  So no page that VACUUM has passed gets rows that it
 * has not seen.  src/rtree/vacuum/README.md says when a page may be taken.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/gist_private.h"
#include "access/xlog.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "inject.h"
#include "rtree/store/free.h"
#include "rtree/store/wal.h"

/* Return the first page of the list, given the metapage. */
static BlockNumber
first_free(Buffer meta_buffer)
{
	return spq_rtree_meta(BufferGetPage(meta_buffer))->free_page;
}

static void
set_first_free(Relation index, Buffer meta_buffer, BlockNumber block)
{
	SpqRtreeMeta *meta = spq_rtree_meta(BufferGetPage(meta_buffer));
	SpqRtreeDelta delta;

	spq_rtree_delta_begin(&delta, index, meta_buffer);
	spq_rtree_delta_write(&delta, &meta->free_page, &block, sizeof(block));
	spq_rtree_delta_end(&delta);
}

/* Read a page of the list, and lock it exclusively. */
static Buffer
read_free(Relation index, BlockNumber block)
{
	Buffer		buffer = spq_rtree_read(index, block, BUFFER_LOCK_EXCLUSIVE,
										SPQ_RTREE_ANY_LEVEL);

	if (!spq_rtree_is_free(BufferGetPage(buffer)))
		spq_rtree_damaged(index, block, "it is listed as free, and is not");
	return buffer;
}

Buffer
spq_rtree_pop_free_page(Relation index, Relation heap, Buffer *meta_buffer, BlockNumber *next)
{
	Buffer		meta = spq_rtree_read_meta(index, BUFFER_LOCK_SHARE);
	bool		empty = !BlockNumberIsValid(first_free(meta));

	*meta_buffer = InvalidBuffer;
	LockBuffer(meta, BUFFER_LOCK_UNLOCK);
	if (!empty)
	{
		SPQ_INJECT_LOCK(SPQ_RTREE_META);
		LockBuffer(meta, BUFFER_LOCK_EXCLUSIVE);
		if (BlockNumberIsValid(first_free(meta)))
		{
			Buffer		buffer = read_free(index, first_free(meta));
			const SpqRtreeFree *content = spq_rtree_free_content(BufferGetPage(buffer));

			if (GlobalVisCheckRemovableFullXid(heap, content->xid))
			{
				/* a standby may still have older snapshots */
				if (RelationNeedsWAL(index) && XLogStandbyInfoActive())
					spq_log_conflict(index, heap, BufferGetBlockNumber(buffer), content->xid);
				*next = content->next;
				*meta_buffer = meta;
				SPQ_INJECT_POINT("taken");
				return buffer;
			}
			UnlockReleaseBuffer(buffer);
		}
		LockBuffer(meta, BUFFER_LOCK_UNLOCK);
	}
	ReleaseBuffer(meta);
	return InvalidBuffer;
}

void
spq_rtree_drop_free_list(Relation index)
{
	Buffer		meta_buffer = spq_rtree_read_meta(index, BUFFER_LOCK_EXCLUSIVE);

	if (BlockNumberIsValid(first_free(meta_buffer)))
		set_first_free(index, meta_buffer, InvalidBlockNumber);
	UnlockReleaseBuffer(meta_buffer);
}

void
spq_rtree_set_free_list(Relation index, BlockNumber first)
{
	Buffer		meta_buffer = spq_rtree_read_meta(index, BUFFER_LOCK_EXCLUSIVE);

	set_first_free(index, meta_buffer, first);
	UnlockReleaseBuffer(meta_buffer);
}

void
spq_rtree_chain_free_page(Relation index, BlockNumber block, BlockNumber next)
{
	Buffer		buffer = read_free(index, block);
	SpqRtreeFree *content = spq_rtree_free_content(BufferGetPage(buffer));

	if (content->next != next)
	{
		SpqRtreeDelta delta;

		spq_rtree_delta_begin(&delta, index, buffer);
		spq_rtree_delta_write(&delta, &content->next, &next, sizeof(next));
		spq_rtree_delta_end(&delta);
	}
	UnlockReleaseBuffer(buffer);
}
