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
		.codes = SPQ_RTREE_COLUMNS_SIZE(2 * AXES(flags)), \
		.child = SPQ_RTREE_COLUMNS_SIZE(INNER_COLUMNS(flags)), \
		.stop = SPQ_RTREE_COLUMNS_SIZE(INNER_COLUMNS(flags)) + \
			SPQ_RTREE_GROUP * sizeof(BlockNumber) \
	}

#define LEAF_ENDS(flags) \
	((flags) & SPQ_RTREE_POINTS ? AXES(flags) : 2 * AXES(flags))

/* Points are not stored as floats. */
#define HAS_FLOATS(flags) \
	(((flags) & (SPQ_RTREE_POINTS | SPQ_RTREE_FLOATS)) == SPQ_RTREE_FLOATS)

#define LEAF_CODES(flags) \
	(((flags) & (SPQ_RTREE_KEYED | SPQ_RTREE_ONE_CODE)) == SPQ_RTREE_KEYED ? 1 : 0)

/* The sizes of the columns of ends, and of all columns of numbers. */
#define ENDS_SIZE(flags) \
	(LEAF_ENDS(flags) * \
	 (HAS_FLOATS(flags) ? sizeof(SpqRtreeFloatColumn) : sizeof(SpqRtreeColumn)))
#define NUMBERS_SIZE(flags) \
	(ENDS_SIZE(flags) + SPQ_RTREE_COLUMNS_SIZE(LEAF_CODES(flags)))

#define LEAF(flags) \
	{ \
		.size = NUMBERS_SIZE(flags) + \
			((flags) & SPQ_RTREE_WIDE ? SPQ_RTREE_WIDE_SIZE(0) : SPQ_RTREE_LEAF_SIZE(0)), \
		.floats = HAS_FLOATS(flags), \
		.axes = AXES(flags), \
		.ends = LEAF_ENDS(flags), \
		.low = (flags) & SPQ_RTREE_POINTS ? 0 : AXES(flags), \
		.code = LEAF_ENDS(flags), \
		.codes = ENDS_SIZE(flags), \
		.tid = NUMBERS_SIZE(flags), \
		.dead = NUMBERS_SIZE(flags) + SPQ_RTREE_GROUP * sizeof(ItemPointerData), \
		.payload = NUMBERS_SIZE(flags) + SPQ_RTREE_LEAF_SIZE(0) \
	}

#define FOUR(kind, flags) \
	kind((flags)), kind((flags) + 1), kind((flags) + 2), kind((flags) + 3)
#define SIXTEEN(kind, flags) \
	FOUR(kind, (flags)), FOUR(kind, (flags) + 4), FOUR(kind, (flags) + 8), FOUR(kind, (flags) + 12)
#define ALL(kind) \
	{ \
		SIXTEEN(kind, 0), SIXTEEN(kind, 16), SIXTEEN(kind, 32), SIXTEEN(kind, 48) \
	}

StaticAssertDecl(SPQ_RTREE_LAYOUT_FLAGS == 63, "the table has a row for each");

const SpqRtreeLayout spq_rtree_layouts[2][SPQ_RTREE_LAYOUT_FLAGS + 1] = {
	ALL(INNER), ALL(LEAF)
};
