/*-------------------------------------------------------------------------
 *
 * build_sort.h
 *	  The sort of rows for CREATE INDEX, along a curve.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BUILD_SORT_H
#define SPQ_RTREE_BUILD_SORT_H

#include "rtree/curve.h"
#include "rtree/page.h"

typedef struct SpqRtreeSort SpqRtreeSort;

/* Begin a sort in the current memory context; "memory" is in kilobytes. */
extern SpqRtreeSort *spq_rtree_sort_begin(int memory);

/* Hand a row to the sort, which copies it with its payload. */
extern void spq_rtree_sort_row(SpqRtreeSort *sort, const SpqRtreeRow *row);

/* Sort the rows, and return how many there are. */
extern int64 spq_rtree_sort_perform(SpqRtreeSort *sort);

/*
 * Read the next row and its key, its payload in memory of the context; return
 * false if none is left.
 */
extern bool spq_rtree_sort_next(SpqRtreeSort *sort, SpqRtreeRow *row, uint8 *key,
								MemoryContext payload_context);

extern void spq_rtree_sort_end(SpqRtreeSort *sort);

#endif							/* SPQ_RTREE_BUILD_SORT_H */
