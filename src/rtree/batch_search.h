/*-------------------------------------------------------------------------
 *
 * batch_search.h
 *	  The rows in any of many windows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BATCH_SEARCH_H
#define SPQ_RTREE_BATCH_SEARCH_H

#include "utils/rel.h"
#include "utils/snapshot.h"

/*
 * Windows to be searched for together.  Each has 2 x axes numbers, the high ends
 * first.
 *
 * "found" is called for each row whose bounds touch a window, and for rows with a
 * NaN, with the row's ends (class.h).  It returns true if the window is done: then
 * no more rows of it are needed.  Rows may be dead, or not visible to the caller,
 * so "found" must not raise an error because of a row.
 */
typedef struct SpqRtreeBatch
{
	int			nwindows;
	const float8 *windows;
	bool		(*found) (void *argument, int window, const float8 *ends);
	void	   *argument;
} SpqRtreeBatch;

/* Return whether the function below can search an index, whose rows are the images of keys. */
extern bool spq_rtree_can_search_batch(Relation index);

/*
 * Search an index for all windows, reading each page once.  Memory is in the
 * current context; pages get predicate locks as the snapshot demands.
 */
extern void spq_rtree_search_batch(Relation index, Snapshot snapshot, const SpqRtreeBatch *batch);

#endif							/* SPQ_RTREE_BATCH_SEARCH_H */
