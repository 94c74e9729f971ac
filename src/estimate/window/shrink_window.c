/*-------------------------------------------------------------------------
 *
 * shrink_window.c
 *	  How many rows are in a window that contains few rows of a sample, or none.
 *
 * The window is grown until it contains all rows, and then shrunk in steps:
 *
 *		+---------------------------+
 *		|  .	   .				|	at each step, the fraction of the rows
 *		|	  +---------------+		|	that is left:
 *		|	  | .	 +--+	 .|	 .	|
 *		| .	  |		.|	|.	  |		|	rows in the inner window + area ratio
 *		|	  |		 +--+	  |		|	-------------------------------------
 *		|	  +---------------+		|		rows in the outer window + 1
 *		+---------------------------+
 *
 * The product of all steps is the fraction of the rows in the window.  With
 * many rows the data decide, with few rows the areas.  Where no row is near,
 * the density of the smallest surroundings that have rows is assumed.
 *
 * A shape is grown in the same way: a row is within reach if its box, grown by
 * the reach, meets the shape.  The shape fills a part of the window's area.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "estimate/window/shrink_window.h"

/*
 * The weight of the ratio of the areas in a step, in rows.  It is higher if no
 * rows are left, because an empty sample does not prove a place empty.
 */
#define AREA_WEIGHT 1.0
#define AREA_WEIGHT_VOID 2.0

/*
 * Shrink to the window itself in one step if its area is at least this
 * fraction of the present one.
 */
#define LAST_STEP 0.4

/* Rows used to find the scale of the data. */
#define SCALE_ROWS 63

/*
 * Extend the extent of the sampled boxes by this fraction before looking for
 * the shape in it.
 */
#define MARGIN (1.0 / 64)

/*
 * A row of the sample, and the interval of centers for which its box would be
 * in the window.
 */
typedef struct Row
{
	double		low[SPQ_ESTIMATE_MAX_AXES];
	double		high[SPQ_ESTIMATE_MAX_AXES];
	double		gap;			/* by how much the window must grow to contain
								 * it */
	int			box;			/* its number in the sample */
} Row;

typedef struct Shrinker
{
	Row		   *row;
	int			rows;
	int			axes;
	double		scale[SPQ_ESTIMATE_MAX_AXES];	/* of reach 1 */
	double		low[SPQ_ESTIMATE_MAX_AXES]; /* range of the centers */
	double		high[SPQ_ESTIMATE_MAX_AXES];

	/* for conditions on shapes */
	const SpqEstimateSample *sample;
	const SpqEstimateShape *shape;
	int			shapes;
	SpqEstimateFill fill[SPQ_ESTIMATE_SHAPES];
	double		extent_low[SPQ_ESTIMATE_MAX_AXES];	/* range of the boxes */
	double		extent_high[SPQ_ESTIMATE_MAX_AXES];
	double		all;			/* at this reach all rows are in */
} Shrinker;

static int
compare_scale(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

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
find_spread(const Shrinker *s, int axis)
{
	double		center[SCALE_ROWS];

	for (int i = 0; i < SCALE_ROWS; i++)
		center[i] = s->row[(int64) i * s->rows / SCALE_ROWS].low[axis];
	qsort(center, SCALE_ROWS, sizeof(double), compare_scale);
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

/*
 * On one axis, find for each row the interval of centers for which its box
 * would be in the window, and the gap between its own center and the interval.
 */
static void
place_rows(Shrinker *s, const SpqEstimateWindow *window, const SpqEstimateSample *sample,
		   int axis, double extent_low, double extent_high)
{
	const int	axes = sample->axes;
	const float8 *box = sample->ends;
	Row		   *const end = s->row + s->rows;
	double		per_scale,
				low = DBL_MAX,
				high = -DBL_MAX;
	const double low_min = window->low_min[axis],
				low_max = window->low_max[axis],
				high_min = window->high_min[axis],
				high_max = window->high_max[axis];

	/* first the centers, to find the scale */
	for (Row *row = s->row; row < end; row++, box += 2 * axes)
	{
		double		half,
					center = middle(box, axes, axis, extent_low, extent_high, &half);

		row->low[axis] = center;
		low = Min(low, center);
		high = Max(high, center);
	}
	s->low[axis] = low;
	s->high[axis] = high;
	s->scale[axis] = find_spread(s, axis);
	if (!(s->scale[axis] > 0))
		s->scale[axis] = s->high[axis] - s->low[axis];
	if (!(s->scale[axis] > 0) || isinf(1 / s->scale[axis]))
		s->scale[axis] = 1;
	per_scale = 1 / s->scale[axis];

	box = sample->ends;
	for (Row *row = s->row; row < end; row++, box += 2 * axes)
	{
		double		half,
					center = middle(box, axes, axis, extent_low, extent_high, &half),
					row_low = Max(low_min + half, high_min - half),
					row_high = Min(low_max + half, high_max - half),
					gap = Max(row_low - center, center - row_high) * per_scale;

		row->low[axis] = row_low;
		row->high[axis] = row_high;
		row->gap = Max(row->gap, gap);
	}
}

/*
 * Find the center and the sides of a row's box grown by a reach.  For "box <@
 * shape" the box shrinks instead, and its sides are negative; see
 * spq_estimate_shape_reaches().
 */
static void
find_sides(const Shrinker *s, const SpqEstimateShape *shape, int i, double reach,
		   double *center, double *side)
{
	for (int axis = 0; axis < s->axes; axis++)
	{
		double		half;

		center[axis] = middle(spq_estimate_high(s->sample, i), s->axes, axis,
							  s->extent_low[axis], s->extent_high[axis], &half);
		side[axis] = 2 * (reach * s->scale[axis] + (shape->holds ? -half : half));
	}
}

/*
 * Return the fraction of the window that the shapes fill for a box as large as
 * this row's.
 */
static double
filled(const Shrinker *s, const Row *row, double reach)
{
	double		part = 1,
				center[SPQ_ESTIMATE_MAX_AXES],
				side[SPQ_ESTIMATE_MAX_AXES];

	for (int i = 0; i < s->shapes; i++)
	{
		find_sides(s, &s->shape[i], row->box, reach, center, side);
		part *= spq_estimate_filled(&s->fill[i], side);
	}
	return part;
}

static pg_attribute_always_inline double
area_on_axes(const Shrinker *s, const Row *row, double reach, int axes)
{
	double		area = 1;

	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
	{
		double		grow = reach * s->scale[axis],
					low = Max(row->low[axis] - grow, s->low[axis]),
					high = Min(row->high[axis] + grow, s->high[axis]);

		if (high > low)
			area *= (high - low) * (1 / s->scale[axis]);
		else if (high < low || s->low[axis] < s->high[axis])
			return 0;			/* otherwise the data have no extent here */
	}
	return area;
}

/*
 * Return the area of the centers for which a box as large as this row's would
 * be in a window grown by "reach", limited to where data are.
 */
static pg_attribute_always_inline double
area(const Shrinker *s, const Row *row, double reach, int axes)
{
	double		area = area_on_axes(s, row, reach, axes);

	return axes == 3 && s->shapes > 0 && area > 0 ? area * filled(s, row, reach) : area;
}

/*
 * Add up over all rows the ratio of the area for the next reach, and of that
 * for reach 0, to the area for this reach.  Return whether all rows are in the
 * window itself.
 */
static pg_attribute_always_inline bool
add_ratios(const Shrinker *s, double reach, double next, double *ratio, double *ratio_to_end,
		   int axes)
{
	bool		all_in = true;
	double		sum = 0,
				sum_to_end = 0;

	for (const Row *row = s->row; row < s->row + s->rows; row++)
	{
		double		before = area(s, row, reach, axes);

		all_in &= row->gap == 0;
		if (before <= 0)
			continue;
		sum += area(s, row, next, axes) / before;
		sum_to_end += area(s, row, 0, axes) / before;
	}
	*ratio = sum;
	*ratio_to_end = sum_to_end;
	return all_in;
}

/* Return whether a row is within reach of the shapes. */
static bool
in_shapes(const Shrinker *s, const Row *row, double reach)
{
	double		center[SPQ_ESTIMATE_MAX_AXES],
				side[SPQ_ESTIMATE_MAX_AXES];

	if (row->gap == 0 || reach >= s->all)
		return true;
	for (int i = 0; i < s->shapes; i++)
	{
		find_sides(s, &s->shape[i], row->box, reach, center, side);
		for (int axis = 0; axis < s->axes; axis++)
			side[axis] /= 2;
		if (!spq_estimate_shape_reaches(&s->shape[i], center, side))
			return false;
	}
	return true;
}

/* Keep the rows within reach. */
static void
keep_rows(Shrinker *s, double reach)
{
	int			kept = 0;

	for (int i = 0; i < s->rows; i++)
		if (s->row[i].gap <= reach &&
			(s->shapes == 0 || in_shapes(s, &s->row[i], reach)))
			s->row[kept++] = s->row[i];
	s->rows = kept;
}

/* Return the fraction of the rows that are in the window. */
static double
shrink_window(Shrinker *s)
{
	double		reach = s->all,
				result = s->rows;

	/* drop rows at an infinite distance, which halving does not reach */
	keep_rows(s, DBL_MAX);
	result = s->rows / result;
	for (int i = 0; i < s->rows; i++)
		reach = Max(reach, s->row[i].gap);
	while (reach > 0 && s->rows > 0)
	{
		double		next = reach / 2,
					weight,
					ratio,
					ratio_to_end,
					rows = s->rows;
		bool		all_in = s->axes == 2 ?
			add_ratios(s, reach, next, &ratio, &ratio_to_end, 2) :
			add_ratios(s, reach, next, &ratio, &ratio_to_end, 3);

		ratio /= rows;
		ratio_to_end /= rows;
		if (ratio_to_end >= LAST_STEP || next < DBL_EPSILON ||
			(ratio_to_end == 0 && all_in))
		{
			ratio = ratio_to_end;
			next = 0;
		}
		keep_rows(s, next);
		weight = s->rows > 0 ? AREA_WEIGHT : AREA_WEIGHT_VOID;
		result *= (s->rows + weight * ratio) / (rows + weight);
		if (s->rows == 0 && ratio > 0)
			result *= ratio_to_end / ratio;
		reach = next;
	}
	return result;
}

/*
 * Limit a window to the bounds of the shapes within the extent of the data.
 * Return false if one of them is outside of it.
 */
static bool
limit_to_shapes(Shrinker *s, SpqEstimateWindow *window)
{
	double		low[SPQ_ESTIMATE_MAX_AXES],
				high[SPQ_ESTIMATE_MAX_AXES],
				size[SPQ_ESTIMATE_MAX_AXES] = {0};

	for (int axis = 0; axis < s->axes; axis++)
	{
		double		extent = s->extent_high[axis] - s->extent_low[axis];

		low[axis] = s->extent_low[axis] - extent * MARGIN;
		high[axis] = s->extent_high[axis] + extent * MARGIN;
		for (int i = 0; i < s->rows; i++)
		{
			double		half;

			(void) middle(spq_estimate_high(s->sample, i), s->axes, axis,
						  s->extent_low[axis], s->extent_high[axis], &half);
			size[axis] += 2 * half / s->rows;
		}
	}
	for (int i = 0; i < s->shapes; i++)
	{
		const SpqEstimateShape *shape = &s->shape[i];
		SpqEstimateFill *fill = &s->fill[i];
		float8		ends[SPQ_ESTIMATE_ENDS];

		spq_estimate_shape_fill(shape, low, high, size, fill);
		if (!fill->any)
			return false;
		memcpy(ends, fill->high, sizeof(fill->high));
		memcpy(ends + s->axes, fill->low, sizeof(fill->low));
		spq_estimate_window_add(window, shape->holds ? SPQ_BOX_CONTAINED : SPQ_BOX_OVERLAPS,
								1, ends, true);
	}
	return true;
}

/*
 * Return the fraction of the relation's boxes that are in the window, or -1 if
 * the coordinates are too large to tell.  "is_in" says which boxes of the
 * sample are in it.
 */
double
spq_estimate_shrink(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
					const bool *is_in)
{
	Shrinker	s = {.rows = sample->count,.axes = sample->axes,.sample = sample,
	.shape = window->shape,.shapes = window->shapes};
	SpqEstimateWindow limits = *window;

	for (int axis = 0; axis < s.axes; axis++)
		if (!find_extent(sample, axis, &s.extent_low[axis], &s.extent_high[axis]))
			return -1;
	if (s.shapes > 0 && !limit_to_shapes(&s, &limits))
		return 0;
	s.row = palloc0(sizeof(Row) * s.rows);
	for (int axis = 0; axis < s.axes; axis++)
	{
		place_rows(&s, &limits, sample, axis, s.extent_low[axis], s.extent_high[axis]);
		if (s.shapes > 0)
			s.all = Max(s.all, (s.extent_high[axis] - s.extent_low[axis]) *
						(1 + MARGIN) / s.scale[axis]);
	}
	for (int i = 0; i < s.rows; i++)
	{
		s.row[i].box = i;
		/* membership known from the boxes is more exact than the gap */
		if (is_in[i])
			s.row[i].gap = 0;
		else
			s.row[i].gap = Max(s.row[i].gap, DBL_EPSILON);
	}
	return shrink_window(&s);
}
