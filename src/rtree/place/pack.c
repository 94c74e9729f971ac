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

typedef struct Packing
{
	/* constant */
	const SpqRtreePackItem *items;
	int			axes;
	int			max_count;
	Size		max_size;
	SpqRtreeBounds *placed;		/* bounds of items, placed */
	float8		window;			/* w of the file's header */

	/* changed by cuts */
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
	SpqRtreeBounds hull;
	int			end;
} Slice;

/* Return the cost of a part that will be cut into this many pages. */
static float8
cost_of(const Packing *packing, const SpqRtreeBounds *hull, int pages)
{
	float8		tiles = pow(pages, 1.0 / packing->axes),
				product = 1;

	for (int axis = 0; axis < packing->axes; axis++)
		product *= spq_rtree_extent(hull, axis) + tiles * packing->window;
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

/* Widen a hull by placed bounds, on this many axes and without their codes. */
static pg_attribute_always_inline void
add_to_hull(SpqRtreeBounds *hull, const SpqRtreeBounds *placed, int axes)
{
	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
	{
		hull->high[axis] = Max(hull->high[axis], placed->high[axis]);
		hull->low[axis] = Min(hull->low[axis], placed->low[axis]);
	}
}

/*
 * Cut an order into slices, at the places where a cut is possible.  A cut after
 * some pages leaves as many items on the left as these pages have room for, but
 * at least one item on either side.  The number of axes is a constant, so that
 * hulls stay in registers.
 */
static pg_attribute_always_inline void
make_slices(const Packing *packing, int axes, const uint32 *order, int begin, int end,
			const int *pages, int cuts, Slice *slices)
{
	int			place = begin;
	Size		size = 0;

	for (int i = 0; i <= cuts; i++)
	{
		SpqRtreeBounds hull = spq_rtree_bounds_nothing();
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

			if (size + packing->items[number].size > max_size)
				break;
			size += packing->items[number].size;
			add_to_hull(&hull, &packing->placed[number], axes);
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
	int			cuts = 0;
	float8		least_cost = 0;

	for (int part = 1; part < PARTS; part++)
	{
		int			after = Max(1, (int) ((int64) needed * part / PARTS));

		if (after < needed && (cuts == 0 || pages[cuts - 1] < after))
			pages[cuts++] = after;
	}
	Assert(cuts > 0);

	*best_place = -1;
	for (int order = 0; order < ORDERS(packing->axes); order++)
	{
		Slice		slices[PARTS] = {0};
		SpqRtreeBounds rights[PARTS];	/* hulls of a slice and all after it */
		SpqRtreeBounds left = spq_rtree_bounds_nothing();

		if (packing->axes == 2)
			make_slices(packing, 2, packing->orders[order], begin, end, pages, cuts, slices);
		else
			make_slices(packing, 3, packing->orders[order], begin, end, pages, cuts, slices);
		rights[cuts] = slices[cuts].hull;
		for (int i = cuts - 1; i > 0; i--)
		{
			rights[i] = rights[i + 1];
			spq_rtree_bounds_add(&rights[i], &slices[i].hull);
		}
		for (int cut = 0; cut < cuts; cut++)
		{
			float8		cost;

			spq_rtree_bounds_add(&left, &slices[cut].hull);
			cost = cost_of(packing, &left, pages[cut]) +
				cost_of(packing, &rights[cut + 1], needed - pages[cut]);
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

/* Divide all other orders by the cut of one order. */
static void
divide(Packing *packing, int begin, int end, int by, int place)
{
	for (int i = begin; i < end; i++)
		packing->goes_left[packing->orders[by][i]] = i < place;
	for (int order = 0; order < ORDERS(packing->axes); order++)
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
		for (int i = begin; i < end; i++)
			size += packing->items[packing->orders[0][i]].size;
		needed = pages_needed(packing, end - begin, size);
		if (needed <= 1)
			break;
		choose_cut(packing, begin, end, needed, &order, &place);
		divide(packing, begin, end, order, place);

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

/* Sort items in all orders. */
static void
sort_items(Packing *packing, int n)
{
	SortKey    *keys = palloc_huge(n * sizeof(SortKey));
	SortKey    *spare = palloc_huge(n * sizeof(SortKey));
	int			axes = packing->axes;

	for (int order = 0; order < ORDERS(axes); order++)
	{
		SortKey    *sorted = DIGITS % 2 ? spare : keys;

		for (int i = 0; i < n; i++)
		{
			const SpqRtreeBounds *placed = &packing->placed[i];
			float8		number = 0;

			if (order == BY_SIZE(axes))
			{
				for (int axis = 0; axis < axes; axis++)
					number = Max(number, spq_rtree_extent(placed, axis) +
								 SPQ_RTREE_PLACED_MIN);
			}
			else if (order < axes)
				number = placed->high[order];
			else
				number = placed->low[order - axes];
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

int
spq_rtree_pack(SpqRtreePackItem *items, int n, int axes, const SpqRtreeUnits *units,
			   int max_count, Size max_size, int *page_end)
{
	Packing		packing;
	SpqRtreeBounds hull = spq_rtree_bounds_nothing();
	SpqRtreeFrame frame;
	SpqRtreePackItem *reordered;
	Size		size = 0;
	int			pages = 0;

	if (n == 0)
		return 0;
	for (int i = 0; i < n; i++)
	{
		Assert(items[i].size <= max_size);
		spq_rtree_hull_add_finite(&hull, &items[i].bounds);
		size += items[i].size;
	}
	packing.items = items;
	packing.axes = axes;
	packing.max_count = max_count;
	packing.max_size = max_size;
	if (pages_needed(&packing, n, size) == 1)
	{
		page_end[0] = n;
		return 1;
	}

	frame = spq_rtree_units_are_known(units) ? spq_rtree_frame_in_units(&hull, units, axes) :
		spq_rtree_frame(&hull);
	packing.placed = palloc_huge(n * sizeof(SpqRtreeBounds));
	for (int i = 0; i < n; i++)
		packing.placed[i] = spq_rtree_place(&frame, &items[i].bounds);
	packing.window = WINDOW * pow(pages_needed(&packing, n, size), -1.0 / axes);
	for (int order = 0; order < ORDERS(axes); order++)
		packing.orders[order] = palloc_huge(n * sizeof(uint32));
	packing.spare = palloc_huge(n * sizeof(uint32));
	packing.goes_left = palloc_huge(n * sizeof(bool));
	packing.is_end = palloc_huge(n * sizeof(bool));
	memset(packing.is_end, false, n * sizeof(bool));
	sort_items(&packing, n);
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
	pfree(packing.placed);
	for (int order = 0; order < ORDERS(axes); order++)
		pfree(packing.orders[order]);
	pfree(packing.spare);
	pfree(packing.goes_left);
	pfree(packing.is_end);
	return pages;
}
