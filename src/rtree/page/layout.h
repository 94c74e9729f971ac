/*-------------------------------------------------------------------------
 *
 * layout.h
 *	  The layout of entries in a page of the tree.
 *
 * Entries are stored in groups of eight, and within a group by columns.  A column
 * has one number of each of the eight, so that a loop over neighbors compares one
 * end of all of them.  Columns of numbers come first, then the references:
 *
 *		inner	high.x high.y low.x low.y		 children, stops
 *		leaf	high.x high.y low.x low.y		 TIDs, bits of dead rows
 *		points	x y								 TIDs, bits of dead rows
 *		floats	high.x high.y low.x low.y		 TIDs, bits of dead rows
 *
 * With three axes, columns of z follow those of y.
 *
 * - Leaves of points store one column for each axis, for high and low ends.
 * - Leaves of "floats" store ends as float4, which halves their columns.  Their
 *	 class makes all ends such numbers.
 * - In "wide" leaves, the offset of a payload follows for each row.
 * - In "keyed" pages, columns of codes (code.h) follow the ends: the code of a row,
 *	 or the highest and the lowest code below a downlink.  Leaves of "one code" have
 *	 no such column.
 *
 * The layouts differ in a few offsets.  A table has them, by level and flags of
 * the page.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_LAYOUT_H
#define SPQ_RTREE_PAGE_LAYOUT_H

#include "storage/block.h"
#include "storage/itemptr.h"

#include "rtree/page/bounds.h"

/* Entries of a group. */
#define SPQ_RTREE_GROUP		8

/* A number for each entry of a group; in leaves of floats, one of less precision. */
typedef float8 SpqRtreeColumn[SPQ_RTREE_GROUP];
typedef float4 SpqRtreeFloatColumn[SPQ_RTREE_GROUP];

/* Flags of a page that determine its layout. */
#define SPQ_RTREE_WIDE			0x0001	/* rows have payloads */
#define SPQ_RTREE_POINTS		0x0002	/* rows are points */
#define SPQ_RTREE_KEYED			0x0004	/* entries have codes */
#define SPQ_RTREE_ONE_CODE		0x0008	/* all rows have the code that the
										 * page promises */
#define SPQ_RTREE_THREE_AXES			0x0010	/* three axes */
#define SPQ_RTREE_FLOATS		0x0020	/* ends of rows are float4 */
#define SPQ_RTREE_LAYOUT_FLAGS	0x003F

/*
 * Flags that all leaves of an index have in common, and those of inner pages.
 * FLOATS is one of these, but an index made before there was this flag
 * goes without.
 */
#define SPQ_RTREE_INDEX_FLAGS	0x0017
#define SPQ_RTREE_INNER_FLAGS	(SPQ_RTREE_KEYED | SPQ_RTREE_THREE_AXES)

/* Return the number of axes, given the flags of a page. */
static inline int
spq_rtree_axes_of(int flags)
{
	return flags & SPQ_RTREE_THREE_AXES ? 3 : 2;
}

/* "low" and "code" are numbers of columns; the others are offsets in bytes. */
typedef struct SpqRtreeLayout
{
	uint16		size;			/* of a group, in bytes */
	bool		floats;			/* ends are float4 */
	uint8		axes;
	uint8		ends;			/* columns of ends, high ones first */
	uint8		low;			/* the first column of low ends */
	uint8		code;			/* the column of codes; in an inner page that
								 * of the highest codes, before the lowest */
	uint16		codes;			/* the same column */

	/* of an inner page */
	uint16		child;			/* BlockNumber */
	uint16		stop;			/* uint32 */

	/* of a leaf */
	uint16		tid;			/* ItemPointerData */
	uint16		dead;			/* a byte, a hint: if bit i is set, row i is
								 * dead to all */
	uint16		payload;		/* uint16, offset from the page's start */
} SpqRtreeLayout;

/* Indexed by whether the page is a leaf, and by its flags. */
extern const SpqRtreeLayout spq_rtree_layouts[2][SPQ_RTREE_LAYOUT_FLAGS + 1];

static inline const SpqRtreeLayout *
spq_rtree_layout_of(int level, int flags)
{
	return &spq_rtree_layouts[level == 0][flags & SPQ_RTREE_LAYOUT_FLAGS];
}

/* Sizes of groups. */
#define SPQ_RTREE_COLUMNS_SIZE(columns) ((columns) * sizeof(SpqRtreeColumn))
#define SPQ_RTREE_INNER_SIZE(columns) \
	(SPQ_RTREE_COLUMNS_SIZE(columns) + \
	 SPQ_RTREE_GROUP * (sizeof(BlockNumber) + sizeof(uint32)))
#define SPQ_RTREE_LEAF_SIZE(columns) \
	(SPQ_RTREE_COLUMNS_SIZE(columns) + \
	 MAXALIGN(SPQ_RTREE_GROUP * sizeof(ItemPointerData) + sizeof(uint8)))
#define SPQ_RTREE_WIDE_SIZE(columns) \
	(SPQ_RTREE_LEAF_SIZE(columns) + SPQ_RTREE_GROUP * sizeof(uint16))

#endif							/* SPQ_RTREE_PAGE_LAYOUT_H */
