/*-------------------------------------------------------------------------
 *
 * compact_box_test.c
 *	  Boxes of float4: box/compact_box.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "operators.h"

#include <float.h>

#include "quadtree/query.h"

/*
 * Return a number at the limits of float4: a float4, one next to it, one half
 * way to the next, one an EPSILON off, one beyond the largest or below the
 * smallest.
 */
static float8
edgy_number(void)
{
	float8		number = any_number();
	float4		nearest = (float4) number;

	switch (lrand48() % 8)
	{
		case 0:
			return nearest;
		case 1:
			return nextafter(nearest, lrand48() % 2 ? INFINITY : -INFINITY);
		case 2:
			return 0.5 * nearest + 0.5 * nextafterf(nearest, lrand48() % 2 ? INFINITY : -INFINITY);
		case 3:
			return nearest + random_int(-3, 3) * 5e-7;
		case 4:
			return (lrand48() % 2 ? 1 : -1) * FLT_MAX * (1 + random_int(-2, 2) * FLT_EPSILON / 2);
		case 5:
			return random_int(-4, 4) * 0.5 * 1.401298464324817e-45;
		default:
			return number;
	}
}

/* Return a box, sometimes with a side below the opposite one. */
static BOX
edgy_box(void)
{
	BOX			box;
	float8		x1 = edgy_number(),
				x2 = lrand48() % 2 ? edgy_number() : x1 + drand48() * 10,
				y1 = edgy_number(),
				y2 = lrand48() % 4 ? edgy_number() : y1;

	if (lrand48() % 8 == 0)
		x2 = nextafter(x1, lrand48() % 2 ? INFINITY : -INFINITY);
	box.low.x = float8_min(x1, x2);
	box.high.x = float8_max(x1, x2);
	box.low.y = float8_min(y1, y2);
	box.high.y = float8_max(y1, y2);
	if (lrand48() % 8 == 0)
	{
		Point		low = box.low;

		box.low = box.high;
		box.high = low;
	}
	return box;
}

static bool
same_float4(float4 a, float4 b)
{
	return isnan(a) ? isnan(b) : a == b;
}

static void
test_neighbors(void)
{
	for (int i = 0; i < 300000; i++)
	{
		union
		{
			uint32		bits;
			float4		value;
		}			u;

		u.bits = (uint32) mrand48();
		if (i % 2)
			u.value = (float4) edgy_number();
		check(same_float4(spq_box_float4_above(u.value), nextafterf(u.value, INFINITY)),
			  "%.9g", u.value);
		check(same_float4(spq_box_float4_below(u.value), nextafterf(u.value, -INFINITY)),
			  "%.9g", u.value);
	}
	finish_test("the float4 above and below are the next ones");
}

/* Return whether a <= b <= c.  NaN is only between NaNs. */
static bool
in_order(float8 a, float8 b, float8 c)
{
	if (isnan(a) || isnan(b) || isnan(c))
		return isnan(a) && isnan(b) && isnan(c);
	return a <= b && b <= c;
}

static void
test_rounding(void)
{
	long		exact = 0;

	for (int i = 0; i < 300000; i++)
	{
		BOX			box = edgy_box();
		SpqCompactBox compact = spq_compact_box(&box);
		BOX			outer = spq_compact_outer_box(&compact);
		BOX			inner = spq_compact_inner_box(&compact);

		check(in_order(outer.low.x, box.low.x, inner.low.x), "%.17g", box.low.x);
		check(in_order(outer.low.y, box.low.y, inner.low.y), "%.17g", box.low.y);
		check(in_order(inner.high.x, box.high.x, outer.high.x), "%.17g", box.high.x);
		check(in_order(inner.high.y, box.high.y, outer.high.y), "%.17g", box.high.y);

		/* the bounds are as tight as possible */
		if ((float4) box.low.x == box.low.x)
		{
			check(outer.low.x == box.low.x, "%.17g", box.low.x);
			exact++;
		}
		else if (!isnan(box.low.x))
			check(inner.low.x > box.low.x, "%.17g", box.low.x);
	}
	check(exact > 10000, "%ld", exact);
	finish_test("the true box is between the inner and the outer one");
}

/*
 * Check that the box of the tree contains all coordinates, in the order of
 * bounds.
 */
static void
test_tree_box(void)
{
	long		inverted = 0;

	for (int i = 0; i < 300000; i++)
	{
		BOX			box = edgy_box();
		SpqCompactBox compact = spq_compact_box(&box);
		BOX			tree_box = spq_compact_tree_box(&compact);
		SpqBoxBounds outer = spq_box_bounds(&tree_box);
		SpqBoxBounds bounds = spq_box_bounds(&box);
		BOX			outer_box = spq_compact_outer_box(&compact);
		BOX			inner_box = spq_compact_inner_box(&compact);
		SpqBoxBounds center = spq_compact_center_bounds(&outer_box, &inner_box);
		float8		x = (box.high.x + box.low.x) / 2.0;
		float8		y = (box.high.y + box.low.y) / 2.0;

		check(spq_box_bounds_hold(&outer, &bounds), "(%.17g,%.17g),(%.17g,%.17g)",
			  box.low.x, box.low.y, box.high.x, box.high.y);
		inverted += box.low.x > box.high.x;

		/* a NaN, where one of the addends may be infinite, decides nothing */
		check(!(x < center.xmin) && !(x > center.xmax), "%.17g", x);
		check(!(y < center.ymin) && !(y > center.ymax), "%.17g", y);
	}
	check(inverted > 10000, "%ld", inverted);
	finish_test("places and bounds are those of a box around the true one, whatever its sides");
}

/* Check what scans conclude from leaves of both classes. */
static void
test_strategy(int strategy, const char *name)
{
	long		matches = 0;
	long		excluded = 0;
	long		certainly = 0;
	char		title[80];

	for (int i = 0; i < 100000; i++)
	{
		BOX			box = edgy_box();
		BOX			query = lrand48() % 3 ? query_near(box) : edgy_box();
		SpqCompactBox compact = spq_compact_box(&box);
		Point		point = query.low;
		SpqQuadQuery parsed =
			spq_quad_query(strategy, strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY ?
						   PointPGetDatum(&point) : BoxPGetDatum(&query));
		SpqQuadAnswer answer = spq_quad_decide(parsed, &compact, SPQ_QUAD_LEAF_COMPACT);
		bool		holds = operator_holds(strategy, box, query);
		bool		may_hold = answer != SPQ_QUAD_NO;
		bool		certain = answer == SPQ_QUAD_YES;

		check((spq_quad_decide(parsed, &box, SPQ_QUAD_LEAF_BOX) == SPQ_QUAD_YES) == holds,
			  "box (%.17g,%.17g),(%.17g,%.17g) query (%.17g,%.17g),(%.17g,%.17g)",
			  box.low.x, box.low.y, box.high.x, box.high.y,
			  query.low.x, query.low.y, query.high.x, query.high.y);
		check(may_hold || !holds,
			  "box (%.17g,%.17g),(%.17g,%.17g) query (%.17g,%.17g),(%.17g,%.17g)",
			  box.low.x, box.low.y, box.high.x, box.high.y,
			  query.low.x, query.low.y, query.high.x, query.high.y);
		check(holds || !certain,
			  "box (%.17g,%.17g),(%.17g,%.17g) query (%.17g,%.17g),(%.17g,%.17g)",
			  box.low.x, box.low.y, box.high.x, box.high.y,
			  query.low.x, query.low.y, query.high.x, query.high.y);
		matches += holds;
		excluded += !may_hold;
		certainly += certain;
	}
	check(matches > 1000 && excluded > 1000 && certainly > 500 &&
		  matches > certainly,
		  "%ld matches, %ld excluded, %ld certain", matches, excluded, certainly);
	snprintf(title, sizeof(title), "no answer is left out, none is made up: %s", name);
	finish_test(title);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_neighbors();
	test_rounding();
	test_tree_box();
	for (int i = 0; i < (int) lengthof(operators); i++)
		test_strategy(operators[i].strategy, operators[i].name);
	return tests_failed > 0;
}
