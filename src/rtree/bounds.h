/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  What a page of the tree promises: bounds of SPQ_DIM axes.
 *
 * Bounds have the layout of a box: the high ends of all axes, then the low
 * ends.  Unlike a box they may be of nothing (every high end -infinity, every
 * low end infinity), their ends are never the wrong way round otherwise, and
 * they have no NaN: on an axis on which a box has a NaN its bounds are infinite.
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

typedef struct SpqRtreeBounds
{
	float8		high[SPQ_DIM];
	float8		low[SPQ_DIM];
} SpqRtreeBounds;

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
	return bounds;
}

static inline bool
spq_rtree_bounds_are_nothing(const SpqRtreeBounds *bounds)
{
	return bounds->high[0] < bounds->low[0];
}

/*
 * Return the bounds of a box, given as its numbers.  The corners of a box may
 * be the wrong way round: arithmetic on boxes can do that.
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
}

/* Return whether the first bounds enclose the second; nothing is enclosed by all. */
static inline bool
spq_rtree_bounds_hold(const SpqRtreeBounds *outer, const SpqRtreeBounds *inner)
{
	bool		hold = true;

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
