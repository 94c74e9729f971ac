/*-------------------------------------------------------------------------
 *
 * centers.c
 *	  Centers and sizes of the boxes of a sample, and their scale.
 *
 * They are the same for all windows, so they are found once for a sample.  A
 * query with a constant window is planned in some microseconds, so the
 * estimate must not take many more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/float.h"

#include "box/bits.h"
#include "estimate/sample/sample.h"

/* Rows used to find the scale of the data. */
#define SCALE_ROWS 63

/*
 * Find the range of the boxes on an axis, ignoring infinite ends.  Return
 * false if differences of coordinates could overflow.
 */
static bool
find_extent(const SpqEstimateSample *sample, int axis, double *low, double *high)
{
	const double infinity = get_float8_infinity();
	const int	axes = sample->axes;
	const float8 *box = sample->ends,
			   *end = box + 2 * axes * sample->count;
	double		least = infinity,
				most = -infinity;

	for (; box < end; box += 2 * axes)
	{
		if (box[axes + axis] > -infinity)
			least = Min(least, box[axes + axis]);
		if (box[axis] < infinity)
			most = Max(most, box[axis]);
	}
	if (!(least <= most))
		least = most = 0;
	*low = least;
	*high = most;
	return fabs(*low) < DBL_MAX / 16 && fabs(*high) < DBL_MAX / 16;
}

/* Return the extent of the middle half of the centers on an axis. */
static double
find_spread(const double *centers, int rows)
{
	double		center[SCALE_ROWS];

	for (int i = 0; i < SCALE_ROWS; i++)
		center[i] = centers[(int64) i * rows / SCALE_ROWS];
	qsort(center, SCALE_ROWS, sizeof(double), spq_compare_doubles);
	return center[SCALE_ROWS * 3 / 4] - center[SCALE_ROWS / 4];
}

/*
 * Return the center of a box and half its size on an axis, clipped to the
 * extent of the data, because the box may be infinite.
 */
static inline double
middle(const float8 *box, int axes, int axis, double extent_low, double extent_high,
	   double *half)
{
	double		low = Min(Max(box[axes + axis], extent_low), extent_high),
				high = Min(Max(box[axis], extent_low), extent_high);

	*half = high / 2 - low / 2;
	return low / 2 + high / 2;
}

/* Find the centers on an axis of which the extent is known. */
static void
find_on_axis(const SpqEstimateSample *sample, int axis, SpqEstimateCentersAxis *found)
{
	double		low = DBL_MAX,
				high = -DBL_MAX;

	found->center = palloc(sizeof(double) * sample->count);
	found->half = palloc(sizeof(double) * sample->count);
	for (int i = 0; i < sample->count; i++)
	{
		double		center = middle(spq_estimate_high(sample, i), sample->axes, axis,
									found->extent_low, found->extent_high, &found->half[i]);

		found->center[i] = center;
		low = Min(low, center);
		high = Max(high, center);
	}
	found->low = low;
	found->high = high;
	found->scale = find_spread(found->center, sample->count);
	if (!(found->scale > 0))
		found->scale = high - low;
	if (!(found->scale > 0) || isinf(1 / found->scale))
		found->scale = 1;
}

/* Find the centers of a sample that has boxes, in the current memory context. */
SpqEstimateCenters *
spq_estimate_find_centers(const SpqEstimateSample *sample)
{
	SpqEstimateCenters *centers = palloc0(sizeof(SpqEstimateCenters));

	for (int axis = 0; axis < sample->axes; axis++)
	{
		SpqEstimateCentersAxis *found = &centers->axis[axis];

		if (!find_extent(sample, axis, &found->extent_low, &found->extent_high))
		{
			centers->too_large = true;
			return centers;
		}
	}
	for (int axis = 0; axis < sample->axes; axis++)
		find_on_axis(sample, axis, &centers->axis[axis]);
	return centers;
}
