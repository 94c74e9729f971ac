/*-------------------------------------------------------------------------
 *
 * remove_rows.h
 *	  Removing rows from a leaf in a buffer, with the WAL record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_REMOVE_ROWS_H
#define SPQ_RTREE_STORE_REMOVE_ROWS_H

#include "rtree/page/shrink.h"
#include "utils/rel.h"

/* What happens to the promise of the page. */
typedef enum SpqRtreePromiseAfter
{
	SPQ_RTREE_SHRINK_PROMISE,	/* it becomes the bounds of the remaining rows */
	SPQ_RTREE_KEEP_PROMISE
} SpqRtreePromiseAfter;

/*
 * Remove rows from an exclusively locked leaf, or page of the chain of NULLs, and
 * write the record.  If payloads are damaged, raise an error and leave the page
 * as it is.
 */
extern void spq_rtree_remove_rows(Relation index, Buffer buffer, const SpqRtreeEntrySet *rows,
								  SpqRtreePromiseAfter promise);

#endif							/* SPQ_RTREE_STORE_REMOVE_ROWS_H */
