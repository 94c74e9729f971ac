/*-------------------------------------------------------------------------
 *
 * wal.h
 *	  Changes of pages, and their WAL records.
 *
 * Two ways, both replayed by core's generic resource manager, so that neither a
 * standby nor crash recovery needs this library:
 *
 * - GenericXLogStart() ... GenericXLogFinish() for rare changes: splits, free
 *	 pages, the metapage.  It copies and compares whole pages, byte by byte.
 *
 * - A delta for the frequent ones: append a row, widen bounds, and what VACUUM
 *	 makes of a leaf, which is compared, too, but by words.  The caller says
 *	 which bytes it changes, in place, and a record of RM_GENERIC_ID with the
 *	 same content that GenericXLogFinish() would find is inserted directly:
 *
 *		spq_rtree_delta_begin(&delta, index, buffer);
 *		spq_rtree_delta_write(&delta, &special->count, &count, sizeof(count));
 *		...
 *		spq_rtree_delta_end(&delta);
 *
 *	 Nothing is changed before spq_rtree_delta_end(), which makes all changes and
 *	 writes the record in one critical section.  The caller holds the exclusive
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
 * More than any caller writes: a row with its payload, or a page.  Of a page whose
 * every other word has changed, fragments are smaller than the page.
 */
#define SPQ_RTREE_DELTA_SIZE	(BLCKSZ + 64)

typedef struct SpqRtreeDelta
{
	Relation	index;
	Buffer		buffer;
	Size		size;			/* bytes of data used */
	bool		clears_hole;	/* what becomes the hole of the page is not
								 * zero */

	/* As in the record: offset and length (uint16 each), then the bytes. */
	char		data[SPQ_RTREE_DELTA_SIZE];
} SpqRtreeDelta;

extern void spq_rtree_delta_begin(SpqRtreeDelta *delta, Relation index, Buffer buffer);

/* Let the bytes at "place", which is in the buffer's page, become those of "content". */
extern void spq_rtree_delta_write(SpqRtreeDelta *delta, const void *place,
								  const void *content, Size length);

/*
 * Append a row to a page, which has room for it: what
 * the page promises stays as it is.
 */
extern void spq_rtree_delta_append(SpqRtreeDelta *delta, const SpqRtreeRow *row);

/* Widen what a page promises. */
extern void spq_rtree_delta_promise(SpqRtreeDelta *delta, const SpqRtreeBounds *more);

/* Let a page promise these bounds. */
extern void spq_rtree_delta_set_promise(SpqRtreeDelta *delta, const SpqRtreeBounds *bounds);

/* Widen the bounds of a downlink. */
extern void spq_rtree_delta_downlink(SpqRtreeDelta *delta, int entry,
									 const SpqRtreeBounds *more);

/* Let the page become this one, a changed copy of it.  No other change is made. */
extern void spq_rtree_delta_page(SpqRtreeDelta *delta, const char *copy);
extern void spq_rtree_delta_end(SpqRtreeDelta *delta);

#endif							/* SPQ_RTREE_STORE_WAL_H */
