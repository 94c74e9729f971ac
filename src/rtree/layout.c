/*-------------------------------------------------------------------------
 *
 * layout.c
 *	  The table of layouts.  See layout.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/layout.h"

#define INNER(columns) \
	{ \
		.size = SPQ_RTREE_INNER_SIZE(columns), \
		.ends = SPQ_RTREE_ENDS, \
		.low = SPQ_DIM, \
		.code = SPQ_RTREE_ENDS, \
		.child = SPQ_RTREE_COLUMNS_SIZE(columns), \
		.stop = SPQ_RTREE_COLUMNS_SIZE(columns) + SPQ_RTREE_GROUP * sizeof(BlockNumber) \
	}

#define LEAF_COLUMNS(flags) \
	(((flags) & SPQ_RTREE_NARROW ? SPQ_DIM : SPQ_RTREE_ENDS) + \
	 (((flags) & (SPQ_RTREE_KEYED | SPQ_RTREE_ONE_CODE)) == SPQ_RTREE_KEYED ? 1 : 0))

#define LEAF(flags) \
	{ \
		.size = (flags) & SPQ_RTREE_WIDE ? SPQ_RTREE_WIDE_SIZE(LEAF_COLUMNS(flags)) : \
			SPQ_RTREE_LEAF_SIZE(LEAF_COLUMNS(flags)), \
		.ends = (flags) & SPQ_RTREE_NARROW ? SPQ_DIM : SPQ_RTREE_ENDS, \
		.low = (flags) & SPQ_RTREE_NARROW ? 0 : SPQ_DIM, \
		.code = (flags) & SPQ_RTREE_NARROW ? SPQ_DIM : SPQ_RTREE_ENDS, \
		.tid = SPQ_RTREE_COLUMNS_SIZE(LEAF_COLUMNS(flags)), \
		.dead = SPQ_RTREE_COLUMNS_SIZE(LEAF_COLUMNS(flags)) + \
			SPQ_RTREE_GROUP * sizeof(ItemPointerData), \
		.payload = SPQ_RTREE_LEAF_SIZE(LEAF_COLUMNS(flags)) \
	}

/* Only KEYED means something in an inner page. */
#define PLAIN_INNER		INNER(SPQ_RTREE_ENDS)
#define KEYED_INNER		INNER(SPQ_RTREE_ENDS + 2)

const SpqRtreeLayout spq_rtree_layouts[2][SPQ_RTREE_LAYOUT_FLAGS + 1] = {
	{
		PLAIN_INNER, PLAIN_INNER, PLAIN_INNER, PLAIN_INNER,
		KEYED_INNER, KEYED_INNER, KEYED_INNER, KEYED_INNER,
		PLAIN_INNER, PLAIN_INNER, PLAIN_INNER, PLAIN_INNER,
		KEYED_INNER, KEYED_INNER, KEYED_INNER, KEYED_INNER
	},
	{
		LEAF(0), LEAF(1), LEAF(2), LEAF(3),
		LEAF(4), LEAF(5), LEAF(6), LEAF(7),
		LEAF(8), LEAF(9), LEAF(10), LEAF(11),
		LEAF(12), LEAF(13), LEAF(14), LEAF(15)
	}
};
