/*-------------------------------------------------------------------------
 *
 * pack_test.c
 *	  Choices of the access method that affect only its speed: packing, splits
 *	  and the choice of a child.  They must keep their contracts, and be
 *	  sensible.
 *
 *-------------------------------------------------------------------------
 */
#include "shapes.h"

#include "rtree/place/choose.h"
#include "rtree/place/pack.h"
#include "rtree/place/split.h"

/*
 * Check that pages are neither too full nor too empty, and that no entry is
 * missing.
 */
static void
try_pack(int kind, int n, int max_count, Size max_size, int least_size, int largest_size)
{
	SpqRtreePackItem *items = palloc(n * sizeof(SpqRtreePackItem));
	SpqRtreePackItem *packed = palloc(n * sizeof(SpqRtreePackItem));
	int		   *page_end = palloc(n * sizeof(int));
	bool	   *seen = palloc0(n);
	int			pages,
				begin = 0;
	Size		total = 0;
	bool		at_gaps = random_int(0, 1);
	SpqRtreeUnits units;
	SpqRtreeBounds *rows = palloc(n * sizeof(SpqRtreeBounds));

	for (int i = 0; i < n; i++)
	{
		memset(&items[i], 0, sizeof(items[i]));
		rows[i] = items[i].bounds = shape(kind, i);
		items[i].size = random_int(least_size, largest_size);
		items[i].number = i;
		total += items[i].size;
	}
	units = spq_rtree_choose_units(rows, n, SPQ_DIM);
	for (int axis = 0; axis < SPQ_DIM; axis++)
		check(units.fraction[axis] > 0 && isfinite(units.fraction[axis]), "%g", units.fraction[axis]);
	if (random_int(0, 1))
		for (int axis = 0; axis < SPQ_DIM; axis++)
			units.unit[axis] = exp((drand48() - 0.5) * 1400);
	memcpy(packed, items, n * sizeof(SpqRtreePackItem));
	pages = spq_rtree_pack(packed, n, SPQ_DIM, random_int(0, 1) ? &units : NULL, max_count, max_size,
						   at_gaps, page_end);

	check(pages >= 1 && pages <= n, "%d pages", pages);
	for (int page = 0; page < pages; page++)
	{
		Size		size = 0;

		check(page_end[page] > begin && page_end[page] <= n, "end %d", page_end[page]);
		check(page_end[page] - begin <= max_count, "%d entries", page_end[page] - begin);
		for (int i = begin; i < page_end[page]; i++)
			size += packed[i].size;
		check(size <= max_size, "%zu bytes", size);
		begin = page_end[page];
	}
	check(begin == n, "%d of %d", begin, n);
	for (int i = 0; i < n; i++)
	{
		uint32		number = packed[i].number;

		check(number < (uint32) n && !seen[number] &&
			  memcmp(&packed[i], &items[number], sizeof(items[number])) == 0,
			  "item %u", number);
		seen[number] = true;
	}

	/*
	 * pages are full if all entries have the same size, except before a few
	 * gaps
	 */
	if (least_size == largest_size)
	{
		int			fit = least_size > 0 ? Min(max_count, (int) (max_size / least_size)) :
			max_count;

		if (fit == max_count || max_size % least_size == 0)
		{
			int			needed = (n + fit - 1) / fit;

			check(pages >= needed && pages <= needed + (at_gaps ? needed / 32 : 0),
				  "%d pages of %d for %d", pages, fit, n);
		}
	}
	else
		check(pages <= 2 * (int) (total / max_size) + 2 * (n / max_count) + 2,
			  "%d pages for %zu bytes", pages, total);
	pfree(items);
	pfree(packed);
	pfree(page_end);
	pfree(seen);
}

static void
test_pack(void)
{
	for (int kind = 0; kind < SHAPES; kind++)
	{
		for (int round = 0; round < 40; round++)
		{
			int			n = random_int(1, 3000);

			try_pack(kind, n, random_int(1, 170), 100000, 8, 8);
			try_pack(kind, n, 140, 7000, 40, 40);
			try_pack(kind, n, 140, 7900, 8, random_int(8, 2000));
			try_pack(kind, n, n, 100 * n + 8, 0, random_int(0, 8));
		}
		try_pack(kind, 40000, 136, 8000, 0, 0);
	}
	finish_test("pack");
}

/*
 * Check that no page has rows of two clusters that are far apart along some
 * axis.
 */
static void
test_pack_quality(void)
{
	enum
	{
		PER_PAGE = 50, HALF = 10 * PER_PAGE
	};
	SpqRtreePackItem *items = palloc0(2 * HALF * sizeof(SpqRtreePackItem));
	int			page_end[2 * HALF];

	for (int round = 0; round < 30; round++)
	{
		int			axis = round % SPQ_DIM,
					begin = 0,
					pages;

		for (int i = 0; i < 2 * HALF; i++)
		{
			items[i].bounds = shape(TILES, i);
			items[i].number = i % 2;
			items[i].bounds.low[axis] += i % 2 * 1000;
			items[i].bounds.high[axis] += i % 2 * 1000;
		}
		pages = spq_rtree_pack(items, 2 * HALF, SPQ_DIM, NULL, PER_PAGE, 100000, false, page_end);
		check(pages == 2 * HALF / PER_PAGE, "%d pages", pages);
		for (int page = 0; page < pages; page++)
		{
			for (int i = begin; i < page_end[page]; i++)
				check(items[i].number == items[begin].number, "page %d, axis %d", page, axis);
			begin = page_end[page];
		}
	}
	pfree(items);
	finish_test("pack of two clusters");
}

/*
 * Check that no page has rows of two clusters that are far apart, even if the last page
 * of one of them is not full; and that rows that are farther and farther apart do not
 * get a page each.
 */
static void
test_pack_gaps(void)
{
	enum
	{
		PER_PAGE = 50, FEW = 13 * PER_PAGE + 17, MANY = 51 * PER_PAGE + 9, TOTAL = FEW + MANY
	};
	SpqRtreePackItem *items = palloc0(TOTAL * sizeof(SpqRtreePackItem));
	int			page_end[TOTAL];

	for (int round = 0; round < 30; round++)
	{
		int			axis = round % SPQ_DIM,
					mixed = 0,
					begin = 0,
					pages;
		bool		at_gaps = round / SPQ_DIM % 3 > 0;

		for (int i = 0; i < TOTAL; i++)
		{
			items[i].bounds = shape(TILES, i);
			items[i].number = i * INT64CONST(7919) % TOTAL < FEW;
			items[i].bounds.low[axis] += items[i].number * 1000;
			items[i].bounds.high[axis] += items[i].number * 1000;
		}
		pages = spq_rtree_pack(items, TOTAL, SPQ_DIM, NULL, PER_PAGE, 100000, at_gaps, page_end);
		check(pages == 65 + at_gaps, "%d pages", pages);
		for (int page = 0; page < pages; begin = page_end[page++])
			for (int i = begin + 1; i < page_end[page]; i++)
				mixed += items[i].number != items[begin].number;
		check((mixed == 0) == at_gaps, "%d rows on pages of others, axis %d", mixed, axis);

		for (int i = 0; i < TOTAL; i++)
		{
			items[i].bounds = shape(TILES, i);
			items[i].bounds.low[axis] = items[i].bounds.high[axis] = exp2(i % 120);
		}
		pages = spq_rtree_pack(items, TOTAL, SPQ_DIM, NULL, PER_PAGE, 100000, at_gaps, page_end);
		check(pages <= 65 + 2 * at_gaps, "%d pages of rows far apart", pages);
	}
	pfree(items);
	finish_test("pack of clusters, in gaps");
}

static void
test_split(void)
{
	static bool right[400];
	static Size sizes[400];
	static SpqRtreeBounds bounds[400];

	for (int round = 0; round < cases(12000); round++)
	{
		int			kind = round % SHAPES;
		int			count = random_int(0, 2) ? random_int(2, 10) : random_int(2, 340);
		Size		left_size = 0,
					total = 0,
					limit = 0,
					largest = 0;
		int			left_count = 0;
		bool		sized = round % 2;

		for (int i = 0; i < count; i++)
		{
			bounds[i] = shape(kind, i);
			sizes[i] = random_int(0, 3) ? random_int(16, 100) : random_int(16, 2000);
			total += sizes[i];
			largest = Max(largest, sizes[i]);
		}
		/* any order has a cut that satisfies this limit */
		limit = (total + 1) / 2 + largest;
		spq_rtree_choose_split(bounds, sized ? sizes : NULL, count, SPQ_DIM, limit, right);
		for (int i = 0; i < count; i++)
			if (!right[i])
			{
				left_count++;
				left_size += sizes[i];
			}
		check(left_count > 0 && left_count < count, "%d of %d", left_count, count);
		if (sized)
			check(left_size <= limit && total - left_size <= limit,
				  "%zu of %zu, limit %zu", left_size, total, limit);
		else
			check(Min(left_count, count - left_count) >= (int) (0.3 * count),
				  "%d of %d", left_count, count);
	}
	finish_test("split");
}

/* Check that two clusters that are far apart are cut between them. */
static void
test_split_quality(void)
{
	SpqRtreeBounds bounds[100];
	bool		right[100];

	for (int round = 0; round < cases(500); round++)
	{
		int			axis = random_int(0, SPQ_DIM - 1);
		int			first = random_int(45, 55);

		for (int i = 0; i < 100; i++)
		{
			bounds[i] = shape(TILES, i);
			if (i < first)
			{
				bounds[i].low[axis] += 1000;
				bounds[i].high[axis] += 1000;
			}
		}
		spq_rtree_choose_split(bounds, NULL, 100, SPQ_DIM, 0, right);
		for (int i = 1; i < 100; i++)
			check((right[i] == right[0]) == (i < first), "entry %d of %d", i, first);
	}
	finish_test("split of two clusters");
}

/*
 * Check that rows that arrived in order are cut such that the older rows leave
 * their page nearly full.
 */
static void
test_split_in_order(void)
{
	SpqRtreeBounds bounds[200];
	bool		right[200];

	for (int round = 0; round < cases(500); round++)
	{
		int			axis = random_int(0, SPQ_DIM - 1);
		bool		descends = round % 2;
		int			lefts = 0;

		for (int i = 0; i < 200; i++)
		{
			bounds[i] = spq_rtree_bounds_nothing();
			for (int a = 0; a < SPQ_DIM; a++)
			{
				/*
				 * long boxes, so that a cut along another axis is never
				 * better
				 */
				bounds[i].low[a] = a == axis ? (descends ? -i : i) : drand48();
				bounds[i].high[a] = bounds[i].low[a] + (a == axis ? 0.5 : 100);
			}
		}
		spq_rtree_choose_split(bounds, NULL, 200, SPQ_DIM, 0, right);
		for (int i = 0; i < 200; i++)
			lefts += !right[i];
		check(right[0] == descends && right[199] == !descends, "order");
		if (descends)
			lefts = 200 - lefts;
		check(lefts >= 160 && lefts <= 180, "%d of 200 on the side of the old ones", lefts);
	}
	finish_test("split of rows that came in order");
}

/* ----------------------------------------------------------------
 *		Codes
 * ----------------------------------------------------------------
 */

/* Give bounds the code of one row, or if "inner", of several. */
static void
set_codes(SpqRtreeBounds *bounds, int variety, bool inner)
{
	if (spq_rtree_bounds_are_nothing(bounds))
		return;
	bounds->low_code = variety == 0 ? 7 : variety == 1 ? random_int(0, 3) :
		variety == 2 ? random_int(0, 100000) : (float8) ((int64) lrand48() << 21);
	bounds->high_code = bounds->low_code + (inner && random_int(0, 1) ? random_int(0, 3) : 0);
}

/*
 * Check that no page is too full, that no entry is missing, and that a code
 * with more rows than a page holds does not share its pages.
 */
static void
test_pack_by_code(void)
{
	for (int round = 0; round < cases(4000); round++)
	{
		int			n = random_int(1, 600),
					max_count = random_int(1, 100),
					kind = random_int(0, SHAPES - 1),
					variety = random_int(0, 3),
					pages,
					begin = 0;
		Size		max_size = random_int(0, 1) ? 100000 : 1000;
		bool		inner = random_int(0, 1);
		SpqRtreeLeafLimits limits = {SPQ_DIM, NULL, max_count, max_size, max_count + random_int(0, 20), 0};
		SpqRtreePackItem *items = palloc0(n * sizeof(SpqRtreePackItem)),
				   *packed = palloc0(n * sizeof(SpqRtreePackItem));
		int		   *page_end = palloc(n * sizeof(int));
		bool	   *seen = palloc0(n);

		for (int i = 0; i < n; i++)
		{
			items[i].bounds = shape(kind, i);
			set_codes(&items[i].bounds, variety, inner);
			items[i].size = random_int(1, max_size == 1000 ? 1000 : 100);
			items[i].number = i;
		}
		memcpy(packed, items, n * sizeof(SpqRtreePackItem));
		pages = spq_rtree_pack_by_code(packed, n, &limits, page_end);
		check(pages >= 1 && pages <= n, "%d pages", pages);
		for (int page = 0; page < pages; page++)
		{
			Size		size = 0;
			bool		goes_on,
						one_code = true;

			check(page_end[page] > begin && page_end[page] <= n, "end %d", page_end[page]);
			for (int i = begin; i < page_end[page]; i++)
			{
				size += packed[i].size;
				one_code &= packed[i].bounds.low_code == packed[begin].bounds.low_code;
			}
			check(page_end[page] - begin <= (one_code ? limits.one_code_count : max_count),
				  "%d entries", page_end[page] - begin);
			check(size <= max_size, "%zu bytes", size);

			/*
			 * a row's code that continues on the next page is alone on this
			 * one
			 */
			goes_on = !inner && page_end[page] < n &&
				packed[page_end[page]].bounds.low_code == packed[begin].bounds.low_code;
			for (int i = begin; i < page_end[page] && goes_on; i++)
				check(packed[i].bounds.low_code == packed[begin].bounds.low_code, "shared page");
			begin = page_end[page];
		}
		check(begin == n, "%d of %d", begin, n);
		for (int i = 0; i < n; i++)
		{
			uint32		number = packed[i].number;

			check(number < (uint32) n && !seen[number] &&
				  memcmp(&packed[i], &items[number], sizeof(items[number])) == 0,
				  "item %u", number);
			seen[number] = true;
			if (i > 0)
				check(packed[i].bounds.low_code >= packed[i - 1].bounds.low_code, "order");
		}
		pfree(items);
		pfree(packed);
		pfree(page_end);
		pfree(seen);
	}
	finish_test("pack by code");
}

/*
 * Check that both halves get entries, and that halves of a leaf share no code.
 */
static void
test_split_by_code(void)
{
	static bool right[400];
	static Size sizes[400];
	static SpqRtreeBounds bounds[400];
	int			cut = 0;

	for (int round = 0; round < cases(20000); round++)
	{
		int			count = random_int(0, 2) ? random_int(2, 10) : random_int(2, 340),
					kind = round % (SHAPES - 1),
					variety = random_int(0, 3),
					lefts = 0;
		bool		leaf = random_int(0, 1),
					one_code = true,
					done;
		float8		left_high = -get_float8_infinity(),
					left_low = -get_float8_infinity(),
					right_low = get_float8_infinity();

		for (int i = 0; i < count; i++)
		{
			bounds[i] = shape(kind, i);
			set_codes(&bounds[i], variety, !leaf);
			sizes[i] = random_int(16, 2000);
			one_code &= bounds[i].low_code == bounds[0].low_code;
		}
		done = spq_rtree_split_by_code(bounds, random_int(0, 1) ? sizes : NULL, count, leaf, right);
		if (leaf)
			check(done == !one_code, "%d codes", one_code ? 1 : 2);
		cut += done;
		for (int i = 0; i < count; i++)
		{
			lefts += !right[i];
			if (right[i])
				right_low = Min(right_low, bounds[i].low_code);
			else
			{
				left_low = Max(left_low, bounds[i].low_code);
				left_high = Max(left_high, bounds[i].high_code);
			}
		}
		if (!done)
			continue;
		check(lefts > 0 && lefts < count, "%d of %d", lefts, count);
		check(left_low <= right_low, "order");
		if (leaf)
			check(left_high < right_low, "a code on both sides");
		else
			check(Min(lefts, count - lefts) >= count / 8, "%d of %d", lefts, count);
	}
	check(cut > cases(5000), "%d splits only", cut);
	finish_test("split by code");
}

/*
 * Return by how much the child's interval of codes grows; 0 if the child is
 * empty.
 */
static float8
code_growth(const SpqRtreeBounds *child, const SpqRtreeBounds *added)
{
	SpqRtreeBounds both = *child;

	if (spq_rtree_bounds_are_nothing(child))
		return 0;
	spq_rtree_bounds_add(&both, added);
	return (both.high_code - both.low_code) - (child->high_code - child->low_code);
}

static void
test_choose(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int round = 0; round < cases(6000); round++)
	{
		int			kind = round % SHAPES;
		uint16		flags = AXES_FLAG | (random_int(0, 1) ? SPQ_RTREE_KEYED : 0);
		int			count = random_int(1, random_int(0, 1) ? 12 : spq_rtree_page_max(1, flags));
		int			variety = random_int(0, 3);
		float8		least_growth = get_float8_infinity();
		int			nothing = -1,
					holds = -1;
		SpqRtreeBounds added = shape(random_int(0, ENDLESS - 1), 0);
		int			chosen;

		spq_rtree_page_init(page, 1, flags);
		if (flags & SPQ_RTREE_KEYED)
			set_codes(&added, variety, false);
		for (int i = 0; i < count; i++)
		{
			SpqRtreeDownlink downlink = {shape(kind, i), i, i + 1};

			if (flags & SPQ_RTREE_KEYED)
			{
				set_codes(&downlink.bounds, variety, true);
				least_growth = Min(least_growth, code_growth(&downlink.bounds, &added));
			}
			spq_rtree_append_downlink(page, &downlink);
			if (spq_rtree_bounds_are_nothing(&downlink.bounds))
				nothing = i;
			else if (spq_rtree_bounds_hold(&downlink.bounds, &added))
				holds = i;
		}
		chosen = spq_rtree_choose_child(page, &added);
		check(chosen >= 0 && chosen < count, "%d of %d", chosen, count);
		if (chosen < 0 || chosen >= count)
			continue;
		if (flags & SPQ_RTREE_KEYED)
		{
			SpqRtreeBounds child = spq_rtree_entry_bounds(page, chosen);

			check(code_growth(&child, &added) == least_growth, "a child whose codes grow more");
			continue;
		}
		if (nothing >= 0)
		{
			SpqRtreeBounds child = spq_rtree_entry_bounds(page, chosen);

			check(spq_rtree_bounds_are_nothing(&child), "an empty child, as there is one");
		}
		else if (holds >= 0 && kind == TILES)
		{
			SpqRtreeBounds child = spq_rtree_entry_bounds(page, chosen);

			check(spq_rtree_bounds_hold(&child, &added), "a child that needs no enlargement");
		}
	}
	pfree(page);
	finish_test("choice of a child");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_pack();
	test_pack_quality();
	test_pack_gaps();
	test_split();
	test_split_quality();
	test_split_in_order();
	test_pack_by_code();
	test_split_by_code();
	test_choose();
	return tests_failed > 0;
}
