/*-------------------------------------------------------------------------
 *
 * leaf_copy.h
 *	  Rows of a leaf, taken out of it while it is locked.
 *
 * A join of two indexes reads each leaf many times, and returns rows later.  What it
 * needs of them is copied, so that it keeps neither lock nor pin.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_LEAF_JOIN_LEAF_COPY_H
#define SPQ_RTREE_LEAF_JOIN_LEAF_COPY_H

#include "access/genam.h"
#include "storage/bufmgr.h"

#include "rtree/page/page.h"

typedef struct SpqRtreeLeafCopy
{
	int			axes;
	int			nrows;
	bool		has_nan;		/* a box may have a NaN */
	bool		has_boxes;		/* false: rows of the chain of NULLs */
	bool		recheck;		/* the scan's conditions decide less than its
								 * keys */
	BlockNumber block;
	ItemPointerData tid[SPQ_RTREE_LEAF_MAX];
	uint16		entry[SPQ_RTREE_LEAF_MAX];

	/*
	 * Whether the row is visible to all, by the visibility map as it was
	 * while the leaf was locked; set by spq_rtree_leaf_copy_visible().
	 */
	bool		visible[SPQ_RTREE_LEAF_MAX];

	/* 2 * axes numbers of each row: the high ends, then the low ones */
	float8		boxes[SPQ_RTREE_LEAF_MAX * SPQ_RTREE_ENDS];

	bool		has_page;
	PGAlignedBlock page;		/* copy of the leaf, for columns of rows */
} SpqRtreeLeafCopy;

static inline const float8 *
spq_rtree_leaf_copy_box(const SpqRtreeLeafCopy *copy, int row)
{
	return copy->boxes + row * 2 * copy->axes;
}

/* What becomes of a box that is not finite. */
typedef enum SpqRtreeOddBoxes
{
	SPQ_RTREE_KEEP_NAN,
	SPQ_RTREE_DROP_NAN,			/* a row whose box has a NaN is left out */
	SPQ_RTREE_MAKE_SAFE			/* boxes of the plane meet all that the
								 * operator may accept: spq_type_make_safe() */
} SpqRtreeOddBoxes;

/* Take the rows of a locked leaf that have a bit, a byte for each group. */
extern void spq_rtree_leaf_copy_take(SpqRtreeLeafCopy *copy, IndexScanDesc scan, Buffer buffer,
									 const uint8 *matches, SpqRtreeOddBoxes odd);

/* Note whether a row is visible to all.  The leaf must be locked. */
extern void spq_rtree_leaf_copy_visible(SpqRtreeLeafCopy *copy, int row, Relation heap,
										Buffer *map);

/* Copy the page, so that columns of rows can be read.  It must be locked. */
extern void spq_rtree_leaf_copy_page(SpqRtreeLeafCopy *copy, Buffer buffer);

#endif							/* SPQ_RTREE_LEAF_JOIN_LEAF_COPY_H */
