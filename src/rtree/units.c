/*-------------------------------------------------------------------------
 *
 * units.c
 *	  Units of the axes, in which the typical row of a build is a cube.  See units.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "rtree/units.h"

static int
compare_numbers(const void *a, const void *b)
{
	float8		x = *(const float8 *) a,
				y = *(const float8 *) b;

	return x < y ? -1 : x > y;
}

/* Return the median of numbers without NaN, which are put in order. */
static float8
median(float8 *numbers, int count)
{
	qsort(numbers, count, sizeof(float8), compare_numbers);
	return numbers[count / 2];
}

SpqRtreeUnits
spq_rtree_choose_units(const SpqRtreeBounds *rows, int count, int axes)
{
	const SpqRtreeUnits unknown = {{0}, {0}};
	SpqRtreeUnits units = unknown;
	float8	   *numbers;

	if (count == 0)
		return unknown;
	numbers = palloc(count * sizeof(float8));
	for (int axis = 0; axis < axes; axis++)
	{
		for (int i = 0; i < count; i++)
			numbers[i] = rows[i].high[axis] - rows[i].low[axis];
		units.unit[axis] = median(numbers, count);
		for (int i = 0; i < count; i++)
		{
			float8		middle = spq_box_middle(rows[i].low[axis], rows[i].high[axis]);

			numbers[i] = isfinite(middle) ? middle : 0;
		}
		units.origin[axis] = median(numbers, count);
		/* fractions of a unit are to be numbers, too */
		if (!(units.unit[axis] > DBL_MIN / DBL_EPSILON) || isinf(units.unit[axis]))
		{
			units = unknown;
			break;
		}
	}
	pfree(numbers);
	return units;
}
