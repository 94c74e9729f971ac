/*-------------------------------------------------------------------------
 *
 * window.c
 *	  How many rows satisfy conditions with constants, from a sample.
 *
 * If many rows of the sample are in the window, they are counted.  A small
 * window holds few of them or none.  So it is grown until it holds all rows,
 * and then shrunk in steps:
 *
 *		+---------------------------+
 *		|  .	   .				|		at each step, the part of the rows
 *		|	  +---------------+		|		that is left:
 *		|	  | .	 +--+	 .|	 .	|
 *		| .	  |		.|	|.	  |		|		rows in the inner window + area ratio
 *		|	  |		 +--+	  |		|		-------------------------------------
 *		|	  +---------------+		|			rows in the outer window + 1
 *		+---------------------------+
 *
 * The product of all steps is the fraction of the rows that is in the window.
 * With many rows the data decide, with few the areas, and where no row is near,
 * the density of the smallest surroundings that have rows is taken to hold.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "estimate/window.h"

/* Rows of this many blocks are counted, without steps. */
#define ENOUGH_BLOCKS 64

/*
 * What the ratio of the areas weighs in a step, in rows; more if no rows are
 * left, as none of a few rows is weak evidence of a void.
 */
#define AREA_WEIGHT 1.0
#define AREA_WEIGHT_VOID 2.0

/* If less than this is left to shrink, do it in one step. */
#define LAST_STEP 0.4

/* Rows looked at to find the scale of the data. */
#define SCALE_ROWS 63

/* Rows whose values are compared to find out how often values repeat. */
#define REPEAT_ROWS 1024
#define REPEAT_SLOTS 4096

/* A row of the sample: where its center would be in the window. */
typedef struct Row
{
	double		low[SPQ_DIM];
	double		high[SPQ_DIM];
	double		gap;			/* by how much the window must grow to hold it */
} Row;

typedef struct Shrinker
{
	Row		   *row;
	int			rows;
	double		scale[SPQ_DIM]; /* growing by 1 */
	double		low[SPQ_DIM];	/* where centers are, at all */
	double		high[SPQ_DIM];
} Shrinker;

void
spq_estimate_window_init(SpqEstimateWindow *window)
{
	const double infinity = get_float8_infinity();

	memset(window, 0, sizeof(*window));
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		window->low_min[axis] = window->high_min[axis] = -infinity;
		window->low_max[axis] = window->high_max[axis] = infinity;
	}
	window->fraction = 1;
}

/* Return how far a comparison lets its sides be apart. */
static double
tolerance(SpqBoxComparison comparison)
{
	switch (comparison)
	{
		case SPQ_BOX_COMPARE_FUZZY:
		case SPQ_BOX_COMPARE_SAME:
			return EPSILON;
		case SPQ_BOX_COMPARE_FUZZY_STRICT:
			return -EPSILON;
		default:
			return 0;
	}
}

static void
limit_from_above(SpqEstimateWindow *window, SpqBoxEnd end, int axis, double limit)
{
	double	   *max = end == SPQ_BOX_LOW_END ? window->low_max : window->high_max;

	max[axis] = Min(max[axis], limit);
}

static void
limit_from_below(SpqEstimateWindow *window, SpqBoxEnd end, int axis, double limit)
{
	double	   *min = end == SPQ_BOX_LOW_END ? window->low_min : window->high_min;

	min[axis] = Max(min[axis], limit);
}

/*
 * Add the condition "box relation constant", or with the sides exchanged.
 * "fraction" is that of an SpqSpatialOperator.
 */
void
spq_estimate_window_add(SpqEstimateWindow *window, SpqRelation relation,
						double fraction, const SpqBox *constant, bool box_is_left)
{
	const SpqBoxRule *rule = spq_box_rule(relation);
	const double slack = tolerance(rule->comparison);
	const float8 *end[] = {
		[SPQ_BOX_LOW_END] = spq_box_low(constant),
		[SPQ_BOX_HIGH_END] = spq_box_high(constant)
	};

	window->fraction *= fraction;
	window->same |= relation == SPQ_BOX_SAME;
	window->nothing |= spq_box_has_nan(constant);
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		if (spq_box_is_axial(relation) && spq_box_axis(relation) != axis)
			continue;
		if (relation == SPQ_BOX_SAME)
			for (SpqBoxEnd e = SPQ_BOX_LOW_END; e <= SPQ_BOX_HIGH_END; e++)
			{
				limit_from_above(window, e, axis, end[e][axis] + slack);
				limit_from_below(window, e, axis, end[e][axis] - slack);
			}
		else if (box_is_left)
		{
			if (rule->low_a != SPQ_BOX_NO_END)
				limit_from_above(window, rule->low_a, axis,
								 end[rule->low_b][axis] + slack);
			if (rule->high_a != SPQ_BOX_NO_END)
				limit_from_below(window, rule->high_a, axis,
								 end[rule->high_b][axis] - slack);
		}
		else
		{
			if (rule->low_a != SPQ_BOX_NO_END)
				limit_from_below(window, rule->low_b, axis,
								 end[rule->low_a][axis] - slack);
			if (rule->high_a != SPQ_BOX_NO_END)
				limit_from_above(window, rule->high_b, axis,
								 end[rule->high_a][axis] + slack);
		}
	}
}

static bool
is_in_window(const SpqEstimateWindow *window, const SpqBox *box)
{
	const float8 *low = spq_box_low(box),
			   *high = spq_box_high(box);
	bool		in = true;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		in &= low[axis] >= window->low_min[axis] && low[axis] <= window->low_max[axis] &&
			high[axis] >= window->high_min[axis] && high[axis] <= window->high_max[axis];
	return in;
}

static int
compare_scale(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

/*
 * Find where boxes are along an axis, infinite ones left aside.  Return false
 * if differences of coordinates could overflow.
 */
static bool
find_extent(const SpqEstimateSample *sample, int axis, double *low, double *high)
{
	const double infinity = get_float8_infinity();

	*low = infinity;
	*high = -infinity;
	for (int i = 0; i < sample->count; i++)
	{
		double		box_low = spq_box_low(&sample->box[i])[axis],
					box_high = spq_box_high(&sample->box[i])[axis];

		if (box_low > -infinity)
			*low = Min(*low, box_low);
		if (box_high < infinity)
			*high = Max(*high, box_high);
	}
	if (!(*low <= *high))
		*low = *high = 0;
	return fabs(*low) < DBL_MAX / 16 && fabs(*high) < DBL_MAX / 16;
}

/* Find the spread of the middle half of the centers along an axis. */
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
 * Return the middle of a box and half its size along an axis, without the part
 * that reaches beyond the data to infinity.
 */
static inline double
middle(const SpqBox *box, int axis, double extent_low, double extent_high,
	   double *half)
{
	double		low = Min(Max(spq_box_low(box)[axis], extent_low), extent_high),
				high = Min(Max(spq_box_high(box)[axis], extent_low), extent_high);

	*half = high / 2 - low / 2;
	return low / 2 + high / 2;
}

/*
 * Find for each row the interval of centers that are in the window, on one axis,
 * and how far its own center is from it.
 */
static void
place_rows(Shrinker *s, const SpqEstimateWindow *window, const SpqEstimateSample *sample,
		   int axis, double extent_low, double extent_high)
{
	double		per_scale;

	/* first the centers, to find the scale */
	s->low[axis] = DBL_MAX;
	s->high[axis] = -DBL_MAX;
	for (int i = 0; i < s->rows; i++)
	{
		double		half,
					center = middle(&sample->box[i], axis, extent_low, extent_high, &half);

		s->row[i].low[axis] = center;
		s->low[axis] = Min(s->low[axis], center);
		s->high[axis] = Max(s->high[axis], center);
	}
	s->scale[axis] = find_spread(s, axis);
	if (!(s->scale[axis] > 0))
		s->scale[axis] = s->high[axis] - s->low[axis];
	if (!(s->scale[axis] > 0) || isinf(1 / s->scale[axis]))
		s->scale[axis] = 1;
	per_scale = 1 / s->scale[axis];

	for (int i = 0; i < s->rows; i++)
	{
		Row		   *row = &s->row[i];
		double		half,
					center = middle(&sample->box[i], axis, extent_low, extent_high, &half);

		row->low[axis] = Max(window->low_min[axis] + half, window->high_min[axis] - half);
		row->high[axis] = Min(window->low_max[axis] + half, window->high_max[axis] - half);
		row->gap = Max(row->gap, Max(row->low[axis] - center, center - row->high[axis]) * per_scale);
	}
}

/*
 * Return the area where the center of such a row would be in a window grown by
 * "reach", outside of which there is no data.
 */
static inline double
area(const Shrinker *s, const Row *row, double reach)
{
	double		area = 1;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		grow = reach * s->scale[axis],
					low = Max(row->low[axis] - grow, s->low[axis]),
					high = Min(row->high[axis] + grow, s->high[axis]);

		if (!(high > low))
			return 0;
		area *= (high - low) * (1 / s->scale[axis]);
	}
	return area;
}

/* Keep the rows within reach. */
static void
keep_rows(Shrinker *s, double reach)
{
	int			kept = 0;

	for (int i = 0; i < s->rows; i++)
		if (s->row[i].gap <= reach)
			s->row[kept++] = s->row[i];
	s->rows = kept;
}

/* Return the fraction of the sample's boxes that is in the window. */
static double
shrink_window(Shrinker *s)
{
	double		reach = 0,
				result = s->rows;

	/* a window at infinity, or too far away, is not reached by halving */
	keep_rows(s, DBL_MAX);
	result = s->rows / result;
	for (int i = 0; i < s->rows; i++)
		reach = Max(reach, s->row[i].gap);
	while (reach > 0 && s->rows > 0)
	{
		double		next = reach / 2,
					weight,
					ratio = 0,
					ratio_to_end = 0,
					rows = s->rows;

		for (int i = 0; i < s->rows; i++)
		{
			double		before = area(s, &s->row[i], reach);

			if (before <= 0)
				continue;
			ratio += area(s, &s->row[i], next) / before;
			ratio_to_end += area(s, &s->row[i], 0) / before;
		}
		ratio /= rows;
		ratio_to_end /= rows;
		if (ratio_to_end >= LAST_STEP || next < DBL_EPSILON)
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
 * Return how likely two rows have the same value: how many different values
 * there are cannot be seen in a sample, but how often they repeat can.
 */
static double
chance_of_same(const SpqEstimateSample *sample)
{
	int			rows = Min(sample->count, REPEAT_ROWS);
	struct
	{
		const SpqBox *box;
		int			count;
	}		   *slot = palloc0(sizeof(*slot) * REPEAT_SLOTS);
	double		pairs = 0;

	for (int i = 0; i < rows; i++)
	{
		const SpqBox *box = &sample->box[(int64) i * sample->count / rows];
		uint32		place = hash_bytes((const unsigned char *) box, sizeof(*box)) % REPEAT_SLOTS;

		while (slot[place].box && memcmp(slot[place].box, box, sizeof(*box)) != 0)
			place = (place + 1) % REPEAT_SLOTS;
		slot[place].box = box;
		pairs += slot[place].count++;
	}
	pfree(slot);
	return rows > 1 ? pairs * 2 / ((double) rows * (rows - 1)) : 0;
}

/*
 * Return the fraction of a relation's rows that satisfy the conditions.
 */
double
spq_estimate_in_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
					   double tuples)
{
	Shrinker	s = {.rows = sample->count};
	MemoryContext context,
				old;
	double		low[SPQ_DIM],
				high[SPQ_DIM],
				result,
				least;
	bool		finite = true;
	int			in = 0,
				blocks = 0,
				last_block = -1;

	if (window->nothing || sample->count == 0)
		return 0;
	for (int i = 0; i < sample->count; i++)
		if (is_in_window(window, &sample->box[i]))
		{
			in++;
			blocks += sample->block[i] != last_block;
			last_block = sample->block[i];
		}
	result = window->fraction * in / sample->rows;
	if (sample->complete || blocks >= ENOUGH_BLOCKS)
		return result;
	if (window->same)
		return Max(in > 1 ? result : 0, window->fraction * chance_of_same(sample));

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial window",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	for (int axis = 0; axis < SPQ_DIM; axis++)
		finite &= find_extent(sample, axis, &low[axis], &high[axis]);
	if (finite)
	{
		s.row = palloc0(sizeof(Row) * s.rows);
		for (int axis = 0; axis < SPQ_DIM; axis++)
			place_rows(&s, window, sample, axis, low[axis], high[axis]);
		for (int i = 0; i < s.rows; i++)
		{
			/* what is in the window is known better from the boxes themselves */
			if (is_in_window(window, &sample->box[i]))
				s.row[i].gap = 0;
			else
				s.row[i].gap = Max(s.row[i].gap, DBL_EPSILON);
		}
		result = window->fraction * shrink_window(&s) * sample->count / sample->rows;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);

	/*
	 * A sample cannot tell a row from none.  Expect the geometric mean of one
	 * row and of what a row of the sample stands for, or half of that.
	 */
	least = sqrt(Max(tuples / sample->rows, 1)) / 2;
	return Min(Max(result, least / Max(tuples, 1)), 1);
}
