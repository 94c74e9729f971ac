/*-------------------------------------------------------------------------
 *
 * linear_quadtree_test.c
 *	  Cells of a linear quadtree: divide/linear_cell.h, linear_frame.h,
 *	  linear_ranges.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "box/relation.h"
#include "divide/linear_ranges.h"

static BOX
any_frame(void)
{
	BOX			frame;

	do
	{
		frame.low.x = odd_number();
		frame.low.y = odd_number();
		frame.high.x = lrand48() % 2 ? odd_number() : nextafter(frame.low.x, DBL_MAX);
		frame.high.y = odd_number();
	} while (!spq_linear_frame_valid(&frame));
	return frame;
}

/* Return a number in the frame's interval, near its ends, or anywhere. */
static float8
near_frame(float8 low, float8 high)
{
	switch (lrand48() % 6)
	{
		case 0:
			return any_number();
		case 1:
			return (lrand48() % 2 ? low : high) + random_int(-2, 2) * EPSILON;
		case 2:
			return low + (high - low) * (random_int(0, 64) / 64.0) + random_int(-1, 1) * EPSILON;
		default:
			return low + (high - low) * drand48();
	}
}

static BOX
near_box(const BOX *frame)
{
	BOX			box;
	float8		x = near_frame(frame->low.x, frame->high.x),
				y = near_frame(frame->low.y, frame->high.y);

	box.low.x = near_frame(frame->low.x, frame->high.x);
	box.low.y = near_frame(frame->low.y, frame->high.y);
	box.high.x = Max(x, box.low.x);
	box.high.y = Max(y, box.low.y);
	/* invert the box on an axis, as happens with NaN */
	if (lrand48() % 8 == 0)
	{
		x = box.low.x;
		box.low.x = box.high.x;
		box.high.x = x;
	}
	return box;
}

static void
test_numbers(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqLinearCell cell,
					again;
		int64		number;

		cell.level = random_int(0, SPQ_LINEAR_MAX_LEVEL);
		cell.column = (uint32) ((UINT64CONST(1) << cell.level) * drand48());
		cell.row = lrand48() % 4 ? (uint32) ((UINT64CONST(1) << cell.level) * drand48()) :
			(uint32) ((UINT64CONST(1) << cell.level) - 1);
		number = spq_linear_number(cell);
		again = spq_linear_cell(number);
		check(again.level == cell.level && again.column == cell.column && again.row == cell.row,
			  "level %d column %u row %u: " INT64_FORMAT, cell.level, cell.column, cell.row, number);
	}
	finish_test("a cell and its number are inverse");
}

static void
test_places(void)
{
	for (int i = 0; i < 100000; i++)
	{
		BOX			frame = any_frame();
		float8		low = frame.low.x,
					high = frame.high.x,
					x = Min(Max(low + (high - low) * drand48(), low), high),
					y = lrand48() % 2 ? Min(nextafter(x, DBL_MAX), high) :
			Min(Max(low + (high - low) * drand48(), low), high);
		SpqLinearCell cell = {SPQ_LINEAR_MAX_LEVEL, spq_linear_place(low, high, x), 0};
		BOX			place = spq_linear_cell_box(cell, &frame);

		check(place.low.x <= x && x <= place.high.x &&
			  (x < place.high.x || x == high), "low %.17g high %.17g x %.17g", low, high, x);
		check((x <= y) ? cell.column <= spq_linear_place(low, high, y) :
			  cell.column >= spq_linear_place(low, high, y),
			  "low %.17g high %.17g x %.17g y %.17g", low, high, x, y);
	}
	finish_test("the place of a coordinate holds it, and rises with it");
}

/* Return the largest number of ranges on one level. */
static int
ranges_of_a_level(const SpqLinearRange *ranges, int count, int max_level)
{
	int			most = 0;

	for (int level = 0; level <= max_level; level++)
	{
		int			number = 0;

		for (int i = 0; i < count; i++)
			number += ranges[i].last >= spq_linear_first_number(level) &&
				ranges[i].first < spq_linear_first_number(level + 1);
		most = Max(most, number);
	}
	return most;
}

static void
test_ranges(void)
{
	SpqLinearRange *ranges = malloc((SPQ_LINEAR_MAX_LEVEL + 1) * 100 * sizeof(SpqLinearRange));
	int			overlaps = 0;

	for (int i = 0; i < 100000; i++)
	{
		BOX			frame = any_frame(),
					query = near_box(&frame);
		int			max_level = random_int(0, SPQ_LINEAR_MAX_LEVEL),
					max_cells = random_int(1, 100),
					count = spq_linear_ranges(&query, &frame, max_level, max_cells, ranges);

		check(count >= 1 && ranges[0].first == 0, "%d", count);
		for (int j = 0; j < count; j++)
			check(ranges[j].first <= ranges[j].last &&
				  (j == 0 || ranges[j].first > ranges[j - 1].last + 1), "range %d", j);
		check(ranges[count - 1].last < spq_linear_first_number(max_level + 1), "the last");
		if (i % 50 == 0)
			check(ranges_of_a_level(ranges, count, max_level) <= max_cells, "more than %d", max_cells);

		for (int j = 0; j < 10; j++)
		{
			BOX			box = near_box(&frame);
			SpqLinearCell cell = spq_linear_smallest_cell(&box, &frame, max_level);
			BOX			around = spq_linear_cell_box(cell, &frame);
			int64		number = spq_linear_number(cell);
			int			k = 0;

			check(cell.level == 0 ||
				  (around.low.x <= box.low.x && box.high.x <= around.high.x &&
				   around.low.y <= box.low.y && box.high.y <= around.high.y),
				  "cell " INT64_FORMAT " does not hold its box", number);
			if (!spq_box_overlaps(&box, &query))
				continue;
			overlaps++;
			while (k < count && ranges[k].last < number)
				k++;
			check(k < count && ranges[k].first <= number,
				  "cell " INT64_FORMAT " of an overlapping box is in no range", number);
		}
	}
	check(overlaps > 50000, "%d", overlaps);
	free(ranges);
	finish_test("the cell of a box that overlaps a query is in one of its ranges");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_numbers();
	test_places();
	test_ranges();
	return tests_failed > 0;
}
