/*-------------------------------------------------------------------------
 *
 * rows_ahead.h
 *	  Requests to the processor for rows of the table that the executor will
 *	  read soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_ROWS_AHEAD_H
#define SPQ_RTREE_SCAN_ROWS_AHEAD_H

#include "rtree/scan/scan_state.h"

/*
 * Look up the page of a row, and request what the executor reads of it first.
 * Return the page, or NULL if it is in no buffer.
 */
extern const char *spq_rtree_find_row(Relation table, const ItemPointerData *tid);

/* Request the tuple of a row whose page was looked up. */
extern void spq_rtree_request_row(const char *page, const ItemPointerData *tid);

/* Request rows of the leaf after the next one. */
extern void spq_rtree_request_rows(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_ROWS_AHEAD_H */
