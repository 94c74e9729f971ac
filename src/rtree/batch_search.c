/*-------------------------------------------------------------------------
 *
 * batch_search.c
 *	  The rows in any of many windows, without reading the table.
 *
 * A scan that the executor starts for a small window costs more than the search
 * itself.  So this search takes all windows down the tree together.  A span on the
 * stack has a list of the windows that it may have rows for; an inner page divides
 * the list among its downlinks.
 *
 *		stack	span A, windows 0 1 3 7 | span B, windows 1 2 | ...
 *
 * Lists are in one array, in the order of the stack, so the list of the topmost
 * span is at its end.
 *
 * For each window, these are the steps of a scan with the same comparisons, so
 * scan/README.md shows that it finds each row once.  A window that is done leaves all
 * lists.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pgstat.h"
#include "port/pg_bitutils.h"

#include "box/lanes.h"
#include "rtree/batch_search.h"
#include "rtree/class/class.h"
#include "rtree/rtree.h"
#include "rtree/scan/span.h"

#define FIRST_SIZE 64

/* With at least this number of windows, an inner page's groups get hulls. */
#define HULLS_PAY 4

typedef struct BatchSpan
{
	SpqRtreeSpan span;
	int			first;			/* of its windows, in "lists" */
	int			count;
} BatchSpan;

/* A row in a window, copied from a leaf so that its lock can be released. */
typedef struct BatchRow
{
	int			window;
	float8		ends[SPQ_RTREE_ENDS];
} BatchRow;

typedef struct BatchSearch
{
	const SpqRtreeBatch *batch;
	IndexScanDesc scan;
	int			axes;
	bool	   *done;			/* for each window */

	BatchSpan  *stack;
	int			nstack;
	int			stack_size;
	int		   *lists;
	int			nlists;
	int			lists_size;

	/* of the current page */
	int		   *windows;
	int			nwindows;
	uint8	   *matches;		/* SPQ_RTREE_GROUPS_MAX for each of them */

	/* the hulls of an inner page's groups, in groups of eight themselves */
	SpqRtreeColumn hulls[SPQ_RTREE_GROUPS_MAX / SPQ_RTREE_GROUP + 1][SPQ_RTREE_ENDS];
	int			count[SPQ_RTREE_INNER_MAX]; /* windows of each downlink */
	BatchRow   *rows;
	int			nrows;
	int			rows_size;
} BatchSearch;

bool
spq_rtree_can_search_batch(Relation index)
{
	return spq_rtree_is(index) && !spq_rtree_has_scalars(index) && spq_rtree_returns_key(index);
}

/* Make room for more windows in the lists. */
static void
reserve(BatchSearch *search, int more)
{
	if (search->nlists + more <= search->lists_size)
		return;
	search->lists_size = Max(2 * search->lists_size, search->nlists + more);
	search->lists = repalloc_huge(search->lists, search->lists_size * sizeof(int));
}

/* Push a span whose windows will be "count" numbers at the end of the lists. */
static void
push(BatchSearch *search, SpqRtreeSpan span, int count)
{
	BatchSpan  *top;

	if (search->nstack == search->stack_size)
	{
		search->stack_size *= 2;
		search->stack = repalloc_huge(search->stack, search->stack_size * sizeof(BatchSpan));
	}
	reserve(search, count);
	top = &search->stack[search->nstack++];
	top->span = span;
	top->first = search->nlists;
	top->count = count;
	search->nlists += count;
}

/* Take the topmost span and those of its windows that are not done. */
static SpqRtreeSpan
pop(BatchSearch *search)
{
	const BatchSpan *top = &search->stack[--search->nstack];

	search->nwindows = 0;
	for (int i = 0; i < top->count; i++)
	{
		int			window = search->lists[top->first + i];

		if (!search->done[window])
			search->windows[search->nwindows++] = window;
	}
	search->nlists = top->first;
	return top->span;
}

/* Push a span for all current windows. */
static void
push_for_all(BatchSearch *search, SpqRtreeSpan span)
{
	push(search, span, search->nwindows);
	memcpy(&search->lists[search->nlists - search->nwindows], search->windows,
		   search->nwindows * sizeof(int));
}

/* Return a window of the current page's list. */
static inline const float8 *
window_of(const BatchSearch *search, int number)
{
	return search->batch->windows + search->windows[number] * 2 * search->axes;
}

/* Clear the bits of the places after the last entry of a page. */
static void
clear_unused(Page page, uint8 *matches)
{
	int			count = spq_rtree_count(page);

	if (count % SPQ_RTREE_GROUP != 0)
		matches[count / SPQ_RTREE_GROUP] &= (1 << count % SPQ_RTREE_GROUP) - 1;
}

/* Set bits for the rows of a group that have a NaN. */
static uint8
with_nan(const SpqRtreeLayout *layout, const SpqRtreeColumn *columns)
{
	uint8		bits = 0;

	for (int end = 0; end < layout->ends; end++)
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			if (isnan(columns[end][i]))
				bits |= 1 << i;
	return bits;
}

/*
 * Set the hulls of the groups of a page, which is an inner one, eight hulls to a
 * group of columns like those of a page.
 */
static void
make_hulls(BatchSearch *search, Page page)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			count = spq_rtree_count(page),
				ngroups = spq_rtree_groups(count),
				axes = search->axes;
	const char *place = spq_rtree_group(page, 0);

	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		const SpqRtreeColumn *columns = (const SpqRtreeColumn *) place;
		SpqRtreeColumn *hulls = search->hulls[g / SPQ_RTREE_GROUP];
		int			here = Min(count - g * SPQ_RTREE_GROUP, SPQ_RTREE_GROUP);

		for (int axis = 0; axis < axes; axis++)
		{
			const float8 *highs = columns[axis],
					   *lows = columns[layout->low + axis];
			float8		high = highs[0],
						low = lows[0];

			for (int i = 1; i < here; i++)
			{
				high = Max(high, highs[i]);
				low = Min(low, lows[i]);
			}
			hulls[axis][g % SPQ_RTREE_GROUP] = high;
			hulls[axes + axis][g % SPQ_RTREE_GROUP] = low;
		}
	}
}

/* Return which entries of a group meet a window on an axis: bit i is for entry i. */
static pg_attribute_always_inline uint8
match_axis(const SpqRtreeColumn *columns, int low_column, const float8 *window, int axes,
		   int axis)
{
	const float8 *highs = columns[axis],
			   *lows = columns[low_column + axis];
	SpqDoubles	high = spq_doubles_set(window[axis]),
				low = spq_doubles_set(window[axes + axis]);

	return spq_doubles_bits_of_four((spq_doubles_load(highs) >= low) & (spq_doubles_load(lows) <= high),
									(spq_doubles_load(highs + 2) >= low) & (spq_doubles_load(lows + 2) <= high),
									(spq_doubles_load(highs + 4) >= low) & (spq_doubles_load(lows + 4) <= high),
									(spq_doubles_load(highs + 6) >= low) & (spq_doubles_load(lows + 6) <= high));
}

/*
 * Find the entries that touch a window in groups of this size: a bit for each of
 * them.  The first axis excludes most groups; its loop has no branches, so that
 * the processor reads many groups at once.
 */
static pg_attribute_always_inline void
match_groups(const char *first, Size size, int ngroups, int low_column, const float8 *window,
			 int axes, uint8 *matches)
{
	const char *place = first;

	for (int g = 0; g < ngroups; g++, place += size)
		matches[g] = match_axis((const SpqRtreeColumn *) place, low_column, window, axes, 0);
	for (int g = 0; g < ngroups; g++)
		for (int axis = 1; axis < axes && matches[g] != 0; axis++)
			matches[g] &= match_axis((const SpqRtreeColumn *) (first + g * size), low_column,
									 window, axes, axis);
}

/*
 * Find the entries of an inner page that touch a window.  "hulls" is whether those
 * of the groups are made.
 */
static pg_attribute_always_inline void
match_inner(const BatchSearch *search, Page page, const float8 *window, int axes, bool hulls,
			uint8 *matches)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	const char *place = spq_rtree_group(page, 0);
	uint8		near[SPQ_RTREE_GROUPS_MAX / SPQ_RTREE_GROUP + 1];

	if (hulls)
	{
		match_groups((const char *) search->hulls, sizeof(search->hulls[0]),
					 spq_rtree_groups(ngroups), axes, window, axes, near);
		for (int g = 0; g < ngroups; g++)
		{
			matches[g] = 0;
			if (near[g / SPQ_RTREE_GROUP] & (1 << g % SPQ_RTREE_GROUP))
				match_groups(place + g * layout->size, 0, 1, axes, window, axes, &matches[g]);
		}
	}
	else
		match_groups(place, layout->size, ngroups, axes, window, axes, matches);
	clear_unused(page, matches);
}

/* Find the rows of a leaf that touch a window.  Leave out those known to be dead to all. */
static pg_attribute_always_inline void
match_leaf(Page page, const float8 *window, int axes, uint8 *matches)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	const char *place = spq_rtree_group(page, 0);

	match_groups(place, layout->size, ngroups, layout->low, window, axes, matches);
	if (unlikely(spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN))
		for (int g = 0; g < ngroups; g++)
			matches[g] |= with_nan(layout, (const SpqRtreeColumn *) (place + g * layout->size));
	for (int g = 0; g < ngroups; g++)
		if (matches[g] != 0)
			matches[g] &= ~*(const uint8 *) (place + g * layout->size + layout->dead);
	clear_unused(page, matches);
}

/* Push the downlinks of an inner page, each with the windows that touch it. */
static void
take_downlinks(BatchSearch *search, Page page)
{
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	bool		hulls = search->nwindows >= HULLS_PAY;

	if (hulls)
		make_hulls(search, page);
	memset(search->count, 0, sizeof(search->count));
	for (int w = 0; w < search->nwindows; w++)
	{
		uint8	   *matches = search->matches + w * SPQ_RTREE_GROUPS_MAX;

		if (search->axes == 2)
			match_inner(search, page, window_of(search, w), 2, hulls, matches);
		else
			match_inner(search, page, window_of(search, w), 3, hulls, matches);
		for (int g = 0; g < ngroups; g++)
			for (uint32 left = matches[g]; left != 0; left &= left - 1)
				search->count[g * SPQ_RTREE_GROUP + pg_rightmost_one_pos32(left)]++;
	}

	/* backward, so that they are read forward; then "count" is a place */
	for (int i = spq_rtree_count(page) - 1; i >= 0; i--)
		if (search->count[i] > 0)
		{
			push(search, spq_rtree_child_span(page, i), search->count[i]);
			search->count[i] = search->nlists - search->count[i];
		}
	for (int w = 0; w < search->nwindows; w++)
	{
		const uint8 *matches = search->matches + w * SPQ_RTREE_GROUPS_MAX;

		for (int g = 0; g < ngroups; g++)
			for (uint32 left = matches[g]; left != 0; left &= left - 1)
				search->lists[search->count[g * SPQ_RTREE_GROUP + pg_rightmost_one_pos32(left)]++] =
					search->windows[w];
	}
}

/* Copy the rows of a leaf that touch a window. */
static void
take_rows(BatchSearch *search, Page page)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	search->nrows = 0;
	for (int w = 0; w < search->nwindows; w++)
	{
		if (search->axes == 2)
			match_leaf(page, window_of(search, w), 2, matches);
		else
			match_leaf(page, window_of(search, w), 3, matches);
		for (int g = 0; g < ngroups; g++)
			for (uint32 left = matches[g]; left != 0; left &= left - 1)
			{
				BatchRow   *row;

				if (search->nrows == search->rows_size)
				{
					search->rows_size *= 2;
					search->rows = repalloc_huge(search->rows, search->rows_size * sizeof(BatchRow));
				}
				row = &search->rows[search->nrows++];
				row->window = search->windows[w];
				spq_rtree_get_ends(layout, spq_rtree_group(page, g),
								   pg_rightmost_one_pos32(left), row->ends);
			}
	}
}

/* Report the rows of a leaf, whose lock is released. */
static void
report_rows(BatchSearch *search)
{
	const SpqRtreeBatch *batch = search->batch;

	for (int i = 0; i < search->nrows; i++)
	{
		const BatchRow *row = &search->rows[i];

		if (!search->done[row->window])
			search->done[row->window] = batch->found(batch->argument, row->window, row->ends);
	}
}

static void
init_search(BatchSearch *search, Relation index, Snapshot snapshot, const SpqRtreeBatch *batch)
{
	search->batch = batch;
	search->scan = spq_rtree_begin_scan(index, 0, 0);
	search->scan->xs_snapshot = snapshot;
	search->axes = spq_rtree_axes(index);
	search->done = palloc0(batch->nwindows * sizeof(bool));
	search->stack_size = search->rows_size = FIRST_SIZE;
	search->stack = palloc_array(BatchSpan, FIRST_SIZE);
	search->lists_size = 4 * batch->nwindows;
	search->lists = palloc_array(int, search->lists_size);
	search->nstack = search->nlists = 0;
	memset(search->hulls, 0, sizeof(search->hulls));
	search->windows = palloc_array(int, batch->nwindows);
	search->matches = palloc(batch->nwindows * SPQ_RTREE_GROUPS_MAX);
	search->rows = palloc_array(BatchRow, FIRST_SIZE);
}

void
spq_rtree_search_batch(Relation index, Snapshot snapshot, const SpqRtreeBatch *batch)
{
	BatchSearch search;

	init_search(&search, index, snapshot, batch);
	pgstat_count_index_scan(index);
	search.nwindows = batch->nwindows;
	for (int i = 0; i < batch->nwindows; i++)
		search.windows[i] = i;
	push_for_all(&search, spq_rtree_whole_tree());
	while (search.nstack > 0)
	{
		SpqRtreeSpan span = pop(&search),
					rest;
		Buffer		buffer;
		Page		page;

		if (search.nwindows == 0)
			continue;
		buffer = spq_rtree_read_span(search.scan, &span, &rest);
		page = BufferGetPage(buffer);
		if (rest.child != InvalidBlockNumber)
			push_for_all(&search, rest);
		if (spq_rtree_is_leaf(page))
		{
			take_rows(&search, page);
			UnlockReleaseBuffer(buffer);
			report_rows(&search);
		}
		else
		{
			take_downlinks(&search, page);
			UnlockReleaseBuffer(buffer);
		}
	}
	spq_rtree_end_scan(search.scan);
}
