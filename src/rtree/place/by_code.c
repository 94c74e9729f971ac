/*-------------------------------------------------------------------------
 *
 * by_code.c
 *	  Decisions by code, which come before those by box in an index with scalar
 *	  columns: the child of a new entry, the cut of a page, pages for a build.
 *
 * Queries ask for one tenant.  So a page should, first of all, have few codes:
 * a tenant with rows for many pages gets pages of its own, on which boxes
 * decide as in an index without scalars; small tenants share pages with their
 * neighbors in the order of codes.
 *
 *		codes	1 1 1 2 2 3 | 4 4 4 4 4 | 4 4 4 4 4 | 4 4 4 | 5 6 6 7
 *				shared		| by boxes: tenant 4			| shared
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "rtree/place/arrival.h"
#include "rtree/place/choose.h"
#include "rtree/place/pack.h"
#include "rtree/place/split.h"

/* Either half of an inner page gets at least one in this many entries. */
#define LEAST_PART	8

/* ----------------------------------------------------------------
 *		The child of a new entry
 * ----------------------------------------------------------------
 */

/*
 * Set by how many codes a child would grow, and how many it has; 0 if it is
 * empty.
 */
static inline void
cost_of_child(const SpqRtreeColumn *codes, int i, const SpqRtreeBounds *bounds,
			  float8 *growth, float8 *extent)
{
	float8		high = codes[0][i],
				low = codes[1][i];

	*growth = *extent = 0;
	if (low > high)
		return;
	*extent = high - low;
	*growth = Max(high, bounds->high_code) - Min(low, bounds->low_code) - *extent;
}

void
spq_rtree_choose_by_code(Page page, const SpqRtreeBounds *bounds, uint8 *candidates)
{
	int			count = spq_rtree_count(page),
				code = spq_rtree_layout(page)->code;
	float8		least_growth = get_float8_infinity(),
				least_extent = get_float8_infinity();

	for (int round = 0; round < 2; round++)
		for (int g = 0; g < spq_rtree_groups(count); g++)
		{
			const SpqRtreeColumn *codes = spq_rtree_group_columns(page, g) + code;

			candidates[g] = 0;
			for (int i = 0; i < Min(SPQ_RTREE_GROUP, count - g * SPQ_RTREE_GROUP); i++)
			{
				float8		growth,
							extent;

				cost_of_child(codes, i, bounds, &growth, &extent);
				if (growth < least_growth ||
					(growth == least_growth && extent < least_extent))
				{
					least_growth = growth;
					least_extent = extent;
				}
				if (growth == least_growth && extent == least_extent)
					candidates[g] |= 1 << i;
			}
		}
}

/* ----------------------------------------------------------------
 *		Splits
 * ----------------------------------------------------------------
 */

typedef struct Entry
{
	float8		low;
	float8		high;
	int			number;
} Entry;

/* Compare entries by their lowest codes, then by their highest ones. */
static int
compare_entries(const void *a, const void *b)
{
	const Entry *x = (const Entry *) a,
			   *y = (const Entry *) b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return x->number - y->number;
}

bool
spq_rtree_split_by_code(const SpqRtreeBounds *bounds, const Size *sizes, int count,
						bool leaf, bool *right)
{
	Entry	   *entries = palloc(count * sizeof(Entry));
	float8		total = 0,
				left = 0,
				goal,
				least = -1;
	int			cut = 0;

	for (int i = 0; i < count; i++)
	{
		entries[i].low = bounds[i].low_code;
		entries[i].high = bounds[i].high_code;
		entries[i].number = i;
		total += sizes ? sizes[i] : 1;
	}
	goal = total * (spq_rtree_order_of_arrival(bounds, count, SPQ_RTREE_CODE_AXIS) > 0 ?
					1 - SPQ_RTREE_LEAST_NEW : 0.5);
	qsort(entries, count, sizeof(Entry), compare_entries);

	for (int i = 1; i < count; i++)
	{
		float8		distance;

		left += sizes ? sizes[entries[i - 1].number] : 1;
		if (entries[i].low == entries[i - 1].low && entries[i].high == entries[i - 1].high)
			continue;
		if (!leaf && Min(i, count - i) < count / LEAST_PART)
			continue;
		distance = fabs(left - goal);
		if (least < 0 || distance < least)
		{
			least = distance;
			cut = i;
		}
	}
	for (int i = 0; i < count; i++)
		right[entries[i].number] = i >= cut;
	pfree(entries);
	return cut > 0;
}

/* ----------------------------------------------------------------
 *		Full pages
 * ----------------------------------------------------------------
 */

/*
 * Whole runs of equal codes for one page, or one run for one or several pages.
 */
typedef struct Bin
{
	int			begin;
	int			count;
	Size		size;
	int			runs;
} Bin;

static int
compare_items(const void *a, const void *b)
{
	const SpqRtreePackItem *x = (const SpqRtreePackItem *) a,
			   *y = (const SpqRtreePackItem *) b;

	if (x->bounds.low_code != y->bounds.low_code)
		return x->bounds.low_code < y->bounds.low_code ? -1 : 1;
	if (x->bounds.high_code != y->bounds.high_code)
		return x->bounds.high_code < y->bounds.high_code ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/*
 * Return the run that begins at a place: items of one common code, or a single
 * item of several codes.
 */
static Bin
next_run(const SpqRtreePackItem *items, int begin, int n)
{
	const SpqRtreeBounds *first = &items[begin].bounds;
	Bin			run = {begin, 1, items[begin].size, 1};

	if (first->low_code != first->high_code)
		return run;
	for (int i = begin + 1; i < n; i++)
	{
		if (items[i].bounds.low_code != first->low_code ||
			items[i].bounds.high_code != first->low_code)
			break;
		run.count++;
		run.size += items[i].size;
	}
	return run;
}

/*
 * Pack a bin, after "pages" other pages.  Return the number of pages so far.
 */
static int
pack_bin(SpqRtreePackItem *items, const Bin *bin, const SpqRtreeLeafLimits *limits,
		 int *page_end, int pages)
{
	int			more;

	if (bin->count == 0)
		return pages;
	if (bin->runs == 1)
		for (int i = bin->begin; i < bin->begin + bin->count; i++)
			items[i].size -= limits->code_size;
	more = spq_rtree_pack(items + bin->begin, bin->count, limits->axes, limits->units,
						  bin->runs == 1 ? limits->one_code_count : limits->max_count,
						  limits->max_size, true, page_end + pages);
	for (int i = 0; i < more; i++)
		page_end[pages + i] += bin->begin;
	return pages + more;
}

int
spq_rtree_pack_by_code(SpqRtreePackItem *items, int n, const SpqRtreeLeafLimits *limits,
					   int *page_end)
{
	Bin			bin = {0, 0, 0, 0};
	int			pages = 0;

	qsort(items, n, sizeof(SpqRtreePackItem), compare_items);
	for (int i = 0; i < n;)
	{
		Bin			run = next_run(items, i, n);

		i += run.count;
		if (bin.count + run.count > limits->max_count ||
			bin.size + run.size > limits->max_size)
		{
			pages = pack_bin(items, &bin, limits, page_end, pages);
			bin = run;
		}
		else
		{
			bin.count += run.count;
			bin.size += run.size;
			bin.runs++;
		}
	}
	return pack_bin(items, &bin, limits, page_end, pages);
}
