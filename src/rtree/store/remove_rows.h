/*-------------------------------------------------------------------------
 *
 * remove_rows.h
 *	  Removing rows from a leaf in a buffer, with its WAL record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_REMOVE_ROWS_H
#define SPQ_RTREE_STORE_REMOVE_ROWS_H

#include "rtree/page/shrink.h"
#include "utils/rel.h"

/* What becomes of the promise of the page. */
typedef enum SpqRtreePromiseAfter
{
	SPQ_RTREE_SHRINK_PROMISE,	/* what its rows need: the caller tells the
								 * parent */
	SPQ_RTREE_KEEP_PROMISE		/* it stays: only VACUUM tells parents */
} SpqRtreePromiseAfter;

/*
 * Remove rows from a leaf, or from a page of the chain of NULLs, and write the
 * record.  The caller holds the exclusive lock.  Damaged payloads raise an error,
 * and the page stays as it is.
 */
extern void spq_rtree_remove_rows(Relation index, Buffer buffer, const SpqRtreeEntrySet *rows,
								  SpqRtreePromiseAfter promise);

#endif							/* SPQ_RTREE_STORE_REMOVE_ROWS_H */
