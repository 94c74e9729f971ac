/*-------------------------------------------------------------------------
 *
 * nulls.c
 *	  Insertion of rows without a box, into a chain of pages of their own.
 *
 * The chain begins at block SPQ_RTREE_NULLS and only grows, at its end.  The
 * metapage has the page to begin with.  This is a hint; an insertion that finds
 * room in another page sets it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/itup.h"
#include "miscadmin.h"
#include "storage/predicate.h"

#include "inject.h"
#include "rtree/insert/parent.h"
#include "rtree/page/append_row.h"
#include "rtree/store/buffer.h"
#include "rtree/store/wal.h"

/* Return the page to begin with. */
static BlockNumber
first_to_try(Relation index)
{
	Buffer		buffer = spq_rtree_read_meta(index, BUFFER_LOCK_SHARE);
	BlockNumber block = spq_rtree_meta(BufferGetPage(buffer))->null_page;

	UnlockReleaseBuffer(buffer);
	return block;
}

/* Set the page to begin with. */
static void
remember(Relation index, BlockNumber block)
{
	Buffer		buffer = spq_rtree_read_meta(index, BUFFER_LOCK_EXCLUSIVE);
	SpqRtreeDelta delta;

	spq_rtree_delta_begin(&delta, index, buffer);
	spq_rtree_delta_write(&delta, &spq_rtree_meta(BufferGetPage(buffer))->null_page,
						  &block, sizeof(block));
	spq_rtree_delta_end(&delta);
	UnlockReleaseBuffer(buffer);
}

/*
 * Put the row on a new page behind the last one, which is exclusively locked.  A
 * scan that has read the chain to its end has the predicate lock of the last page.
 * It also gets that of the new page, for later rows.
 */
static void
append_page(Relation index, Buffer last, const SpqRtreeRow *row)
{
	Buffer		buffer = spq_rtree_new_buffer(index);
	BlockNumber block = BufferGetBlockNumber(buffer);
	Buffer		meta_buffer;
	GenericXLogState *state;
	Page		page;
	uint16		flags;

	PredicateLockPageSplit(index, BufferGetBlockNumber(last), block);
	meta_buffer = spq_rtree_read_meta(index, BUFFER_LOCK_EXCLUSIVE);
	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, last, 0);
	spq_rtree_special(page)->next = block;
	flags = spq_rtree_special(page)->flags;
	page = GenericXLogRegisterBuffer(state, buffer, GENERIC_XLOG_FULL_IMAGE);
	spq_rtree_page_init(page, 0, flags);
	spq_rtree_append_row(page, row);
	page = GenericXLogRegisterBuffer(state, meta_buffer, 0);
	spq_rtree_meta(page)->null_page = block;
	GenericXLogFinish(state);
	UnlockReleaseBuffer(meta_buffer);
	UnlockReleaseBuffer(buffer);
}

void
spq_rtree_insert_null(Relation index, const SpqRtreeRow *row)
{
	Size		size = spq_rtree_payload_size(row);
	BlockNumber first = first_to_try(index),
				block = first;
	BlockNumber visited = 0;
	bool		found = false;

	while (!found)
	{
		Buffer		buffer = spq_rtree_read(index, block, BUFFER_LOCK_EXCLUSIVE,
											SPQ_RTREE_NULL_LEVEL);
		Page		page = BufferGetPage(buffer);
		BlockNumber next = spq_rtree_special(page)->next;

		if (spq_rtree_page_has_room(page, size))
		{
			SpqRtreeDelta delta;

			CheckForSerializableConflictIn(index, NULL, block);
			spq_rtree_delta_begin(&delta, index, buffer);
			spq_rtree_delta_append(&delta, row);
			spq_rtree_delta_end(&delta);
			found = true;
		}
		else if (!BlockNumberIsValid(next))
		{
			CheckForSerializableConflictIn(index, NULL, block);
			append_page(index, buffer, row);
			first = block;
			found = true;
		}
		UnlockReleaseBuffer(buffer);
		if (!found)
		{
			CHECK_FOR_INTERRUPTS();
			if (++visited % 1024 == 0 && visited > RelationGetNumberOfBlocks(index))
				spq_rtree_damaged(index, block, "right links form a cycle");
			block = next;
		}
	}
	if (block != first)
		remember(index, block);
}
