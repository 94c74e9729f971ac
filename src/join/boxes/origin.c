/*-------------------------------------------------------------------------
 *
 * origin.c
 *	  From coordinates to the floats in buckets: an origin, or positions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "box/bits.h"
#include "join/boxes/origin.h"

/* An axis gets knots if more than this share of its rows would fall together. */
#define SHARE	0.05

/* Return the distance of two neighboring floats of this size. */
static double
step_of_float(double size)
{
	return fabs(size) * FLT_EPSILON;
}

/*
 * Return which share of the rows fall together with others as floats, although they are
 * apart.  "ends" is a sorted sample, in which an end stands for "rows_of_each" rows; "sides"
 * are the sides of the same boxes.
 */
static double
share_together(const double *ends, const double *sides, int n, double rows_of_each, double origin)
{
	int			together = 0;

	for (int i = 0; i + 1 < n; i++)
	{
		double		step = step_of_float(ends[i] - origin),
					gap = (ends[i + 1] - ends[i]) / rows_of_each;

		/* boxes much larger than a step meet those near them in any case */
		if (gap > 0 && gap < step && sides[i] < 4 * step)
			together++;
	}
	return (double) together / n;
}

typedef struct SampledEnd
{
	double		end,
				side;
} SampledEnd;

static int
compare_ends(const void *a, const void *b)
{
	return spq_compare_doubles(&((const SampledEnd *) a)->end, &((const SampledEnd *) b)->end);
}

/* Choose the knots of an axis from a sample, if it needs any. */
static void
choose_knots(SpqJoinOrigin *origin, int axis, const SpqJoinItem *items, uint32 count, uint64 rows)
{
	SampledEnd *sample = palloc(SPQ_JOIN_KNOTS * sizeof(SampledEnd));
	double	   *ends = palloc(SPQ_JOIN_KNOTS * sizeof(double)),
			   *sides = palloc(SPQ_JOIN_KNOTS * sizeof(double));
	uint32		most = Min(count, SPQ_JOIN_KNOTS);
	int			n = 0,
				nknots = 0;

	for (uint32 i = 0; i < most; i++)
	{
		const SpqBox *box = &items[(uint64) i * count / most].box;
		double		low = spq_box_low(box)[axis],
					high = spq_box_high(box)[axis];

		if (!(fabs(low) <= DBL_MAX && fabs(high) <= DBL_MAX))
			continue;
		/* low ends and high ends, so that knots enclose most of the data */
		sample[n].end = i % 2 == 0 ? low : high;
		sample[n++].side = fabs(high - low);
	}
	qsort(sample, n, sizeof(SampledEnd), compare_ends);
	for (int i = 0; i < n; i++)
	{
		ends[i] = sample[i].end;
		sides[i] = sample[i].side;
	}
	if (n > 1 && share_together(ends, sides, n, (double) rows / n, origin->at[axis]) > SHARE)
	{
		for (int i = 0; i < n; i++)
			if (nknots == 0 || ends[i] > origin->knot[axis][nknots - 1])
				origin->knot[axis][nknots++] = ends[i];
		if (nknots > 1)
			origin->nknots[axis] = nknots;
	}
	pfree(sample);
	pfree(ends);
	pfree(sides);
}

void
spq_join_choose_origin(SpqJoinOrigin *origin, const SpqJoinItem *items, uint32 count, uint64 rows,
					   bool lines)
{
	*origin = spq_join_origin(&items[count / 2].box);
	for (int axis = 0; axis < SPQ_DIM && !lines; axis++)
	{
		choose_knots(origin, axis, items, count, rows);
		origin->has_knots |= origin->nknots[axis] > 0;
	}
}

/*
 * Positions are monotone: those between two knots do not exceed that of the second.
 * Coordinates beyond the knots have the first or the last position.
 */
float
spq_join_position(const SpqJoinOrigin *origin, int axis, double coordinate)
{
	const double *knot = origin->knot[axis];
	int			low = 0,
				high = origin->nknots[axis] - 1;

	if (!(coordinate > knot[0]))
		return 0;
	if (coordinate >= knot[high])
		return high;
	/* knot[low] <= coordinate < knot[high] */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (knot[middle] <= coordinate)
			low = middle;
		else
			high = middle;
	}
	return (float) (low + (coordinate - knot[low]) / (knot[high] - knot[low]));
}
