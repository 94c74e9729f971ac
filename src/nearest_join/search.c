/*-------------------------------------------------------------------------
 *
 * search.c
 *	  The boxes of a packed tree that are nearest to others.  See search.h.
 *
 * A search does not look for the right radius.  It guesses one, from those that
 * the searches before have found, and collects all boxes within it:
 *
 *			 .-----.		enough within the guess: done, since everything
 *		   /  x   x  \		within it was seen
 *		  |  x  +  x  |		too few: again, with a larger radius, and then
 *		   \   x     /		with one that is certainly enough
 *			 '-----'	x
 *
 * So there is no queue of groups in order of distance, and the limit is lowered
 * only when many hits wait.  Few guesses are too small, and a larger one costs
 * only comparisons.
 *
 * Squares of distances are compared first.  They may be rounded, overflow or
 * underflow; with a margin for that, they exclude boxes that are farther away,
 * and the distances themselves decide about the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "box/lanes.h"
#include "box/relation.h"
#include "nearest_join/search.h"
#include "nearest_join/waiting.h"

/* Guesses before the radius is certain, and the factor from one to the next. */
#define GUESSES			3
#define GUESS_FACTOR	3

/*
 * Further guesses for values, for which no radius is certain but infinity, and
 * their factor.
 */
#define VALUE_GUESSES	6
#define VALUE_FACTOR	100

/* The share of the last search in the guess for the next. */
#define SHARE_OF_LAST	0.2

/* The cells for guesses: 64 x 64, or 16 x 16 x 16. */
#define GUESS_CELLS		4096

/*
 * Hits that wait for their distances: four times those wanted, up to this many
 * more than these, and some.
 */
#define MOST_MORE		100000
#define MORE_WAITING	64

/* The groups that a search has to read: a level has at most those of one group. */
#define STACK_SIZE		(SPQ_PACKED_LEVELS * SPQ_PACKED_GROUP)

typedef struct Group
{
	uint8		level;
	uint32		number;
} Group;

struct SpqNearestSearch
{
	MemoryContext context;		/* of the memory below */
	const SpqPackedTree *tree;
	const SpqNearestValues *values; /* NULL: distances are those of the boxes */
	uint32		k;
	float8		max_distance;
	float8		max_square;		/* above those of all boxes wanted */
	float8		factor;			/* of a guess to the mean of the last squares */
	uint64		candidates;

	/* the cells into which the tree's bounds are divided */
	int			cells;			/* on each axis */
	float8		cell_low[SPQ_NEAREST_AXES];
	float8		cell_scale[SPQ_NEAREST_AXES];	/* cells in a unit */
	float8		spread;			/* square of a radius, if all boxes were
								 * evenly spread */

	/* what searches before have found; 0 if none has */
	float8		guess;			/* mean square of their radii */
	float8		guesses[GUESS_CELLS];	/* of those in each cell */
	float8		last_radius;
	float8		last_box[2 * SPQ_NEAREST_AXES];

	/* the current search */
	const float8 *box;
	float8		limit;			/* of squares: those above are not wanted */
	SpqNearestHit *hits;
	uint32		nhits;
	SpqNearestHit *known;		/* those that the caller had, if it has any */
	SpqNearestHit *merged;		/* room for hits and waiting ones */
	SpqNearestWaiting waiting;
};

#define ST_SORT sort_hits
#define ST_ELEMENT_TYPE SpqNearestHit
#define ST_COMPARE(a, b) \
	((a)->distance != (b)->distance ? ((a)->distance < (b)->distance ? -1 : 1) : \
	 (a)->id < (b)->id ? -1 : (a)->id > (b)->id)
#define ST_CHECK_FOR_INTERRUPTS
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Within these limits, squares do not overflow or lose bits by underflow. */
#define LEAST_SQUARE	1e-280
#define MOST_SQUARE		1e280

/*
 * Return the distance of boxes from its square, as near_entries() computes it.  The
 * square of one gap has the gap as its root, exactly.
 */
static inline float8
distance_of(float8 square, const float8 *a, const float8 *b, int axes)
{
	float8		apart = 0;

	if (square > LEAST_SQUARE && square < MOST_SQUARE)
		return sqrt(square);
	for (int axis = 0; axis < axes; axis++)
	{
		float8		gap = spq_box_gap(a[axes + axis], a[axis], b[axes + axis], b[axis]);

		if (gap > 0)
			apart = apart > 0 ? hypot(apart, gap) : gap;
	}
	return apart;
}

float8
spq_nearest_distance(const float8 *a, const float8 *b, int axes)
{
	float8		square = 0;

	for (int axis = 0; axis < axes; axis++)
	{
		float8		gap = spq_box_gap(a[axes + axis], a[axis], b[axes + axis], b[axis]);

		if (gap > 0)
			square += gap * gap;
	}
	return distance_of(square, a, b, axes);
}

/*
 * Return a square with a margin for rounding.  Below the least normal number,
 * squares are 0 or rounded by more than by a factor, hence the sum.
 */
static inline float8
with_margin(float8 square)
{
	return square * (1 + 64 * DBL_EPSILON) + 16 * DBL_MIN;
}

/*
 * Return at least the square, as computed from gaps, of each distance up to this
 * one.
 */
static inline float8
square_above(float8 distance)
{
	return with_margin(distance * distance);
}

/* The same for a distance of values. */
static inline float8
square_above_value(const SpqNearestSearch *search, float8 distance)
{
	return square_above(search->values ? distance / search->values->unit : distance);
}

/*
 * Divide the bounds of the tree into cells, and compute the square of a radius
 * within which one box would be if all were evenly spread.
 */
static void
divide_bounds(SpqNearestSearch *search)
{
	const SpqPackedTree *tree = search->tree;
	int			top = tree->nlevels - 1;
	float8		volume = 1;

	search->cells = tree->axes == 2 ? 64 : 16;
	for (int axis = 0; axis < tree->axes; axis++)
	{
		const float8 *group = spq_packed_tree_group(tree, top, 0);
		float8		high = group[axis * SPQ_PACKED_GROUP],
					low = group[(tree->axes + axis) * SPQ_PACKED_GROUP];

		for (uint32 i = 1; i < tree->nentries[top]; i++)
		{
			high = Max(high, group[axis * SPQ_PACKED_GROUP + i]);
			low = Min(low, group[(tree->axes + axis) * SPQ_PACKED_GROUP + i]);
		}
		volume *= high - low;
		search->cell_low[axis] = low;
		search->cell_scale[axis] = search->cells / (high - low);
	}
	search->spread = pow(volume / tree->nentries[0], 2.0 / tree->axes);
}

/* Return the cell of a box's corner. */
static inline uint32
cell_of(const SpqNearestSearch *search, const float8 *box)
{
	uint32		cell = 0;

	for (int axis = 0; axis < search->tree->axes; axis++)
	{
		float8		place = (box[axis] - search->cell_low[axis]) * search->cell_scale[axis];

		/* false for NaN */
		cell = cell * search->cells + (place > 0 ? (uint32) Min(place, search->cells - 1) : 0);
	}
	return cell;
}

/* Set the number of boxes to find, and allocate memory for them. */
static void
allocate(SpqNearestSearch *search, uint32 k)
{
	Size		count = search->tree->nlevels > 0 ? search->tree->nentries[0] : 0;
	uint32		most;

	search->k = k;
	search->factor = 1 + 3 * pow(Max(k, 1), -0.6);
	most = Min((Size) k + Min(3 * (Size) k, MOST_MORE) + MORE_WAITING, count + SPQ_PACKED_GROUP);
	spq_nearest_waiting_begin(&search->waiting, search->context, most);
	search->merged = MemoryContextAllocHuge(search->context,
											((Size) k + most) * sizeof(SpqNearestHit));
}

SpqNearestSearch *
spq_nearest_search_begin(const SpqPackedTree *tree, uint32 k, float8 max_distance)
{
	SpqNearestSearch *search = palloc0(sizeof(SpqNearestSearch));

	search->context = CurrentMemoryContext;
	search->tree = tree;
	if (tree->nlevels > 0)
		divide_bounds(search);
	spq_nearest_search_within(search, max_distance);
	allocate(search, k);
	return search;
}

void
spq_nearest_search_values(SpqNearestSearch *search, const SpqNearestValues *values)
{
	search->values = values;
}

void
spq_nearest_search_within(SpqNearestSearch *search, float8 max_distance)
{
	search->max_distance = max_distance;
	search->max_square = square_above(max_distance);
}

void
spq_nearest_search_set_k(SpqNearestSearch *search, uint32 k)
{
	float8		factor = pow((float8) k / search->k, 2.0 / search->tree->axes);

	spq_nearest_waiting_end(&search->waiting);
	pfree(search->merged);
	allocate(search, k);
	search->guess *= factor;
	for (int i = 0; i < GUESS_CELLS; i++)
		search->guesses[i] *= factor;
}

uint64
spq_nearest_search_candidates(const SpqNearestSearch *search)
{
	return search->candidates;
}

/*
 * Find the entries of a group whose squares are at most the limit; bits of
 * places without an entry are undefined.
 *
 * The difference of equal infinities is NaN.  Then the boxes meet on this axis,
 * and the gap must be 0.  It is: a maximum returns its second operand if one is
 * NaN, so the first maximum is NaN or a difference that is not positive, and the
 * second one is 0.
 */
static pg_attribute_always_inline uint32
near_entries(const float8 *group, const float8 *box, int axes, float8 limit, float8 *squares)
{
	const SpqDoubles zero = spq_doubles_set(0),
				limits = spq_doubles_set(limit);
	uint32		near = 0;

	for (int i = 0; i < SPQ_PACKED_GROUP; i += SPQ_DOUBLES)
	{
		SpqDoubles	square = zero;

		for (int axis = 0; axis < axes; axis++)
		{
			SpqDoubles	high = spq_doubles_load(group + axis * SPQ_PACKED_GROUP + i),
						low = spq_doubles_load(group + (axes + axis) * SPQ_PACKED_GROUP + i);
			SpqDoubles	gap = spq_doubles_max(low - spq_doubles_set(box[axis]),
											  spq_doubles_set(box[axes + axis]) - high);

			gap = spq_doubles_max(gap, zero);
			square += gap * gap;
		}
		spq_doubles_store(squares + i, square);
		near |= spq_doubles_bits(square <= limits) << i;
	}
	return near;
}

/* Set "ends" to those of a box of the tree. */
static inline void
get_ends(const SpqPackedTree *tree, uint32 entry, float8 *ends)
{
	const float8 *column = spq_packed_tree_group(tree, 0, entry / SPQ_PACKED_GROUP) +
		entry % SPQ_PACKED_GROUP;

	for (int end = 0; end < 2 * tree->axes; end++)
		ends[end] = column[end * SPQ_PACKED_GROUP];
}

/* Sort hits, and keep the k nearest ones. */
static inline void
keep_nearest(SpqNearestSearch *search)
{
	sort_hits(search->merged, search->nhits);
	search->nhits = Min(search->nhits, search->k);
}

/*
 * Compute the distances of values that wait, from the nearest box on, as long as
 * they may be among the k nearest ones.
 */
static void
measure_waiting(SpqNearestSearch *search)
{
	float8		limit = search->limit;
	uint32		i = 0;

	spq_nearest_sort_waiting(&search->waiting, search->limit, search->waiting.count);
	while (i < search->waiting.count)
	{
		/* as many as are missing, or some more */
		uint32		wanted = Max((int) search->k - (int) search->nhits, (int) search->k / 2),
					n = 0;
		SpqNearestHit *hits = search->merged + search->nhits;

		CHECK_FOR_INTERRUPTS();
		for (wanted = Max(wanted, 1);
			 n < wanted && i < search->waiting.count && search->waiting.boxes[i].square <= limit; i++)
		{
			uint32		entry = search->waiting.boxes[i].entry;

			hits[n++].id = search->tree->ids ? search->tree->ids[entry] : entry;
		}
		if (n == 0)
			break;
		search->candidates += n;
		search->nhits += search->values->measure(search->values->argument, hits, n);
		keep_nearest(search);
		if (search->nhits == search->k)
			limit = Min(limit, square_above_value(search, search->merged[search->k - 1].distance));
	}
}

/* Compute the distances of boxes that wait, as far as they are needed. */
static void
measure_boxes(SpqNearestSearch *search)
{
	const SpqPackedTree *tree = search->tree;
	uint32		n;

	/* in order, so that the distances almost are */
	spq_nearest_sort_waiting(&search->waiting, search->limit, search->k);
	n = search->waiting.count;
	if (n > search->k)
	{
		/* k of them are nearer than those with a larger square */
		float8		most = with_margin(search->waiting.boxes[search->k - 1].square);

		while (search->waiting.boxes[n - 1].square > most)
			n--;
	}
	for (uint32 i = 0; i < n; i++)
	{
		uint32		entry = search->waiting.boxes[i].entry;
		SpqNearestHit hit = {.id = tree->ids[entry]};
		float8		square = search->waiting.boxes[i].square,
					ends[2 * SPQ_NEAREST_AXES];

		if (unlikely(square <= LEAST_SQUARE || square >= MOST_SQUARE))
			get_ends(tree, entry, ends);
		hit.distance = distance_of(square, search->box, ends, tree->axes);
		if (hit.distance <= search->max_distance)
			search->merged[search->nhits++] = hit;
	}
	search->candidates += n;
}

/*
 * Compute the distances of the boxes that wait, keep the k nearest ones, and
 * lower the limit.
 */
static void
settle(SpqNearestSearch *search)
{
	memcpy(search->merged, search->hits, search->nhits * sizeof(SpqNearestHit));
	if (search->values)
		measure_waiting(search);
	else
		measure_boxes(search);
	search->waiting.count = 0;
	keep_nearest(search);
	memcpy(search->hits, search->merged, search->nhits * sizeof(SpqNearestHit));
	if (search->nhits == search->k)
		search->limit = Min(search->limit,
							square_above_value(search, search->hits[search->k - 1].distance));
}

/* Collect all boxes within the limit. */
static pg_attribute_always_inline void
collect_on_axes(SpqNearestSearch *search, int axes)
{
	const SpqPackedTree *tree = search->tree;
	Group		stack[STACK_SIZE];
	int			n = 1;

	stack[0].level = tree->nlevels - 1;
	stack[0].number = 0;
	while (n > 0)
	{
		Group		group = stack[--n];
		uint32		first = group.number * SPQ_PACKED_GROUP;
		float8		squares[SPQ_PACKED_GROUP];
		uint32		near;

		near = near_entries(spq_packed_tree_group(tree, group.level, group.number), search->box,
							axes, search->limit, squares) &
			spq_packed_tree_entries(tree, group.level, group.number);
		if (group.level > 0)
		{
			for (; near != 0; near &= near - 1)
			{
				stack[n].level = group.level - 1;
				stack[n++].number = first + pg_rightmost_one_pos32(near);
			}
		}
		else
		{
			SpqNearestWaitingBox *waiting = search->waiting.boxes;
			uint32		nwaiting = search->waiting.count;

			if (nwaiting + SPQ_PACKED_GROUP > search->waiting.most)
			{
				/* and look at the group again, with the lower limit */
				CHECK_FOR_INTERRUPTS();
				settle(search);
				n++;
				continue;
			}

			/*
			 * about half of them are near, so a branch for each would often
			 * be wrong
			 */
			for (int i = 0; i < SPQ_PACKED_GROUP; i++)
			{
				waiting[nwaiting].square = squares[i];
				waiting[nwaiting].entry = first + i;
				nwaiting += near >> i & 1;
			}
			search->waiting.count = nwaiting;
		}
	}
}

static void
collect(SpqNearestSearch *search)
{
	if (search->tree->axes == 2)
		collect_on_axes(search, 2);
	else
		collect_on_axes(search, 3);
}

/*
 * Return a square above those of the k boxes nearest to the current one, or
 * infinity.  From any point of this box, go to the last one by the shortest
 * way, through it, and on to one of the k boxes found there.
 */
static float8
certain_limit(const SpqNearestSearch *search)
{
	int			axes = search->tree->axes;
	float8		through = 0,
				distance;

	if (search->guess == 0)
		return get_float8_infinity();
	for (int axis = 0; axis < axes; axis++)
		through = hypot(through, search->last_box[axis] - search->last_box[axes + axis]);
	distance = search->last_radius + through +
		spq_nearest_distance(search->box, search->last_box, axes);
	return isnan(distance) ? get_float8_infinity() :
		square_above(distance * (1 + 64 * DBL_EPSILON));
}

/*
 * Return the square of a radius within which there are about k boxes: the mean of
 * what searches in the same cell have found, or of the last ones.
 */
static float8
first_guess(const SpqNearestSearch *search, const float8 *box)
{
	float8		guess = search->guesses[cell_of(search, box)];

	if (guess == 0)
		guess = search->guess;
	return guess > 0 ? guess * search->factor :
		search->spread * pow(search->k, 2.0 / search->tree->axes);
}

/* Mix a square into a mean of squares. */
static inline void
mix(float8 *mean, float8 square)
{
	*mean = *mean == 0 ? square : (1 - SHARE_OF_LAST) * *mean + SHARE_OF_LAST * square;
}

/* Return the limit to try after one that was too small. */
static float8
next_limit(const SpqNearestSearch *search, float8 limit, int guess)
{
	if (guess < GUESSES)
		limit *= GUESS_FACTOR;
	else if (search->values == NULL)
		limit = guess == GUESSES ? certain_limit(search) : get_float8_infinity();
	else if (guess < GUESSES + VALUE_GUESSES)
		limit = Max(limit * VALUE_FACTOR, guess == GUESSES ? search->spread : 0);
	else
		limit = get_float8_infinity();
	return isnan(limit) ? get_float8_infinity() : limit;
}

/* Remember what a search has found, for the guess of the next one. */
static void
remember(SpqNearestSearch *search)
{
	float8		radius = search->hits[search->k - 1].distance,
				square;

	if (search->values)
		radius /= search->values->unit;
	if (!(radius < 1e150))
		return;					/* its square may be infinite */
	square = Max(radius * radius, square_above(0));
	mix(&search->guess, square);
	mix(&search->guesses[cell_of(search, search->box)], square);
	search->last_radius = radius;
	memcpy(search->last_box, search->box, 2 * search->tree->axes * sizeof(float8));
}

uint32
spq_nearest_search(SpqNearestSearch *search, const float8 *box, SpqNearestHit *hits,
				   uint32 nfound)
{
	const SpqPackedTree *tree = search->tree;
	float8		most = search->max_square,
				limit;

	if (search->k == 0 || tree->nlevels == 0)
		return nfound;
	search->box = box;
	search->hits = hits;
	if (nfound == search->k)
		most = limit = Min(most, square_above_value(search, hits[nfound - 1].distance));
	else if (tree->nentries[0] <= search->k)
		limit = most;
	else
		limit = first_guess(search, box);
	if (!(limit < most))
		limit = most;

	if (nfound > 0)
	{
		if (search->known == NULL)
			search->known = MemoryContextAllocHuge(search->context,
												   (Size) search->k * sizeof(SpqNearestHit));
		memcpy(search->known, hits, nfound * sizeof(SpqNearestHit));
	}
	for (int guess = 1;; guess++)
	{
		if (nfound > 0)
			memcpy(hits, search->known, nfound * sizeof(SpqNearestHit));
		search->nhits = nfound;
		search->waiting.count = 0;
		search->limit = limit;
		collect(search);
		settle(search);

		/* everything within the limit was seen */
		if (!(limit < most))
			break;
		if (search->nhits == search->k &&
			square_above_value(search, hits[search->k - 1].distance) <= limit)
			break;
		limit = Min(next_limit(search, limit, guess), most);
	}
	if (search->nhits == search->k)
		remember(search);
	return search->nhits;
}

void
spq_nearest_search_end(SpqNearestSearch *search)
{
	if (search->known)
		pfree(search->known);
	pfree(search->merged);
	spq_nearest_waiting_end(&search->waiting);
	pfree(search);
}
