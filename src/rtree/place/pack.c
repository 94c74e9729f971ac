/*-------------------------------------------------------------------------
 *
 * pack.c
 *	  Entries distributed to full pages.  See pack.h.
 *
 * This works from the top down, as in "A greedy algorithm for bulk loading
 * R-trees" (García, López and Leutenegger, GIS 1998): a part that does not fit
 * a page is cut in two, until the pieces do.  For d axes there are 2 d + 1
 * orders, by the low or the high ends on an axis and by size.  A cut is made in
 * one of them, after as many entries as fill some number of pages; order and
 * place are those that cost least.
 *
 * If its pages tile its bounds, each with 1 / p^(1/d) of their extents, the
 * cost of a part that will be cut into p pages is
 *
 *		p * product of (extent / p^(1/d) + w)
 *		  = product of (extent + p^(1/d) * w)
 *
 * where w is the extent of windows (measure.h).  It is the same number of units
 * on each axis if these are known (units.h), otherwise the same fraction of all
 * extents.
 *
 * A cut by low ends leaves boxes that reach far to the right on the left side;
 * one by high ends leaves boxes that reach far to the left on the right side.
 * A cut by size keeps large boxes together, where they do not widen the bounds
 * of small ones.
 *
 * Data may come in clusters far apart, such as towns.  A page with rows of two
 * clusters spans the gap between them, and so does the page above it.  So rows
 * are first cut in wide gaps, even if that takes one page more.
 *
 * Entries are sorted once in each order.  A cut divides all orders and
 * preserves each, so it takes time linear in the entries.  Each side gets at
 * least about an eighth of the pages, so the total is O(n log n).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "box/lanes.h"
#include "rtree/place/digits.h"
#include "rtree/place/measure.h"
#include "rtree/place/pack.h"

/* By the high ends on each axis, by the low ends, and by size. */
#define ORDERS(axes)	(2 * (axes) + 1)
#define BY_SIZE(axes)	(2 * (axes))

/* A cut is tried after 1/8, 2/8 ... of the pages. */
#define PARTS	8

/*
 * The extents of windows, as a fraction of those of a page that is a tile.
 * Tuned.
 */
#define WINDOW	0.05

/*
 * A part of at least this many pages is first cut in its widest gap, if that is
 * at least this part of an extent.  Each of these cuts may take one page more,
 * so there is at most one of them in FEWEST_WITH_GAP pages.
 */
#define FEWEST_WITH_GAP	32
#define WIDE_GAP		0.3f

/*
 * Placed bounds of an item, or of several.  Rounded to floats, they take half of
 * a cache line: items are read in seven orders, so most of the time goes into
 * waiting for them.
 */
typedef struct Hull
{
	SpqFloats	high;			/* a lane for each axis */
	SpqFloats	low;
} Hull;

typedef struct Packing
{
	/* constant */
	int			axes;
	int			max_count;
	Size		max_size;
	const Hull *hulls;			/* of items */
	const uint32 *sizes;		/* of items; NULL if all are 0 */
	float8		window;			/* w of the file's header */

	/* changed by cuts */
	int			gaps_left;		/* cuts in gaps that are still allowed */
	uint32	   *orders[ORDERS(SPQ_RTREE_AXES)]; /* numbers of items; a part
												 * has the same place in all
												 * orders */
	uint32	   *spare;
	bool	   *goes_left;		/* by item, in the current cut */
	bool	   *is_end;			/* by place: a page ends there */
} Packing;

/* An inner level can have more entries than palloc() allows. */
static void *
palloc_huge(Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, size);
}

/* A piece of a part, between two places where the part may be cut. */
typedef struct Slice
{
	Hull		hull;
	int			end;
} Slice;

static inline Hull
empty_hull(void)
{
	Hull		hull = {spq_floats_set(-get_float4_infinity()), spq_floats_set(get_float4_infinity())};

	return hull;
}

static inline void
add_to_hull(Hull *hull, const Hull *more)
{
	hull->high = spq_floats_max(more->high, hull->high);
	hull->low = spq_floats_min(more->low, hull->low);
}

/*
 * Return the cost of a part that will be cut into pages that form this many
 * tiles along each axis.
 */
static float8
cost_of(const Packing *packing, const Hull *hull, float8 tiles)
{
	SpqFloats	extents = hull->high - hull->low;
	float8		product = 1;

	for (int axis = 0; axis < packing->axes; axis++)
		product *= Max(extents[axis], 0.0f) + tiles * packing->window;
	return product;
}

/* Return the least number of pages that items need. */
static int
pages_needed(const Packing *packing, int count, Size size)
{
	int			by_count = (count + packing->max_count - 1) / packing->max_count;
	int			by_size = (size + packing->max_size - 1) / packing->max_size;

	return Max(by_count, by_size);
}

/*
 * Cut an order into slices, at the places where a cut is possible.  A cut after
 * some pages leaves as many items on the left as these pages have room for, but
 * at least one item on either side.
 */
static void
make_slices(const Packing *packing, const uint32 *order, int begin, int end,
			const int *pages, int cuts, Slice *slices)
{
	int			place = begin;
	Size		size = 0;

	for (int i = 0; i <= cuts; i++)
	{
		Hull		hull = empty_hull();
		int			last = end;
		Size		max_size = SIZE_MAX;

		if (i < cuts)
		{
			last = Min(begin + (int64) pages[i] * packing->max_count, end - 1);
			max_size = pages[i] * packing->max_size;
		}
		while (place < last)
		{
			uint32		number = order[place];

			if (packing->sizes != NULL)
			{
				if (size + packing->sizes[number] > max_size)
					break;
				size += packing->sizes[number];
			}
			add_to_hull(&hull, &packing->hulls[number]);
			place++;
		}
		slices[i].hull = hull;
		slices[i].end = place;
	}
}

/*
 * Find the best cut of a part that needs this many pages: its order and its
 * place.
 */
static void
choose_cut(const Packing *packing, int begin, int end, int needed,
		   int *best_order, int *best_place)
{
	int			pages[PARTS - 1];
	float8		left_tiles[PARTS - 1],
				right_tiles[PARTS - 1];
	int			cuts = 0;
	float8		least_cost = 0;

	for (int part = 1; part < PARTS; part++)
	{
		int			after = Max(1, (int) ((int64) needed * part / PARTS));

		if (after >= needed || (cuts > 0 && pages[cuts - 1] >= after))
			continue;
		left_tiles[cuts] = pow(after, 1.0 / packing->axes);
		right_tiles[cuts] = pow(needed - after, 1.0 / packing->axes);
		pages[cuts++] = after;
	}
	Assert(cuts > 0);

	*best_place = -1;
	for (int order = 0; order < ORDERS(packing->axes); order++)
	{
		Slice		slices[PARTS] = {0};
		Hull		rights[PARTS];	/* hulls of a slice and all after it */
		Hull		left = empty_hull();

		make_slices(packing, packing->orders[order], begin, end, pages, cuts, slices);
		rights[cuts] = slices[cuts].hull;
		for (int i = cuts - 1; i > 0; i--)
		{
			rights[i] = rights[i + 1];
			add_to_hull(&rights[i], &slices[i].hull);
		}
		for (int cut = 0; cut < cuts; cut++)
		{
			float8		cost;

			add_to_hull(&left, &slices[cut].hull);
			cost = cost_of(packing, &left, left_tiles[cut]) +
				cost_of(packing, &rights[cut + 1], right_tiles[cut]);
			if (*best_place < 0 || cost < least_cost)
			{
				least_cost = cost;
				*best_order = order;
				*best_place = slices[cut].end;
			}
		}
	}
	Assert(*best_place > begin && *best_place < end);
}

/*
 * Find the widest gap of a part: a place in the order by low ends on an axis that
 * no item before it reaches.  Return false if no gap is wide.
 */
static bool
find_gap(const Packing *packing, int begin, int end, int *gap_order, int *gap_place)
{
	float4		widest = 0;

	for (int axis = 0; axis < packing->axes; axis++)
	{
		int			by_low = packing->axes + axis;
		const uint32 *order = packing->orders[by_low];
		float4		first = packing->hulls[order[begin]].low[axis],
					reached = packing->hulls[order[begin]].high[axis],
					gap = 0;
		int			place = begin;

		for (int i = begin + 1; i < end; i++)
		{
			const Hull *hull = &packing->hulls[order[i]];

			if (hull->low[axis] - reached > gap)
			{
				gap = hull->low[axis] - reached;
				place = i;
			}
			reached = Max(reached, hull->high[axis]);
		}
		if (gap > widest && gap >= WIDE_GAP * (reached - first))
		{
			widest = gap;
			*gap_order = by_low;
			*gap_place = place;
		}
	}
	return widest > 0;
}

/*
 * Divide the other orders by the cut of one order: all of them, or, if the sides
 * are pages, only the one in which pages are returned.
 */
static void
divide(Packing *packing, int begin, int end, int by, int place, bool are_pages)
{
	for (int i = begin; i < end; i++)
		packing->goes_left[packing->orders[by][i]] = i < place;
	for (int order = are_pages ? BY_SIZE(packing->axes) : 0; order < ORDERS(packing->axes); order++)
	{
		uint32	   *numbers = packing->orders[order];
		int			left = begin,
					right = 0;

		if (order == by)
			continue;
		for (int i = begin; i < end; i++)
		{
			uint32		number = numbers[i];
			bool		goes_left = packing->goes_left[number];

			/* write to both, and count where it belongs */
			numbers[left] = number;
			packing->spare[right] = number;
			left += goes_left;
			right += !goes_left;
		}
		Assert(left == place);
		memcpy(numbers + left, packing->spare, right * sizeof(uint32));
	}
}

/* Cut a part until each piece fits a page. */
static void
pack_part(Packing *packing, int begin, int end)
{
	for (;;)
	{
		Size		size = 0;
		int			needed,
					order,
					place;

		CHECK_FOR_INTERRUPTS();
		if (packing->sizes != NULL)
			for (int i = begin; i < end; i++)
				size += packing->sizes[packing->orders[0][i]];
		needed = pages_needed(packing, end - begin, size);
		if (needed <= 1)
			break;
		if (packing->gaps_left > 0 && needed >= FEWEST_WITH_GAP &&
			find_gap(packing, begin, end, &order, &place))
			packing->gaps_left--;
		else
			choose_cut(packing, begin, end, needed, &order, &place);
		divide(packing, begin, end, order, place,
			   packing->sizes == NULL && needed == 2);

		/* recurse into the smaller part only, to limit the stack */
		if (place - begin < end - place)
		{
			pack_part(packing, begin, place);
			begin = place;
		}
		else
		{
			pack_part(packing, place, end);
			end = place;
		}
	}
	packing->is_end[end - 1] = true;
}

typedef struct SortKey
{
	uint32		key;
	uint32		number;
} SortKey;

/* Map a placed number to 32 bits, in the same order. */
static inline uint32
sort_key(float8 placed)
{
	return (uint32) ((placed - SPQ_RTREE_PLACED_MIN) /
					 (SPQ_RTREE_PLACED_MAX - SPQ_RTREE_PLACED_MIN) * PG_UINT32_MAX);
}

/* A radix sort: by counting, from the lowest digit up. */
#define DIGIT_BITS	11
#define DIGITS		3

static void
sort_by_keys(SortKey *keys, SortKey *spare, int n)
{
	for (int digit = 0; digit < DIGITS; digit++)
	{
		int			shift = digit * DIGIT_BITS;
		int			places[1 << DIGIT_BITS] = {0};
		int			place = 0;
		SortKey    *swap = keys;

		for (int i = 0; i < n; i++)
			places[keys[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++;
		for (int value = 0; value < 1 << DIGIT_BITS; value++)
		{
			int			count = places[value];

			places[value] = place;
			place += count;
		}
		for (int i = 0; i < n; i++)
			spare[places[keys[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++] = keys[i];
		keys = spare;
		spare = swap;
	}
}

/* Return the largest extent of a hull; 0 if it is empty. */
static inline float8
largest_extent(const Hull *hull, int axes)
{
	SpqFloats	extents = hull->high - hull->low;
	float4		largest = 0;

	for (int axis = 0; axis < axes; axis++)
		largest = Max(largest, extents[axis]);
	return largest;
}

/* Sort items in all orders. */
static void
sort_items(Packing *packing, const SpqRtreePackItem *items, int n, const SpqRtreeFrame *frame)
{
	SortKey    *keys = palloc_huge(n * sizeof(SortKey));
	SortKey    *spare = palloc_huge(n * sizeof(SortKey));
	int			axes = packing->axes;

	for (int order = 0; order < ORDERS(axes); order++)
	{
		SortKey    *sorted = DIGITS % 2 ? spare : keys;
		int			axis = order % axes;

		for (int i = 0; i < n; i++)
		{
			float8		number;

			if (order == BY_SIZE(axes))
				number = largest_extent(&packing->hulls[i], axes) + SPQ_RTREE_PLACED_MIN;
			else
				number = spq_rtree_place_number(frame, axis, order < axes ?
												items[i].bounds.high[axis] :
												items[i].bounds.low[axis]);
			keys[i].key = sort_key(number);
			keys[i].number = i;
		}
		sort_by_keys(keys, spare, n);
		for (int i = 0; i < n; i++)
			packing->orders[order][i] = sorted[i].number;
	}
	pfree(keys);
	pfree(spare);
}

/* Return the hulls of items, each in half of a cache line, in memory at *allocated. */
static const Hull *
place_items(const SpqRtreePackItem *items, int n, const SpqRtreeFrame *frame, void **allocated)
{
	Hull	   *hulls;

	*allocated = palloc_huge(n * sizeof(Hull) + sizeof(Hull));
	hulls = (Hull *) TYPEALIGN(sizeof(Hull), *allocated);
	for (int i = 0; i < n; i++)
	{
		SpqRtreeBounds placed = spq_rtree_place(frame, &items[i].bounds);

		hulls[i] = empty_hull();
		for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
		{
			hulls[i].high[axis] = placed.high[axis];
			hulls[i].low[axis] = placed.low[axis];
		}
	}
	return hulls;
}

static const uint32 *
sizes_of(const SpqRtreePackItem *items, int n)
{
	uint32	   *sizes = palloc_huge(n * sizeof(uint32));

	for (int i = 0; i < n; i++)
		sizes[i] = items[i].size;
	return sizes;
}

/* Return items whose axes are digits as intervals. */
static SpqRtreePackItem *
intervals_of_digits(const SpqRtreePackItem *items, int n)
{
	SpqRtreePackItem *intervals = palloc_huge(n * sizeof(SpqRtreePackItem));

	memcpy(intervals, items, n * sizeof(SpqRtreePackItem));
	spq_rtree_rank_digits(&intervals->bounds, sizeof(SpqRtreePackItem), n);
	return intervals;
}

int
spq_rtree_pack(SpqRtreePackItem *items, int n, int axes, const SpqRtreeUnits *units,
			   int max_count, Size max_size, bool at_gaps, int *page_end)
{
	Packing		packing;
	SpqRtreeBounds hull = spq_rtree_bounds_nothing();
	SpqRtreeFrame frame;
	SpqRtreePackItem *reordered,
			   *intervals = NULL;
	const SpqRtreePackItem *compared = items;
	void	   *allocated;
	Size		size = 0;
	int			pages = 0;

	if (n == 0)
		return 0;
	if (spq_rtree_units_are_digits(units))
	{
		compared = intervals = intervals_of_digits(items, n);
		axes = 1;
	}
	for (int i = 0; i < n; i++)
	{
		Assert(items[i].size <= max_size);
		spq_rtree_hull_add_finite(&hull, &compared[i].bounds);
		size += items[i].size;
	}
	packing.axes = axes;
	packing.max_count = max_count;
	packing.max_size = max_size;
	packing.gaps_left = at_gaps ? pages_needed(&packing, n, size) / FEWEST_WITH_GAP : 0;
	if (pages_needed(&packing, n, size) == 1)
	{
		if (intervals != NULL)
			pfree(intervals);
		page_end[0] = n;
		return 1;
	}

	frame = spq_rtree_units_are_known(units) ? spq_rtree_frame_in_units(&hull, units, axes) :
		spq_rtree_frame(&hull);
	packing.hulls = place_items(compared, n, &frame, &allocated);
	packing.sizes = size > 0 ? sizes_of(items, n) : NULL;
	packing.window = WINDOW * pow(pages_needed(&packing, n, size), -1.0 / axes);
	for (int order = 0; order < ORDERS(axes); order++)
		packing.orders[order] = palloc_huge(n * sizeof(uint32));
	packing.spare = palloc_huge(n * sizeof(uint32));
	packing.goes_left = palloc_huge(n * sizeof(bool));
	packing.is_end = palloc_huge(n * sizeof(bool));
	memset(packing.is_end, false, n * sizeof(bool));
	sort_items(&packing, compared, n, &frame);
	pack_part(&packing, 0, n);

	reordered = palloc_huge(n * sizeof(SpqRtreePackItem));
	for (int i = 0; i < n; i++)
	{
		/*
		 * not in the order along an axis, which a split would take for the
		 * order of arrival
		 */
		reordered[i] = items[packing.orders[BY_SIZE(axes)][i]];
		if (packing.is_end[i])
			page_end[pages++] = i + 1;
	}
	memcpy(items, reordered, n * sizeof(SpqRtreePackItem));

	pfree(reordered);
	pfree(allocated);
	if (intervals != NULL)
		pfree(intervals);
	if (packing.sizes != NULL)
		pfree(unconstify(uint32 *, packing.sizes));
	for (int order = 0; order < ORDERS(axes); order++)
		pfree(packing.orders[order]);
	pfree(packing.spare);
	pfree(packing.goes_left);
	pfree(packing.is_end);
	return pages;
}
