/*-------------------------------------------------------------------------
 *
 * shapes.h
 *	  Boxes and bounds for tests of the access method, in SPQ_DIM dimensions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_SHAPES_H
#define SPQ_TEST_SHAPES_H

#include "check.h"
#include "near.h"

#include <float.h>

#include "rtree/page/layout.h"

/* The numbers of a box, and the page flag for this number of axes. */
#define ENDS			(2 * SPQ_DIM)
#define AXES_FLAG		(SPQ_DIM == 3 ? SPQ_RTREE_THREE_AXES : 0)

/* Kinds of data.  ENDLESS is like ODD, with some empty bounds. */
enum
{
	TILES, EQUAL, POINTS, ONE_LINE, NESTED, SKEWED, HUGE_NUMBERS, TINY, OUTLIER, ODD, ENDLESS,
	SHAPES
};

/* Return the i-th bounds of a kind. */
static inline SpqRtreeBounds
shape(int kind, int i)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	if (kind == ENDLESS && random_int(0, 5) == 0)
		return spq_rtree_bounds_nothing();
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		low = drand48() * 100,
					high = low + drand48();

		switch (kind)
		{
			case EQUAL:
				low = high = 7;
				break;
			case POINTS:
				high = low;
				break;
			case ONE_LINE:
				if (axis > 0)
					low = high = 3;
				break;
			case NESTED:
				low = -i;
				high = i;
				break;
			case SKEWED:
				high = low + 0.01 * pow(drand48(), -2);
				break;
			case HUGE_NUMBERS:
				low = (drand48() - 0.5) * DBL_MAX * 2;
				high = low + fabs(low) * 0.1;
				break;
			case TINY:
				low = random_int(0, 100) * 5e-324;
				high = low + random_int(0, 3) * 5e-324;
				break;
			case OUTLIER:
				if (i == 0)
					high = 1e300;
				break;
			case ODD:
			case ENDLESS:
				low = any_number();
				high = random_int(0, 1) ? any_number() : low;
				break;
		}
		/* unbounded, like bounds of a box with NaN */
		if (isnan(low) || isnan(high))
		{
			high = get_float8_infinity();
			low = -high;
		}
		bounds.low[axis] = Min(low, high);
		bounds.high[axis] = Max(low, high);
	}
	return bounds;
}

/*
 * Make the ends of an arbitrary box, perhaps with swapped corners, or of one
 * near another box.
 */
static inline void
make_ends(float8 *ends, const float8 *other)
{
	for (int end = 0; end < ENDS; end++)
	{
		if (other == NULL || random_int(0, 9) == 0)
			ends[end] = any_number();
		else
			ends[end] = near(other[random_int(0, 1) ? end : random_int(0, ENDS - 1)], 0);
	}
	if (random_int(0, 3))
		for (int axis = 0; axis < SPQ_DIM; axis++)
			if (ends[axis] < ends[SPQ_DIM + axis])
			{
				float8		swap = ends[axis];

				ends[axis] = ends[SPQ_DIM + axis];
				ends[SPQ_DIM + axis] = swap;
			}
}

#endif							/* SPQ_TEST_SHAPES_H */
