/*-------------------------------------------------------------------------
 *
 * wal.h
 *	  Changes of pages, and their WAL records.
 *
 * Two ways, both replayed by core's generic resource manager, so that neither a
 * standby nor crash recovery needs this library:
 *
 * - GenericXLogStart() ... GenericXLogFinish() for changes of several pages, which
 *	 are rare: splits, growth, free pages.  It copies and compares whole pages, byte
 *	 by byte.
 *
 * - A delta for changes of one page.  The caller says which bytes it changes, or
 *	 hands over a changed copy of the page, which is compared by words of eight
 *	 bytes.  A record of RM_GENERIC_ID with the fragments that GenericXLogFinish()
 *	 would find is inserted directly:
 *
 *		spq_rtree_delta_begin(&delta, index, buffer);
 *		spq_rtree_delta_write(&delta, &special->count, &count, sizeof(count));
 *		...
 *		spq_rtree_delta_end(&delta);
 *
 *	 spq_rtree_delta_end() makes all changes and writes the record in one critical
 *	 section.  Until then the page is unchanged.  The caller holds the exclusive
 *	 lock of the buffer.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_WAL_H
#define SPQ_RTREE_STORE_WAL_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "rtree/page/page.h"

/*
 * More than any caller writes: a row with its payload, or a page.  Even if every
 * other word of a page has changed, the fragments are smaller than the page.
 */
#define SPQ_RTREE_DELTA_SIZE	(BLCKSZ + 64)

typedef struct SpqRtreeDelta
{
	Relation	index;
	Buffer		buffer;
	Size		size;			/* bytes of data used */
	Size		last;			/* where the last fragment begins */
	bool		clears_hole;	/* bytes that become part of the hole may not
								 * be zero */

	/* as in the record: offset and length (uint16 each), then the bytes */
	char		data[SPQ_RTREE_DELTA_SIZE];
} SpqRtreeDelta;

extern void spq_rtree_delta_begin(SpqRtreeDelta *delta, Relation index, Buffer buffer);

/* Replace the bytes at "place", which is in the buffer's page, by those of "content". */
extern void spq_rtree_delta_write(SpqRtreeDelta *delta, const void *place,
								  const void *content, Size length);

/* Append a row to a page, which has room for it.  The promise stays as it is. */
extern void spq_rtree_delta_append(SpqRtreeDelta *delta, const SpqRtreeRow *row);

/* Set the bounds at a place of the page, or widen them to enclose others. */
extern void spq_rtree_delta_set_bounds(SpqRtreeDelta *delta, const SpqRtreeBoundsPlace *place,
									   const SpqRtreeBounds *bounds);
extern void spq_rtree_delta_widen(SpqRtreeDelta *delta, const SpqRtreeBoundsPlace *place,
								  const SpqRtreeBounds *more);

/* Replace the page by a changed copy of it.  The delta has no other change. */
extern void spq_rtree_delta_page(SpqRtreeDelta *delta, const char *copy);
extern void spq_rtree_delta_end(SpqRtreeDelta *delta);

#endif							/* SPQ_RTREE_STORE_WAL_H */
