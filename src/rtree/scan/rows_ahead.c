/*-------------------------------------------------------------------------
 *
 * rows_ahead.c
 *	  Requests to the processor for rows of the table that the executor will
 *	  read soon.
 *
 * For each row that a plain scan returns, the executor looks up the buffer, pins
 * it, and reads the line pointer and then the tuple.  Each of these steps may wait
 * for memory, and if the table is not in the order of the index, nearly all do.  But
 * the scan knows the next rows: those of the leaf.  So for some of them it looks up
 * the buffer and requests the line pointer; later, when that has arrived, it requests
 * the tuple:
 *
 *		returned ... | tuples requested | pages looked up | ...
 *				   next
 *
 * A scan requests as many rows as the last search has returned before, or this one,
 * so an EXISTS requests none.
 *
 * These are hints.  No page is pinned or locked, so a buffer may have another page
 * by now, and a line pointer may be any number: it only says which lines of the page
 * are requested.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/buf_internals.h"

#include "prefetch.h"
#include "rtree/scan/read_ahead.h"

/* Return the place of a row's line pointer in its page. */
static inline const char *
line_pointer(const char *page, const ItemPointerData *tid)
{
	Size		place = offsetof(PageHeaderData, pd_linp) +
		(ItemPointerGetOffsetNumberNoCheck(tid) - 1) * sizeof(ItemIdData);

	/* a damaged index may have any number */
	return page + Min(place, BLCKSZ - sizeof(ItemIdData));
}

const char *
spq_rtree_find_row(Relation table, const ItemPointerData *tid)
{
	Buffer		buffer = spq_rtree_find_buffer(table, ItemPointerGetBlockNumberNoCheck(tid));
	const char *page;

	if (!BufferIsValid(buffer))
		return NULL;
	page = BufferGetPage(buffer);
	spq_prefetch(GetBufferDescriptor(buffer - 1));
	spq_prefetch(page);
	spq_prefetch(line_pointer(page, tid));
	return page;
}

void
spq_rtree_request_row(const char *page, const ItemPointerData *tid)
{
	ItemIdData	id;

#ifdef USE_VALGRIND
	return;						/* a page without a pin is no memory to it */
#endif
	memcpy(&id, line_pointer(page, tid), sizeof(id));
	spq_prefetch(page + id.lp_off % BLCKSZ);
	spq_prefetch(page + (id.lp_off + SPQ_LINE_SIZE) % BLCKSZ);
}

void
spq_rtree_request_rows(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeRowsAhead *ahead = &state->rows_ahead;
	const SpqRtreeLeafRows *rows = state->rows;
	int			wanted = spq_rtree_rows_wanted(state, SPQ_RTREE_ROWS_AHEAD),
				next = rows->next + 1,
				end = Min(rows->next + wanted, rows->nrows);

	for (int i = Max(ahead->nfound, next); i < end; i++)
	{
		const ItemPointerData *tid = &rows->tid[i];
		const char **page = &ahead->pages[i % SPQ_RTREE_ROWS_AHEAD];

		/* rows in the order of the table are often in the same block */
		if (i == ahead->nfound && i > 0 &&
			ItemPointerGetBlockNumberNoCheck(tid) == ItemPointerGetBlockNumberNoCheck(tid - 1))
		{
			*page = ahead->pages[(i - 1) % SPQ_RTREE_ROWS_AHEAD];
			if (*page)
				spq_prefetch(line_pointer(*page, tid));
		}
		else
			*page = spq_rtree_find_row(scan->heapRelation, tid);
		ahead->nfound = i + 1;
	}

	end = Min(rows->next + (wanted + 1) / 2, ahead->nfound);
	for (int i = Max(ahead->nrequested, next); i < end; i++)
	{
		const char *page = ahead->pages[i % SPQ_RTREE_ROWS_AHEAD];

		if (page)
			spq_rtree_request_row(page, &rows->tid[i]);
		ahead->nrequested = i + 1;
	}
}
