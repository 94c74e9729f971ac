/*-------------------------------------------------------------------------
 *
 * buffer_page.h
 *	  Find the buffer page that a datum is on, by its address.
 *
 * SP-GiST passes its methods datums that point into pages of the index, but
 * neither the pages nor the index.  Only this file finds the page, by
 * comparing addresses with those of PostgreSQL's buffers.  There are two uses:
 *
 * 1. Recognizing temporary indexes, whose pages are in the backend's local
 *	  buffers.  They are built differently (choose.c).  This must be right: a
 *	  temporary index that is mistaken for a permanent one may leak a buffer
 *	  pin.  The opposite mistake only makes bounds wider than necessary.
 *
 * 2. Prefetching pages into the processor's cache.  This is only a hint: a
 *	  wrong guess wastes some cache lines.
 *
 * Assumptions, to be verified for each new version of PostgreSQL:
 *
 * - Shared buffers are one array of NBuffers pages at BufferBlocks, and local
 *	 buffers are outside of it (bufmgr.h).  Otherwise the page of a datum may not
 *	 be found, and all indexes are treated as temporary: correct, but slower.
 * - choose gets a pointer to the prefix on its page, and picksplit one to the
 *	 first leaf, not to copies (spgdoinsert.c).  Otherwise, the same.
 * - In inner_consistent the prefix is followed by the nodes, all of the same
 *	 length (SpGistInnerTupleData).  Otherwise the wrong pages are prefetched.
 * - A buffer's descriptor has its block number and relation (buf_internals.h,
 *	 compat.h), which can be read while the page is pinned.  Otherwise this does
 *	 not compile.
 *
 * If SPQ_QUAD_USE_ADDRESSES is 0, no addresses are compared: nothing is
 * prefetched, and every index is treated as temporary.
 *
 * How children are prefetched: visiting a child takes about five dependent
 * cache misses: buffer descriptor, page header, special space, line pointer,
 * tuple.  When inner_consistent has chosen the children, their blocks are
 * known but not their buffers, and a buffer table lookup would cost as many
 * misses.  So we remember the buffer that each page was in when a method was
 * last called with a datum on it:
 *
 *		(relation, block) -> slot -> buffer
 *
 *		inner tuple ---- child in block 7  -> buffer 912: fetch its descriptor,
 *				   \											header, line
 *					\--- child in block 30 -> buffer 31			pointers, end
 *
 * Slots can be stale, since blocks share them and buffers are reused.  So they
 * are only used for prefetching; pages that are not pinned are never read.
 * docs/notes/quadtree.md has measurements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_BUFFER_PAGE_H
#define SPQ_QUADTREE_BUFFER_PAGE_H

#include "storage/bufmgr.h"

#include "quadtree/prefix.h"

#define SPQ_QUAD_USE_ADDRESSES	1

/*
 * Return the page in shared buffers that a datum is on, or NULL if it is on
 * none.
 */
static inline const char *
spq_quad_buffer_page(const void *datum)
{
	Size		offset = (const char *) datum - BufferBlocks;

	if (!SPQ_QUAD_USE_ADDRESSES || offset >= (Size) NBuffers * BLCKSZ)
		return NULL;
	return BufferBlocks + offset / BLCKSZ * BLCKSZ;
}

/* Return whether the index of this datum must be treated as temporary. */
static inline bool
spq_quad_is_temporary(const void *datum)
{
	return spq_quad_buffer_page(datum) == NULL;
}

extern void spq_quad_fetch_leaf_page(const char *page);
extern void spq_quad_prefetch_children(const SpqQuadPrefix *prefix,
									   const int *nodes, int n);

/*
 * Prefetch the page of a leaf, unless it was the last page to be prefetched.
 *
 * The tuples of a chain are scattered over their page, and following it takes a
 * sequence of dependent cache misses: line pointer, tuple, next line pointer.
 * Prefetching the whole page overlaps them.
 */
static inline void
spq_quad_prefetch_leaves(const void *leaf)
{
	static const char *last_page = NULL;
	const char *page = spq_quad_buffer_page(leaf);

	if (page == NULL || page == last_page)
		return;
	last_page = page;
	spq_quad_fetch_leaf_page(page);
}

#endif							/* SPQ_QUADTREE_BUFFER_PAGE_H */
