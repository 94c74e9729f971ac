/*-------------------------------------------------------------------------
 *
 * windows_search.c
 *	  The rows in any of many windows.
 *
 * A scan that the executor starts for a small window costs more than the search
 * itself.  So this search takes all windows down the tree together.  A span on the
 * stack has a list of the windows that it may have rows for; an inner page divides
 * the list among its downlinks.
 *
 *		stack	span A, windows 0 1 3 7 | span B, windows 1 2 | ...
 *
 * Lists are in one array, in the order of the stack, so the list of the topmost
 * span is at its end.  Lists have a limit: if the windows meet many downlinks of a page, some
 * windows go down first, and the page is read again for the others.
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
#include "rtree/class/class.h"
#include "rtree/conditions/match.h"
#include "rtree/rtree.h"
#include "rtree/scan/read_ahead.h"
#include "rtree/scan/span.h"
#include "rtree/windows_search.h"

#define FIRST_SIZE 64

/* The downlinks of a page in the lists, for each window of the search. */
#define LISTS_OF_PAGE 6

/* With at least this number of windows, an inner page's groups get hulls. */
#define HULLS_PAY 4

struct SpqRtreeWindowSpan
{
	SpqRtreeSpan span;
	int			first;			/* of its windows, in "lists" */
	int			count;
};

/* A row in a window, copied from a leaf so that its lock can be released. */
typedef struct WindowRow
{
	int			window;
	float8		ends[SPQ_RTREE_ENDS];
} WindowRow;

/* Make room for more windows in the lists. */
static void
reserve(SpqRtreeWindows *search, int more)
{
	if (search->nlists + more <= search->lists_size)
		return;
	search->lists_size = Max(2 * search->lists_size, search->nlists + more);
	search->lists = repalloc_huge(search->lists, search->lists_size * sizeof(int));
}

/* Push a span whose windows will be "count" numbers at the end of the lists. */
static void
push(SpqRtreeWindows *search, SpqRtreeSpan span, int count)
{
	SpqRtreeWindowSpan *top;

	if (search->nstack == search->stack_size)
	{
		search->stack_size *= 2;
		search->stack = repalloc_huge(search->stack, search->stack_size * sizeof(SpqRtreeWindowSpan));
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
pop(SpqRtreeWindows *search)
{
	const SpqRtreeWindowSpan *top = &search->stack[--search->nstack];

	search->nnear = 0;
	for (int i = 0; i < top->count; i++)
	{
		int			window = search->lists[top->first + i];

		if (!search->done[window])
			search->near[search->nnear++] = window;
	}
	search->nlists = top->first;
	return top->span;
}

/* Push a span for all current windows. */
static void
push_for_all(SpqRtreeWindows *search, SpqRtreeSpan span)
{
	push(search, span, search->nnear);
	memcpy(&search->lists[search->nlists - search->nnear], search->near,
		   search->nnear * sizeof(int));
}

/* Keep the first windows, and push a span that was read for the others. */
static void
postpone(SpqRtreeWindows *search, SpqRtreeSpan span, int kept)
{
	int			others = search->nnear - kept;

	if (others == 0)
		return;
	push(search, span, others);
	memcpy(&search->lists[search->nlists - others], &search->near[kept], others * sizeof(int));
	search->nnear = kept;
}

/* Return a window of the current page's list. */
static inline const float8 *
window_of(const SpqRtreeWindows *search, int number)
{
	return search->windows + (Size) search->near[number] * 2 * search->axes;
}

/*
 * The bits of a group of eight entries are a byte of the words.  Set the bytes after the last
 * group to 0, and clear the bits after the last entry.
 */
static pg_attribute_always_inline void
clear_unused(Page page, uint8 *bytes)
{
	int			count = spq_rtree_count(page);

	for (int g = spq_rtree_groups(count); g % sizeof(uint64) != 0; g++)
		bytes[g] = 0;
	if (count % SPQ_RTREE_GROUP != 0)
		bytes[count / SPQ_RTREE_GROUP] &= (1 << count % SPQ_RTREE_GROUP) - 1;
}

/* Turn bytes into words, and keep the bits that "other" has, too. */
static pg_attribute_always_inline void
to_words(uint64 *words, int nwords, const uint64 *other)
{
	for (int i = 0; i < nwords; i++)
	{
		words[i] = SPQ_RTREE_MATCH_BYTES(words[i]);
		if (other)
			words[i] &= other[i];
	}
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
make_hulls(SpqRtreeWindows *search, Page page)
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
match_inner(const SpqRtreeWindows *search, Page page, const float8 *window, int axes, bool hulls,
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
		memset(matches, 0, ngroups);
		for (int h = 0; h < spq_rtree_groups(ngroups); h++)
			for (uint32 left = near[h]; left != 0; left &= left - 1)
			{
				int			g = h * SPQ_RTREE_GROUP + pg_rightmost_one_pos32(left);

				if (g < ngroups)
					match_groups(place + g * layout->size, 0, 1, axes, window, axes, &matches[g]);
			}
	}
	else
		match_groups(place, layout->size, ngroups, axes, window, axes, matches);
	clear_unused(page, matches);
}

/* Find the rows of a leaf that touch a window. */
static pg_attribute_always_inline void
match_leaf(Page page, const SpqRtreeColumns *columns, const float8 *window, int axes, uint8 *matches)
{
	match_groups(columns->first, columns->size, columns->ngroups, columns->low, window, axes, matches);
	if (unlikely(spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN))
		for (int g = 0; g < columns->ngroups; g++)
			matches[g] |= with_nan(spq_rtree_layout(page),
								   (const SpqRtreeColumn *) (columns->first + g * columns->size));
	clear_unused(page, matches);
}

/* Find the rows of a leaf for each window near it.  Return false if no window has any. */
static bool
match_rows(SpqRtreeWindows *search, Page page)
{
	SpqRtreeScan *state = search->scan->opaque;
	SpqRtreeWideLeaf wide;
	SpqRtreeColumns columns = spq_rtree_wide_columns(page, &wide);
	uint64		may_match[SPQ_RTREE_MATCH_WORDS],
				any = 0;

	if (spq_rtree_match_leaf(&state->conditions, page, state->skips_dead, (uint8 *) may_match) == 0)
		return false;
	search->nwords = (columns.ngroups + 7) / 8;
	clear_unused(page, (uint8 *) may_match);
	to_words(may_match, search->nwords, NULL);
	for (int w = 0; w < search->nnear; w++)
	{
		uint64	   *matches = spq_rtree_window_matches(search, w);

		if (search->axes == 2)
			match_leaf(page, &columns, window_of(search, w), 2, (uint8 *) matches);
		else
			match_leaf(page, &columns, window_of(search, w), 3, (uint8 *) matches);
		to_words(matches, search->nwords, may_match);
		for (int i = 0; i < search->nwords; i++)
			any |= matches[i];
	}
	return any != 0;
}

/*
 * Find the downlinks of an inner page that touch each window, until the lists would be too
 * long.  Return for how many windows that was done.
 */
static int
match_downlinks(SpqRtreeWindows *search, Page page)
{
	SpqRtreeConditions *conditions = &((SpqRtreeScan *) search->scan->opaque)->conditions;
	bool		hulls = search->nnear >= HULLS_PAY,
				restricted = search->scan->numberOfKeys > 0;
	uint64		may_match[SPQ_RTREE_MATCH_WORDS];
	int			total = 0;

	search->nwords = (spq_rtree_groups(spq_rtree_count(page)) + 7) / 8;
	memset(search->count, 0, sizeof(search->count));
	if (restricted)
	{
		if (spq_rtree_match_inner(conditions, page, (uint8 *) may_match) == 0)
			return search->nnear;
		clear_unused(page, (uint8 *) may_match);
		to_words(may_match, search->nwords, NULL);
	}
	if (hulls)
		make_hulls(search, page);
	for (int w = 0; w < search->nnear; w++)
	{
		uint64	   *matches = spq_rtree_window_matches(search, w);

		if (total >= search->most_of_page)
			return w;
		if (search->axes == 2)
			match_inner(search, page, window_of(search, w), 2, hulls, (uint8 *) matches);
		else
			match_inner(search, page, window_of(search, w), 3, hulls, (uint8 *) matches);
		to_words(matches, search->nwords, restricted ? may_match : NULL);
		for (int i = 0; i < search->nwords; i++)
			for (uint64 left = matches[i]; left != 0; left &= left - 1)
			{
				search->count[i * 64 + pg_rightmost_one_pos64(left)]++;
				total++;
			}
	}
	return search->nnear;
}

/* Push the downlinks of an inner page, each with the windows that touch it. */
static void
push_downlinks(SpqRtreeWindows *search, Page page)
{
	bool		any = false;

	/* backward, so that they are read forward; then "count" is a place */
	for (int i = spq_rtree_count(page) - 1; i >= 0; i--)
		if (search->count[i] > 0)
		{
			push(search, spq_rtree_child_span(page, i), search->count[i]);
			search->count[i] = search->nlists - search->count[i];
			any = true;
		}
	if (!any)
		return;
	for (int w = 0; w < search->nnear; w++)
	{
		const uint64 *matches = spq_rtree_window_matches(search, w);

		for (int i = 0; i < search->nwords; i++)
			for (uint64 left = matches[i]; left != 0; left &= left - 1)
				search->lists[search->count[i * 64 + pg_rightmost_one_pos64(left)]++] =
					search->near[w];
	}
}

SpqRtreeWindows *
spq_rtree_windows_begin(IndexScanDesc scan, int nwindows, const float8 *windows)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeWindows *search = palloc(sizeof(SpqRtreeWindows));

	search->windows = windows;
	search->axes = state->conditions.leaf_layout->axes;
	search->done = palloc0_array(bool, nwindows);
	search->near = palloc_array(int, nwindows);
	search->matches = palloc_extended((Size) nwindows * SPQ_RTREE_MATCH_WORDS * sizeof(uint64),
									  MCXT_ALLOC_HUGE);
	search->scan = scan;
	search->stack_size = FIRST_SIZE;
	search->stack = palloc_array(SpqRtreeWindowSpan, FIRST_SIZE);
	search->lists_size = 4 * nwindows;
	search->lists = palloc_extended(search->lists_size * sizeof(int), MCXT_ALLOC_HUGE);
	search->most_of_page = Max(LISTS_OF_PAGE * nwindows, SPQ_RTREE_INNER_MAX);
	search->nstack = search->nlists = 0;
	search->nleaves = 0;
	memset(search->hulls, 0, sizeof(search->hulls));

	search->nnear = nwindows;
	for (int i = 0; i < nwindows; i++)
		search->near[i] = i;
	if (state->conditions.reads_tree)
		push_for_all(search, spq_rtree_whole_tree());
	return search;
}

/* Request the blocks of the next spans, as far as reads miss. */
static void
request_next(SpqRtreeWindows *search)
{
	if (((SpqRtreeScan *) search->scan->opaque)->index_ahead.distance > 0)
		spq_rtree_ahead_of_stack(search->scan, search->stack, search->nstack,
								 sizeof(SpqRtreeWindowSpan));
}

Buffer
spq_rtree_windows_next(SpqRtreeWindows *search)
{
	request_next(search);
	while (search->nstack > 0)
	{
		SpqRtreeSpan all = pop(search),
					span = all,
					rest;
		Buffer		buffer;
		Page		page;

		if (search->nnear == 0)
			continue;
		buffer = spq_rtree_read_span(search->scan, &span, &rest);
		page = BufferGetPage(buffer);
		if (!spq_rtree_is_leaf(page))
			postpone(search, all, match_downlinks(search, page));
		if (rest.child != InvalidBlockNumber)
			push_for_all(search, rest);
		if (!spq_rtree_is_leaf(page))
			push_downlinks(search, page);
		spq_rtree_cache_ahead_of_stack(search->scan, search->stack, search->nstack,
									   sizeof(SpqRtreeWindowSpan));
		search->nleaves += spq_rtree_is_leaf(page);
		if (spq_rtree_is_leaf(page) && match_rows(search, page))
			return buffer;
		UnlockReleaseBuffer(buffer);
		request_next(search);
	}
	return InvalidBuffer;
}

void
spq_rtree_windows_end(SpqRtreeWindows *search)
{
	pfree(search->done);
	pfree(search->near);
	pfree(search->matches);
	pfree(search->stack);
	pfree(search->lists);
	pfree(search);
}

bool
spq_rtree_can_search_windows(Relation index)
{
	return spq_rtree_is(index) && !spq_rtree_has_scalars(index) && spq_rtree_returns_key(index);
}

void
spq_rtree_search_windows(Relation index, Snapshot snapshot, int nwindows, const float8 *windows,
						 SpqRtreeFound found, void *argument)
{
	IndexScanDesc scan = spq_rtree_begin_scan(index, 0, 0);
	SpqRtreeWindows *search;
	int			size = FIRST_SIZE;
	WindowRow  *rows = palloc_array(WindowRow, size);
	Buffer		buffer;

	scan->heapRelation = NULL;
	scan->parallel_scan = NULL;
	scan->xs_snapshot = snapshot;
	scan->ignore_killed_tuples = true;
	spq_rtree_start_scan(scan);
	search = spq_rtree_windows_begin(scan, nwindows, windows);
	while ((buffer = spq_rtree_windows_next(search)) != InvalidBuffer)
	{
		Page		page = BufferGetPage(buffer);
		const SpqRtreeLayout *layout = spq_rtree_layout(page);
		int			nrows = 0;

		for (int w = 0; w < search->nnear; w++)
			for (int i = 0; i < search->nwords; i++)
				for (uint64 left = spq_rtree_window_matches(search, w)[i]; left != 0; left &= left - 1)
				{
					int			entry = i * 64 + pg_rightmost_one_pos64(left);

					if (nrows == size)
					{
						size *= 2;
						rows = repalloc_huge(rows, size * sizeof(WindowRow));
					}
					rows[nrows].window = search->near[w];
					spq_rtree_get_ends(layout, spq_rtree_group(page, entry / SPQ_RTREE_GROUP),
									   entry % SPQ_RTREE_GROUP, rows[nrows].ends);
					nrows++;
				}
		UnlockReleaseBuffer(buffer);
		for (int i = 0; i < nrows; i++)
			if (!search->done[rows[i].window])
				search->done[rows[i].window] = found(argument, rows[i].window, rows[i].ends);
	}
	spq_rtree_windows_end(search);
	spq_rtree_end_scan(scan);
	pfree(rows);
}
