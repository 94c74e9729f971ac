/*-------------------------------------------------------------------------
 *
 * split.c
 *	  How a full page is cut in two.  See split.h.
 *
 * As in the R*-tree (Beckmann et al., SIGMOD 1990) entries are put in order, by
 * their low ends and by their high ends on each axis, and the order and the
 * place of the cut are chosen for what the two halves cost.  In addition there is an
 * order by size: large boxes on a page of their own are better than large
 * boxes that widen both pages.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/measure.h"
#include "rtree/split.h"

/* Either half gets at least this part of what there is. */
#ifndef LEAST_PART
#define LEAST_PART	0.4
#endif

/* The windows' extents, compared with the page's bounds. */
#ifndef SPLIT_WINDOW
#define SPLIT_WINDOW		0.05
#endif

/* Two per axis, and by size. */
#define ORDERS		(2 * SPQ_DIM + 1)
#define BY_SIZE		(2 * SPQ_DIM)

typedef struct Entry
{
	float8		key;			/* what the order is by */
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

/* Put entries in an order. */
static void
sort_entries(Entry *entries, const SpqRtreeBounds *placed, int count, int order)
{
	for (int i = 0; i < count; i++)
	{
		float8		key = 0;

		if (order == BY_SIZE)
		{
			for (int axis = 0; axis < SPQ_DIM; axis++)
				key = Max(key, spq_rtree_extent(&placed[i], axis));
		}
		else if (order < SPQ_DIM)
			key = placed[i].low[order];
		else
			key = placed[i].high[order - SPQ_DIM];
		entries[i].key = key;
		entries[i].number = i;
	}
	qsort(entries, count, sizeof(Entry), compare_entries);
}

static inline float8
measure(const SpqRtreeBounds *placed)
{
	float8		product = 1;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		product *= spq_rtree_extent(placed, axis) + SPLIT_WINDOW;
	return product;
}

void
spq_rtree_choose_split(const SpqRtreeBounds *bounds, const Size *sizes, int count,
					   Size limit, bool *right)
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

	for (int order = 0; order < ORDERS; order++)
	{
		Size		left_size = 0;
		bool		improved = false;

		sort_entries(entries, placed, count, order);
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
			Size		larger;
			float8		cost,
						excess = 0;

			spq_rtree_bounds_add(&hull, &placed[last]);
			left_size += sizes ? sizes[last] : 1;
			larger = Max(left_size, total - left_size);

			/*
			 * What is wrong with the halves comes before what they cost: more than
			 * the limit, then less than the least part.
			 */
			if (sizes && larger > limit)
				excess = 2 + (float8) (larger - limit);
			else if (larger > (1 - LEAST_PART) * total && larger > (total + 1) / 2)
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
