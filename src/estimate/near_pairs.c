/*-------------------------------------------------------------------------
 *
 * near_pairs.c
 *	  Pairs of boxes of two samples that are near each other.
 *
 * A few rows of the left sample are compared with the whole right one to choose
 * the reach; then the join engine finds the pairs within it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/float.h"

#include "join/join.h"
#include "estimate/near_pairs.h"

/* Neighbors from which the density of rows at a row's place is known. */
#define NEIGHBORS	4
#define MAX_NEIGHBORS	16

/* Pairs that are kept at most, and the room for them at first. */
#define MAX_PAIRS	(1 << 15)
#define FIRST_PAIRS	(1 << 12)

/* Pairs of boxes that are compared to choose the reach, and rows that are sorted. */
#define TRIAL_PAIRS	(1 << 15)
#define TRIAL_ROWS	8
#define SCALE_ROWS	64

/* Memory for the engine: enough for samples of any size. */
#define ENGINE_MEMORY	((Size) 64 * 1024 * 1024)

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
 * Make copies of the boxes without infinities: such a box reaches a little beyond
 * all other boxes.  All coordinates are finite then, and so are differences.
 * Return false if the data are so large that differences overflow.
 */
static bool
bound_boxes(SpqEstimatePairs *near)
{
	double		low[2] = {get_float8_infinity(), get_float8_infinity()},
				high[2] = {-get_float8_infinity(), -get_float8_infinity()};
	BOX		   *copies[2];
	const SpqEstimateSample *samples[2] = {near->left, near->right};
	int			counts[2] = {near->nleft, near->nright};

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
	near->lbox = copies[0];
	near->rbox = copies[1];
	return true;
}

/* Choose the lengths over which half of the data spread, in each axis. */
static void
choose_scale(SpqEstimatePairs *near)
{
	double		x[2 * SCALE_ROWS],
				y[2 * SCALE_ROWS];
	int			n = 0;

	for (int i = 0; i < SCALE_ROWS; i++)
	{
		const BOX  *box[2] = {
			&near->lbox[(int64) i * near->nleft / SCALE_ROWS],
			&near->rbox[(int64) i * near->nright / SCALE_ROWS]
		};

		for (int side = 0; side < 2; side++, n++)
		{
			x[n] = box[side]->low.x / 2 + box[side]->high.x / 2;
			y[n] = box[side]->low.y / 2 + box[side]->high.y / 2;
		}
	}
	qsort(x, n, sizeof(double), compare_doubles);
	qsort(y, n, sizeof(double), compare_doubles);
	near->scale_x = x[n * 3 / 4] - x[n / 4];
	near->scale_y = y[n * 3 / 4] - y[n / 4];
	if (!(near->scale_x > 0))
		near->scale_x = near->scale_y;
	if (!(near->scale_y > 0))
		near->scale_y = near->scale_x;
	if (!(near->scale_x > 0) || isinf(1 / near->scale_x) || isinf(1 / near->scale_y))
		near->scale_x = near->scale_y = 1;
	near->per_x = 1 / near->scale_x;
	near->per_y = 1 / near->scale_y;
}

/* How far two boxes are from touching, along the axis where they are farther. */
static inline float
gap_of(const SpqEstimatePairs *near, const BOX *a, const BOX *b)
{
	double		x = Max(a->low.x - b->high.x, b->low.x - a->high.x) * near->per_x,
				y = Max(a->low.y - b->high.y, b->low.y - a->high.y) * near->per_y,
				gap = Max(x, y);

	return gap > 0 ? (float) gap : 0;
}

/*
 * Choose the reach such that half of a few rows of the left sample have this
 * number of neighbors within it; 0 if the number is 0.  Half, because a single
 * large box may have more of them than all others together.  The reach is made
 * smaller if there would be too many pairs.  If that is not enough, the left
 * sample is cut: its order allows that.
 *
 * Gaps are sorted into classes by exponent and the upper bits of the mantissa,
 * which for positive floats are in the order of their bits.
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
	float	   *farthest = palloc(sizeof(float) * rows);
	double		found,
				most = MAX_PAIRS / 4 * (double) rows / near->nleft;
	union
	{
		float		number;
		uint32		bits;
	}			gap,
				reach;

	neighbors = Min(neighbors, Min(MAX_NEIGHBORS, near->nright));
	for (int i = 0; i < rows; i++)
	{
		int			left = (int) ((int64) i * near->nleft / rows);
		const BOX  *box = &near->lbox[left];
		float		nearest[MAX_NEIGHBORS];
		int			n = 0;

		for (int j = 0; j < near->nright; j++)
		{
			int			k;

			if (near->same && near->left->block[left] == near->right->block[j])
				continue;
			gap.number = gap_of(near, box, &near->rbox[j]);
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
	return spq_box_related(near->predicate, 0, &near->left->box[pair->left],
						   &near->right->box[pair->right]);
}

/*
 * Collect the pairs within reach.  If there are too many, cut the left sample
 * once more and return false.
 */
static bool
find_pairs(SpqEstimatePairs *near)
{
	SpqJoinSpec spec = {.predicate = SPQ_BOX_OVERLAPS,.memory = ENGINE_MEMORY};
	SpqJoin    *join = spq_join_begin(&spec);
	SpqJoinPair found;
	int			next = 0;
	double		dx = near->reach * near->scale_x,
				dy = near->reach * near->scale_y;
	bool		fits = true;

	for (int i = 0; i < near->nright; i++)
		spq_join_build(join, &near->rbox[i], 0, i, NULL, 0);
	spq_join_build_done(join);
	near->pairs = 0;
	near->self_matches = 0;
	for (;;)
	{
		SpqJoinEvent event = spq_join_next(join, &found);

		if (event == SPQ_JOIN_WANTS_PROBES)
		{
			for (uint32 room = spq_join_room(join); room > 0 && next < near->nleft; room--)
			{
				BOX			grown = near->lbox[next];

				grown.low.x -= dx;
				grown.low.y -= dy;
				grown.high.x += dx;
				grown.high.y += dy;
				spq_join_probe(join, &grown, 0, next++, NULL, 0);
			}
			if (next == near->nleft)
				spq_join_probes_done(join);
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
			pair->gap = gap_of(near, &near->lbox[pair->left], &near->rbox[pair->right]);
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
	spq_join_end(join);
	return fits;
}

/* Prepare two samples, neither of them empty, and choose the reach. */
void
spq_estimate_near_pairs_init(SpqEstimatePairs *near, const SpqEstimateSample *left,
							 const SpqEstimateSample *right, SpqRelation predicate)
{
	memset(near, 0, sizeof(*near));
	near->left = left;
	near->right = right;
	near->predicate = predicate;
	near->same = left->source == right->source &&
		!(left->complete && right->complete);
	near->nleft = left->count;
	near->nright = right->count;
	near->scale_x = near->scale_y = near->per_x = near->per_y = 1;
	near->room = FIRST_PAIRS;
	near->pair = palloc(sizeof(SpqEstimatePair) * near->room);
	if (!bound_boxes(near))
	{
		near->lbox = left->box;
		near->rbox = right->box;
	}
	else if ((left->complete && right->complete) || predicate == SPQ_BOX_SAME)
		choose_reach(near, 0);	/* what matches tells all */
	else
	{
		/* each row of the larger sample should have some neighbors */
		choose_scale(near);
		choose_reach(near, Min(NEIGHBORS * Max(near->nright / near->nleft, 1),
							   Max(MAX_PAIRS / 4 / near->nleft, NEIGHBORS)));
	}
}

/* Find the pairs, unless there are too many even of one row. */
void
spq_estimate_near_pairs_find(SpqEstimatePairs *near)
{
	while (!find_pairs(near))
		CHECK_FOR_INTERRUPTS();
}
