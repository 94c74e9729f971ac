/*-------------------------------------------------------------------------
 *
 * shared_page.h
 *	  Which page of shared buffers a datum is on.
 *
 * SP-GiST hands its methods datums that lie in the index's pages.  A page of
 * a temporary index is in a buffer of the backend's own instead.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHARED_PAGE_H
#define SPQ_SHARED_PAGE_H

#include "storage/bufmgr.h"

/* The page, or NULL if the datum is not on a page of shared buffers. */
static inline const char *
spq_quad_buffer_page(const void *datum)
{
	Size		offset = (const char *) datum - BufferBlocks;

	if (offset >= (Size) NBuffers * BLCKSZ)
		return NULL;
	return BufferBlocks + offset / BLCKSZ * BLCKSZ;
}

#endif							/* SPQ_SHARED_PAGE_H */
