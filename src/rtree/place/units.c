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

#include "rtree/place/digits.h"
#include "rtree/place/units.h"

static int
compare_numbers(const void *a, const void *b)
{
	float8		x = *(const float8 *) a,
				y = *(const float8 *) b;

	return x < y ? -1 : x > y;
}

/* Sort numbers, none of which is NaN, and return their median. */
static float8
median(float8 *numbers, int count)
{
	qsort(numbers, count, sizeof(float8), compare_numbers);
	return numbers[count / 2];
}

/* The smallest fraction of a unit. */
#define LEAST_FRACTION	(1.0 / 64)

/*
 * Fractions between the first and the last rows, but for a hundredth on each
 * side.
 */
#define FRACTIONS		(1 << 18)

/* The smallest cell with these rows, in their range. */
#define LEAST_CELL		1.25

/*
 * Return whether an extent is finite, and its fractions are normal numbers,
 * too.
 */
static bool
can_be_divided(float8 extent)
{
	return extent > DBL_MIN / DBL_EPSILON && !isinf(extent);
}

/*
 * Choose the fraction of each axis, at least its step.  If units are known, it
 * is the same fraction of the unit on all axes.
 */
static void
choose_fractions(SpqRtreeUnits *units, const float8 *steps, int axes)
{
	float8		of_unit = LEAST_FRACTION;

	if (spq_rtree_units_are_known(units))
		for (int axis = 0; axis < axes; axis++)
			of_unit = Max(of_unit, steps[axis] / units->unit[axis]);
	for (int axis = 0; axis < axes; axis++)
	{
		units->fraction[axis] = units->unit[axis] * of_unit;
		if (!can_be_divided(units->fraction[axis]))
			units->fraction[axis] = can_be_divided(steps[axis]) ? steps[axis] : 1;
	}
}

/*
 * Choose the origin of an axis: the low end of a cell of the curve with the rows, from
 * the first one on, in its middle.
 */
static float8
choose_origin(float8 first, float8 step, float8 fraction)
{
	float8		range = step * FRACTIONS / fraction,
				cell = 1,
				origin;

	while (cell < 2 * FRACTIONS && cell < LEAST_CELL * range)
		cell *= 2;
	origin = first - Max(cell - range, 0) / 2 * fraction;
	return isfinite(origin) ? origin : first;
}

SpqRtreeUnits
spq_rtree_choose_units(const SpqRtreeBounds *rows, int count, int axes)
{
	SpqRtreeUnits units = {{0}, {0}, {1, 1, 1}, 0};
	float8		steps[SPQ_RTREE_AXES],
				first[SPQ_RTREE_AXES];
	bool		known = true;
	float8	   *numbers;

	if (count == 0)
		return units;
	numbers = palloc(count * sizeof(float8));
	for (int axis = 0; axis < axes; axis++)
	{
		for (int i = 0; i < count; i++)
		{
			float8		extent = rows[i].high[axis] - rows[i].low[axis];

			/* infinity less infinity */
			numbers[i] = isnan(extent) ? 0 : extent;
		}
		units.unit[axis] = median(numbers, count);
		for (int i = 0; i < count; i++)
		{
			float8		middle = spq_box_middle(rows[i].low[axis], rows[i].high[axis]);

			numbers[i] = isfinite(middle) ? middle : 0;
		}
		qsort(numbers, count, sizeof(float8), compare_numbers);
		first[axis] = numbers[count / 100];
		steps[axis] = numbers[count - 1 - count / 100] / FRACTIONS - numbers[count / 100] / FRACTIONS;
		known = known && can_be_divided(units.unit[axis]);
	}
	if (!known)
		memset(units.unit, 0, sizeof(units.unit));
	choose_fractions(&units, steps, axes);
	for (int axis = 0; axis < axes; axis++)
		units.origin[axis] = choose_origin(first[axis], steps[axis], units.fraction[axis]);
	pfree(numbers);
	return units;
}

/* Compare the low ends of rows as numbers, given by their digits. */
static int
compare_digits(const void *a, const void *b)
{
	const SpqRtreeBounds *x = (const SpqRtreeBounds *) a,
			   *y = (const SpqRtreeBounds *) b;

	return spq_rtree_compare_digits(x->low, y->low);
}

SpqRtreeUnits
spq_rtree_choose_units_of_digits(SpqRtreeBounds *rows, int count, float8 base)
{
	SpqRtreeUnits units = {{0}, {0}, {1, 1, 1}, base};

	if (count == 0)
		return units;
	qsort(rows, count, sizeof(SpqRtreeBounds), compare_digits);
	memcpy(units.origin, rows[count / 2].low, sizeof(units.origin));
	return units;
}
