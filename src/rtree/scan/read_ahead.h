/*-------------------------------------------------------------------------
 *
 * read_ahead.h
 *	  Requests for blocks that a scan will read soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_READ_AHEAD_H
#define SPQ_RTREE_SCAN_READ_AHEAD_H

#include "executor/instrument.h"

#include "rtree/scan/scan_state.h"

/* Return how many blocks this process has read that were not in its buffers. */
static inline int64
spq_rtree_blocks_read(void)
{
	return pgBufferUsage.shared_blks_read + pgBufferUsage.local_blks_read;
}

/* Begin a scan. */
extern void spq_rtree_ahead_start(IndexScanDesc scan);

/* Note whether the last read of a block was seen to miss the buffers. */
extern void spq_rtree_ahead_note(SpqRtreeAhead *ahead, bool missed);

/* Request a block that will be read soon. */
extern void spq_rtree_ahead_request(SpqRtreeAhead *ahead, Relation relation, BlockNumber block);

/* Request the next spans on the stack, as far as it is worth it. */
extern void spq_rtree_ahead_of_stack(IndexScanDesc scan, void *stack, int n, Size bytes);

static inline void
spq_rtree_ahead_of_spans(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	if (state->index_ahead.distance > 0)
		spq_rtree_ahead_of_stack(scan, state->stack, state->nstack, sizeof(SpqRtreeSpan));
}

/*
 * Note whether the executor has had to read since the last row was returned.  Return
 * whether blocks of rows should be requested.
 */
static inline bool
spq_rtree_ahead_of_table(IndexScanDesc scan)
{
	SpqRtreeAhead *ahead = &((SpqRtreeScan *) scan->opaque)->table_ahead;

	if (ahead->most == 0)
		return false;
	spq_rtree_ahead_note(ahead, spq_rtree_blocks_read() != ahead->nread);
	return ahead->distance > 0;
}

/*
 * Return how many rows, at most "most", are worth a request: as many as the last search
 * has returned before, or this one.
 */
static inline int
spq_rtree_rows_wanted(const SpqRtreeScan *state, int most)
{
	if (state->nreturned < state->nexpected)
		return Min(most, state->nexpected - state->nreturned);
	return Min(most, state->nreturned);
}

/* Return for how many of the next rows, at most "most", blocks should be requested. */
static inline int
spq_rtree_rows_ahead(const SpqRtreeScan *state, int most)
{
	return state->nexpected < 0 ? most : spq_rtree_rows_wanted(state, most);
}

/* Return to the executor. */
static inline void
spq_rtree_ahead_leave(IndexScanDesc scan)
{
	((SpqRtreeScan *) scan->opaque)->table_ahead.nread = spq_rtree_blocks_read();
}

/*
 * cache_ahead.c: requests to the processor for pages that a scan will read
 * soon.
 */

/* Return the shared buffer that has a block now, or InvalidBuffer. */
extern Buffer spq_rtree_find_buffer(Relation relation, BlockNumber block);

/* Request a page of the index, if it is in a shared buffer. */
extern void spq_rtree_cache_ahead(Relation index, BlockNumber block);

/* Request the leaves that will be taken off the stack next. */
extern void spq_rtree_cache_ahead_of_stack(IndexScanDesc scan, void *stack, int n, Size bytes);
extern void spq_rtree_cache_ahead_of_spans(IndexScanDesc scan);

/*
 * rows_ahead.c: requests to the processor for rows of the table that the
 * executor will read soon.
 */

/*
 * Look up the page of a row, and request what the executor reads of it first.
 * Return the page, or NULL if it is in no buffer.
 */
extern const char *spq_rtree_find_row(Relation table, const ItemPointerData *tid);

/* Request the tuple of a row whose page was looked up. */
extern void spq_rtree_request_row(const char *page, const ItemPointerData *tid);

/* Request rows of the leaf after the next one. */
extern void spq_rtree_request_rows(IndexScanDesc scan);

/*
 * table_ahead.c: requests for the table's blocks of rows that will be returned
 * soon.
 */

/* Request the table's blocks of the rows after the next one. */
extern void spq_rtree_ahead_of_rows(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_READ_AHEAD_H */
