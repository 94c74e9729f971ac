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
 * Begin a sort in the current memory context; "memory" is in kilobytes.  Rows have
 * codes if it is "keyed", else the code in keys is zero.  With a
 * coordinate it is a part of a sort that processes share, or what reads them all
 * (tuplesort.h).
 */
extern SpqRtreeSort *spq_rtree_sort_begin(int memory, int axes,
										  const SpqRtreeUnits *units, bool keyed,
										  SortCoordinate coordinate);

/* Hand a row to the sort, which copies it with its payload. */
extern void spq_rtree_sort_row(SpqRtreeSort *sort, const SpqRtreeRow *row);

/* Hand a row without a box to a sort of such rows alone, in the order of the table. */
extern void spq_rtree_sort_row_by_tid(SpqRtreeSort *sort, const SpqRtreeRow *row);

/* Sort the rows, and return how many were handed to this sort. */
extern int64 spq_rtree_sort_perform(SpqRtreeSort *sort);

/*
 * Read the next row and its key, and its payload, if it has one, to where "payload"
 * has room for SPQ_RTREE_PAYLOAD_MAX bytes; return false if no row is left.
 */
extern bool spq_rtree_sort_next(SpqRtreeSort *sort, SpqRtreeRow *row, uint8 *key,
								char *payload);

extern void spq_rtree_sort_end(SpqRtreeSort *sort);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_SORT_H */
