/*-------------------------------------------------------------------------
 *
 * shapes_test.c
 *	  Boxes and other shapes: src/shapes.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include "box/relation.h"
#include "shapes/geometry/shapes.h"

#define ROUNDS 200000
#define MOST_CORNERS 24

static BOX
make_box(double x1, double y1, double x2, double y2)
{
	BOX			box = {{Max(x1, x2), Max(y1, y2)}, {Min(x1, x2), Min(y1, y2)}};

	return box;
}

/* A polygon with room for its corners, filled in by make_polygon(). */
typedef union
{
	POLYGON		polygon;
	char		room[offsetof(POLYGON, p) + MOST_CORNERS * sizeof(Point)];
} AnyPolygon;

static void
make_polygon(AnyPolygon *any, const Point *points, int count)
{
	POLYGON    *polygon = &any->polygon;

	polygon->npts = count;
	polygon->boundbox.high = polygon->boundbox.low = points[0];
	for (int i = 0; i < count; i++)
	{
		polygon->p[i] = points[i];
		polygon->boundbox.high.x = float8_max(polygon->boundbox.high.x, points[i].x);
		polygon->boundbox.high.y = float8_max(polygon->boundbox.high.y, points[i].y);
		polygon->boundbox.low.x = float8_min(polygon->boundbox.low.x, points[i].x);
		polygon->boundbox.low.y = float8_min(polygon->boundbox.low.y, points[i].y);
	}
}

/*
 * Make a polygon of a rectangle: from any corner, in either direction, perhaps
 * with repeated corners.
 */
static void
make_rectangle(AnyPolygon *any, const BOX *box)
{
	Point		corner[4] = {box->low, {box->high.x, box->low.y}, box->high, {box->low.x, box->high.y}},
				points[8];
	int			first = random_int(0, 3),
				step = random_int(0, 1) ? 1 : 3,
				count = 0;

	for (int i = 0; i < 4; i++)
		for (int times = random_int(1, 2); times > 0; times--)
			points[count++] = corner[(first + i * step) % 4];
	make_polygon(any, points, count);
}

/* Return a number small enough for EPSILON and products to be meaningful. */
static double
plain_number(void)
{
	return random_int(0, 1) ? random_int(-8, 8) : (drand48() - 0.5) * 100;
}

static void
test_rectangles(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		double		x1 = plain_number(),
					y1 = plain_number(),
					x2 = random_int(0, 3) ? plain_number() : x1,
					y2 = random_int(0, 3) ? plain_number() : y1;
		BOX			other = make_box(x1, y1, x2, y2),
					box;
		AnyPolygon	any;

		/* some exactly at the border, or about EPSILON from it */
		box = make_box(random_int(0, 2) ? plain_number() : near(x1, 1),
					   random_int(0, 2) ? plain_number() : near(y1, 1),
					   random_int(0, 2) ? plain_number() : near(x2, 1),
					   random_int(0, 2) ? plain_number() : near(y2, 1));
		make_rectangle(&any, &other);
		check(spq_shape_overlaps_polygon(&box, &any.polygon) == spq_box_overlaps(&box, &other),
			  "(%.17g,%.17g),(%.17g,%.17g) && (%.17g,%.17g),(%.17g,%.17g)",
			  box.low.x, box.low.y, box.high.x, box.high.y, x1, y1, x2, y2);

		/*
		 * is_in_polygon shrinks the box by EPSILON and compares exactly, so
		 * results may differ within rounding errors
		 */
		if (spq_shape_is_in_polygon(&box, &any.polygon) != spq_box_contains(&other, &box))
		{
			double		e = 1e-12;
			BOX			larger = make_box(box.low.x - e, box.low.y - e, box.high.x + e, box.high.y + e),
						smaller = make_box(box.low.x + e, box.low.y + e, box.high.x - e, box.high.y - e);

			check(spq_box_contains(&other, &larger) != spq_box_contains(&other, &smaller),
				  "(%.17g,%.17g),(%.17g,%.17g) <@ (%.17g,%.17g),(%.17g,%.17g)",
				  box.low.x, box.low.y, box.high.x, box.high.y, x1, y1, x2, y2);
		}
	}
	finish_test("a polygon that is a rectangle is a box");
}

/*
 * Reduce a polygon to its part on one side of the line x = at or y = at.
 * Return the number of corners.
 */
static int
cut(Point *points, int count, bool y, double at, double sign)
{
	Point		result[4 * MOST_CORNERS];
	int			n = 0;

	for (int i = 0; i < count; i++)
	{
		Point		p = points[i],
					q = points[(i + 1) % count];
		double		a = sign * ((y ? p.y : p.x) - at),
					b = sign * ((y ? q.y : q.x) - at);

		if (a >= 0)
			result[n++] = p;
		if ((a > 0 && b < 0) || (a < 0 && b > 0))
		{
			result[n].x = p.x + (q.x - p.x) * a / (a - b);
			result[n++].y = p.y + (q.y - p.y) * a / (a - b);
		}
	}
	memcpy(points, result, n * sizeof(Point));
	return n;
}

static double
common_area(const POLYGON *polygon, const BOX *box)
{
	Point		points[4 * MOST_CORNERS];
	int			n = polygon->npts;
	double		twice = 0;

	memcpy(points, polygon->p, n * sizeof(Point));
	n = cut(points, n, false, box->low.x, 1);
	n = cut(points, n, false, box->high.x, -1);
	n = cut(points, n, true, box->low.y, 1);
	n = cut(points, n, true, box->high.y, -1);
	for (int i = 0; i < n; i++)
		twice += points[i].x * points[(i + 1) % n].y - points[(i + 1) % n].x * points[i].y;
	return fabs(twice / 2);
}

/*
 * Make a polygon around (0,0) that does not cross itself: corners on a lattice,
 * in the order of their angles.  Return the number of corners.
 */
static int
make_star(Point *points)
{
	static const int way[16][2] = {
		{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {-1, 2}, {-1, 1}, {-2, 1},
		{-1, 0}, {-2, -1}, {-1, -1}, {-1, -2}, {0, -1}, {1, -2}, {1, -1}, {2, -1}
	};
	int			count = 0;

	for (int i = 0; i < 16; i++)
	{
		int			factor = random_int(1, 6);

		/* keep at least every fourth, so that (0,0) stays inside */
		if (i % 4 != 0 && random_int(0, 1))
			continue;
		points[count].x = way[i][0] * factor;
		points[count++].y = way[i][1] * factor;
	}
	return count;
}

static void
test_stars(void)
{
	long		in = 0,
				over = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		Point		points[MOST_CORNERS];
		AnyPolygon	any;
		double		x = random_int(-8, 8),
					y = random_int(-8, 8);
		BOX			box = make_box(x, y, x + random_int(1, 5), y + random_int(1, 5));
		double		area = (box.high.x - box.low.x) * (box.high.y - box.low.y),
					common;
		bool		overlaps,
					is_in;

		make_polygon(&any, points, make_star(points));
		common = common_area(&any.polygon, &box);
		overlaps = spq_shape_overlaps_polygon(&box, &any.polygon);
		is_in = spq_shape_is_in_polygon(&box, &any.polygon);
		in += is_in;
		over += overlaps;
		check(is_in == (common > area - 1e-6), "in: %d, area %g of %g", is_in, common, area);
		/* many of these touch an edge from inside */
		if (is_in)
		{
			double		e = 0.4 * EPSILON;
			BOX			larger = make_box(box.low.x - e, box.low.y - e, box.high.x + e, box.high.y + e);

			check(spq_shape_is_in_polygon(&larger, &any.polygon), "with tolerance");
		}
		/* boxes and polygons may also just touch */
		check(overlaps || common < 1e-6, "area %g", common);
		if (overlaps && common < 1e-6)
		{
			BOX			smaller = make_box(box.low.x + 1e-4, box.low.y + 1e-4,
										   box.high.x - 1e-4, box.high.y - 1e-4);

			check(!spq_shape_overlaps_polygon(&smaller, &any.polygon), "without area");
		}
	}
	check(in > ROUNDS / 100 && over > in && over < ROUNDS, "%ld, %ld", in, over);
	finish_test("polygons against areas");
}

/* Compare flat boxes in a polygon with points of them. */
static void
test_lines(void)
{
	long		in = 0;

	for (int i = 0; i < ROUNDS / 16; i++)
	{
		Point		points[MOST_CORNERS];
		AnyPolygon	any;
		double		x = random_int(-16, 16) * 0.5,
					y = random_int(-16, 16) * 0.5,
					length = random_int(1, 10) * 0.5;
		bool		down = random_int(0, 1);
		BOX			box = make_box(x, y, down ? x : x + length, down ? y + length : y);
		bool		all = true,
					is_in;

		make_polygon(&any, points, make_star(points));
		for (int k = 0; k <= 2000 && all; k++)
		{
			double		t = length * k / 2000;
			BOX			point = down ? make_box(x, y + t, x, y + t) : make_box(x + t, y, x + t, y);

			all = spq_shape_overlaps_polygon(&point, &any.polygon);
			check(all == spq_shape_is_in_polygon(&point, &any.polygon), "a point");
		}
		is_in = spq_shape_is_in_polygon(&box, &any.polygon);
		in += is_in;
		check(is_in == all, "(%g,%g) + %g %s: %d", x, y, length, down ? "up" : "right", is_in);
	}
	check(in > 100, "%ld", in);
	finish_test("flat boxes in polygons");
}

static void
test_odd_polygons(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		Point		points[MOST_CORNERS];
		AnyPolygon	any;
		int			count = random_int(1, 6);
		BOX			box = any_box();
		bool		finite = true,
					overlaps;
		Point		before = {1, 1};

		for (int k = 0; k < count; k++)
		{
			points[k].x = random_int(0, 2) ? odd_number() : any_number();
			points[k].y = random_int(0, 2) ? odd_number() : any_number();
			if (random_int(0, 3) == 0)
				points[k] = before;
			before = points[k];
			finite = finite && isfinite(points[k].x) && isfinite(points[k].y);
		}
		make_polygon(&any, points, count);
		overlaps = spq_shape_overlaps_polygon(&box, &any.polygon);
		if (spq_box_has_nan(&box) || !finite)
			check(!overlaps && !spq_shape_is_in_polygon(&box, &any.polygon), "not finite");
		else
		{
			BOX			all = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}},
						corner = {points[0], points[0]};

			check(spq_shape_overlaps_polygon(&all, &any.polygon), "everything");
			check(!spq_shape_is_in_polygon(&all, &any.polygon), "everything");
			check(spq_shape_overlaps_polygon(&corner, &any.polygon), "its own corner");
		}
	}
	finish_test("odd polygons");
}

static void
test_circles(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		double		x = random_int(-20, 20),
					y = random_int(-20, 20);
		BOX			box = make_box(x, y, x + random_int(0, 6), y + random_int(0, 6));
		CIRCLE		circle = {{random_int(-20, 20), random_int(-20, 20)}, random_int(0, 26)};
		double		near_x = Max(Max(box.low.x - circle.center.x, circle.center.x - box.high.x), 0),
					near_y = Max(Max(box.low.y - circle.center.y, circle.center.y - box.high.y), 0),
					far_x = Max(box.high.x - circle.center.x, circle.center.x - box.low.x),
					far_y = Max(box.high.y - circle.center.y, circle.center.y - box.low.y),
					square = circle.radius * circle.radius;
		BOX			point = {circle.center, circle.center};

		/*
		 * whole numbers: no rounding, and often exactly at the distance (3,
		 * 4, 5)
		 */
		check(spq_shape_overlaps_circle(&box, &circle) == (near_x * near_x + near_y * near_y <= square), "&&");
		check(spq_shape_is_in_circle(&box, &circle) == (far_x * far_x + far_y * far_y <= square), "<@");
		check(spq_shape_within_of_box(&box, &point, circle.radius) ==
			  (near_x * near_x + near_y * near_y <= square), "within");

		/* within EPSILON still, but not farther */
		circle.radius -= 0.9 * EPSILON;
		check(spq_shape_overlaps_circle(&box, &circle) == (near_x * near_x + near_y * near_y <= square), "&&");
		check(spq_shape_is_in_circle(&box, &circle) == (far_x * far_x + far_y * far_y <= square), "<@");
		circle.radius -= 0.2 * EPSILON;
		check(spq_shape_overlaps_circle(&box, &circle) == (near_x * near_x + near_y * near_y < square), "&&");
		check(spq_shape_is_in_circle(&box, &circle) == (far_x * far_x + far_y * far_y < square), "<@");
	}
	finish_test("circles of whole numbers");

	for (int i = 0; i < ROUNDS; i++)
	{
		BOX			box = any_box();
		CIRCLE		circle = {{any_number(), any_number()}, any_number()};
		bool		overlaps = spq_shape_overlaps_circle(&box, &circle),
					is_in = spq_shape_is_in_circle(&box, &circle);

		check(!is_in || overlaps, "in, but apart");
		if (spq_box_has_nan(&box) || isnan(circle.center.x) || isnan(circle.center.y) ||
			isnan(circle.radius) || circle.radius < -EPSILON)
			check(!overlaps, "NaN, or no radius");
		else if (isinf(circle.radius))
			check(overlaps, "all");
	}
	finish_test("odd circles");
}

/* Return the distance of a point on a segment from a box. */
static double
distance_at(const BOX *box, const LSEG *segment, double t)
{
	double		x = segment->p[0].x + (segment->p[1].x - segment->p[0].x) * t,
				y = segment->p[0].y + (segment->p[1].y - segment->p[0].y) * t;

	return hypot(Max(Max(box->low.x - x, x - box->high.x), 0),
				 Max(Max(box->low.y - y, y - box->high.y), 0));
}

static void
test_segments(void)
{
	for (int i = 0; i < ROUNDS / 4; i++)
	{
		double		x = plain_number(),
					y = plain_number();
		BOX			box = make_box(x, y, random_int(0, 3) ? plain_number() : x, random_int(0, 3) ? plain_number() : y);
		LSEG		segment = {{{plain_number(), plain_number()}, {plain_number(), plain_number()}}};
		double		low = 0,
					high = 1,
					distance;

		if (random_int(0, 5) == 0)
			segment.p[1] = segment.p[0];
		/* the distance is a convex function */
		for (int k = 0; k < 120; k++)
		{
			double		a = low + (high - low) / 3,
						b = high - (high - low) / 3;

			if (distance_at(&box, &segment, a) <= distance_at(&box, &segment, b))
				high = b;
			else
				low = a;
		}
		distance = distance_at(&box, &segment, (low + high) / 2);
		check(spq_shape_within_of_segment(&box, &segment, distance + 1e-5), "%g", distance);
		if (distance > 1e-4)
			check(!spq_shape_within_of_segment(&box, &segment, distance - 1e-5), "%g", distance);
		else if (distance == 0)
			check(spq_shape_within_of_segment(&box, &segment, 0), "touches");
	}
	finish_test("distances of segments");
}

/*
 * Check that a box within a distance of a segment overlaps the polygon around
 * it.
 */
static void
test_around_segments(void)
{
	long		near_by = 0,
				asked = 0;

	for (int i = 0; i < ROUNDS * 2; i++)
	{
		double		scale = random_int(0, 2) ? 1 : pow(10, random_int(-9, 155)),
					from_middle = random_int(0, 2) ? 0 : pow(10, random_int(0, 15)),
					width = random_int(0, 2) ? 0 : drand48() * (random_int(0, 1) ? 1 : 1e-6),
					height = random_int(0, 2) ? 0 : drand48() * (random_int(0, 1) ? 1 : 1e-6),
					t = random_int(0, 3) ? drand48() * 1.2 - 0.1 : random_int(0, 1),
					distance = random_int(0, 4) == 0 ? 0 : random_int(0, 1) ? drand48() : pow(10, random_int(-9, 3)),
					angle = drand48() * 2 * M_PI,
					x,
					y;
		LSEG		segment = {{{plain_number(), plain_number()}, {plain_number(), plain_number()}}};
		Point		corner[4];
		BOX			box,
					bounds,
					window;
		AnyPolygon	any;

		if (random_int(0, 5) == 0)
			segment.p[1].x = segment.p[0].x + (random_int(0, 1) ? 0 : pow(10, random_int(-300, -3)));
		if (random_int(0, 5) == 0)
			segment.p[1].y = segment.p[0].y + (random_int(0, 1) ? 0 : pow(10, random_int(-300, -3)));
		for (int end = 0; end < 2; end++)
		{
			segment.p[end].x = (segment.p[end].x + from_middle) * scale;
			segment.p[end].y = (segment.p[end].y - from_middle) * scale;
		}
		distance *= scale;

		/* a point away from the segment, at the distance or slightly nearer */
		if (random_int(0, 2))
			angle = atan2(segment.p[1].y - segment.p[0].y, segment.p[1].x - segment.p[0].x) +
				random_int(0, 3) * M_PI / 2;
		x = segment.p[0].x + (segment.p[1].x - segment.p[0].x) * t + cos(angle) * (distance + EPSILON * (drand48() * 2 - 1)) * (random_int(0, 3) ? 1 : 0.99);
		y = segment.p[0].y + (segment.p[1].y - segment.p[0].y) * t + sin(angle) * (distance + EPSILON * (drand48() * 2 - 1)) * (random_int(0, 3) ? 1 : 0.99);
		box = make_box(x, y, x + copysign(width * scale, cos(angle)), y + copysign(height * scale, sin(angle)));
		/* arithmetic on boxes can swap corners */
		if (random_int(0, 7) == 0)
		{
			double		swap = box.low.x;

			box.low.x = box.high.x;
			box.high.x = swap;
		}
		if (random_int(0, 20) == 0)
			box = any_box();
		if (!spq_shape_within_of_segment(&box, &segment, distance))
			continue;
		near_by++;
		if (!spq_shape_around_segment(&segment, distance, corner))
			continue;
		asked++;
		make_polygon(&any, corner, 4);
		check(spq_shape_overlaps_polygon(&box, &any.polygon), "the polygon around it misses a box");
		bounds = spq_shape_segment_bounds(&segment);
		check(spq_shape_grown(&bounds, distance, &window) &&
			  spq_shape_is_in_window(&window, &any.polygon.boundbox), "window");
	}
	check(asked > ROUNDS / 10 && near_by > asked, "%ld of %ld", asked, near_by);
	finish_test("around segments");
}

static void
test_distances(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		BOX			box = any_box(),
					other,
					grown;
		double		distance = random_int(0, 3) ? fabs(odd_number()) : any_number();
		LSEG		segment = {{{any_number(), any_number()}, {any_number(), any_number()}}};
		bool		within;

		other = random_int(0, 1) ? any_box() :
			make_box(near(box.high.x, distance), near(box.high.y, distance),
					 near(box.high.x, distance), near(box.low.y, distance));
		within = spq_shape_within_of_box(&box, &other, distance);
		check(within == spq_shape_within_of_box(&other, &box, distance), "not symmetric");
		if (spq_box_has_nan(&box) || spq_box_has_nan(&other) || !(distance >= 0))
			check(!within, "NaN");
		else
			check(within == spq_box_related(SPQ_BOX_WITHIN, distance, &box, &other),
				  "a window that is too small");
		/* joins rely on this, with either side grown */
		if (within)
		{
			check(spq_shape_grown(&box, distance, &grown) && spq_box_overlaps(&grown, &other), "join");
			check(spq_shape_grown(&other, distance, &grown) && spq_box_overlaps(&grown, &box), "join");
		}
		if (spq_shape_within_of_segment(&box, &segment, distance))
		{
			BOX			bounds = spq_shape_segment_bounds(&segment);

			check(spq_shape_grown(&box, distance, &grown) && spq_box_overlaps(&grown, &bounds), "join");
			check(!spq_box_has_nan(&box) && distance >= 0, "NaN");
		}
	}
	finish_test("odd distances");
}

/* Check that the test of bounds is true if a box within them matches. */
static void
test_reaches(void)
{
	long		reached = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		bool		odd = random_int(0, 1);
		double		x = odd ? any_number() : plain_number(),
					y = odd ? any_number() : plain_number();
		BOX			box = odd ? any_box() : make_box(plain_number(), plain_number(), near(x, 1), near(y, 1)),
					bounds = box;
		CIRCLE		circle = {{x, y}, odd ? any_number() : near(1, 1)};
		Point		points[MOST_CORNERS];
		AnyPolygon	any;
		int			count = random_int(1, 6);
		bool		reaches;

		for (int k = 0; k < count; k++)
		{
			points[k].x = random_int(0, 1) ? near(k % 2 ? box.low.x : box.high.x, 1) : odd_number();
			points[k].y = random_int(0, 1) ? near(k % 3 ? box.low.y : box.high.y, 1) : odd_number();
		}
		make_polygon(&any, points, count);
		if (spq_box_has_nan(&box))
			continue;
		if (random_int(0, 1))
			bounds.low.x -= drand48();
		if (random_int(0, 1))
			bounds.high.x = nearly(bounds.high.x + 1e-9);
		if (random_int(0, 1))
			bounds.low.y = -1e300;
		if (random_int(0, 1))
			bounds.high.y = odd_number();
		bounds.high.y = Max(bounds.high.y, box.high.y);
		bounds.high.x = Max(bounds.high.x, box.high.x);
		bounds.low.y = Min(bounds.low.y, box.low.y);
		reaches = spq_shape_polygon_reaches(&any.polygon, &bounds);
		reached += reaches;
		check(reaches || !spq_shape_overlaps_polygon(&box, &any.polygon), "polygon");
		check(spq_shape_circle_reaches(&circle, &bounds) ||
			  !spq_shape_overlaps_circle(&box, &circle), "circle");
	}
	check(reached > ROUNDS / 100 && reached < ROUNDS / 100 * 99, "%ld", reached);
	finish_test("bounds");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_rectangles();
	test_stars();
	test_lines();
	test_odd_polygons();
	test_circles();
	test_segments();
	test_around_segments();
	test_distances();
	test_reaches();
	return tests_failed > 0;
}
