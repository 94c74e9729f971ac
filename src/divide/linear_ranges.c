/*-------------------------------------------------------------------------
 *
 * linear_ranges.c
 *	  Ranges of numbers that contain the cells of all boxes that overlap a
 *	  query.
 *
 * If a box within the frame satisfies "box && query", then on each axis
 *
 *		box.low <= greatest low		and		box.high >= least high
 *
 * where the thresholds account for the operator's tolerance (box/threshold.h).
 * Places do not decrease as coordinates increase (linear_frame.c).  A cell
 * that contains the box begins at or before the place of its low end, and ends
 * at or after the place of its high end.  So on its level, the cell is among
 * those that touch the places from "least high" to "greatest low".
 *
 * On each level these cells are a rectangle.  While there are few of them,
 * their numbers are listed.  On deeper levels the descendants of the last
 * level listed are used, one range for each cell.  Adjacent ranges are merged.
 * Boxes that are not within the frame are in the root, which is always listed.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/threshold.h"
#include "divide/linear_ranges.h"

typedef struct Places
{
	uint32		first;
	uint32		last;
} Places;

/*
 * Return whether a box within the frame can overlap the query on an axis.  If
 * so, set the places that its cell can touch.
 */
static bool
places_of(float8 query_low, float8 query_high, float8 low, float8 high, Places *places)
{
	float8		first = spq_box_least_high(SPQ_BOX_COMPARE_FUZZY, query_low),
				last = spq_box_greatest_low(SPQ_BOX_COMPARE_FUZZY, query_high);

	if (!(first <= high && last >= low))
		return false;
	places->first = spq_linear_place(low, high, Max(first, low));
	places->last = spq_linear_place(low, high, Min(last, high));

	/* The query's corners may be in the wrong order. */
	if (places->first > places->last)
	{
		uint32		swap = places->first;

		places->first = places->last;
		places->last = swap;
	}
	return true;
}

static int
compare_codes(const void *a, const void *b)
{
	int64		x = *(const int64 *) a,
				y = *(const int64 *) b;

	return (x > y) - (x < y);
}

/*
 * Store ranges for the cells down to max_level, in ascending order and not
 * adjacent.  At most max_cells cells of a level are listed; max_cells must be
 * at least 1.  Return the number of ranges, which is at most max_cells for
 * each level, so "ranges" must have space for (max_level + 1) * max_cells.
 */
int
spq_linear_ranges(const BOX *query, const BOX *frame, int max_level, int max_cells,
				  SpqLinearRange *ranges)
{
	int64		codes[SPQ_LINEAR_MAX_CELLS];
	int			listed = 0;		/* level of the codes */
	int			code_count = 1;
	int			count = 1;
	Places		columns,
				rows;

	Assert(max_cells >= 1 && max_cells <= SPQ_LINEAR_MAX_CELLS);
	codes[0] = 0;
	ranges[0].first = ranges[0].last = 0;
	if (!places_of(query->low.x, query->high.x, frame->low.x, frame->high.x, &columns) ||
		!places_of(query->low.y, query->high.y, frame->low.y, frame->high.y, &rows))
		return count;

	for (int level = 1; level <= max_level; level++)
	{
		int			shift = SPQ_LINEAR_MAX_LEVEL - level;
		int64		number = spq_linear_first_number(level);
		uint32		first_column = columns.first >> shift,
					last_column = columns.last >> shift,
					first_row = rows.first >> shift,
					last_row = rows.last >> shift;

		if (listed == level - 1 &&
			((uint64) last_column - first_column + 1) *
			((uint64) last_row - first_row + 1) <= (uint64) max_cells)
		{
			listed = level;
			code_count = 0;
			for (uint32 row = first_row; row <= last_row; row++)
				for (uint32 column = first_column; column <= last_column; column++)
					codes[code_count++] = spq_linear_code(column, row);
			qsort(codes, code_count, sizeof(int64), compare_codes);
		}

		for (int i = 0; i < code_count; i++)
		{
			int			below = 2 * (level - listed);
			int64		first = number + (codes[i] << below),
						last = number + ((codes[i] + 1) << below) - 1;

			if (ranges[count - 1].last == first - 1)
				ranges[count - 1].last = last;
			else
				ranges[count++] = (SpqLinearRange)
			{
				first, last
			};
		}
	}
	return count;
}
