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


#include "estimate/sample/sample.h"
#include "estimate/window/window.h"

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

/*
 * Rows used to find the ratios of the areas in a step.  Their mean counts as
 * much as AREA_WEIGHT rows, so of many rows it does not matter.
 */
#define RATIO_ROWS 64
#define RATIO_ROWS_IN_SHAPES 16 /* as good, and each takes longer */

/*
 * Extend the extent of the sampled boxes by this fraction before looking for
 * the shape in it.
 */
#define MARGIN (1.0 / 64)

typedef struct Shrinker
{
	const SpqEstimateCentersAxis *centers;	/* for each axis */
	const SpqEstimateWindow *window;
	int			axes;
	int		   *row;			/* numbers of the boxes that are left */
	int			rows;
	double	   *gap;			/* for each box of the sample, by how much the
								 * window must grow to contain it */
	double		per_scale[SPQ_ESTIMATE_MAX_AXES];

	/* for conditions on shapes */
	const SpqEstimateShape *shape;
	int			shapes;
	SpqEstimateFill fill[SPQ_ESTIMATE_SHAPES];
	double		all;			/* at this reach all rows are in */
} Shrinker;

/*
 * Find the interval of centers on an axis for which a box of half this size
 * would be in the window.
 */
static inline void
find_interval(const SpqEstimateWindow *window, int axis, double half, double *low, double *high)
{
	*low = Max(window->low_min[axis] + half, window->high_min[axis] - half);
	*high = Min(window->low_max[axis] + half, window->high_max[axis] - half);
}

/*
 * Add to the gap of each box what is between its center on an axis and the
 * interval for which it would be in the window.
 */
static void
add_gaps(Shrinker *s, int axis, int count)
{
	const SpqEstimateCentersAxis *centers = &s->centers[axis];
	const SpqEstimateWindow window = *s->window;
	const double per_scale = s->per_scale[axis];
	const double *const center = centers->center,
			   *const half = centers->half;
	double	   *const gap = s->gap;

	for (int i = 0; i < count; i++)
	{
		double		low,
					high;

		find_interval(&window, axis, half[i], &low, &high);
		gap[i] = Max(gap[i], Max(low - center[i], center[i] - high) * per_scale);
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
		const SpqEstimateCentersAxis *centers = &s->centers[axis];
		double		half = centers->half[i] + spq_estimate_shape_margin(shape);

		center[axis] = centers->center[i];
		side[axis] = 2 * (reach * centers->scale + (shape->holds ? -half : half));
	}
}

/*
 * Return the fraction of the window that the shapes fill for a box as large as
 * this row's.
 */
static double
filled(const Shrinker *s, int row, double reach)
{
	double		part = 1,
				center[SPQ_ESTIMATE_MAX_AXES],
				side[SPQ_ESTIMATE_MAX_AXES];

	for (int i = 0; i < s->shapes; i++)
	{
		find_sides(s, &s->shape[i], row, reach, center, side);
		part *= spq_estimate_filled(&s->fill[i], side);
	}
	return part;
}

static pg_attribute_always_inline double
area_on_axes(const Shrinker *s, int row, double reach, int axes)
{
	double		area = 1;

	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
	{
		const SpqEstimateCentersAxis *centers = &s->centers[axis];
		double		grow = reach * centers->scale,
					low,
					high;

		find_interval(s->window, axis, centers->half[row], &low, &high);
		low = Max(low - grow, centers->low);
		high = Min(high + grow, centers->high);
		if (high > low)
			area *= (high - low) * s->per_scale[axis];
		else if (high < low || centers->low < centers->high)
			return 0;			/* otherwise the data have no extent here */
	}
	return area;
}

/*
 * Return the area of the centers for which a box as large as this row's would
 * be in a window grown by "reach", limited to where data are.
 */
static pg_attribute_always_inline double
area(const Shrinker *s, int row, double reach, int axes)
{
	double		area = area_on_axes(s, row, reach, axes);

	return axes == 3 && s->shapes > 0 && area > 0 ? area * filled(s, row, reach) : area;
}

/*
 * Find the mean over some rows of the ratio of the area for the next reach, and
 * of that for reach 0, to the area for this reach.
 */
static pg_attribute_always_inline void
find_ratios(const Shrinker *s, double reach, double next, double *ratio, double *ratio_to_end,
			int axes)
{
	const int	rows = Min(s->rows, s->shapes > 0 ? RATIO_ROWS_IN_SHAPES : RATIO_ROWS);
	double		sum = 0,
				sum_to_end = 0;

	for (int i = 0; i < rows; i++)
	{
		const int	row = s->row[(int64) i * s->rows / rows];
		double		before = area(s, row, reach, axes);

		if (before <= 0)
			continue;
		sum += area(s, row, next, axes) / before;
		sum_to_end += area(s, row, 0, axes) / before;
	}
	*ratio = sum / rows;
	*ratio_to_end = sum_to_end / rows;
}

/* Return whether all rows are in the window itself. */
static bool
all_in_window(const Shrinker *s)
{
	for (int i = 0; i < s->rows; i++)
		if (s->gap[s->row[i]] != 0)
			return false;
	return true;
}

/* Return whether a row is within reach of the shapes. */
static bool
in_shapes(const Shrinker *s, int row, double reach)
{
	double		center[SPQ_ESTIMATE_MAX_AXES],
				side[SPQ_ESTIMATE_MAX_AXES];

	if (s->gap[row] == 0 || reach >= s->all)
		return true;
	for (int i = 0; i < s->shapes; i++)
	{
		find_sides(s, &s->shape[i], row, reach, center, side);
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
	const double *const gap = s->gap;
	int		   *const row = s->row;
	const int	rows = s->rows;
	int			kept = 0;

	if (s->shapes == 0)
	{
		/* without a branch: half of the rows are kept, in no order */
		for (int i = 0; i < rows; i++)
		{
			const int	this = row[i];

			row[kept] = this;
			kept += gap[this] <= reach;
		}
	}
	else
	{
		for (int i = 0; i < rows; i++)
			if (gap[row[i]] <= reach && in_shapes(s, row[i], reach))
				row[kept++] = row[i];
	}
	s->rows = kept;
}

/*
 * Return the fraction of the rows that are in the window.  All are within
 * reach.
 */
static double
shrink_window(Shrinker *s, double reach)
{
	double		result = 1;

	while (reach > 0 && s->rows > 0)
	{
		double		next = reach / 2,
					weight,
					ratio,
					ratio_to_end,
					rows = s->rows;

		if (s->axes == 2)
			find_ratios(s, reach, next, &ratio, &ratio_to_end, 2);
		else
			find_ratios(s, reach, next, &ratio, &ratio_to_end, 3);
		if (ratio_to_end >= LAST_STEP || next < DBL_EPSILON ||
			(ratio_to_end == 0 && all_in_window(s)))
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
		const SpqEstimateCentersAxis *centers = &s->centers[axis];
		double		extent = centers->extent_high - centers->extent_low;

		low[axis] = centers->extent_low - extent * MARGIN;
		high[axis] = centers->extent_high + extent * MARGIN;
		for (int i = 0; i < s->rows; i++)
			size[axis] += 2 * centers->half[i] / s->rows;
	}
	for (int i = 0; i < s->shapes; i++)
	{
		const SpqEstimateShape *shape = &s->shape[i];
		SpqEstimateFill *fill = &s->fill[i];
		const double margin = spq_estimate_shape_margin(shape);
		double		lowest[SPQ_ESTIMATE_MAX_AXES],
					highest[SPQ_ESTIMATE_MAX_AXES];
		float8		ends[SPQ_ESTIMATE_ENDS];

		for (int axis = 0; axis < s->axes; axis++)
		{
			lowest[axis] = low[axis] - margin;
			highest[axis] = high[axis] + margin;
		}
		spq_estimate_shape_fill(shape, lowest, highest, size, fill);
		if (!fill->any)
			return false;
		for (int axis = 0; axis < s->axes; axis++)
		{
			ends[axis] = fill->high[axis] + margin;
			ends[s->axes + axis] = fill->low[axis] - margin;
		}
		spq_estimate_window_add(window, shape->holds ? SPQ_BOX_CONTAINED : SPQ_BOX_OVERLAPS,
								1, ends, true);
	}
	return true;
}

/*
 * Return the fraction of the relation's boxes that are in the window, or -1 if
 * the coordinates are too large to tell.  "is_in" says which boxes of the
 * sample, which has some and is not complete, are in it.
 */
double
spq_estimate_shrink(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
					const bool *is_in)
{
	SpqEstimateWindow limits = *window;
	const SpqEstimateCentersAxis *centers = sample->centers->axis;
	Shrinker	s = {.centers = centers,.window = &limits,.axes = sample->axes,
	.rows = sample->count,.shape = window->shape,.shapes = window->shapes};
	double		reach,
				within;

	if (sample->centers->too_large)
		return -1;
	if (s.shapes > 0 && !limit_to_shapes(&s, &limits))
		return 0;
	s.row = palloc(sizeof(int) * s.rows);
	s.gap = palloc0(sizeof(double) * s.rows);
	for (int axis = 0; axis < s.axes; axis++)
	{
		s.per_scale[axis] = 1 / centers[axis].scale;
		add_gaps(&s, axis, s.rows);
		if (s.shapes > 0)
			s.all = Max(s.all, (centers[axis].extent_high - centers[axis].extent_low) *
						(1 + MARGIN) / centers[axis].scale);
	}
	reach = s.all;
	s.rows = 0;
	for (int i = 0; i < sample->count; i++)
	{
		/* membership known from the boxes is more exact than the gap */
		const double gap = is_in[i] ? 0 : Max(s.gap[i], DBL_EPSILON);

		/* leave out rows at an infinite distance, which halving never reaches */
		s.gap[i] = gap;
		s.row[s.rows] = i;
		s.rows += gap <= DBL_MAX;
		reach = gap <= DBL_MAX ? Max(reach, gap) : reach;
	}
	within = s.rows;
	return shrink_window(&s, reach) * within / sample->count;
}
