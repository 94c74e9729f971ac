/*-------------------------------------------------------------------------
 *
 * join_window.c
 *	  Samples of joins in which one side or both must be in a window.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "utils/float.h"

#include "box/bits.h"
#include "estimate/join/selectivity.h"
#include "estimate/sample/sample.h"

/*
 * Rows of a sample that suffice to know how many partners rows in a window
 * have.
 */
#define ENOUGH_ROWS	64

/* The rows of a sample, with their distances from a window. */
typedef struct Distances
{
	const SpqEstimateSample *sample;
	SpqEstimateWindow window;
	double	   *distance;		/* in units of the spread of both samples */
} Distances;

/* Return how far the low ends of two samples spread on an axis. */
static double
spread_on(const SpqEstimateSample *a, const SpqEstimateSample *b, int axis)
{
	const SpqEstimateSample *const samples[] = {a, b};
	double		least = get_float8_infinity(),
				most = -get_float8_infinity();

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < samples[side]->count; i++)
		{
			double		low = spq_estimate_low(samples[side], i)[axis];

			if (isinf(low))
				continue;
			least = Min(least, low);
			most = Max(most, low);
		}
	return most > least && !isinf(most - least) ? most - least : 1;
}

/*
 * Set the window of the side that has none, from that of the other side: it
 * contains the rows that can match rows in the other window.  These rows meet
 * the region in which rows of that window lie or extend.
 */
static void
window_of_partners(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
				   SpqEstimateWindow *result)
{
	spq_estimate_window_init(result, window->axes);
	for (int axis = 0; axis < window->axes; axis++)
	{
		double		low = Max(window->low_min[axis], window->high_min[axis]),
					high = Min(window->low_max[axis], window->high_max[axis]),
					margin = spq_estimate_mean_side(sample, axis);

		result->high_min[axis] = Min(low, high) - margin;
		result->low_max[axis] = Max(low, high) + margin;
	}
}

/* Compute the distance of each row from the window. */
static void
set_distances(Distances *d, const double *scale)
{
	const SpqEstimateWindow *w = &d->window;

	d->distance = palloc(sizeof(double) * Max(d->sample->count, 1));
	for (int i = 0; i < d->sample->count; i++)
	{
		const float8 *high = spq_estimate_high(d->sample, i),
				   *low = spq_estimate_low(d->sample, i);
		double		most = 0;

		for (int axis = 0; axis < w->axes; axis++)
		{
			double		apart = Max(Max(w->low_min[axis] - low[axis], low[axis] - w->low_max[axis]),
									Max(w->high_min[axis] - high[axis], high[axis] - w->high_max[axis]));

			/*
			 * the difference of an infinite end and an infinite limit is NaN
			 */
			if (apart > 0)
				most = Max(most, apart / scale[axis]);
		}
		d->distance[i] = most;
	}
}

/*
 * Return the distance within which there are enough rows, or 0 if the sample
 * is complete.
 */
static double
reach_of_enough(const Distances *d)
{
	const int	count = d->sample->count;
	double	   *sorted,
				reach;

	if (d->sample->complete || count == 0)
		return 0;
	sorted = palloc(sizeof(double) * count);
	memcpy(sorted, d->distance, sizeof(double) * count);
	qsort(sorted, count, sizeof(double), spq_compare_doubles);
	reach = sorted[Min(count, ENOUGH_ROWS) - 1];
	pfree(sorted);
	return reach;
}

/* Return the rows of a sample within a reach of the window, as a sample. */
static const SpqEstimateSample *
rows_within(const Distances *d, double reach)
{
	const SpqEstimateSample *sample = d->sample;
	const int	ends = 2 * sample->axes;
	SpqEstimateSample *result = palloc(sizeof(SpqEstimateSample));
	int			n = 0;

	*result = *sample;
	result->value_size = 0;
	result->ends = palloc(sizeof(float8) * ends * Max(sample->count, 1));
	result->row = palloc(sizeof(SpqEstimateRow) * Max(sample->count, 1));
	for (int i = 0; i < sample->count; i++)
	{
		if (d->distance[i] > reach)
			continue;
		memcpy(&result->ends[ends * n], &sample->ends[ends * i], sizeof(float8) * ends);
		result->row[n++] = sample->row[i];
	}
	result->count = result->rows = n;

	/* the ids of samples that were read do not have this bit */
	result->id = hash_combine64(hash_bytes_extended((const unsigned char *) &d->window,
													sizeof(d->window), sample->id),
								hash_bytes_extended((const unsigned char *) &reach,
													sizeof(reach), 0)) | UINT64CONST(1) << 63;
	return result;
}

/*
 * Restrict a side to its rows within reach of its window.  Return their
 * number.
 */
static double
restrict_side(SpqEstimateSide *side, const Distances *d, double reach)
{
	double		kept = Min(side->rows / Max(side->tuples * side->in_window, 1), 1);

	side->sample = rows_within(d, reach);
	side->tuples = Max(side->tuples * side->sample->rows / Max(d->sample->rows, 1), 1);
	side->rows = side->tuples * kept;
	return side->tuples;
}

/*
 * Return the mean size of rows as a fraction of the window grown by the reach.
 * Large rows get a larger weight, because they match more.
 */
static double
relative_size(const SpqEstimateSample *sample, const SpqEstimateWindow *window, double reach,
			  const double *scale)
{
	double		sum = 0,
				weights = 0;

	for (int i = 0; i < sample->count; i++)
	{
		double		part = 1;

		for (int axis = 0; axis < sample->axes; axis++)
		{
			double		low = Max(window->low_min[axis], window->high_min[axis]),
						high = Min(window->low_max[axis], window->high_max[axis]),
						width = fabs(high - low) + 2 * reach * scale[axis],
						side = spq_estimate_high(sample, i)[axis] - spq_estimate_low(sample, i)[axis];

			/* no row is large in a window without an end */
			part *= width > 0 && side >= 0 ? Min(side / width, 1) : 0;
		}
		part = pow(part, 1.0 / sample->axes);
		sum += part * part;
		weights += part;
	}
	return weights > 0 ? sum / weights : 0;
}

/*
 * Restrict the samples of both sides of a join to rows in the windows or, if
 * these are too few, around them.  Return the factor by which a selectivity
 * estimated from these samples must be multiplied to be that of the rows that
 * satisfy the conditions on the sides.
 */
double
spq_estimate_restrict_sides(SpqEstimateSide *left, SpqEstimateSide *right)
{
	Distances	a = {.sample = left->sample,.window = left->window},
				b = {.sample = right->sample,.window = right->window};
	double		scale[SPQ_ESTIMATE_MAX_AXES],
				left_rows = left->tuples,
				right_rows = right->tuples,
				reach,
				near_left,
				near_right;

	if (!left->window_known && !right->window_known)
	{
		/* assume that windows with unknown constants are the same */
		return left->in_window < 1 && right->in_window < 1 ?
			1 / sqrt(left->in_window * right->in_window) : 1;
	}
	if (!left->window_known)
		window_of_partners(&right->window, right->sample, &a.window);
	if (!right->window_known)
		window_of_partners(&left->window, left->sample, &b.window);
	for (int axis = 0; axis < left->sample->axes; axis++)
		scale[axis] = spread_on(left->sample, right->sample, axis);
	set_distances(&a, scale);
	set_distances(&b, scale);
	reach = Max(reach_of_enough(&a), reach_of_enough(&b));
	near_left = restrict_side(left, &a, a.sample->complete ? 0 : reach);
	near_right = restrict_side(right, &b, b.sample->complete ? 0 : reach);
	if (left->window_known && right->window_known)
	{
		/* rows as large as the window meet the same fraction of any window */
		double		large = Max(relative_size(left->sample, &a.window, reach, scale),
								relative_size(right->sample, &b.window, reach, scale));

		return pow(near_left * near_right /
				   (Max(left_rows * left->in_window, 1) * Max(right_rows * right->in_window, 1)),
				   (1 - large) / 2);
	}
	return left->window_known ? near_right / right_rows : near_left / left_rows;
}
