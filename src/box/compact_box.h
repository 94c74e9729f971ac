/*-------------------------------------------------------------------------
 *
 * compact_box.h
 *	  A box of four float4, rounded outward, and what it implies about the
 *	  true box.  It is the leaf of spqtree_box_compact_ops.
 *
 *		 outer		+-------------------+	the stored box
 *					| +...............+ |
 *		 true		| : +-----------+ : |	between the two, in every coordinate
 *		 inner		| : |			| : |	one float4 inward from the outer one
 *					| : +-----------+ : |
 *					| +...............+ |
 *					+-------------------+
 *
 * Invariant: the stored low coordinate is the largest float4 that is not above
 * the true one, the stored high coordinate the smallest that is not below it;
 * NaN is stored for NaN only.  So
 *
 *		outer.low <= true.low <= inner.low		inner.high <= true.high <= outer.high
 *
 * or all three are NaN.  Numbers beyond the largest float4 are stored as that
 * or as infinity, tiny ones as zero or the tiniest float4; the invariant holds
 * for those as well.  The low side of the inner box may be above its high side,
 * since it bounds each coordinate separately.
 *
 * Every operator except ~= is a conjunction of comparisons of one coordinate
 * each (FPle and so on: a rounded sum and a comparison, both monotonic).
 * Either all of them stay true when the box grows (&&, @>), or all when it
 * shrinks (spq_box_favor).  Hence an operator of the first kind
 *
 *		holds for inner  =>	 holds for the true box	 =>	 holds for outer
 *
 * and one of the second kind likewise, with inner and outer exchanged.  If the
 * last of the three fails, the row is no answer; if the first holds, it is one;
 * otherwise the executor evaluates the operator on the row (recheck).
 *
 * These functions need no server and are tested without one
 * (test/unit/compact_box_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_COMPACT_BOX_H
#define SPQ_BOX_COMPACT_BOX_H

#include <math.h>

#include "utils/float.h"
#include "utils/geo_decls.h"

#include "box/bounds.h"
#include "box/box.h"
#include "box/float4.h"

/* A value of the SQL type spqtree_compact_box, in the order of BOX. */
typedef struct SpqCompactBox
{
	float4		high_x;
	float4		high_y;
	float4		low_x;
	float4		low_y;
} SpqCompactBox;

#define DatumGetSpqCompactBox(datum) \
	((const SpqCompactBox *) DatumGetPointer(datum))

static inline SpqCompactBox
spq_compact_box(const BOX *box)
{
	SpqCompactBox compact;

	compact.high_x = spq_box_float4_ceiling(box->high.x);
	compact.high_y = spq_box_float4_ceiling(box->high.y);
	compact.low_x = spq_box_float4_floor(box->low.x);
	compact.low_y = spq_box_float4_floor(box->low.y);
	return compact;
}

static inline BOX
spq_compact_outer_box(const SpqCompactBox *compact)
{
	BOX			box;

	box.high.x = compact->high_x;
	box.high.y = compact->high_y;
	box.low.x = compact->low_x;
	box.low.y = compact->low_y;
	return box;
}

static inline BOX
spq_compact_inner_box(const SpqCompactBox *compact)
{
	BOX			box;

	box.high.x = spq_box_float4_below(compact->high_x);
	box.high.y = spq_box_float4_below(compact->high_y);
	box.low.x = spq_box_float4_above(compact->low_x);
	box.low.y = spq_box_float4_above(compact->low_y);
	return box;
}

/*
 * Return the box that the tree uses for places and bounds: one that holds every
 * possible true box.  That is the outer box, unless the low side of the true
 * box is above its high side, as for a circle of negative radius: then the true
 * high side can be below both stored ones.
 */
static inline BOX
spq_compact_tree_box(const SpqCompactBox *compact)
{
	BOX			outer = spq_compact_outer_box(compact);
	BOX			inner = spq_compact_inner_box(compact);
	BOX			box;

	box.high.x = Max(outer.high.x, inner.low.x);
	box.high.y = Max(outer.high.y, inner.low.y);
	box.low.x = Min(outer.low.x, inner.high.x);
	box.low.y = Min(outer.low.y, inner.high.y);
	return box;
}

/* Return whether a number between these two may be the same (~=) as q. */
static inline bool
spq_compact_may_be_near(float8 least, float8 greatest, float8 q)
{
	if (isnan(least) || isnan(q))
		return isnan(least) && isnan(q);
	return (least <= q || least - q <= EPSILON) &&
		(greatest >= q || q - greatest <= EPSILON);
}

/* Return whether the true box may be the same (~=) as a query. */
static inline bool
spq_compact_may_be_same(const BOX *outer, const BOX *inner, SpqBoxCorners q)
{
	return spq_compact_may_be_near(inner->high.x, outer->high.x, q.high[0]) &&
		spq_compact_may_be_near(inner->high.y, outer->high.y, q.high[1]) &&
		spq_compact_may_be_near(outer->low.x, inner->low.x, q.low[0]) &&
		spq_compact_may_be_near(outer->low.y, inner->low.y, q.low[1]);
}

/*
 * Return bounds of the true box's center as spq_box_center() computes it: a
 * floating-point sum does not decrease when a summand increases.
 */
static inline SpqBoxBounds
spq_compact_center_bounds(const BOX *outer, const BOX *inner)
{
	SpqBoxBounds bounds;

	bounds.xmin = (inner->high.x + outer->low.x) / 2.0;
	bounds.ymin = (inner->high.y + outer->low.y) / 2.0;
	bounds.xmax = (outer->high.x + inner->low.x) / 2.0;
	bounds.ymax = (outer->high.y + inner->low.y) / 2.0;
	return bounds;
}

#endif							/* SPQ_BOX_COMPACT_BOX_H */
