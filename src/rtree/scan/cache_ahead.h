/*-------------------------------------------------------------------------
 *
 * cache_ahead.h
 *	  Requests to the processor for pages that a scan will read soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_CACHE_AHEAD_H
#define SPQ_RTREE_SCAN_CACHE_AHEAD_H

#include "rtree/scan/scan_state.h"

/* Return the shared buffer that has a block now, or InvalidBuffer. */
extern Buffer spq_rtree_find_buffer(Relation relation, BlockNumber block);

/* Request a page of the index, if it is in a shared buffer. */
extern void spq_rtree_cache_ahead(Relation index, BlockNumber block);

/* Request the leaves that will be taken off the stack next. */
extern void spq_rtree_cache_ahead_of_spans(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_CACHE_AHEAD_H */
