/*-------------------------------------------------------------------------
 *
 * bucket_test.c
 *	  Conditions of spatial joins, and the buckets that choose candidates for
 *	  them: join/predicate.h, join/bucket.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "join/bucket.h"
#include "join/predicate.h"

static const SpqJoinPredicate predicates[] = {
	SPQ_JOIN_OVERLAPS, SPQ_JOIN_CONTAINS, SPQ_JOIN_CONTAINED, SPQ_JOIN_SAME,
	SPQ_JOIN_MEETS, SPQ_JOIN_WITHIN
};

/* A few steps of the last bit up or down. */
static double
nearly(double x)
{
	for (int steps = random_int(0, 3); steps > 0; steps--)
		x = nextafter(x, random_int(0, 1) ? HUGE_VAL : -HUGE_VAL);
	return x;
}

/* A distance that is finite and more than 0, as the engine wants it. */
static double
some_distance(void)
{
	for (;;)
	{
		double		distance = random_int(0, 1) ? fabs(odd_number()) :
			exp(drand48() * 40 - 30);

		if (distance > 0)
			return distance;
	}
}

/* A number that is about EPSILON, or about the distance, away from another. */
static double
near(double x, double distance)
{
	double		factors[] = {0, 0.5, 1, 1, 1, 2, 3};
	double		step = factors[random_int(0, lengthof(factors) - 1)] *
		(random_int(0, 1) ? EPSILON : distance);

	if (random_int(0, 3) == 0)
		step += EPSILON;
	return nearly(x + (random_int(0, 1) ? nearly(step) : -nearly(step)));
}

/* A box which just matches the other one, or just does not. */
static BOX
near_box(const BOX *other, double distance)
{
	BOX			box;
	double		xs[] = {other->low.x, other->high.x},
				ys[] = {other->low.y, other->high.y},
				x1 = near(xs[random_int(0, 1)], distance),
				x2 = random_int(0, 1) ? near(xs[random_int(0, 1)], distance) : any_number(),
				y1 = random_int(0, 3) ? near(ys[random_int(0, 1)], distance) : other->low.y,
				y2 = random_int(0, 1) ? near(ys[random_int(0, 1)], distance) : any_number();

	box.low.x = float8_min(x1, x2);
	box.high.x = float8_max(x1, x2);
	box.low.y = float8_min(y1, y2);
	box.high.y = float8_max(y1, y2);
	return box;
}

/* A pair of boxes, close to each other as a rule, and a distance for it. */
static void
make_pair(BOX *a, BOX *b, double *distance)
{
	*a = any_box();
	*distance = some_distance();
	*b = random_int(0, 3) ? near_box(a, *distance) : any_box();
	if (random_int(0, 1))
	{
		BOX			swap = *a;

		*a = *b;
		*b = swap;
	}
}

static void
test_floats(void)
{
	const double infinity = get_float8_infinity();

	for (int i = 0; i < 300000; i++)
	{
		double		x = any_number();
		float		below,
					above;

		if (isnan(x))
			continue;
		if (random_int(0, 3) == 0)
			x = nearly(ldexp(FLT_MAX, -random_int(0, 1)) * (random_int(0, 1) ? 1 : -1));
		below = spq_float_below(x);
		above = spq_float_above(x);
		check(below <= x && above >= x, "%.17g: %.9g %.9g", x, below, above);
		/* infinity on the wrong side would exclude what it should not */
		check(below < infinity && above > -infinity, "%.17g", x);
		/* not too far away either */
		if (fabs(x) < 1e38)
			check(above - (double) below <= fabs(x) * 1e-6 + 1e-37,
				  "%.17g: %.9g %.9g", x, below, above);
	}
	check(spq_float_above(infinity) == infinity, "above infinity");
	check(spq_float_below(-infinity) == -infinity, "below infinity");
	finish_test("floats bound the numbers that they stand for");
}

/*
 * The operators of PostgreSQL once more: geo_decls.h, geo_ops.c.
 */
static bool
pg_le(double a, double b)
{
	return a <= b + 1.0E-06;
}

static bool
pg_ge(double a, double b)
{
	return a + 1.0E-06 >= b;
}

static bool
pg_eq(double a, double b)
{
	return a == b || fabs(a - b) <= 1.0E-06;
}

static bool
pg_overlap(const BOX *a, const BOX *b)
{
	return pg_le(a->low.x, b->high.x) && pg_le(b->low.x, a->high.x) &&
		pg_le(a->low.y, b->high.y) && pg_le(b->low.y, a->high.y);
}

static bool
pg_contain(const BOX *a, const BOX *b)
{
	return pg_ge(a->high.x, b->high.x) && pg_le(a->low.x, b->low.x) &&
		pg_ge(a->high.y, b->high.y) && pg_le(a->low.y, b->low.y);
}

static bool
pg_same_point(const Point *a, const Point *b)
{
	if (isnan(a->x) || isnan(a->y) || isnan(b->x) || isnan(b->y))
		return ((isnan(a->x) && isnan(b->x)) || a->x == b->x) &&
			((isnan(a->y) && isnan(b->y)) || a->y == b->y);
	return pg_eq(a->x, b->x) && pg_eq(a->y, b->y);
}

static bool
pg_same(const BOX *a, const BOX *b)
{
	return pg_same_point(&a->high, &b->high) && pg_same_point(&a->low, &b->low);
}

/* box @> point, if one of the two is a point */
static bool
pg_meet(const BOX *a, const BOX *b)
{
	return a->high.x >= b->low.x && a->low.x <= b->high.x &&
		a->high.y >= b->low.y && a->low.y <= b->high.y;
}

static void
test_operators(void)
{
	long		found[5] = {0};

	for (int i = 0; i < 1000000; i++)
	{
		BOX			a,
					b;
		double		distance;
		bool		expected[5];

		make_pair(&a, &b, &distance);
		expected[0] = pg_overlap(&a, &b);
		expected[1] = pg_contain(&a, &b);
		expected[2] = pg_contain(&b, &a);
		expected[3] = pg_same(&a, &b);
		expected[4] = pg_meet(&a, &b);
		for (int j = 0; j < 5; j++)
		{
			check(spq_join_matches(predicates[j], 0, &a, &b) == expected[j],
				  "%d: (%.17g,%.17g)(%.17g,%.17g) (%.17g,%.17g)(%.17g,%.17g)",
				  predicates[j], a.low.x, a.low.y, a.high.x, a.high.y,
				  b.low.x, b.low.y, b.high.x, b.high.y);
			found[j] += expected[j];
		}
	}
	for (int j = 0; j < 5; j++)
		check(found[j] > 1000, "operator %d: only %ld", j, found[j]);
	finish_test("conditions are those of the operators");
}

static long double
long_gap(double alow, double ahigh, double blow, double bhigh)
{
	if (alow > bhigh)
		return (long double) alow - bhigh;
	if (blow > ahigh)
		return (long double) blow - ahigh;
	return 0;
}

static void
test_distance(void)
{
	long		near_ones = 0,
				far_ones = 0;

	for (int i = 0; i < 500000; i++)
	{
		BOX			a,
					b;
		double		distance;
		long double exact;
		bool		matches;

		make_pair(&a, &b, &distance);
		if (spq_box_has_nan(&a) || spq_box_has_nan(&b))
			continue;
		exact = hypotl(long_gap(a.low.x, a.high.x, b.low.x, b.high.x),
					   long_gap(a.low.y, a.high.y, b.low.y, b.high.y));
		matches = spq_join_matches(SPQ_JOIN_WITHIN, distance, &a, &b);
		/* too close to call */
		if (fabsl(exact - distance) <= distance * 1e-15L + 1e-323L)
			continue;
		check(matches == (exact <= distance || pg_overlap(&a, &b)),
			  "%.17g: (%.17g,%.17g)(%.17g,%.17g) (%.17g,%.17g)(%.17g,%.17g)",
			  distance, a.low.x, a.low.y, a.high.x, a.high.y,
			  b.low.x, b.low.y, b.high.x, b.high.y);
		if (!pg_overlap(&a, &b))
			*(matches ? &near_ones : &far_ones) += 1;
	}
	check(near_ones > 1000 && far_ones > 1000, "%ld %ld", near_ones, far_ones);
	finish_test("distances are right");

	/* what is exact: 3, 4, 5, at all magnitudes */
	for (int exponent = -1074; exponent <= 1020; exponent++)
	{
		double		unit = ldexp(1, exponent);
		BOX			a = {.high = {0, 0}, .low = {-unit, -unit}},
					b = {.high = {4 * unit, 5 * unit}, .low = {3 * unit, 4 * unit}};

		check(spq_boxes_within(&a, &b, 5 * unit), "2^%d", exponent);
		check(!spq_boxes_within(&a, &b, nextafter(5 * unit, 0)), "2^%d", exponent);
		check(spq_boxes_within(&b, &a, 5 * unit), "2^%d", exponent);
	}
	finish_test("distances are right at all magnitudes");
}

static void
test_consequences(void)
{
	for (int i = 0; i < 500000; i++)
	{
		BOX			a,
					b;
		double		distance;

		make_pair(&a, &b, &distance);
		for (int j = 0; j < (int) lengthof(predicates); j++)
		{
			SpqJoinPredicate predicate = predicates[j];
			double		slack = spq_join_slack(predicate, distance);
			bool		can = spq_join_can_match(predicate, &a) &&
				spq_join_can_match(predicate, &b);
			bool		matches = spq_join_matches(predicate, distance, &a, &b);

			/* the engine asks only for boxes that can match */
			if (predicate == SPQ_JOIN_WITHIN && !can)
				continue;
			check(can || !matches, "%d", predicate);
			check(matches == spq_join_matches(spq_join_commute(predicate), distance,
											  &b, &a), "%d", predicate);
			check(slack > 0, "%g: slack %g", distance, slack);
			/* "not more", as the difference of infinities is NaN */
			if (matches && !spq_box_has_nan(&a) && !spq_box_has_nan(&b))
				check(!(a.low.x - slack > b.high.x) && !(b.low.x > a.high.x + slack) &&
					  !(a.low.y - slack > b.high.y) && !(b.low.y > a.high.y + slack),
					  "%d, %.17g: (%.17g,%.17g)(%.17g,%.17g) (%.17g,%.17g)(%.17g,%.17g)",
					  predicate, distance,
					  a.low.x, a.low.y, a.high.x, a.high.y,
					  b.low.x, b.low.y, b.high.x, b.high.y);
		}
	}
	finish_test("what a match implies");
}

/* Probes grown by the slack meet the boxes that they match, in any lane. */
static void
test_meets(void)
{
	long		found[lengthof(predicates)] = {0};

	for (int i = 0; i < 40000; i++)
	{
		BOX			probe = any_box(),
					boxes[SPQ_BUCKET_LANES];
		SpqBucket	bucket;
		SpqBucketBox bounds;
		double		distance = some_distance();
		Point		origin = {odd_number(), odd_number()};
		int			nboxes = random_int(1, SPQ_BUCKET_LANES);

		/* as a rule the origin is near the boxes, and then floats are finer */
		if (random_int(0, 1) && fabs(probe.low.x) <= DBL_MAX &&
			fabs(probe.low.y) <= DBL_MAX)
			origin = probe.low;
		spq_bucket_clear(&bucket);
		for (int lane = 0; lane < nboxes; lane++)
		{
			boxes[lane] = random_int(0, 7) ? near_box(&probe, distance) : any_box();
			spq_bucket_set(&bucket, lane, spq_bucket_box(&boxes[lane], 0, &origin));
		}
		bounds = spq_bucket_bounds(&bucket);

		for (int j = 0; j < (int) lengthof(predicates); j++)
		{
			SpqJoinPredicate predicate = predicates[j];
			SpqBucketBox query = spq_bucket_box(&probe,
												spq_join_slack(predicate, distance),
												&origin);
			uint32		lanes = spq_bucket_meets(&bucket, query);
			SpqBucket	other;
			uint32		hit;

			spq_bucket_clear(&other);
			spq_bucket_set(&other, 7, query);
			hit = spq_bucket_meets(&other, bounds);
			check(hit == 0 || hit == 1 << 7, "%x", hit);
			check((lanes & ~(uint32) ((UINT64CONST(1) << nboxes) - 1)) == 0,
				  "a blank lane was hit: %x, %d boxes", lanes, nboxes);
			if (!spq_join_can_match(predicate, &probe))
				continue;
			for (int lane = 0; lane < nboxes; lane++)
			{
				const BOX  *box = &boxes[lane];

				if (!spq_join_can_match(predicate, box) ||
					!spq_join_matches(predicate, distance, &probe, box))
					continue;
				found[j]++;
				check(lanes & (uint32) 1 << lane,
					  "missed %d, %.17g: (%.17g,%.17g)(%.17g,%.17g) (%.17g,%.17g)(%.17g,%.17g)",
					  predicate, distance,
					  probe.low.x, probe.low.y, probe.high.x, probe.high.y,
					  box->low.x, box->low.y, box->high.x, box->high.y);
				check(hit != 0, "the bounds were missed");
			}
		}
	}
	for (int j = 0; j < (int) lengthof(predicates); j++)
		check(found[j] > 1000, "condition %d: only %ld", j, found[j]);
	finish_test("a probe meets all boxes that it matches");
}

static void
test_lanes(void)
{
	const double infinity = get_float8_infinity();
	const SpqBucketBox everything = {-infinity, -infinity, infinity, infinity};

	for (int i = 0; i < 20000; i++)
	{
		SpqBucket	bucket;
		uint32		set = lrand48() ^ lrand48() << 8,
					brute = 0;
		SpqBucketBox bounds,
					query;
		Point		origin = {odd_number(), odd_number()};
		BOX			box = any_box();

		if (i == 0)
			set = 0;
		if (i == 1)
			set = PG_UINT32_MAX;
		query = spq_bucket_box(&box, 0, &origin);
		spq_bucket_clear(&bucket);
		for (int lane = 0; lane < SPQ_BUCKET_LANES; lane++)
		{
			box = any_box();
			if (set & (uint32) 1 << lane)
			{
				SpqBucketBox b = spq_bucket_box(&box, 0, &origin),
							back;

				spq_bucket_set(&bucket, lane, b);
				back = spq_bucket_get(&bucket, lane);
				check(memcmp(&b, &back, sizeof(b)) == 0, "lane %d", lane);
				check(b.lx <= b.hx && b.ly <= b.hy, "lane %d", lane);
				if (b.lx <= query.hx && query.lx <= b.hx &&
					b.ly <= query.hy && query.ly <= b.hy)
					brute |= (uint32) 1 << lane;
			}
		}
		check(spq_bucket_meets(&bucket, everything) == set, "%x", set);
		check(spq_bucket_meets(&bucket, query) == brute, "%x", brute);

		/* lanes are filled from the first on, so that one always has a box */
		if (!(set & 1))
			continue;
		bounds = spq_bucket_bounds(&bucket);
		for (int lane = 0; lane < SPQ_BUCKET_LANES; lane++)
		{
			if (set & (uint32) 1 << lane)
				check(bounds.lx <= bucket.lx[lane] && bounds.hx >= bucket.hx[lane] &&
					  bounds.ly <= bucket.ly[lane] && bounds.hy >= bucket.hy[lane],
					  "lane %d", lane);
		}
	}
	finish_test("lanes: blank ones are never hit, bounds enclose the others");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_floats();
	test_operators();
	test_distance();
	test_consequences();
	test_meets();
	test_lanes();
	return tests_failed > 0;
}
