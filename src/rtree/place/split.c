/*-------------------------------------------------------------------------
 *
 * split.c
 *	  How a full page is cut in two.  See split.h.
 *
 * As in the R*-tree (Beckmann et al., SIGMOD 1990), entries are sorted by their
 * low ends and by their high ends on each axis, and the order and the place of
 * the cut are chosen by the cost of the two halves.  In addition there is an
 * order by size: large boxes on a page of their own are better than large boxes
 * that widen both pages.  The cost is the sum of the halves' measures
 * (measure.h).  It combines the R*-tree's margin and area, and counts twice
 * where the halves overlap.
 *
 * A page whose entries arrived sorted along an axis (arrival.h) is not cut in the middle
 * along that axis, but left nearly full.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/place/arrival.h"
#include "rtree/place/measure.h"
#include "rtree/place/split.h"

/* Either half gets at least this fraction.  Tuned, and of little influence. */
#define LEAST_PART	0.4

/* The extents of windows, as a fraction of the page's bounds. */
#define WINDOW		0.05

/* Two per axis, and by size. */
#define ORDERS(axes)	(2 * (axes) + 1)
#define BY_SIZE(axes)	(2 * (axes))

typedef struct Entry
{
	float8		key;			/* to sort by */
	int			number;
} Entry;

static int
compare_entries(const void *a, const void *b)
{
	const Entry *x = (const Entry *) a,
			   *y = (const Entry *) b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->number - y->number;
}

/* Sort entries in one of the orders. */
static void
sort_entries(Entry *entries, const SpqRtreeBounds *placed, int count, int axes, int order)
{
	for (int i = 0; i < count; i++)
	{
		float8		key = 0;

		if (order == BY_SIZE(axes))
		{
			for (int axis = 0; axis < axes; axis++)
				key = Max(key, spq_rtree_extent(&placed[i], axis));
		}
		else if (order < axes)
			key = placed[i].low[order];
		else
			key = placed[i].high[order - axes];
		entries[i].key = key;
		entries[i].number = i;
	}
	qsort(entries, count, sizeof(Entry), compare_entries);
}

static inline float8
measure(const SpqRtreeBounds *placed)
{
	float8		product = 1;

	/* an axis that the index does not have is the same factor for all */
	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
		product *= spq_rtree_extent(placed, axis) + WINDOW;
	return product;
}

void
spq_rtree_choose_split(const SpqRtreeBounds *bounds, const Size *sizes, int count,
					   int axes, Size limit, bool *right)
{
	SpqRtreeBounds hull = spq_rtree_bounds_nothing();
	SpqRtreeFrame frame;
	SpqRtreeBounds *placed = palloc(count * sizeof(SpqRtreeBounds));
	float8	   *right_measure = palloc(count * sizeof(float8));
	Entry	   *entries = palloc(count * sizeof(Entry));
	Entry	   *best = palloc(count * sizeof(Entry));
	int			best_cut = 0;
	float8		best_cost = 0;
	float8		best_excess = 0;
	Size		total = 0;

	Assert(count >= 2);
	for (int i = 0; i < count; i++)
	{
		spq_rtree_hull_add_finite(&hull, &bounds[i]);
		total += sizes ? sizes[i] : 1;
	}
	frame = spq_rtree_frame(&hull);
	for (int i = 0; i < count; i++)
		placed[i] = spq_rtree_place(&frame, &bounds[i]);

	for (int order = 0; order < ORDERS(axes); order++)
	{
		Size		left_size = 0;
		bool		improved = false;
		float8		least_left = LEAST_PART,
					least_right = LEAST_PART;

		if (order != BY_SIZE(axes))
		{
			int			arrival = spq_rtree_order_of_arrival(placed, count, order % axes);

			if (arrival > 0)
			{
				least_left = SPQ_RTREE_LEAST_KEPT;
				least_right = SPQ_RTREE_LEAST_NEW;
			}
			else if (arrival < 0)
			{
				least_right = SPQ_RTREE_LEAST_KEPT;
				least_left = SPQ_RTREE_LEAST_NEW;
			}
		}

		sort_entries(entries, placed, count, axes, order);
		hull = spq_rtree_bounds_nothing();
		for (int i = count - 1; i > 0; i--)
		{
			spq_rtree_bounds_add(&hull, &placed[entries[i].number]);
			right_measure[i] = measure(&hull);
		}
		hull = spq_rtree_bounds_nothing();
		for (int cut = 1; cut < count; cut++)
		{
			int			last = entries[cut - 1].number;
			Size		larger,
						right_size;
			float8		cost,
						excess = 0;

			spq_rtree_bounds_add(&hull, &placed[last]);
			left_size += sizes ? sizes[last] : 1;
			right_size = total - left_size;
			larger = Max(left_size, right_size);

			/*
			 * A defect of the halves counts more than their cost: first a
			 * half that exceeds the limit, then one that is less than the
			 * least part.
			 */
			if (sizes && larger > limit)
				excess = 2 + (float8) (larger - limit);
			else if (left_size < (Size) (least_left * total) ||
					 right_size < (Size) (least_right * total))
				excess = (float8) larger / total;
			cost = measure(&hull) + right_measure[cut];
			if (best_cut == 0 || excess < best_excess ||
				(excess == best_excess && cost < best_cost))
			{
				best_cut = cut;
				best_cost = cost;
				best_excess = excess;
				improved = true;
			}
		}
		if (improved)
			memcpy(best, entries, count * sizeof(Entry));
	}

	for (int i = 0; i < count; i++)
		right[best[i].number] = i >= best_cut;
	pfree(placed);
	pfree(right_measure);
	pfree(entries);
	pfree(best);
}
