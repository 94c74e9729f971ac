/*-------------------------------------------------------------------------
 *
 * bounds_test.c
 *	  Bounds of pages (rtree/page/bounds.h) against their definitions, axis by
 *	  axis; and the places that splits and packing map them to
 *	  (rtree/place/measure.h, units.h).
 *
 *-------------------------------------------------------------------------
 */
#include "shapes.h"

#include "rtree/place/measure.h"

/* Return whether the outer interval on this axis contains the inner one. */
static bool
holds(const SpqRtreeBounds *outer, const SpqRtreeBounds *inner, int axis)
{
	return outer->low[axis] <= inner->low[axis] && inner->high[axis] <= outer->high[axis];
}

static void
test_bounds_of_boxes(void)
{
	for (int round = 0; round < 200000; round++)
	{
		float8		ends[ENDS],
					again[ENDS];
		SpqRtreeBounds bounds;

		make_ends(ends, NULL);
		bounds = spq_rtree_bounds_of(ends, SPQ_DIM);
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			float8		a = ends[axis],
						b = ends[SPQ_DIM + axis];
			bool		has_nan = isnan(a) || isnan(b);

			check(bounds.low[axis] == (has_nan ? -get_float8_infinity() : a < b ? a : b), "low");
			check(bounds.high[axis] == (has_nan ? get_float8_infinity() : a < b ? b : a), "high");
		}
		check(!spq_rtree_bounds_are_nothing(&bounds), "nothing");
		spq_rtree_bounds_ends(&bounds, SPQ_DIM, again);
		for (int axis = 0; axis < SPQ_DIM; axis++)
			check(again[axis] == bounds.high[axis] && again[SPQ_DIM + axis] == bounds.low[axis], "ends");
	}
	finish_test("bounds of boxes");
}

static void
test_union(void)
{
	long		held = 0;

	for (int round = 0; round < 300000; round++)
	{
		SpqRtreeBounds a = shape(random_int(0, ENDLESS), random_int(0, 9)),
					b = shape(random_int(0, ENDLESS), random_int(0, 9)),
					both;
		bool		all_hold = true;

		/* equal on all axes but one */
		if (random_int(0, 1))
		{
			int			other = random_int(0, SPQ_DIM - 1);

			for (int axis = 0; axis < SPQ_DIM; axis++)
				if (axis != other)
				{
					b.low[axis] = a.low[axis];
					b.high[axis] = a.high[axis];
				}
			if (spq_rtree_bounds_are_nothing(&a) || b.low[other] > b.high[other])
				continue;
		}
		both = a;
		spq_rtree_bounds_add(&both, &b);
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			check(both.low[axis] == (a.low[axis] < b.low[axis] ? a.low[axis] : b.low[axis]), "low");
			check(both.high[axis] == (a.high[axis] > b.high[axis] ? a.high[axis] : b.high[axis]), "high");
			all_hold &= spq_rtree_bounds_are_nothing(&b) || holds(&a, &b, axis);
		}
		check(spq_rtree_bounds_hold(&a, &b) == all_hold, "%d", all_hold);
		check(spq_rtree_bounds_hold(&both, &a) && spq_rtree_bounds_hold(&both, &b), "both");
		check(spq_rtree_bounds_equal(&both, &a) == all_hold, "equal");
		held += all_hold;
	}
	check(held > 10000, "%ld only", held);
	finish_test("union, and what holds what");
}

/*
 * Check that places are between the limits, in the order of the numbers that
 * they stand for.
 */
static void
test_places(void)
{
	for (int round = 0; round < 20000; round++)
	{
		int			kind = random_int(0, SHAPES - 1),
					count = random_int(1, 30);
		SpqRtreeBounds bounds[30],
					hull = spq_rtree_bounds_nothing();
		SpqRtreeUnits units;
		SpqRtreeFrame frame;

		for (int i = 0; i < count; i++)
		{
			bounds[i] = shape(random_int(0, 9) ? kind : ENDLESS, i);
			spq_rtree_hull_add_finite(&hull, &bounds[i]);
		}
		units = spq_rtree_choose_units(bounds, count, SPQ_DIM);
		for (int axis = 0; axis < SPQ_DIM; axis++)
			check(spq_rtree_units_are_known(&units) ? units.unit[axis] > 0 && isfinite(units.unit[axis]) &&
				  isfinite(units.origin[axis]) : units.unit[0] == 0, "unit %g of axis %d", units.unit[axis], axis);
		frame = spq_rtree_units_are_known(&units) && random_int(0, 1) ?
			spq_rtree_frame_in_units(&hull, &units, SPQ_DIM) : spq_rtree_frame(&hull);
		for (int i = 0; i < count; i++)
		{
			SpqRtreeBounds placed = spq_rtree_place(&frame, &bounds[i]),
						other = spq_rtree_place(&frame, &bounds[0]);

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				check(placed.low[axis] >= SPQ_RTREE_PLACED_MIN && placed.low[axis] <= SPQ_RTREE_PLACED_MAX &&
					  placed.high[axis] >= SPQ_RTREE_PLACED_MIN && placed.high[axis] <= SPQ_RTREE_PLACED_MAX,
					  "from %g to %g", placed.low[axis], placed.high[axis]);
				check(spq_rtree_extent(&placed, axis) >= 0 && spq_rtree_extent(&placed, axis) <= 3, "extent");
				if (bounds[i].low[axis] <= bounds[0].low[axis])
					check(placed.low[axis] <= other.low[axis], "order along axis %d", axis);
			}
		}
	}
	finish_test("places");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_bounds_of_boxes();
	test_union();
	test_places();
	return tests_failed > 0;
}
