/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  What a page of the tree promises: bounds of SPQ_DIM axes, and of codes.
 *
 * Bounds have the layout of a box: the high ends of all axes, then the low
 * ends.  Unlike a box they may be of nothing (every high end -infinity, every
 * low end infinity), their ends are never the wrong way round otherwise, and
 * they have no NaN: on an axis on which a box has a NaN its bounds are infinite.
 *
 * In an index with scalar columns, the code of a row (code.h) is one axis more, on
 * which a row is a point.  In an index without, bounds have the codes of nothing
 * always, which change no sum and no comparison.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BOUNDS_H
#define SPQ_RTREE_BOUNDS_H

#include "box/box.h"

/* The numbers of a box: SPQ_DIM high ends, SPQ_DIM low ends. */
#define SPQ_RTREE_ENDS	(2 * SPQ_DIM)

/*
 * The code of a row, as an end that is compared.  An inner entry has the highest code
 * in that column, and the lowest one in the next.
 */
#define SPQ_RTREE_CODE_END		SPQ_RTREE_ENDS
#define SPQ_RTREE_LOW_CODE_END	(SPQ_RTREE_ENDS + 1)

typedef struct SpqRtreeBounds
{
	float8		high[SPQ_DIM];
	float8		low[SPQ_DIM];
	float8		high_code;
	float8		low_code;
} SpqRtreeBounds;

/* The code of a row of an index without scalar columns. */
#define SPQ_RTREE_NO_CODE	(-1.0)

/* Return the bounds of nothing: the neutral element of spq_rtree_bounds_add(). */
static inline SpqRtreeBounds
spq_rtree_bounds_nothing(void)
{
	SpqRtreeBounds bounds;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		bounds.high[axis] = -get_float8_infinity();
		bounds.low[axis] = get_float8_infinity();
	}
	bounds.high_code = -get_float8_infinity();
	bounds.low_code = get_float8_infinity();
	return bounds;
}

static inline bool
spq_rtree_bounds_are_nothing(const SpqRtreeBounds *bounds)
{
	return bounds->high[0] < bounds->low[0];
}

/*
 * Return the bounds of a box, given as its numbers, without a code.  The corners
 * of a box may be the wrong way round: arithmetic on boxes can do that.
 */
static inline SpqRtreeBounds
spq_rtree_bounds_of(const float8 *ends)
{
	SpqRtreeBounds bounds;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		high = ends[axis],
					low = ends[SPQ_DIM + axis];

		if (unlikely(isnan(high) || isnan(low)))
		{
			bounds.high[axis] = get_float8_infinity();
			bounds.low[axis] = -get_float8_infinity();
		}
		else
		{
			bounds.high[axis] = Max(low, high);
			bounds.low[axis] = Min(low, high);
		}
	}
	bounds.high_code = -get_float8_infinity();
	bounds.low_code = get_float8_infinity();
	return bounds;
}

/* Widen bounds to enclose others. */
static inline void
spq_rtree_bounds_add(SpqRtreeBounds *bounds, const SpqRtreeBounds *more)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		bounds->high[axis] = Max(bounds->high[axis], more->high[axis]);
		bounds->low[axis] = Min(bounds->low[axis], more->low[axis]);
	}
	bounds->high_code = Max(bounds->high_code, more->high_code);
	bounds->low_code = Min(bounds->low_code, more->low_code);
}

/* Return whether the first bounds enclose the second; nothing is enclosed by all. */
static inline bool
spq_rtree_bounds_hold(const SpqRtreeBounds *outer, const SpqRtreeBounds *inner)
{
	bool		hold = outer->high_code >= inner->high_code &&
		outer->low_code <= inner->low_code;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		hold &= outer->high[axis] >= inner->high[axis] &&
			outer->low[axis] <= inner->low[axis];
	return hold;
}

/* Return whether bounds are the same, to the last bit but for the sign of zero. */
static inline bool
spq_rtree_bounds_equal(const SpqRtreeBounds *a, const SpqRtreeBounds *b)
{
	return spq_rtree_bounds_hold(a, b) && spq_rtree_bounds_hold(b, a);
}

#endif							/* SPQ_RTREE_BOUNDS_H */
