/*-------------------------------------------------------------------------
 *
 * near_pairs.c
 *	  Pairs of boxes of two samples that are near each other.
 *
 * A few rows of the left sample are compared with the whole right sample to
 * choose the reach.  Then the join engine finds the pairs within it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/float.h"

#include "box/bits.h"
#include "estimate/pairs/near_pairs.h"
#include "estimate/pairs/related.h"
#include "join/engine/join.h"

/* Neighbors that show the density of rows at a row's place. */
#define NEIGHBORS	4
#define MAX_NEIGHBORS	16

/* Maximal number of pairs, and the room for them at first. */
#define MAX_PAIRS	(1 << 15)
#define FIRST_PAIRS	(1 << 12)

/*
 * Pairs of boxes to compare, and the fewest rows to take, to choose the reach;
 * and rows of each side to sort, to choose the scale.
 */
#define TRIAL_PAIRS	(1 << 15)
#define TRIAL_ROWS	8
#define SCALE_ROWS	64

/* Integers below this have no gaps in float8. */
#define LARGEST_INTEGER	((double) (INT64CONST(1) << 53))

/* Memory for the engine: enough for samples of any size. */
#define ENGINE_MEMORY	((Size) 64 * 1024 * 1024)

/*
 * Find the range of the boxes of both samples on an axis, and a little beyond.
 * Return false if differences of coordinates could overflow.
 */
static bool
find_extent(const SpqEstimatePairs *near, int axis, double *low, double *high)
{
	const SpqEstimateSample *samples[2] = {near->left, near->right};
	const int	counts[2] = {near->nleft, near->nright},
				axes = near->axes;
	double		least = get_float8_infinity(),
				most = -get_float8_infinity(),
				margin;

	for (int side = 0; side < 2; side++)
	{
		const float8 *end = samples[side]->ends + axis,
				   *const last = end + 2 * axes * counts[side];

		for (; end < last; end += axes)
			if (!isinf(*end))
			{
				least = Min(least, *end);
				most = Max(most, *end);
			}
	}
	if (least > most)
		least = most = 0;
	margin = (most - least) / 64 + 1;
	*low = least - margin;
	*high = most + margin;
	return *high - *low < DBL_MAX / 16;
}

/* Return a copy of the boxes of a sample, clipped to these limits. */
static float8 *
copy_within(const SpqEstimateSample *sample, const double *low, const double *high)
{
	const int	axes = sample->axes;
	float8	   *copy = palloc(sizeof(float8) * 2 * axes * Max(sample->count, 1));

	for (int axis = 0; axis < axes; axis++)
	{
		const float8 *from = sample->ends + axis,
				   *const last = from + 2 * axes * sample->count;
		const double least = low[axis],
					most = high[axis];

		/* both the high and the low end */
		for (float8 *to = copy + axis; from < last; from += axes, to += axes)
			*to = Min(Max(*from, least), most);
	}
	return copy;
}

/*
 * Copy the boxes without infinities: an infinite end is moved a little beyond
 * all other boxes.  Then all coordinates and their differences are finite.
 * Return false if the data are so large that differences could overflow.
 */
static bool
bound_boxes(SpqEstimatePairs *near)
{
	double		low[SPQ_ESTIMATE_MAX_AXES],
				high[SPQ_ESTIMATE_MAX_AXES];

	for (int axis = 0; axis < near->axes; axis++)
		if (!find_extent(near, axis, &low[axis], &high[axis]))
			return false;
	near->lends = copy_within(near->left, low, high);
	near->rends = copy_within(near->right, low, high);
	return true;
}

/*
 * Return the greatest common divisor of a step and of what one end of the boxes of a
 * sample differs by, or -1 if that is no integer.
 */
static double
step_of_ends(double step, const float8 *end, int count, int stride)
{
	const float8 *first = NULL;

	for (int i = 0; i < count && step >= 0; i++, end += stride)
	{
		double		difference;

		if (isinf(*end))
			continue;
		if (first == NULL)
			first = end;
		difference = fabs(*end - *first);
		if (!(difference < LARGEST_INTEGER) || difference != floor(difference))
			return -1;
		if (step > 0 && floor(difference / step) * step == difference)
			continue;			/* a multiple, as most are */
		while (difference > 0)
		{
			double		rest = fmod(step, difference);

			step = difference;
			difference = rest;
		}
	}
	return step;
}

/* Set the step of an axis. */
static void
find_step(SpqEstimatePairs *near, int axis)
{
	const int	ends = 2 * near->axes;
	double		step = 0;

	for (int end = axis; end < ends; end += near->axes)
	{
		step = step_of_ends(step, near->left->ends + end, near->nleft, ends);
		step = step_of_ends(step, near->right->ends + end, near->nright, ends);
	}
	near->step[axis] = Max(step, 0);
}

/*
 * Return the length over which the middle half of the data spread on an axis.
 * It may be 0.
 */
static double
find_spread(const SpqEstimatePairs *near, int axis)
{
	double		center[2 * SCALE_ROWS];
	int			n = 0;

	for (int i = 0; i < SCALE_ROWS; i++)
	{
		const float8 *box[2] = {
			spq_estimate_left_ends(near, (int64) i * near->nleft / SCALE_ROWS),
			spq_estimate_right_ends(near, (int64) i * near->nright / SCALE_ROWS)
		};

		for (int side = 0; side < 2; side++)
			center[n++] = box[side][near->axes + axis] / 2 + box[side][axis] / 2;
	}
	qsort(center, n, sizeof(double), spq_compare_doubles);
	return center[n * 3 / 4] - center[n / 4];
}

/*
 * Set the scale of each axis to the length over which half of the data spread.
 * An axis without spread gets the largest scale of the others.
 */
static void
choose_scale(SpqEstimatePairs *near)
{
	double		widest = 0;
	bool		usable = true;

	for (int axis = 0; axis < near->axes; axis++)
	{
		near->scale[axis] = find_spread(near, axis);
		near->flat[axis] = near->scale[axis] == 0;
		if (near->scale[axis] > widest)
			widest = near->scale[axis];
	}
	for (int axis = 0; axis < near->axes; axis++)
	{
		if (!(near->scale[axis] > 0))
			near->scale[axis] = widest;
		usable &= near->scale[axis] > 0 && !isinf(1 / near->scale[axis]);
	}
	for (int axis = 0; axis < near->axes; axis++)
	{
		if (!usable)
			near->scale[axis] = 1;
		near->per_scale[axis] = 1 / near->scale[axis];
	}
}

static pg_attribute_always_inline float
gap_on_axes(const double *per_scale, const float8 *a, const float8 *b, int axes)
{
	double		gap = 0;

	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
	{
		double		apart = Max(a[axes + axis] - b[axis], b[axes + axis] - a[axis]) *
			per_scale[axis];

		gap = apart > gap ? apart : gap;
	}
	return (float) gap;
}

/* Return the gap between two boxes, on the axis where it is largest. */
static inline float
gap_of(const SpqEstimatePairs *near, const float8 *a, const float8 *b)
{
	return near->axes == 2 ? gap_on_axes(near->per_scale, a, b, 2) :
		gap_on_axes(near->per_scale, a, b, 3);
}

/*
 * Choose the reach so that half of a few rows of the left sample have this
 * number of neighbors within it; 0 if the number is 0.  Half of the rows,
 * because one large box may have more neighbors than all others together.
 * Choose a smaller reach if there would be too many pairs.  If that is not
 * enough, cut the left sample: its order allows that.
 *
 * Gaps are classified by their exponent and the upper bits of the mantissa:
 * positive floats are in the order of their bits.
 */
static void
choose_reach(SpqEstimatePairs *near, int neighbors)
{
	enum
	{
		shift = 20, classes = 1 << (31 - shift)
	};
	int			rows = Min(near->nleft, Max(TRIAL_ROWS, TRIAL_PAIRS / near->nright));
	uint32	   *count = palloc0(sizeof(uint32) * classes);
	double	   *farthest = palloc(sizeof(double) * rows);
	double		found,
				most = MAX_PAIRS / 4 * (double) rows / near->nleft;
	union
	{
		float		number;
		uint32		bits;
	}			gap,
				reach;

	/* local copies, so that the loop does not read them for each pair */
	const int	axes = near->axes,
				nright = near->nright;
	const bool	same = near->same;
	const double per_scale[SPQ_ESTIMATE_MAX_AXES] = {
		near->per_scale[0], near->per_scale[1], near->per_scale[2]
	};

	neighbors = Min(neighbors, Min(MAX_NEIGHBORS, near->nright));
	for (int i = 0; i < rows; i++)
	{
		int			left = (int) ((int64) i * near->nleft / rows);
		const float8 *box = spq_estimate_left_ends(near, left);
		float		nearest[MAX_NEIGHBORS];
		const float8 *other = near->rends;
		int			n = 0;

		for (int j = 0; j < nright; j++, other += 2 * axes)
		{
			int			k;

			if (same && near->left->row[left].block == near->right->row[j].block)
				continue;
			gap.number = axes == 2 ? gap_on_axes(per_scale, box, other, 2) :
				gap_on_axes(per_scale, box, other, 3);
			count[gap.bits >> shift]++;
			if (n == neighbors && (n == 0 || gap.number >= nearest[n - 1]))
				continue;
			if (n < neighbors)
				n++;
			for (k = n - 1; k > 0 && nearest[k - 1] > gap.number; k--)
				nearest[k] = nearest[k - 1];
			nearest[k] = gap.number;
		}
		farthest[i] = n > 0 ? nearest[n - 1] : 0;
	}
	qsort(farthest, rows, sizeof(double), spq_compare_doubles);
	reach.number = farthest[rows / 2];

	found = count[0];
	for (uint32 class = 1; class <= reach.bits >> shift; class++)
	{
		found += count[class];
		if (found > most)
		{
			reach.bits = class << shift;
			break;
		}
	}
	if (!isinf(reach.number) && !isnan(reach.number))
		near->reach = reach.number;
	if (count[0] > most)
	{
		near->reach = 0;
		near->nleft = Max(1, (int) (near->nleft * (most / count[0])));
	}
	pfree(count);
	pfree(farthest);
}

static bool
matches(const SpqEstimatePairs *near, const SpqEstimatePair *pair)
{
	const float8 *a = spq_estimate_high(near->left, pair->left),
			   *b = spq_estimate_high(near->right, pair->right);

	if (near->lines)
	{
		const float8 *left = spq_estimate_left_ends(near, pair->left),
				   *right = spq_estimate_right_ends(near, pair->right);

		return near->left->lines ?
			spq_estimate_line_meets(left, right, near->axes,
									murmurhash32(near->left->row[pair->left].number)) :
			spq_estimate_line_meets(right, left, near->axes,
									murmurhash32(near->right->row[pair->right].number));
	}
	if (near->axes == 3)
		return spq_estimate_related3(near->predicate, a, b);
	return spq_box_related(near->predicate, 0, (const SpqBox *) a, (const SpqBox *) b);
}

/*
 * Collect the pairs within reach.  If there are too many, cut the left sample
 * once more and return false; with one left row, keep the first MAX_PAIRS.
 */
static bool
find_pairs(SpqEstimatePairs *near)
{
	const SpqJoinEngine *engine = near->axes == 3 ? &spq_join3_engine : &spq_join2_engine;
	SpqJoinSpec spec = {.predicate = SPQ_BOX_OVERLAPS,.memory = ENGINE_MEMORY,.sorted = true};
	SpqJoin    *join = engine->begin(&spec);
	SpqJoinPair found;
	int			next = 0;
	bool		fits = true;

	for (int i = 0; i < near->nright; i++)
		engine->build(join, spq_estimate_right_ends(near, i), 0, i, NULL, 0);
	engine->build_done(join);
	near->pairs = 0;
	near->self_matches = 0;
	for (;;)
	{
		SpqJoinEvent event = engine->next(join, &found);

		if (event == SPQ_JOIN_WANTS_PROBES)
		{
			for (uint32 room = engine->room(join); room > 0 && next < near->nleft; room--)
			{
				const float8 *ends = spq_estimate_left_ends(near, next);
				float8		grown[SPQ_ESTIMATE_ENDS];

				for (int axis = 0; axis < near->axes; axis++)
				{
					double		reach = near->reach * near->scale[axis];

					grown[axis] = ends[axis] + reach;
					grown[near->axes + axis] = ends[near->axes + axis] - reach;
				}
				engine->probe(join, grown, 0, next++, NULL, 0);
			}
			if (next == near->nleft)
				engine->probes_done(join);
		}
		else if (event == SPQ_JOIN_PAIR)
		{
			SpqEstimatePair *pair;

			if (near->pairs == near->room)
			{
				near->room *= 2;
				near->pair = repalloc(near->pair, sizeof(SpqEstimatePair) * near->room);
			}
			pair = &near->pair[near->pairs];
			pair->left = (int) found.probe;
			pair->right = (int) found.build;
			if (near->same && spq_estimate_same_row(near, pair))
			{
				near->self_matches += matches(near, pair);
				continue;
			}
			pair->gap = gap_of(near, spq_estimate_left_ends(near, pair->left),
							   spq_estimate_right_ends(near, pair->right));
			pair->match = matches(near, pair);
			if (++near->pairs == MAX_PAIRS && near->nleft > 1)
			{
				near->nleft = (near->nleft + 3) / 4;
				fits = false;
				break;
			}
			if (near->pairs == MAX_PAIRS)
				break;
		}
		else
			break;
	}
	engine->end(join);
	return fits;
}

/*
 * Prepare two samples, neither of them empty, and choose the reach.  With
 * "other_rows", no row is joined with itself; with "lines", those of one sample
 * meet the boxes of the other.
 */
void
spq_estimate_near_pairs_init(SpqEstimatePairs *near, const SpqEstimateSample *left,
							 const SpqEstimateSample *right, SpqRelation predicate,
							 bool other_rows, bool lines)
{
	memset(near, 0, sizeof(*near));
	near->left = left;
	near->right = right;
	near->predicate = predicate;
	near->same = left->source == right->source &&
		(other_rows || !(left->complete && right->complete));
	near->nleft = left->count;
	near->nright = right->count;
	near->axes = left->axes;
	near->lines = lines;
	for (int axis = 0; axis < near->axes; axis++)
		near->scale[axis] = near->per_scale[axis] = 1;
	near->room = FIRST_PAIRS;
	near->pair = palloc(sizeof(SpqEstimatePair) * near->room);
	if (!bound_boxes(near))
	{
		near->lends = left->ends;
		near->rends = right->ends;
	}
	else if ((left->complete && right->complete) || predicate == SPQ_BOX_SAME)
		choose_reach(near, 0);	/* counting matches suffices */
	else
	{
		/* each row of the larger sample should have some neighbors */
		choose_scale(near);

		/*
		 * the values of a column may be unique, so its own do not predict
		 * others
		 */
		for (int axis = 0; axis < near->axes && !near->same; axis++)
			find_step(near, axis);
		choose_reach(near, Min(NEIGHBORS * Max(near->nright / near->nleft, 1),
							   Max(MAX_PAIRS / 4 / near->nleft, NEIGHBORS)));
	}
}

/* Find the pairs, at most MAX_PAIRS. */
void
spq_estimate_near_pairs_find(SpqEstimatePairs *near)
{
	while (!find_pairs(near))
		CHECK_FOR_INTERRUPTS();
}
