/*-------------------------------------------------------------------------
 *
 * measure.h
 *	  The cost of the bounds of a page.
 *
 * The measure of bounds is proportional to the number of scans that read a page
 * with these bounds.  For windows with the extents w at random places, it is
 *
 *		(extent[0] + w[0]) * (extent[1] + w[1]) ...
 *
 * So the sum of the measures of two pages, or of all pages, should be small.
 * If windows are large compared with pages, that amounts to the margin, if they
 * are small, to the area.  If the area is zero (rows along a line), the extents
 * of the windows keep the measures from being the same for all.
 *
 * Axes may have different units (meters and seconds), and there is no exchange
 * rate.  So all bounds of a decision are *placed* first: on each axis, their
 * common hull is mapped to 0 .. 1.  Numbers farther out are cut to -1 .. 2.
 * Infinities, which do not count for the hull, become -1 and 2, so from then on
 * all numbers are finite and arithmetic needs no care.  Only the quality of the
 * tree depends on this, never an answer.  An axis that an index does not have
 * stays empty.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_MEASURE_H
#define SPQ_RTREE_PLACE_MEASURE_H

#include "rtree/place/units.h"

/* Placed numbers are between these. */
#define SPQ_RTREE_PLACED_MIN	(-1.0)
#define SPQ_RTREE_PLACED_MAX	2.0

/*
 * How numbers are placed: half of a number, less the origin, times the factor.
 */
typedef struct SpqRtreeFrame
{
	float8		origin[SPQ_RTREE_AXES];
	float8		factor[SPQ_RTREE_AXES];
} SpqRtreeFrame;

/* Widen a hull by the finite numbers of bounds. */
static inline void
spq_rtree_hull_add_finite(SpqRtreeBounds *hull, const SpqRtreeBounds *bounds)
{
	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
	{
		float8		low = bounds->low[axis],
					high = bounds->high[axis];

		if (!isinf(low))
		{
			hull->low[axis] = Min(hull->low[axis], low);
			hull->high[axis] = Max(hull->high[axis], low);
		}
		if (!isinf(high))
		{
			hull->low[axis] = Min(hull->low[axis], high);
			hull->high[axis] = Max(hull->high[axis], high);
		}
	}
}

/* Return the frame that maps a hull, of finite numbers or empty, to 0 .. 1. */
static inline SpqRtreeFrame
spq_rtree_frame(const SpqRtreeBounds *hull)
{
	SpqRtreeFrame frame;

	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
	{
		/*
		 * halved, because the difference could overflow; limited, so that its
		 * inverse is finite
		 */
		float8		extent = 0.5 * hull->high[axis] - 0.5 * hull->low[axis];

		if (extent >= 0)
		{
			frame.origin[axis] = 0.5 * hull->low[axis];
			frame.factor[axis] = 1 / Max(extent, 1e-300);
		}
		else
		{
			frame.origin[axis] = 0;
			frame.factor[axis] = 1;
		}
	}
	return frame;
}

/*
 * Return the frame that maps a hull of finite numbers to 0 .. 1 along the axis
 * that is longest in these units, and to less along the others.  No factor is
 * 0, because infinity times 0 is NaN.
 */
static inline SpqRtreeFrame
spq_rtree_frame_in_units(const SpqRtreeBounds *hull, const SpqRtreeUnits *units, int axes)
{
	SpqRtreeFrame frame = spq_rtree_frame(hull);
	float8		least = get_float8_infinity();

	for (int axis = 0; axis < axes; axis++)
		least = Min(least, frame.factor[axis] * units->unit[axis]);
	for (int axis = 0; axis < axes; axis++)
		frame.factor[axis] = Max(Min(frame.factor[axis], least / units->unit[axis]), 1e-300);
	return frame;
}

static inline float8
spq_rtree_place_number(const SpqRtreeFrame *frame, int axis, float8 number)
{
	float8		placed = (0.5 * number - frame->origin[axis]) * frame->factor[axis];

	placed = placed < SPQ_RTREE_PLACED_MAX ? placed : SPQ_RTREE_PLACED_MAX;
	return placed > SPQ_RTREE_PLACED_MIN ? placed : SPQ_RTREE_PLACED_MIN;
}

/*
 * Place bounds.  Empty bounds stay neutral: their ends are the wrong way round.
 */
static inline SpqRtreeBounds
spq_rtree_place(const SpqRtreeFrame *frame, const SpqRtreeBounds *bounds)
{
	SpqRtreeBounds placed;

	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
	{
		placed.low[axis] = spq_rtree_place_number(frame, axis, bounds->low[axis]);
		placed.high[axis] = spq_rtree_place_number(frame, axis, bounds->high[axis]);
	}
	placed.high_code = bounds->high_code;
	placed.low_code = bounds->low_code;
	return placed;
}

/* Return the extent of placed bounds along an axis; 0 if they are empty. */
static inline float8
spq_rtree_extent(const SpqRtreeBounds *placed, int axis)
{
	return Max(placed->high[axis] - placed->low[axis], 0.0);
}

#endif							/* SPQ_RTREE_PLACE_MEASURE_H */
