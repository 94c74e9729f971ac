/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  Bounds of entries: on two or three axes, and of codes.
 *
 * Bounds have the layout of a box: the high ends of all axes, then the low
 * ends.  Unlike a box, bounds may be empty: every high end is -infinity, every
 * low end infinity.  Otherwise no low end is above the high end.  Bounds have no
 * NaN: if a box has a NaN on an axis, its bounds on that axis are infinite.
 *
 * In an index with scalar columns, the code of a row (code.h) is another axis, on
 * which a row is a point.  In an index without, the interval of codes stays
 * empty, the neutral element of sums and comparisons.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_BOUNDS_H
#define SPQ_RTREE_PAGE_BOUNDS_H

#include "box/box.h"

/* The most axes of an index, and the most numbers of a box: high ends, then low ends. */
#define SPQ_RTREE_AXES	3
#define SPQ_RTREE_ENDS	(2 * SPQ_RTREE_AXES)

/* The number of the code among the ends that comparisons use. */
#define SPQ_RTREE_CODE_END		SPQ_RTREE_ENDS

typedef struct SpqRtreeBounds
{
	float8		high[SPQ_RTREE_AXES];
	float8		high_code;
	float8		low[SPQ_RTREE_AXES];
	float8		low_code;
} SpqRtreeBounds;

/* The code of a row of an index without scalar columns. */
#define SPQ_RTREE_NO_CODE	(-1.0)

/* Return empty bounds, the neutral element of spq_rtree_bounds_add(). */
static inline SpqRtreeBounds
spq_rtree_bounds_nothing(void)
{
	SpqRtreeBounds bounds;

	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
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
 * Return the bounds of a box, without a code.  The corners of a box may be
 * swapped: arithmetic on boxes can do that.
 */
static inline SpqRtreeBounds
spq_rtree_bounds_of(const float8 *ends, int axes)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	for (int axis = 0; axis < axes; axis++)
	{
		float8		high = ends[axis],
					low = ends[axes + axis];

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
	return bounds;
}

/* Write bounds as the ends of a box. */
static inline void
spq_rtree_bounds_ends(const SpqRtreeBounds *bounds, int axes, float8 *ends)
{
	for (int axis = 0; axis < axes; axis++)
	{
		ends[axis] = bounds->high[axis];
		ends[axes + axis] = bounds->low[axis];
	}
}

/* Widen bounds to enclose others. */
static inline void
spq_rtree_bounds_add(SpqRtreeBounds *bounds, const SpqRtreeBounds *more)
{
	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
	{
		bounds->high[axis] = Max(bounds->high[axis], more->high[axis]);
		bounds->low[axis] = Min(bounds->low[axis], more->low[axis]);
	}
	bounds->high_code = Max(bounds->high_code, more->high_code);
	bounds->low_code = Min(bounds->low_code, more->low_code);
}

/* Return whether bounds enclose others.  All bounds enclose empty ones. */
static inline bool
spq_rtree_bounds_hold(const SpqRtreeBounds *outer, const SpqRtreeBounds *inner)
{
	bool		hold = outer->high_code >= inner->high_code &&
		outer->low_code <= inner->low_code;

	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
		hold &= outer->high[axis] >= inner->high[axis] &&
			outer->low[axis] <= inner->low[axis];
	return hold;
}

/* Return whether bounds are equal; 0 and -0 are. */
static inline bool
spq_rtree_bounds_equal(const SpqRtreeBounds *a, const SpqRtreeBounds *b)
{
	return spq_rtree_bounds_hold(a, b) && spq_rtree_bounds_hold(b, a);
}

#endif							/* SPQ_RTREE_PAGE_BOUNDS_H */
