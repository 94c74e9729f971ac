/*-------------------------------------------------------------------------
 *
 * pack.h
 *	  Entries distributed to full pages, for the build.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_PACK_H
#define SPQ_RTREE_PLACE_PACK_H

#include "rtree/place/units.h"

typedef struct SpqRtreePackItem
{
	SpqRtreeBounds bounds;
	uint32		size;			/* in a page: at most max_size */
	uint32		number;			/* the caller's, carried along */
} SpqRtreePackItem;

/*
 * Reorder items with this many axes so that each page gets consecutive ones, at
 * most max_count of them with at most max_size bytes.  Units may be unknown, or
 * NULL.  Return the number of pages, and set page_end[i] to the end of page i
 * (exclusive).  The array page_end must have as many elements as there are
 * items.
 *
 * If items have no size, there are as few pages as possible, except "at_gaps": then
 * a few more leave wide gaps between them.
 */
extern int	spq_rtree_pack(SpqRtreePackItem *items, int n, int axes,
						   const SpqRtreeUnits *units, int max_count, Size max_size,
						   bool at_gaps, int *page_end);

/* The limits of a leaf of an index with scalar columns. */
typedef struct SpqRtreeLeafLimits
{
	int			axes;
	const SpqRtreeUnits *units;
	int			max_count;
	Size		max_size;
	int			one_code_count; /* max_count, if all rows have one code */
	uint32		code_size;		/* what each of them then saves in size */
} SpqRtreeLeafLimits;

/*
 * The same for rows of an index with scalar columns: first sort them by code.
 */
extern int	spq_rtree_pack_by_code(SpqRtreePackItem *items, int n,
								   const SpqRtreeLeafLimits *limits, int *page_end);

#endif							/* SPQ_RTREE_PLACE_PACK_H */
