/*-------------------------------------------------------------------------
 *
 * remove_rows.c
 *	  Removing rows from a leaf in a buffer, with the WAL record.
 *
 * VACUUM removes rows, and so does an insertion before it splits a page.
 * shrink.c changes a copy of the page, and the record has the words that differ.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/store/buffer.h"
#include "rtree/store/remove_rows.h"
#include "rtree/store/wal.h"

void
spq_rtree_remove_rows(Relation index, Buffer buffer, const SpqRtreeEntrySet *rows,
					  SpqRtreePromiseAfter promise)
{
	PGAlignedBlock copy;
	SpqRtreeBounds before = spq_rtree_promise(BufferGetPage(buffer));
	SpqRtreeDelta delta;
	const char *problem;

	memcpy(copy.data, BufferGetPage(buffer), BLCKSZ);
	problem = spq_rtree_page_remove_rows(copy.data, rows);
	if (problem)
		spq_rtree_damaged(index, BufferGetBlockNumber(buffer), problem);
	if (promise == SPQ_RTREE_KEEP_PROMISE)
		spq_rtree_set_promise(copy.data, &before);
	spq_rtree_delta_begin(&delta, index, buffer);
	spq_rtree_delta_page(&delta, copy.data);
	spq_rtree_delta_end(&delta);
}
