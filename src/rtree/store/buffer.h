/*-------------------------------------------------------------------------
 *
 * buffer.h
 *	  Pages of an index in buffers: read and verified, or new.
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
 * Read, lock (BUFFER_LOCK_SHARE or _EXCLUSIVE) and verify a page of the tree, of
 * this level, or of the chain of NULLs.  A page that is not plausible raises
 * ERRCODE_INDEX_CORRUPTED with a hint to REINDEX.  Payloads are verified only for
 * who is going to change the page: a scan reads few of them, and looks at each
 * that it reads (tuple.c).
 */
extern Buffer spq_rtree_read(Relation index, BlockNumber block, int lock, int level);

/*
 * The same for VACUUM: any page but the metapage.  One that is all zeros is
 * nothing's: return InvalidBuffer.
 */
extern Buffer spq_rtree_read_for_vacuum(Relation index, BlockNumber block, int lock,
										BufferAccessStrategy strategy);

/* Read, lock and verify the metapage. */
extern Buffer spq_rtree_read_meta(Relation index, int lock);

/* Return the leftmost page of a level below the root. */
extern BlockNumber spq_rtree_first_of_level(Relation index, int level);

/* Raise that error about a page that has been read. */
spq_noreturn extern void spq_rtree_damaged(Relation index, BlockNumber block,
										   const char *problem);

/*
 * Raise that error if a row of a leaf has no place in the table.  Whoever hands the place
 * on to PostgreSQL calls this: a server with assertions ends if it is not valid.
 */
static inline void
spq_rtree_check_tid(Relation index, BlockNumber block, const ItemPointerData *tid)
{
	if (unlikely(!ItemPointerIsValid(tid)))
		spq_rtree_damaged(index, block, "a row has no place in the table");
}

/*
 * Extend the index by a page, and return it pinned and exclusively locked, still
 * all zeros.  New pages always come at the end of the file: VACUUM relies on it.
 */
extern Buffer spq_rtree_new_buffer(Relation index);

#endif							/* SPQ_RTREE_STORE_BUFFER_H */
