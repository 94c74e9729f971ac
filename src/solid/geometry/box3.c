/*-------------------------------------------------------------------------
 *
 * box3.c
 *	  Boxes made from others, and the distance of two boxes.  See box3.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "solid/geometry/box3.h"

/* Set the box that has these opposite corners, in any order. */
void
spq_box3_of_corners(const float8 *a, const float8 *b, SpqBox3 *result)
{
	SpqBox3		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		box.high[axis] = float8_max(a[axis], b[axis]);
		box.low[axis] = float8_min(a[axis], b[axis]);
	}
	*result = box;
}

/* Set the smallest box around two others.  NaN is above all numbers. */
void
spq_box3_bounds(const SpqBox3 *a, const SpqBox3 *b, SpqBox3 *result)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		result->high[axis] = float8_max(a->high[axis], b->high[axis]);
		result->low[axis] = float8_min(a->low[axis], b->low[axis]);
	}
}

/* Set the intersection of two boxes.  Return false if it is empty. */
bool
spq_box3_intersection(const SpqBox3 *a, const SpqBox3 *b, SpqBox3 *result)
{
	if (!spq_box_overlaps(a, b))
		return false;
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		result->high[axis] = float8_min(a->high[axis], b->high[axis]);
		result->low[axis] = float8_max(a->low[axis], b->low[axis]);
	}
	return true;
}

/* Return a sum rounded up, by its rounding error (Knuth's TwoSum). */
static float8
sum_above(float8 x, float8 y)
{
	float8		sum = x + y,
				y_part = sum - x,
				error = (x - (sum - y_part)) + (y - y_part);

	return error > 0 ? nextafter(sum, get_float8_infinity()) : sum;
}

/*
 * Set a box that overlaps each box for which spq_box3_distance() is at most
 * "distance".  Return false if there is none: a NaN, or a distance below 0.
 */
bool
spq_box3_expanded(SpqBoxCorners box, float8 distance, SpqBox3 *result)
{
	const float8 distances[SPQ_DIM] = {distance, distance, distance};

	return spq_box3_expanded_by_axis(box, distances, result);
}

/*
 * Set a box that overlaps each box for which spq_box_gap() is, on each axis,
 * at most the distance of that axis.  Return false as spq_box3_expanded().
 *
 * The factor covers the rounding errors: half a unit in the last place for the
 * difference in a gap, and one unit for each of the two hypotenuses in a
 * distance of boxes.  With a distance of 0 nothing is rounded.
 */
bool
spq_box3_expanded_by_axis(SpqBoxCorners box, const float8 *distances, SpqBox3 *result)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
		if (!(distances[axis] >= 0) || isnan(box.high[axis]) || isnan(box.low[axis]))
			return false;
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		const float8 reach = distances[axis] * (1 + 4 * DBL_EPSILON);

		/* the sum of opposite infinities would be NaN */
		result->high[axis] = isinf(reach) ? reach : sum_above(box.high[axis], reach);
		result->low[axis] = isinf(reach) ? -reach : 0.0 - sum_above(-box.low[axis], reach); /* no -0 */
	}
	return true;
}

/*
 * Return the distance of the closest points of two boxes: 0 if they meet, NaN
 * if either has a NaN, infinity on overflow.
 */
float8
spq_box3_distance(SpqBoxCorners a, SpqBoxCorners b)
{
	float8		distance = 0;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		if (isnan(a.high[axis]) || isnan(a.low[axis]) ||
			isnan(b.high[axis]) || isnan(b.low[axis]))
			return get_float8_nan();
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		gap = spq_box_gap(a.low[axis], a.high[axis],
									  b.low[axis], b.high[axis]);

		if (gap > 0)
			distance = distance > 0 ? hypot(distance, gap) : gap;
	}
	return distance;
}
