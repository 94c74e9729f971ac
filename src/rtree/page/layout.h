/*-------------------------------------------------------------------------
 *
 * layout.h
 *	  How entries lie in a page of the tree.
 *
 * Entries lie in groups of eight, and within a group by columns: a number of each of
 * the eight, so that a comparison with one end of all of them is a loop over neighbors.
 * Columns of numbers come first, then what the entries refer to:
 *
 *		inner	high.x high.y low.x low.y		 children, stops
 *		leaf	high.x high.y low.x low.y		 TIDs, bits of dead rows
 *		points	x y								 TIDs, bits of dead rows
 *
 * With three axes, columns of z are behind those of y.
 *
 * - Leaves of points have no high ends: these are their low ends.
 * - In "wide" leaves an offset of a payload follows for each row.
 * - In "keyed" pages columns of codes (code.h) follow the ends: of a row its code, of
 *	 a downlink the highest and the lowest one.  Leaves of "one code" do without.
 *
 * So the kinds of groups differ in a few offsets, which a table has, by level and
 * flags of the page.
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

/* A number of each entry of a group. */
typedef float8 SpqRtreeColumn[SPQ_RTREE_GROUP];

/* Flags of a page that say how its entries lie. */
#define SPQ_RTREE_WIDE			0x0001	/* rows have payloads */
#define SPQ_RTREE_POINTS		0x0002	/* rows are points */
#define SPQ_RTREE_KEYED			0x0004	/* entries have codes */
#define SPQ_RTREE_ONE_CODE		0x0008	/* all rows have the code that the
										 * page promises */
#define SPQ_RTREE_THREE_AXES			0x0010	/* three axes */
#define SPQ_RTREE_LAYOUT_FLAGS	0x001F

/* Those that all leaves of an index have, or none; and those that inner pages have, too. */
#define SPQ_RTREE_INDEX_FLAGS	0x0017
#define SPQ_RTREE_INNER_FLAGS	(SPQ_RTREE_KEYED | SPQ_RTREE_THREE_AXES)

/* Return the number of axes that is written as flags of a page. */
static inline int
spq_rtree_axes_of(int flags)
{
	return flags & SPQ_RTREE_THREE_AXES ? 3 : 2;
}

/* Columns are numbers of float8 columns, the others are offsets in bytes. */
typedef struct SpqRtreeLayout
{
	uint16		size;			/* of a group, in bytes */
	uint8		axes;
	uint8		ends;			/* columns of ends, high ones first */
	uint8		low;			/* the first column of low ends */
	uint8		code;			/* the column of codes, in an inner page of
								 * the highest, before that of the lowest ones */

	/* of an inner page */
	uint16		child;			/* BlockNumber */
	uint16		stop;			/* uint32 */

	/* of a leaf */
	uint16		tid;			/* ItemPointerData */
	uint16		dead;			/* one byte; bit i: the row of entry i is dead
								 * to all; a hint */
	uint16		payload;		/* uint16, offset from the page's start */
} SpqRtreeLayout;

/* By whether the page is a leaf, and its flags. */
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
