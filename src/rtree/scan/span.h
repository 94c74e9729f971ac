/*-------------------------------------------------------------------------
 *
 * span.h
 *	  The step of every search: read the first page of a span of a level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_SPAN_H
#define SPQ_RTREE_SCAN_SPAN_H

#include "rtree/scan/scan_state.h"

/* Return the rest of a span behind a page; its child is InvalidBlockNumber at the end. */
extern SpqRtreeSpan spq_rtree_rest_of_span(IndexScanDesc scan, const SpqRtreeSpan *span, Page page);

extern Buffer spq_rtree_read_span(IndexScanDesc scan, const SpqRtreeSpan *span,
								  SpqRtreeSpan *rest);

#endif							/* SPQ_RTREE_SCAN_SPAN_H */
