/*-------------------------------------------------------------------------
 *
 * build_sort.h
 *	  The sort of rows for CREATE INDEX, along a curve.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_SORT_H
#define SPQ_RTREE_BULK_LOAD_BUILD_SORT_H

#include "utils/tuplesort.h"

#include "rtree/page/page.h"
#include "rtree/place/curve.h"

typedef struct SpqRtreeSort SpqRtreeSort;

/* The key of a row: its code, then its position on the curve. */
#define SPQ_RTREE_CODE_SIZE		8
#define SPQ_RTREE_CURVE_SIZE	8
#define SPQ_RTREE_SORT_KEY_SIZE	(SPQ_RTREE_CODE_SIZE + SPQ_RTREE_CURVE_SIZE)

/*
 * Begin a sort in the current memory context; "memory" is in kilobytes.  If it
 * is "keyed", rows have codes; otherwise the code in keys is zero.  With a
 * coordinate, it is a part of a sort that processes share, or reads all its
 * parts (tuplesort.h).
 */
extern SpqRtreeSort *spq_rtree_sort_begin(int memory, int axes,
										  const SpqRtreeUnits *units, bool keyed,
										  SortCoordinate coordinate);

/* Pass a row to the sort, which copies it with its payload. */
extern void spq_rtree_sort_row(SpqRtreeSort *sort, const SpqRtreeRow *row);

/* Pass a row without a box to a sort of such rows only, which is by TID. */
extern void spq_rtree_sort_row_by_tid(SpqRtreeSort *sort, const SpqRtreeRow *row);

/* Sort the rows.  Return how many were passed to this sort. */
extern int64 spq_rtree_sort_perform(SpqRtreeSort *sort);

/*
 * Read the next row and its key; return false if no row is left.  If the row
 * has a payload, copy it to "payload", which must have SPQ_RTREE_PAYLOAD_MAX
 * bytes.
 */
extern bool spq_rtree_sort_next(SpqRtreeSort *sort, SpqRtreeRow *row, uint8 *key,
								char *payload);

extern void spq_rtree_sort_end(SpqRtreeSort *sort);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_SORT_H */
