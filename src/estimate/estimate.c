/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  How many pairs of rows satisfy a spatial condition, from two samples.
 *
 * near_pairs.c finds the pairs; here they are counted by their chances.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "estimate/estimate.h"
#include "estimate/near_pairs.h"

/* So many pairs in all are enough for the number of pairs; matches: without reach. */
#define ENOUGH_PAIRS	96
#define ENOUGH_BLOCK_PAIRS 8	/* each of which stands for many pairs of rows */
#define ENOUGH_MATCHES	64

/* Classes of gaps, and the table in which different pairs are told apart. */
#define GAP_CLASSES	128
#define GAP_SLOTS	8192

/* The reach is doubled so often, if what is within it is always the same. */
#define MOST_DOUBLINGS	2

typedef struct Estimator
{
	SpqNearPairs near;
	bool		lclumped;		/* rows of a block lie together */
	bool		rclumped;
	uint32		enough;			/* different pairs */
	double		same_block;		/* what a pair of rows of one block counts */
} Estimator;

/*
 * Of a relation joined with itself there is one sample.  In it, two rows are of
 * the same block as often as one in the number of blocks read; of all pairs of
 * rows, only one in the number of all blocks is.
 */
static double
pair_weight(const Estimator *e, const SpqNearPair *pair)
{
	return spq_near_pair_same_block(&e->near, pair) ? e->same_block : 1;
}

/* The chance of a pair within so wide a reach, times its weight. */
static double
pair_chance(const Estimator *e, const SpqNearPair *pair, double reach)
{
	const BOX  *a = &e->near.lbox[pair->left],
			   *b = &e->near.rbox[pair->right];
	double		wa = a->high.x - a->low.x,
				wb = b->high.x - b->low.x,
				ha = a->high.y - a->low.y,
				hb = b->high.y - b->low.y,
				dx = 2 * reach * e->near.scale_x,
				dy = 2 * reach * e->near.scale_y,
				weight = pair_weight(e, pair),
				x,
				y;

	if (reach == 0)
		return pair->match ? weight : 0;
	switch (e->near.predicate)
	{
		case SPQ_BOX_CONTAINS:
			x = Max(wa - wb, 0);
			y = Max(ha - hb, 0);
			break;
		case SPQ_BOX_CONTAINED:
			x = Max(wb - wa, 0);
			y = Max(hb - ha, 0);
			break;
		case SPQ_BOX_SAME:
			return pair->match ? weight : 0;
		default:
			x = wa + wb;
			y = ha + hb;
			break;
	}
	return weight * (x / (wa + wb + dx)) * (y / (ha + hb + dy));
}

/*
 * If rows of one block lie close together, their pairs with rows of another
 * block come all at once, and are worth no more than one.  So what is counted
 * is pairs of blocks then, or of rows, in a table that is hashed into, by the
 * least of their gaps: "count[i]" have one in class i.  Returns how many there
 * are in all.
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
		const SpqNearPair *pair = &e->near.pair[i];
		uint32		left = e->lclumped ? e->near.left->block[pair->left] :
			(uint32) pair->left;
		uint32		right = e->rclumped ? e->near.right->block[pair->right] :
			(uint32) pair->right;
		uint8	   *slot = &least[murmurhash32(left << 16 ^ right) % GAP_SLOTS];
		int			class = Min((int) (pair->gap * per_class), GAP_CLASSES - 1);

		if ((only_matches && !pair->match) || *slot <= class ||
			(e->same_block < 1 && spq_near_pair_same_block(&e->near, pair)))
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
	double		reach = e->near.reach,
				sum = 0;

	if (e->near.reach == 0 || e->near.predicate == SPQ_BOX_SAME ||
		(matches >= ENOUGH_MATCHES &&
		 count_by_gap(e, true, of_matches) >= ENOUGH_MATCHES))
		return matches;
	for (int i = 0; i < GAP_CLASSES; i++)
	{
		found += count[i];
		if (found >= e->enough)
		{
			reach = e->near.reach * (i + 1) / GAP_CLASSES;
			break;
		}
	}
	for (int i = 0; i < e->near.pairs; i++)
		if (e->near.pair[i].gap <= reach)
			sum += pair_chance(e, &e->near.pair[i], reach);

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

/*
 * "shape": the part of what meets by boxes that meets by the operator.
 */
void
spq_estimate(const SpqSample *left, const SpqSample *right,
			 SpqRelation predicate, double shape, SpqEstimate *estimate)
{
	Estimator	e;
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
	estimate->left_touched = estimate->right_touched = (SpqTouched) {1, 1};
	if (left->count == 0 || right->count == 0)
		return;

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	spq_near_pairs_init(&e.near, left, right, predicate);

	/* of few blocks there cannot be as many different pairs */
	e.lclumped = is_clumped(left);
	e.rclumped = is_clumped(right);
	e.same_block = Min(1, places(left, true) / Max(left->pages, 1));
	e.enough = (uint32) Min(e.lclumped && e.rclumped ? ENOUGH_BLOCK_PAIRS : ENOUGH_PAIRS, (double) places(left, e.lclumped) *
							places(right, e.rclumped) / 2);
	for (int doublings = 0;;)
	{
		spq_near_pairs_find(&e.near);
		if (count_by_gap(&e, false, gaps) >= e.enough / 2 ||
			e.near.reach == 0 || doublings++ == MOST_DOUBLINGS)
			break;
		e.near.reach *= 2;
	}

	/* rows that the cut left sample stands for */
	lrows *= (double) e.near.nleft / left->count;
	estimate->left.rows = lrows;

	lchance = palloc0(sizeof(double) * e.near.nleft);
	rchance = palloc0(sizeof(double) * e.near.nright);
	lmatches = palloc0(sizeof(int) * e.near.nleft);
	rmatches = palloc0(sizeof(int) * e.near.nright);
	for (int i = 0; i < e.near.pairs; i++)
	{
		const SpqNearPair *pair = &e.near.pair[i];
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
	pairs = count_pairs(&e, matches, gaps);
	estimate->selectivity = pairs * shape / lrows /
		Max(e.near.same ? rrows - 1 : rrows, 1);

	/* Rows have their shares of the pairs by the wider reach. */
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
