/*-------------------------------------------------------------------------
 *
 * buffer_page.h
 *	  What the address of a datum tells about the page that it is on.
 *
 * SP-GiST hands its methods datums that lie in the index's pages, but not the
 * pages, nor the index.  This is the one place that finds them by comparing
 * addresses with those of PostgreSQL's buffers.  It serves two ends:
 *
 * 1. Telling temporary indexes, whose pages are in buffers of the backend's
 *	  own.  They have to be built differently (choose.c).  Answers hang on it:
 *	  taken for a permanent one, a temporary index may leak a buffer pin.  The
 *	  opposite mistake is harmless: bounds are wider than they need be.
 *
 * 2. Fetching pages into the processor's cache before they are needed.  That
 *	  is a hint: a wrong guess costs some cache lines and nothing else.
 *
 * What this rests on, and what to look at in a new version of PostgreSQL:
 *
 * - Shared buffers are one array from BufferBlocks on, of NBuffers pages, and
 *	 local buffers are outside of it (bufmgr.h).  If that changes, a datum on a
 *	 shared page may no longer be found; all indexes are then treated as
 *	 temporary ones, which is right, only slower.
 * - choose gets the prefix, and picksplit the first leaf, on their pages and
 *	 not as copies (spgdoinsert.c).  If that changes, the same.
 * - In inner_consistent the prefix is followed by the nodes, all of one length
 *	 (SpGistInnerTupleData).  If that changes, wrong pages are fetched.
 * - A buffer's descriptor has its block number and relation (buf_internals.h,
 *	 compat.h), which may be read as the page is pinned.  If that changes, this
 *	 does not compile.
 *
 * With SPQ_QUAD_USE_ADDRESSES set to 0 no address is compared: no page is
 * fetched early, and every index is treated as a temporary one.
 *
 * How children are fetched: on its way to a child, PostgreSQL waits for memory
 * some five times, each wait for an address that the one before it brings:
 * buffer descriptor, page header, special space, line pointer, tuple.  When
 * inner_consistent has chosen the children, their blocks are known, but not
 * their buffers; asking the buffer manager would mean the same waits.  So we
 * remember where a page was when a method was last called with a datum of it:
 *
 *		(relation, block) -> slot -> buffer
 *
 *		inner tuple ---- child in block 7  -> buffer 912: fetch its descriptor,
 *				   \											header, line
 *					\--- child in block 30 -> buffer 31			pointers, end
 *
 * Blocks share slots, and buffers are reused for other pages.  Nothing is read
 * of a page that no one has pinned for us.  docs/notes/quadtree.md has figures.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_BUFFER_PAGE_H
#define SPQ_QUADTREE_BUFFER_PAGE_H

#include "storage/bufmgr.h"

#include "quadtree/prefix.h"

#define SPQ_QUAD_USE_ADDRESSES	1

/*
 * Return the page of shared buffers that a datum is on, or NULL if it is on
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

/*
 * Return whether the index that this datum is from must be treated as a
 * temporary one.
 */
static inline bool
spq_quad_is_temporary(const void *datum)
{
	return spq_quad_buffer_page(datum) == NULL;
}

extern void spq_quad_fetch_leaf_page(const char *page);
extern void spq_quad_prefetch_children(const SpqQuadPrefix *prefix,
									   const int *nodes, int n);

/*
 * Fetch the page of a leaf into the processor's cache, if it is not the last
 * one fetched.
 *
 * The tuples of a chain are scattered over their page, and each is found by way
 * of the one before it: line pointer, tuple, next line pointer, every one a
 * cache miss that waits for the last.  Fetched all at once, they take about the
 * time of a few.
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
