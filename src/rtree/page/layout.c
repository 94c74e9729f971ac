/*-------------------------------------------------------------------------
 *
 * layout.c
 *	  The table of layouts.  See layout.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/page/layout.h"

#define AXES(flags)		((flags) & SPQ_RTREE_THREE_AXES ? 3 : 2)

/* Inner pages depend on KEYED and THREE_AXES only. */
#define INNER_COLUMNS(flags) \
	(2 * AXES(flags) + ((flags) & SPQ_RTREE_KEYED ? 2 : 0))

#define INNER(flags) \
	{ \
		.size = SPQ_RTREE_INNER_SIZE(INNER_COLUMNS(flags)), \
		.axes = AXES(flags), \
		.ends = 2 * AXES(flags), \
		.low = AXES(flags), \
		.code = 2 * AXES(flags), \
		.child = SPQ_RTREE_COLUMNS_SIZE(INNER_COLUMNS(flags)), \
		.stop = SPQ_RTREE_COLUMNS_SIZE(INNER_COLUMNS(flags)) + \
			SPQ_RTREE_GROUP * sizeof(BlockNumber) \
	}

#define LEAF_ENDS(flags) \
	((flags) & SPQ_RTREE_POINTS ? AXES(flags) : 2 * AXES(flags))

#define LEAF_COLUMNS(flags) \
	(LEAF_ENDS(flags) + \
	 (((flags) & (SPQ_RTREE_KEYED | SPQ_RTREE_ONE_CODE)) == SPQ_RTREE_KEYED ? 1 : 0))

#define LEAF(flags) \
	{ \
		.size = (flags) & SPQ_RTREE_WIDE ? SPQ_RTREE_WIDE_SIZE(LEAF_COLUMNS(flags)) : \
			SPQ_RTREE_LEAF_SIZE(LEAF_COLUMNS(flags)), \
		.axes = AXES(flags), \
		.ends = LEAF_ENDS(flags), \
		.low = (flags) & SPQ_RTREE_POINTS ? 0 : AXES(flags), \
		.code = LEAF_ENDS(flags), \
		.tid = SPQ_RTREE_COLUMNS_SIZE(LEAF_COLUMNS(flags)), \
		.dead = SPQ_RTREE_COLUMNS_SIZE(LEAF_COLUMNS(flags)) + \
			SPQ_RTREE_GROUP * sizeof(ItemPointerData), \
		.payload = SPQ_RTREE_LEAF_SIZE(LEAF_COLUMNS(flags)) \
	}

#define FOUR(kind, flags) \
	kind((flags)), kind((flags) + 1), kind((flags) + 2), kind((flags) + 3)
#define ALL(kind) \
	{ \
		FOUR(kind, 0), FOUR(kind, 4), FOUR(kind, 8), FOUR(kind, 12), \
		FOUR(kind, 16), FOUR(kind, 20), FOUR(kind, 24), FOUR(kind, 28) \
	}

StaticAssertDecl(SPQ_RTREE_LAYOUT_FLAGS == 31, "the table has a row for each");

const SpqRtreeLayout spq_rtree_layouts[2][SPQ_RTREE_LAYOUT_FLAGS + 1] = {
	ALL(INNER), ALL(LEAF)
};
