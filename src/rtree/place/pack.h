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
 * Reorder items with this many axes such that each page gets consecutive ones, at most max_count of
 * them and at most max_size bytes.  Units may be unknown, or NULL.  Return the number of pages; page_end[i],
 * of an array as long as the items, is where those of page i end (exclusive).
 */
extern int	spq_rtree_pack(SpqRtreePackItem *items, int n, int axes,
						   const SpqRtreeUnits *units, int max_count, Size max_size,
						   int *page_end);

/* What fits a leaf of an index with scalar columns. */
typedef struct SpqRtreeLeafLimits
{
	int			axes;
	const SpqRtreeUnits *units;
	int			max_count;
	Size		max_size;
	int			one_code_count; /* max_count, if all rows have one code */
	uint32		code_size;		/* then each one's size is less by this */
} SpqRtreeLeafLimits;

/*
 * The same for rows of an index with scalar columns, which the function puts in
 * order of codes first.
 */
extern int	spq_rtree_pack_by_code(SpqRtreePackItem *items, int n,
								   const SpqRtreeLeafLimits *limits, int *page_end);

#endif							/* SPQ_RTREE_PLACE_PACK_H */
