/*-------------------------------------------------------------------------
 *
 * limits_test.c
 *	  Search by labels: quadtree/limits.c.
 *
 * The operators are written out here once more, from the documentation of
 * what they compare, to have a second opinion.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "quadtree/limits.h"
#include "quadtree/strategy.h"

static bool
same(float8 a, float8 b)
{
	return a == b || fabs(a - b) <= EPSILON;
}

static bool
same_corner(Point a, Point b)
{
	if (isnan(a.x) || isnan(a.y) || isnan(b.x) || isnan(b.y))
		return float8_eq(a.x, b.x) && float8_eq(a.y, b.y);
	return same(a.x, b.x) && same(a.y, b.y);
}

static bool
operator_holds(int strategy, BOX b, BOX q)
{
	switch (strategy)
	{
		case RTLeftStrategyNumber:
			return b.high.x + EPSILON < q.low.x;
		case RTOverLeftStrategyNumber:
			return b.high.x <= q.high.x + EPSILON;
		case RTOverlapStrategyNumber:
			return b.low.x <= q.high.x + EPSILON &&
				q.low.x <= b.high.x + EPSILON &&
				b.low.y <= q.high.y + EPSILON &&
				q.low.y <= b.high.y + EPSILON;
		case RTOverRightStrategyNumber:
			return b.low.x + EPSILON >= q.low.x;
		case RTRightStrategyNumber:
			return b.low.x > q.high.x + EPSILON;
		case RTSameStrategyNumber:
			return same_corner(b.high, q.high) && same_corner(b.low, q.low);
		case RTContainsStrategyNumber:
			return b.high.x + EPSILON >= q.high.x &&
				b.low.x <= q.low.x + EPSILON &&
				b.high.y + EPSILON >= q.high.y &&
				b.low.y <= q.low.y + EPSILON;
		case RTContainedByStrategyNumber:
			return operator_holds(RTContainsStrategyNumber, q, b);
		case RTOverBelowStrategyNumber:
			return b.high.y <= q.high.y + EPSILON;
		case RTBelowStrategyNumber:
			return b.high.y + EPSILON < q.low.y;
		case RTAboveStrategyNumber:
			return b.low.y > q.high.y + EPSILON;
		case RTOverAboveStrategyNumber:
			return b.low.y + EPSILON >= q.low.y;
		case SPQ_CONTAINS_POINT_STRATEGY:
			return b.high.x >= q.low.x && b.low.x <= q.low.x &&
				b.high.y >= q.low.y && b.low.y <= q.low.y;
	}
	abort();
}

/* A query that has a chance with the box: the box, somewhat changed. */
static BOX
query_near(BOX box)
{
	float8		change[4];
	BOX			query;
	float8		x1,
				x2,
				y1,
				y2;

	for (int i = 0; i < 4; i++)
		change[i] = lrand48() % 2 ? 0.0 :
			lrand48() % 2 ? random_int(-3, 3) * 5e-7 : random_int(-2, 2);
	x1 = box.low.x + change[0];
	x2 = box.high.x + change[1];
	y1 = box.low.y + change[2];
	y2 = box.high.y + change[3];
	query.low.x = float8_min(x1, x2);
	query.high.x = float8_max(x1, x2);
	query.low.y = float8_min(y1, y2);
	query.high.y = float8_max(y1, y2);
	return query;
}

static void
test_strategy(int strategy, const char *name)
{
	long		matches = 0;
	long		rejected = 0;
	char		title[80];

	for (int i = 0; i < 100000; i++)
	{
		BOX			box = any_box();
		BOX			query = lrand48() % 3 ? query_near(box) : any_box();
		SpqPlace	place = spq_place_of_box(&box);
		SpqCell		cell = spq_cell_at(place.x, place.y,
									   lrand48() % 2 ? random_int(-20, 20) :
									   random_int(SPQ_CELL_MIN, SPQ_CELL_TOP));
		SpqFrame	frame = spq_frame(&cell);
		SpqBounds	bounds = spq_bounds_of_box(&box);
		uint64		label = spq_encode_label(0, &bounds, &frame);
		SpqLimits	limits = spq_no_limits();
		bool		pass;

		check(spq_limits_pass(&limits, label), "no limits");
		if (strategy == SPQ_CONTAINS_POINT_STRATEGY)
			spq_limit_by_point(&limits, &query.low, &frame);
		else
			spq_limit_by_box(&limits, strategy, &query, &frame);
		pass = spq_limits_pass(&limits, label);
		if (operator_holds(strategy, box, query))
		{
			matches++;
			check(pass,
				  "box (%.17g,%.17g),(%.17g,%.17g) query (%.17g,%.17g),(%.17g,%.17g) exp %d",
				  box.low.x, box.low.y, box.high.x, box.high.y,
				  query.low.x, query.low.y, query.high.x, query.high.y,
				  cell.exp);
		}
		rejected += !pass;
	}
	/* a test of nothing, or limits of nothing, would be no use */
	check(matches > 1000 && rejected > 1000, "%ld matches, %ld rejected",
		  matches, rejected);
	snprintf(title, sizeof(title), "no label of a matching box is rejected: %s",
			 name);
	finish_test(title);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_strategy(RTLeftStrategyNumber, "<<");
	test_strategy(RTOverLeftStrategyNumber, "&<");
	test_strategy(RTOverlapStrategyNumber, "&&");
	test_strategy(RTOverRightStrategyNumber, "&>");
	test_strategy(RTRightStrategyNumber, ">>");
	test_strategy(RTSameStrategyNumber, "~=");
	test_strategy(RTContainsStrategyNumber, "@>");
	test_strategy(RTContainedByStrategyNumber, "<@");
	test_strategy(RTOverBelowStrategyNumber, "&<|");
	test_strategy(RTBelowStrategyNumber, "<<|");
	test_strategy(RTAboveStrategyNumber, "|>>");
	test_strategy(RTOverAboveStrategyNumber, "|&>");
	test_strategy(SPQ_CONTAINS_POINT_STRATEGY, "@> point");
	return tests_failed > 0;
}
