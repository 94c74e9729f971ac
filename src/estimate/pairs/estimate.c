/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many pairs of rows satisfy a spatial condition, from two samples.
 *
 * near_pairs.c finds the near pairs; this file adds up their chances.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "estimate/pairs/estimate.h"
#include "estimate/pairs/near_pairs.h"
#include "estimate/sample/sample.h"
#include "estimate/window/solid_shape.h"

/*
 * Different pairs that the reach must contain, or pairs of blocks; and matches
 * that are enough without a reach.
 */
#define MIN_PAIRS	96
#define MIN_BLOCK_PAIRS 8		/* each stands for many pairs of rows */
#define MIN_MATCHES	64

/*
 * Pairs that a smaller reach needs, and by how many errors its sum must exceed
 * the previous one.
 */
#define MIN_NEARER_PAIRS	10
#define NEARER_ERRORS	1.0

/*
 * Stop halving the reach when the sum is this fraction of the sum at almost no
 * reach.
 */
#define NEARER_ENOUGH	0.99

/* The relative error above which other samples are worth reading. */
#define FEW_PLACES_ERROR	0.3

/*
 * Different rows of each side that the pairs must have.  Otherwise all may be
 * pairs of one row, if a side lies in one place of the other.
 */
#define MIN_ROWS	6

/* Classes of gaps, and slots of the table that recognizes equal pairs. */
#define GAP_CLASSES	128
#define GAP_SLOTS	8192

/* How often the reach is doubled if it contains too few different pairs. */
#define MAX_DOUBLINGS	2

typedef struct Estimator
{
	SpqEstimatePairs near;
	bool		lclumped;		/* rows of a block lie together */
	bool		rclumped;
	uint32		enough;			/* different pairs that are enough */
	double		same_block;		/* weight of a pair of rows of one block */
} Estimator;

/*
 * Return the weight of a pair.  If a relation is joined with itself, both
 * samples have the same blocks.  Then the fraction of the pairs whose rows are
 * in one block is 1 / (number of blocks read) in the samples, but
 * 1 / (number of all blocks) in the relation.
 */
static double
pair_weight(const Estimator *e, const SpqEstimatePair *pair)
{
	return spq_estimate_same_block(&e->near, pair) ? e->same_block : 1;
}

/*
 * Return the fraction of pairs of a line and a box with meeting bounds in
 * which the line meets the box.
 */
static double
line_chance(const Estimator *e, const float8 *a, const float8 *b)
{
	const float8 *line = e->near.left->lines ? a : b,
			   *box = e->near.left->lines ? b : a;
	SpqEstimateFill fill = {.any = true};
	double		side[SPQ_ESTIMATE_MAX_AXES] = {1, 1, 1};	/* of axes that are not
															 * there, any */

	for (int axis = 0; axis < e->near.axes; axis++)
	{
		fill.high[axis] = line[axis];
		fill.low[axis] = line[e->near.axes + axis];
		side[axis] = box[axis] - box[e->near.axes + axis];
	}
	return spq_estimate_filled(&fill, side);
}

/* Return the number of multiples of a step between two ends. */
static inline double
steps_between(double first, double last, double step)
{
	return Max(floor(last / step) - ceil(first / step) + 1, 0);
}

/*
 * Return the fraction of b's places on an axis that match, among those within reach.
 * They are whole steps from the present one.
 */
static double
chance_of_steps(SpqRelation predicate, double step, double within,
				double a_low, double a_high, double b_low, double b_high)
{
	double		places = steps_between(a_low - b_high - within, a_high - b_low + within, step),
				match;

	switch (predicate)
	{
		case SPQ_BOX_CONTAINS:
			match = steps_between(a_low - b_low, a_high - b_high, step);
			break;
		case SPQ_BOX_CONTAINED:
			match = steps_between(a_high - b_high, a_low - b_low, step);
			break;
		default:
			match = steps_between(a_low - b_high, a_high - b_low, step);
			break;
	}
	return places > 0 ? Min(match / places, 1) : 0;
}

/*
 * Return the chance that a pair matches if one of its boxes may lie anywhere
 * within this reach, times the pair's weight.
 */
static pg_attribute_always_inline double
pair_chance_on_axes(const Estimator *e, const SpqEstimatePair *pair, double reach, int axes)
{
	const float8 *a = spq_estimate_left_ends(&e->near, pair->left),
			   *b = spq_estimate_right_ends(&e->near, pair->right);
	double		chance = pair_weight(e, pair);

	if (e->near.lines && reach == 0)
		return chance * line_chance(e, a, b);
	if (reach == 0 || e->near.predicate == SPQ_BOX_SAME)
		return pair->match ? chance : 0;
	for (int axis = 0; axis < axes; axis++)
	{
		const double a_low = a[axes + axis],
					b_low = b[axes + axis],
					a_high = a[axis],
					b_high = b[axis],
					meet = a_high - a_low + b_high - b_low,
					within = reach * e->near.scale[axis];

		/* where data have one place and no size, as ranges do */
		if (e->near.flat[axis] && meet == 0)
			chance *= a_high == b_high;
		else if (e->near.step[axis] > 0)
			chance *= chance_of_steps(e->near.predicate, e->near.step[axis], within,
									  a_low, a_high, b_low, b_high);
		else
		{
			double		match;	/* length of the centers that match */

			switch (e->near.predicate)
			{
				case SPQ_BOX_CONTAINS:
					match = Max(a_high - a_low - (b_high - b_low), 0);
					break;
				case SPQ_BOX_CONTAINED:
					match = Max(b_high - b_low - (a_high - a_low), 0);
					break;
				default:
					match = meet;
					break;
			}
			chance *= match / (meet + 2 * within);
		}
	}
	return e->near.lines ? chance * line_chance(e, a, b) : chance;
}

static double
pair_chance(const Estimator *e, const SpqEstimatePair *pair, double reach)
{
	return e->near.axes == 2 ? pair_chance_on_axes(e, pair, reach, 2) :
		pair_chance_on_axes(e, pair, reach, 3);
}

/*
 * Count different pairs by their smallest gaps: count[i] have theirs in class
 * i.  Return the number of all.  If rows of a block lie together, their pairs
 * with rows of another block occur together and are worth no more than one.
 * Then count pairs of blocks, otherwise pairs of rows.
 */
static uint32
count_by_gap(const Estimator *e, bool only_matches, uint32 *count)
{
	uint8	   *least = palloc(GAP_SLOTS);
	double		per_class = e->near.reach > 0 ? GAP_CLASSES / e->near.reach : 0;
	uint32		sum = 0;

	memset(least, GAP_CLASSES, GAP_SLOTS);
	memset(count, 0, sizeof(uint32) * GAP_CLASSES);
	for (int i = 0; i < e->near.pairs; i++)
	{
		const SpqEstimatePair *pair = &e->near.pair[i];
		uint32		left = e->lclumped ? e->near.left->row[pair->left].block :
			(uint32) pair->left;
		uint32		right = e->rclumped ? e->near.right->row[pair->right].block :
			(uint32) pair->right;
		uint8	   *slot = &least[murmurhash32(left << 16 ^ right) % GAP_SLOTS];
		int			class = Min((int) (pair->gap * per_class), GAP_CLASSES - 1);

		if ((only_matches && !pair->match) || *slot <= class ||
			(e->same_block < 1 && spq_estimate_same_block(&e->near, pair)))
			continue;
		if (*slot < GAP_CLASSES)
			count[*slot]--;
		else
			sum++;
		count[class]++;
		*slot = class;
	}
	pfree(least);
	return sum;
}

/*
 * Return the class of gaps within which MIN_ROWS different rows (or blocks, if
 * their rows lie together) of one side have a pair, or GAP_CLASSES if there
 * are fewer.
 */
static int
class_of_rows(const Estimator *e, bool left)
{
	const SpqEstimateRow *rows = left ? e->near.left->row : e->near.right->row;
	bool		clumped = left ? e->lclumped : e->rclumped;
	double		per_class = e->near.reach > 0 ? GAP_CLASSES / e->near.reach : 0;
	uint32		nearest[MIN_ROWS];
	int			class_of[MIN_ROWS];
	int			n = 0;

	for (int i = 0; i < e->near.pairs; i++)
	{
		const SpqEstimatePair *pair = &e->near.pair[i];
		uint32		row = left ? pair->left : pair->right;
		int			class = Min((int) (pair->gap * per_class), GAP_CLASSES - 1);
		int			k;

		if ((n == MIN_ROWS && class >= class_of[n - 1]) ||
			(e->same_block < 1 && spq_estimate_same_block(&e->near, pair)))
			continue;
		if (clumped)
			row = rows[row].block;

		/* keep the nearest rows sorted */
		for (k = 0; k < n && nearest[k] != row; k++)
			;
		if (k < n && class_of[k] <= class)
			continue;
		if (k == n)
		{
			if (n < MIN_ROWS)
				n++;
			else
				k--;
		}
		for (; k > 0 && class_of[k - 1] > class; k--)
		{
			nearest[k] = nearest[k - 1];
			class_of[k] = class_of[k - 1];
		}
		nearest[k] = row;
		class_of[k] = class;
	}
	return n == MIN_ROWS ? class_of[n - 1] : GAP_CLASSES;
}

/* Return the class of gaps within which both sides have enough rows. */
static int
class_of_enough_rows(const Estimator *e)
{
	int			class = 0;

	/* a complete sample has all rows, so few are enough */
	if (!e->near.left->complete)
		class = class_of_rows(e, true);
	if (!e->near.right->complete)
		class = Max(class, class_of_rows(e, false));
	return class;
}

/* Return the reach within which this number of pairs lies, of enough rows. */
static double
reach_of(const Estimator *e, const uint32 *count, uint32 pairs, int enough_rows)
{
	uint32		found = 0;

	for (int i = 0; i < GAP_CLASSES; i++)
	{
		found += count[i];
		if (found >= pairs && i >= enough_rows)
			return e->near.reach * (i + 1) / GAP_CLASSES;
	}
	return e->near.reach;
}

/*
 * Return a size for arrays that are indexed by rows or by blocks of a sample.
 */
static int
number_of_places(const SpqEstimateSample *sample)
{
	return Max(sample->count, sample->row[sample->count - 1].block + 1);
}

/* Move the pairs within a reach to the front.  Return their number. */
static int
keep_within(const Estimator *e, int *pairs, int count, double reach)
{
	int			kept = 0;

	for (int i = 0; i < count; i++)
		if (e->near.pair[pairs[i]].gap <= reach)
			pairs[kept++] = pairs[i];
	return kept;
}

/*
 * Return the sum of the chances of some pairs within a reach, and set its
 * error.  The pairs of one row depend on each other, and so do those of a
 * block whose rows lie together, so the error is that of the sums of each row
 * or block.
 */
static double
sum_of_chances(const Estimator *e, const int *pairs, int count, double reach, double *error)
{
	const int	left_places = number_of_places(e->near.left),
				right_places = number_of_places(e->near.right);
	double	   *of_left = palloc0(sizeof(double) * (left_places + right_places)),
			   *of_right = of_left + left_places;
	double		sum = 0,
				left_squares = 0,
				right_squares = 0;

	for (int i = 0; i < count; i++)
	{
		const SpqEstimatePair *pair = &e->near.pair[pairs[i]];
		double		chance = pair_chance(e, pair, reach);

		sum += chance;
		of_left[e->lclumped ? e->near.left->row[pair->left].block : pair->left] += chance;
		of_right[e->rclumped ? e->near.right->row[pair->right].block : pair->right] += chance;
	}
	for (int i = 0; i < left_places; i++)
		left_squares += of_left[i] * of_left[i];
	for (int i = 0; i < right_places; i++)
		right_squares += of_right[i] * of_right[i];
	*error = sqrt(Max(left_squares, right_squares));
	pfree(of_left);
	return sum;
}

/*
 * Return how many pairs of the samples match.  The reach is the smallest with
 * enough pairs, or 0 if there are enough matches.  Of lines, even then their
 * chances are added up: only their boxes are known, so a match is a guess.
 *
 * Within the reach, rows are assumed to be evenly spread.  If they lie in
 * clusters smaller than the reach, the nearer pairs predict more matches; but
 * there are fewer of them, and their sum has a larger error.  So take a
 * smaller reach if the difference exceeds the error.
 */
static double
count_pairs(const Estimator *e, double matches, const uint32 *count, double *error)
{
	uint32		of_matches[GAP_CLASSES];
	int		   *pairs;
	int			enough_rows,
				within = 0;
	double		reach,
				sum;

	*error = 0;

	if ((e->near.reach == 0 && !e->near.lines) || e->near.predicate == SPQ_BOX_SAME ||
		(matches >= MIN_MATCHES &&
		 count_by_gap(e, true, of_matches) >= MIN_MATCHES))
		return matches;
	enough_rows = class_of_enough_rows(e);
	reach = reach_of(e, count, e->enough, enough_rows);
	pairs = palloc(sizeof(int) * Max(e->near.pairs, 1));
	for (int i = 0; i < e->near.pairs; i++)
		if (e->near.pair[i].gap <= reach)
			pairs[within++] = i;
	sum = sum_of_chances(e, pairs, within, reach, error);
	for (double nearer = reach / 2; nearer > 0; nearer /= 2)
	{
		int			kept = keep_within(e, pairs, within, nearer);
		double		nearer_error,
					more;

		if (kept < MIN_NEARER_PAIRS)
			break;
		more = sum_of_chances(e, pairs, kept, nearer, &nearer_error);
		if (more > sum + NEARER_ERRORS * nearer_error)
		{
			sum = more;
			*error = nearer_error;
		}

		/*
		 * pairs without a gap are within any reach, and their chances have a
		 * limit
		 */
		if (kept == within &&
			more >= NEARER_ENOUGH * sum_of_chances(e, pairs, kept, nearer * DBL_EPSILON,
												   &nearer_error))
			break;
		within = kept;
	}

	/*
	 * Coordinates on a lattice, and rows that are in both relations, match
	 * more often than by chance.  If more matches are seen than chance can
	 * explain, return the matches.
	 */
	if (matches > sum + 3 * sqrt(sum) + 3 &&
		count_by_gap(e, true, of_matches) > sum + 3 * sqrt(sum) + 3)
		return matches;
	return sum;
}

static void
classify(SpqEstimateChances *chances, const double *chance, const int *matches, int count)
{
	for (int i = 0; i < count; i++)
	{
		int			class = SPQ_ESTIMATE_CLASSES - 1;

		if (chance[i] > 0)
		{
			(void) frexp(chance[i], &class);
			class = Min(Max(-class, 0), SPQ_ESTIMATE_CLASSES - 1);
		}
		if (matches[i] > 0)
		{
			chances->count_seen[class]++;
			chances->sum_seen[class] += chance[i];
			chances->matches[class] += matches[i];
		}
		else
		{
			chances->count[class]++;
			chances->sum[class] += chance[i];
		}
	}
}

/*
 * Return whether rows of a block lie together.  If not, a neighbor in the
 * block is nearer than a row of another block half of the time.
 */
static bool
is_clumped(const SpqEstimateSample *sample)
{
	int			nearer[SPQ_ESTIMATE_MAX_AXES],
				tries,
				most = 0;

	if (sample->complete)
		return false;
	tries = spq_estimate_nearer_neighbors(sample, nearer);
	for (int axis = 0; axis < sample->axes; axis++)
		most = Max(most, nearer[axis]);
	return most > tries * 0.6;
}

/* Return how many independent parts a sample has: blocks or rows. */
static int
places(const SpqEstimateSample *sample, bool clumped)
{
	return clumped ? sample->row[sample->count - 1].block + 1 : sample->count;
}

/* Estimate how many pairs of rows satisfy the question. */
void
spq_estimate_join(const SpqEstimateSample *left, const SpqEstimateSample *right,
				  const SpqEstimateQuestion *question, SpqEstimate *estimate)
{
	Estimator	e;
	double		shape;
	MemoryContext context,
				old;
	double	   *lchance,
			   *rchance;
	int		   *lmatches,
			   *rmatches;
	uint32		gaps[GAP_CLASSES];
	double		lrows = left->rows,
				rrows = right->rows,
				matches = 0,
				sum = 0,
				pairs,
				error;

	memset(estimate, 0, sizeof(*estimate));
	estimate->left.rows = lrows;
	estimate->right.rows = rrows;
	estimate->left_touched = estimate->right_touched = (SpqEstimateTouched)
	{
		1, 1
	};
	if (left->count == 0 || right->count == 0)
		return;

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	spq_estimate_near_pairs_init(&e.near, left, right, question->predicate, question->other_rows,
								 question->lines);

	/* a few blocks cannot have that many different pairs */
	e.lclumped = is_clumped(left);
	e.rclumped = is_clumped(right);
	e.same_block = Min(1, places(left, true) / Max(left->pages, 1));
	e.enough = (uint32) Min(e.lclumped && e.rclumped ? MIN_BLOCK_PAIRS : MIN_PAIRS,
							(double) places(left, e.lclumped) *
							places(right, e.rclumped) / 2);
	for (int doublings = 0;;)
	{
		spq_estimate_near_pairs_find(&e.near);
		if ((count_by_gap(&e, false, gaps) >= e.enough / 2 &&
			 class_of_enough_rows(&e) < GAP_CLASSES) ||
			e.near.reach == 0 || doublings++ == MAX_DOUBLINGS)
			break;
		e.near.reach *= 2;
	}

	shape = e.near.lines ? 1 :	/* matches are those of the line itself */
		spq_estimate_tried_fraction(&e.near, &question->trial, question->shape);
	estimate->fraction = shape;

	/* a left sample that was cut stands for fewer rows */
	lrows *= (double) e.near.nleft / left->count;
	estimate->left.rows = estimate->right.others = lrows;
	estimate->left.others = rrows;

	lchance = palloc0(sizeof(double) * e.near.nleft);
	rchance = palloc0(sizeof(double) * e.near.nright);
	lmatches = palloc0(sizeof(int) * e.near.nleft);
	rmatches = palloc0(sizeof(int) * e.near.nright);
	for (int i = 0; i < e.near.pairs; i++)
	{
		const SpqEstimatePair *pair = &e.near.pair[i];
		double		chance = pair_chance(&e, pair, e.near.reach);

		sum += chance;
		lchance[pair->left] += chance;
		rchance[pair->right] += chance;
		if (pair->match)
		{
			matches += pair_weight(&e, pair);
			lmatches[pair->left]++;
			rmatches[pair->right]++;
		}
	}
	estimate->matches = matches;
	estimate->same = e.near.same;
	estimate->self = e.near.self_matches / lrows;
	pairs = count_pairs(&e, matches, gaps, &error);
	estimate->error = pairs > 0 ? error / pairs : 1;
	estimate->few_places = e.lclumped && e.rclumped && estimate->error > FEW_PLACES_ERROR;
	estimate->selectivity = pairs * shape / lrows /
		Max(e.near.same ? rrows - 1 : rrows, 1);

	/* divide the pairs among the rows by their chances at the wider reach */
	if (sum > 0)
		shape *= pairs / sum;
	for (int i = 0; i < e.near.nleft; i++)
		lchance[i] *= shape / rrows;
	for (int i = 0; i < e.near.nright; i++)
		rchance[i] *= shape / lrows;
	classify(&estimate->left, lchance, lmatches, e.near.nleft);
	classify(&estimate->right, rchance, rmatches, e.near.nright);
	estimate->left_touched = spq_estimate_touched(right, left);
	estimate->right_touched = spq_estimate_touched(left, right);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/*
 * Return the fraction of the rows of a side that have a match on the other
 * side.  The other side has "unseen" rows besides those of its sample, and
 * another condition keeps the fraction "kept" of all of them.  The number of
 * matches among the unseen has a Poisson distribution: none with probability
 * exp(-expected).
 *
 * If hardly any row with a match was seen, the chances of a match with "rows"
 * rows of the other side are used if they give more, as in count_pairs(): no
 * match among a thousand rows may mean hundreds in the table.
 */
double
spq_estimate_matched(const SpqEstimateChances *chances, double rows, double unseen, double kept)
{
	double		matched = 0,
				expected = 0,
				lost = kept < 1 ? -log1p(-kept) : get_float8_infinity();
	int			seen = 0;

	if (chances->rows <= 0)
		return 0;
	for (int i = 0; i < SPQ_ESTIMATE_CLASSES; i++)
	{
		double		n = chances->count[i],
					m = chances->count_seen[i];

		if (n > 0)
			matched += n * -expm1(-kept * unseen * chances->sum[i] / n);
		if (m > 0)
			matched += m * -expm1(-kept * unseen * chances->sum_seen[i] / m
								  - lost * chances->matches[i] / m);
		if (n + m > 0)
			expected += (n + m) *
				-expm1(-kept * rows * (chances->sum[i] + chances->sum_seen[i]) / (n + m));
		seen += chances->count_seen[i];
	}
	if (seen < MIN_ROWS)
		matched = Max(matched, expected);
	return Min(matched / chances->rows, 1);
}
