/*-------------------------------------------------------------------------
 *
 * buffer.h
 *	  Reading and verifying pages of an index, and new pages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_BUFFER_H
#define SPQ_RTREE_STORE_BUFFER_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat.h"
#include "rtree/page/page.h"

/* For spq_rtree_read(), instead of the level of a page of the tree. */
#define SPQ_RTREE_ANY_LEVEL		(-1)	/* any page but the metapage */
#define SPQ_RTREE_NULL_LEVEL	(-2)	/* a page of the chain of NULLs */

/*
 * Read, lock (BUFFER_LOCK_SHARE or _EXCLUSIVE) and verify a page of this level, or
 * of the chain of NULLs.  An implausible page raises ERRCODE_INDEX_CORRUPTED with a
 * hint to REINDEX.  Payloads are verified only with an exclusive lock, before the
 * page is changed: a scan reads few payloads, and verifies each of them (tuple.c).
 */
extern Buffer spq_rtree_read(Relation index, BlockNumber block, int lock, int level);

/*
 * The same for VACUUM, for any page but the metapage.  If the page is all zeros,
 * which a crash can leave, return InvalidBuffer.
 */
extern Buffer spq_rtree_read_for_vacuum(Relation index, BlockNumber block, int lock,
										BufferAccessStrategy strategy);

/* The same for a page that is pinned already. */
extern Buffer spq_rtree_lock_for_vacuum(Relation index, Buffer buffer, int lock);

/* Read, lock and verify the metapage. */
extern Buffer spq_rtree_read_meta(Relation index, int lock);

/* Return the leftmost page of a level below the root. */
extern BlockNumber spq_rtree_first_of_level(Relation index, int level);

/* Raise the error for a damaged page. */
spq_noreturn extern void spq_rtree_damaged(Relation index, BlockNumber block,
										   const char *problem);

/*
 * Raise the error if the TID of a row is not valid.  Call this before you pass a
 * TID to PostgreSQL, which asserts that it is valid.
 */
static inline void
spq_rtree_check_tid(Relation index, BlockNumber block, const ItemPointerData *tid)
{
	if (unlikely(!ItemPointerIsValid(tid) ||
				 !BlockNumberIsValid(ItemPointerGetBlockNumberNoCheck(tid))))
		spq_rtree_damaged(index, block, "a row has no place in the table");
}

/*
 * Extend the index by a page of zeros, and return it exclusively locked.  VACUUM
 * relies on new pages being at the end of the file.
 */
extern Buffer spq_rtree_new_buffer(Relation index);

#endif							/* SPQ_RTREE_STORE_BUFFER_H */
