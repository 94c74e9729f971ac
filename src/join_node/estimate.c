/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many pairs of rows satisfy a spatial condition, from two samples.
 *
 * Three steps: look at a few rows of the left sample to choose a reach; let
 * the join engine find the pairs within it; count them by their chances.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "join/join.h"
#include "join_node/estimate.h"

/* So many neighbours tell how crowded a row's place is. */
#define NEIGHBOURS	4
#define MOST_NEIGHBOURS	16

/* So many pairs in all are enough for the number of pairs; matches: without reach. */
#define ENOUGH_PAIRS	96
#define ENOUGH_MATCHES	64

/* Classes of gaps, and the table in which different pairs are told apart. */
#define GAP_CLASSES	128
#define GAP_SLOTS	8192

/* The reach is doubled so often, if what is within it is always the same. */
#define MOST_DOUBLINGS	2

/* Of a relation in which rows lie together, so many places have to be seen. */
#define LEAST_PLACES	32

/* More pairs are not looked at. */
#define MOST_PAIRS	(1 << 15)
#define FIRST_PAIRS	(1 << 12)

/* Pairs of boxes that are compared to choose the reach, and rows that are sorted. */
#define TRIAL_PAIRS	(1 << 15)
#define TRIAL_ROWS	8
#define SCALE_ROWS	64

/* Memory for the engine: enough for samples of any size. */
#define ENGINE_MEMORY	((Size) 64 * 1024 * 1024)

/* Two boxes that come near. */
typedef struct NearPair
{
	int			left;
	int			right;
	float		gap;			/* between them, in units of scale */
	bool		match;
} NearPair;

typedef struct Estimator
{
	const SpqSample *left;
	const SpqSample *right;
	int			nleft;			/* boxes that are used */
	int			nright;
	BOX		   *lbox;			/* without infinities */
	BOX		   *rbox;
	bool		same;			/* the samples are one */
	bool		lclumped;		/* rows of a block lie together */
	bool		rclumped;
	SpqJoinPredicate predicate;
	double		scale_x;		/* a reach of 1 */
	double		scale_y;
	double		per_x;			/* their inverses */
	double		per_y;
	double		reach;
	NearPair   *pair;
	int			pairs;
	int			room;			/* in pair[] */
	uint32		enough;			/* different pairs */
} Estimator;

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

static int
compare_floats(const void *a, const void *b)
{
	float		x = *(const float *) a,
				y = *(const float *) b;

	return (x > y) - (x < y);
}

/*
 * Copies without infinities: what reaches so far reaches a little beyond all
 * other boxes.  What is left is finite, and so are differences, unless the
 * data are next to the largest number: then false.
 */
static bool
bound_boxes(Estimator *e)
{
	double		low[2] = {get_float8_infinity(), get_float8_infinity()},
				high[2] = {-get_float8_infinity(), -get_float8_infinity()};
	BOX		   *copies[2];
	const SpqSample *samples[2] = {e->left, e->right};
	int			counts[2] = {e->nleft, e->nright};

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < counts[side]; i++)
		{
			const BOX  *box = &samples[side]->box[i];
			const double x[2] = {box->low.x, box->high.x},
						y[2] = {box->low.y, box->high.y};

			for (int end = 0; end < 2; end++)
			{
				if (!isinf(x[end]))
				{
					low[0] = Min(low[0], x[end]);
					high[0] = Max(high[0], x[end]);
				}
				if (!isinf(y[end]))
				{
					low[1] = Min(low[1], y[end]);
					high[1] = Max(high[1], y[end]);
				}
			}
		}
	for (int axis = 0; axis < 2; axis++)
	{
		double		margin;

		if (low[axis] > high[axis])
			low[axis] = high[axis] = 0;
		margin = (high[axis] - low[axis]) / 64 + 1;
		low[axis] -= margin;
		high[axis] += margin;
		if (!(high[axis] - low[axis] < DBL_MAX / 16))
			return false;
	}
	for (int side = 0; side < 2; side++)
	{
		copies[side] = palloc(sizeof(BOX) * Max(counts[side], 1));
		for (int i = 0; i < counts[side]; i++)
		{
			const BOX  *box = &samples[side]->box[i];
			BOX		   *copy = &copies[side][i];

			copy->low.x = Min(Max(box->low.x, low[0]), high[0]);
			copy->low.y = Min(Max(box->low.y, low[1]), high[1]);
			copy->high.x = Min(Max(box->high.x, low[0]), high[0]);
			copy->high.y = Min(Max(box->high.y, low[1]), high[1]);
		}
	}
	e->lbox = copies[0];
	e->rbox = copies[1];
	return true;
}

/* What half of the data spread over, axis by axis. */
static void
choose_scale(Estimator *e)
{
	double		x[2 * SCALE_ROWS],
				y[2 * SCALE_ROWS];
	int			n = 0;

	for (int i = 0; i < SCALE_ROWS; i++)
	{
		const BOX  *box[2] = {
			&e->lbox[(int64) i * e->nleft / SCALE_ROWS],
			&e->rbox[(int64) i * e->nright / SCALE_ROWS]
		};

		for (int side = 0; side < 2; side++, n++)
		{
			x[n] = box[side]->low.x / 2 + box[side]->high.x / 2;
			y[n] = box[side]->low.y / 2 + box[side]->high.y / 2;
		}
	}
	qsort(x, n, sizeof(double), compare_doubles);
	qsort(y, n, sizeof(double), compare_doubles);
	e->scale_x = x[n * 3 / 4] - x[n / 4];
	e->scale_y = y[n * 3 / 4] - y[n / 4];
	if (!(e->scale_x > 0))
		e->scale_x = e->scale_y;
	if (!(e->scale_y > 0))
		e->scale_y = e->scale_x;
	if (!(e->scale_x > 0) || isinf(1 / e->scale_x) || isinf(1 / e->scale_y))
		e->scale_x = e->scale_y = 1;
	e->per_x = 1 / e->scale_x;
	e->per_y = 1 / e->scale_y;
}

/* How far two boxes are from touching, along the axis where they are farther. */
static inline float
gap_of(const Estimator *e, const BOX *a, const BOX *b)
{
	double		x = Max(a->low.x - b->high.x, b->low.x - a->high.x) * e->per_x,
				y = Max(a->low.y - b->high.y, b->low.y - a->high.y) * e->per_y,
				gap = Max(x, y);

	return gap > 0 ? (float) gap : 0;
}

/*
 * Chooses the reach so that half of a few rows of the left sample have so many
 * neighbours within it; 0 if none are wanted.  Half, because a single large box
 * may have more of them than all others together.  The reach is taken smaller
 * if there would be too many pairs, and if there are even so, the left sample
 * is cut: its order allows that.
 *
 * Gaps are sorted into classes by exponent and the upper bits of the mantissa,
 * which for positive floats are in the order of their bits.
 */
static void
choose_reach(Estimator *e, int neighbours)
{
	enum
	{
		shift = 20, classes = 1 << (31 - shift)
	};
	int			rows = Min(e->nleft, Max(TRIAL_ROWS, TRIAL_PAIRS / e->nright));
	uint32	   *count = palloc0(sizeof(uint32) * classes);
	float	   *farthest = palloc(sizeof(float) * rows);
	double		found,
				most = MOST_PAIRS / 4 * (double) rows / e->nleft;
	union
	{
		float		number;
		uint32		bits;
	}			gap,
				reach;

	neighbours = Min(neighbours, Min(MOST_NEIGHBOURS, e->nright));
	for (int i = 0; i < rows; i++)
	{
		const BOX  *box = &e->lbox[(int64) i * e->nleft / rows];
		float		nearest[MOST_NEIGHBOURS];
		int			n = 0;

		for (int j = 0; j < e->nright; j++)
		{
			int			k;

			gap.number = gap_of(e, box, &e->rbox[j]);
			count[gap.bits >> shift]++;
			if (n == neighbours && (n == 0 || gap.number >= nearest[n - 1]))
				continue;
			if (n < neighbours)
				n++;
			for (k = n - 1; k > 0 && nearest[k - 1] > gap.number; k--)
				nearest[k] = nearest[k - 1];
			nearest[k] = gap.number;
		}
		farthest[i] = n > 0 ? nearest[n - 1] : 0;
	}
	qsort(farthest, rows, sizeof(float), compare_floats);
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
		e->reach = reach.number;
	if (count[0] > most)
	{
		e->reach = 0;
		e->nleft = Max(1, (int) (e->nleft * (most / count[0])));
	}
	pfree(count);
	pfree(farthest);
}

/*
 * Collects the pairs within reach.  If there are too many, the left sample is
 * cut once more, and false is returned.
 */
static bool
find_pairs(Estimator *e)
{
	SpqJoinSpec spec = {.predicate = SPQ_JOIN_OVERLAPS,.memory = ENGINE_MEMORY};
	SpqJoin    *join = spq_join_begin(&spec);
	SpqJoinPair found;
	int			next = 0;
	double		dx = e->reach * e->scale_x,
				dy = e->reach * e->scale_y;
	bool		fits = true;

	for (int i = 0; i < e->nright; i++)
		spq_join_build(join, &e->rbox[i], 0, i, NULL, 0);
	spq_join_build_done(join);
	e->pairs = 0;
	for (;;)
	{
		SpqJoinEvent event = spq_join_next(join, &found);

		if (event == SPQ_JOIN_WANTS_PROBES)
		{
			for (uint32 room = spq_join_room(join); room > 0 && next < e->nleft; room--)
			{
				BOX			grown = e->lbox[next];

				grown.low.x -= dx;
				grown.low.y -= dy;
				grown.high.x += dx;
				grown.high.y += dy;
				spq_join_probe(join, &grown, 0, next++, NULL, 0);
			}
			if (next == e->nleft)
				spq_join_probes_done(join);
		}
		else if (event == SPQ_JOIN_PAIR)
		{
			NearPair   *pair;

			if (e->pairs == e->room)
			{
				e->room *= 2;
				e->pair = repalloc(e->pair, sizeof(NearPair) * e->room);
			}
			pair = &e->pair[e->pairs];
			pair->left = (int) found.probe;
			pair->right = (int) found.build;
			if (e->same && pair->left == pair->right)
				continue;
			pair->gap = gap_of(e, &e->lbox[pair->left], &e->rbox[pair->right]);
			pair->match = spq_join_matches(e->predicate, 0, &e->left->box[pair->left],
										   &e->right->box[pair->right]);
			if (++e->pairs == MOST_PAIRS && e->nleft > 1)
			{
				e->nleft = (e->nleft + 3) / 4;
				fits = false;
				break;
			}
			if (e->pairs == MOST_PAIRS)
				break;
		}
		else
			break;
	}
	spq_join_end(join);
	return fits;
}

/* The chance of a pair within so wide a reach. */
static double
pair_chance(const Estimator *e, const NearPair *pair, double reach)
{
	const BOX  *a = &e->lbox[pair->left],
			   *b = &e->rbox[pair->right];
	double		wa = a->high.x - a->low.x,
				wb = b->high.x - b->low.x,
				ha = a->high.y - a->low.y,
				hb = b->high.y - b->low.y,
				dx = 2 * reach * e->scale_x,
				dy = 2 * reach * e->scale_y,
				x,
				y;

	if (reach == 0)
		return pair->match ? 1 : 0;
	switch (e->predicate)
	{
		case SPQ_JOIN_CONTAINS:
			x = Max(wa - wb, 0);
			y = Max(ha - hb, 0);
			break;
		case SPQ_JOIN_CONTAINED:
			x = Max(wb - wa, 0);
			y = Max(hb - ha, 0);
			break;
		case SPQ_JOIN_SAME:
			return pair->match ? 1 : 0;
		default:
			x = wa + wb;
			y = ha + hb;
			break;
	}
	return x / (wa + wb + dx) * (y / (ha + hb + dy));
}

/*
 * If rows of one block lie close together, their pairs with rows of another
 * block come all at once, and are worth no more than one.  So what is counted
 * is pairs of blocks then, or of rows, in a table that is hashed into, by the least of their gaps: "count[i]" have one in
 * class i.  Returns how many there are in all.
 */
static uint32
count_by_gap(const Estimator *e, bool only_matches, uint32 *count)
{
	uint8	   *least = palloc(GAP_SLOTS);
	double		per_class = e->reach > 0 ? GAP_CLASSES / e->reach : 0;
	uint32		sum = 0;

	memset(least, GAP_CLASSES, GAP_SLOTS);
	memset(count, 0, sizeof(uint32) * GAP_CLASSES);
	for (int i = 0; i < e->pairs; i++)
	{
		const NearPair *pair = &e->pair[i];
		uint32		left = e->lclumped ? e->left->block[pair->left] :
			(uint32) pair->left;
		uint32		right = e->rclumped ? e->right->block[pair->right] :
			(uint32) pair->right;
		uint8	   *slot = &least[murmurhash32(left << 16 ^ right) % GAP_SLOTS];
		int			class = Min((int) (pair->gap * per_class), GAP_CLASSES - 1);

		if ((only_matches && !pair->match) || *slot <= class)
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
 * How many pairs match.  The reach is the least with enough pairs: none at all,
 * if there are enough matches.
 */
static double
count_pairs(const Estimator *e, double matches, const uint32 *count)
{
	uint32		of_matches[GAP_CLASSES],
				found = 0;
	double		reach = e->reach,
				sum = 0;

	if (e->reach == 0 || e->predicate == SPQ_JOIN_SAME ||
		(matches >= ENOUGH_MATCHES &&
		 count_by_gap(e, true, of_matches) >= ENOUGH_MATCHES))
		return matches;
	for (int i = 0; i < GAP_CLASSES; i++)
	{
		found += count[i];
		if (found >= e->enough)
		{
			reach = e->reach * (i + 1) / GAP_CLASSES;
			break;
		}
	}
	for (int i = 0; i < e->pairs; i++)
		if (e->pair[i].gap <= reach)
			sum += pair_chance(e, &e->pair[i], reach);

	/*
	 * Coordinates on a lattice, or rows that are in both relations, meet more
	 * often than by chance.  If more matches have been seen than chance can
	 * explain, in so many places, they tell more.
	 */
	if (matches > sum + 3 * sqrt(sum) + 3 &&
		count_by_gap(e, true, of_matches) > sum + 3 * sqrt(sum) + 3)
		return matches;
	return sum;
}

static void
classify(SpqChances *chances, const double *chance, const int *matches, int count)
{
	for (int i = 0; i < count; i++)
	{
		int			class = SPQ_CHANCE_CLASSES - 1;

		if (chance[i] > 0)
		{
			(void) frexp(chance[i], &class);
			class = Min(Max(-class, 0), SPQ_CHANCE_CLASSES - 1);
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
 * Do rows of a block lie closer together than others?  They do not if a
 * neighbour in the block is nearer than a row of another one every second time.
 */
static bool
is_clumped(const SpqSample *sample)
{
	int			tries = 0,
				nearer_x = 0,
				nearer_y = 0;

	if (sample->complete)
		return false;
	for (int i = 0; i + 1 < sample->count; i++)
	{
		const BOX  *box = &sample->box[i],
				   *neighbour = &sample->box[i + 1],
				   *other = &sample->box[(i + sample->count / 2) % sample->count];

		if (sample->block[i] != sample->block[i + 1])
			continue;
		tries++;
		nearer_x += fabs(box->low.x - neighbour->low.x) < fabs(box->low.x - other->low.x);
		nearer_y += fabs(box->low.y - neighbour->low.y) < fabs(box->low.y - other->low.y);
	}
	return Max(nearer_x, nearer_y) > tries * 0.6;
}

/* In how many places has a sample been taken? */
static int
places(const SpqSample *sample, bool clumped)
{
	return clumped ? sample->block[sample->count - 1] + 1 : sample->count;
}

/* Has time run out before much of a sorted relation has been seen? */
static bool
is_poor(const SpqSample *sample, bool clumped)
{
	return sample->hurried && clumped && places(sample, clumped) < LEAST_PLACES;
}

/*
 * "shape": the part of what meets by boxes that meets by the operator.
 */
void
spq_estimate(const SpqSample *left, const SpqSample *right,
			 SpqJoinPredicate predicate, double shape, SpqEstimate *estimate)
{
	Estimator	e = {.left = left,.right = right,.predicate = predicate};
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
				pairs;

	memset(estimate, 0, sizeof(*estimate));
	estimate->left.rows = lrows;
	estimate->right.rows = rrows;
	if (left->count == 0 || right->count == 0)
		return;

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	e.same = left == right && !left->complete;
	e.nleft = left->count;
	e.nright = right->count;
	e.scale_x = e.scale_y = e.per_x = e.per_y = 1;
	if (!bound_boxes(&e))
	{
		e.lbox = left->box;
		e.rbox = right->box;
	}
	else if ((left->complete && right->complete) || predicate == SPQ_JOIN_SAME)
		choose_reach(&e, 0);
	else
	{
		/* each row of the larger sample should have some */
		choose_scale(&e);
		choose_reach(&e, Min(NEIGHBOURS * Max(e.nright / e.nleft, 1),
							 Max(MOST_PAIRS / 4 / e.nleft, NEIGHBOURS)));
	}
	/* of few blocks there cannot be as many different pairs */
	e.lclumped = is_clumped(left);
	e.rclumped = is_clumped(right);
	estimate->poor = is_poor(left, e.lclumped) || is_poor(right, e.rclumped);
	e.enough = (uint32) Min(ENOUGH_PAIRS, (double) places(left, e.lclumped) *
							places(right, e.rclumped) / 2);
	e.room = FIRST_PAIRS;
	e.pair = palloc(sizeof(NearPair) * e.room);
	for (int doublings = 0;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (!find_pairs(&e))
			continue;
		if (count_by_gap(&e, false, gaps) >= e.enough / 2 ||
			e.reach == 0 || doublings++ == MOST_DOUBLINGS)
			break;
		e.reach *= 2;
	}

	/* rows that the cut left sample stands for */
	lrows *= (double) e.nleft / left->count;
	estimate->left.rows = lrows;

	lchance = palloc0(sizeof(double) * e.nleft);
	rchance = palloc0(sizeof(double) * e.nright);
	lmatches = palloc0(sizeof(int) * e.nleft);
	rmatches = palloc0(sizeof(int) * e.nright);
	for (int i = 0; i < e.pairs; i++)
	{
		const NearPair *pair = &e.pair[i];
		double		chance = pair_chance(&e, pair, e.reach);

		sum += chance;
		lchance[pair->left] += chance;
		rchance[pair->right] += chance;
		if (pair->match)
		{
			matches++;
			lmatches[pair->left]++;
			rmatches[pair->right]++;
		}
	}
	estimate->matches = matches;
	pairs = count_pairs(&e, matches, gaps);
	estimate->selectivity = pairs * shape / lrows /
		Max(e.same ? rrows - 1 : rrows, 1);

	/* Rows have their shares of the pairs by the wider reach. */
	if (sum > 0)
		shape *= pairs / sum;
	for (int i = 0; i < e.nleft; i++)
		lchance[i] *= shape / rrows;
	for (int i = 0; i < e.nright; i++)
		rchance[i] *= shape / lrows;
	classify(&estimate->left, lchance, lmatches, e.nleft);
	classify(&estimate->right, rchance, rmatches, e.nright);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/*
 * The fraction of the rows of a side that have a match on the other side, which
 * has "unseen" rows besides those of its sample, when a condition keeps the
 * fraction "kept" of them all.  Matches among the unseen come as Poisson has
 * it: none with probability exp(-expected).
 */
double
spq_estimate_matched(const SpqChances *chances, double unseen, double kept)
{
	double		matched = 0,
				lost = kept < 1 ? -log1p(-kept) : get_float8_infinity();

	if (chances->rows <= 0)
		return 0;
	for (int i = 0; i < SPQ_CHANCE_CLASSES; i++)
	{
		double		n = chances->count[i],
					m = chances->count_seen[i];

		if (n > 0)
			matched += n * -expm1(-kept * unseen * chances->sum[i] / n);
		if (m > 0)
			matched += m * -expm1(-kept * unseen * chances->sum_seen[i] / m
								  - lost * chances->matches[i] / m);
	}
	return Min(matched / chances->rows, 1);
}
