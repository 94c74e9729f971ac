/*-------------------------------------------------------------------------
 *
 * box3_test.c
 *	  Functions that make three-dimensional boxes, and distances between boxes.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include "solid/geometry/box3.h"

#define ROUNDS 300000

static SpqBox3
some_box(void)
{
	float8		a[SPQ_DIM],
				b[SPQ_DIM];
	SpqBox3		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		a[axis] = any_number();
		b[axis] = random_int(0, 1) ? any_number() : a[axis] + drand48() * 10;
	}
	spq_box3_of_corners(a, b, &box);
	return box;
}

/* Return a box about this distance from another one, on some axes. */
static SpqBox3
box_near(const SpqBox3 *other, double distance)
{
	float8		a[SPQ_DIM],
				b[SPQ_DIM];
	SpqBox3		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		end = random_int(0, 1) ? other->low[axis] : other->high[axis];

		a[axis] = random_int(0, 2) ? near(end, distance) : any_number();
		b[axis] = random_int(0, 3) ? a[axis] : any_number();
	}
	spq_box3_of_corners(a, b, &box);
	return box;
}

static SpqBox3
box_by(const SpqBox3 *other, double distance)
{
	return random_int(0, 3) ? box_near(other, distance) : some_box();
}

static const char *
show(const SpqBox3 *box)
{
	static char text[4][300];
	static int	next;
	char	   *result = text[next++ % 4];

	snprintf(result, sizeof(text[0]), "(%.17g,%.17g,%.17g),(%.17g,%.17g,%.17g)",
			 box->high[0], box->high[1], box->high[2],
			 box->low[0], box->low[1], box->low[2]);
	return result;
}

/* Check that the corners of a box are in order, and are those given. */
static void
test_corners(void)
{
	for (int i = 0; i < ROUNDS; i++)
	{
		SpqBox3		box = some_box();

		for (int axis = 0; axis < SPQ_DIM; axis++)
			check(float8_le(box.low[axis], box.high[axis]), "%s", show(&box));
	}
	for (int mask = 0; mask < 8; mask++)
	{
		float8		a[] = {1, 2, 3},
					b[] = {4, 5, get_float8_nan()};
		SpqBox3		box;

		for (int axis = 0; axis < SPQ_DIM; axis++)
			if (mask >> axis & 1)
			{
				float8		swap = a[axis];

				a[axis] = b[axis];
				b[axis] = swap;
			}
		spq_box3_of_corners(a, b, &box);
		check(box.low[0] == 1 && box.low[1] == 2 && box.low[2] == 3, "%s", show(&box));
		check(box.high[0] == 4 && box.high[1] == 5 && isnan(box.high[2]), "%s", show(&box));
	}
	finish_test("corners in any order");
}

/*
 * Check that the bounds of two boxes contain both, and that their intersection
 * is what both contain.
 */
static void
test_bounds_and_intersection(void)
{
	long		meeting = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		SpqBox3		a = some_box(),
					b = box_by(&a, 1),
					other = random_int(0, 1) ? box_by(&a, 1) : box_by(&b, 1),
					bounds,
					common;
		SpqBoxCorners corner = {other.low, other.low},
					point = corner;

		spq_box3_bounds(&a, &b, &bounds);
		if (!spq_box_has_nan(&a) && !spq_box_has_nan(&b))
			check(spq_box_contains(&bounds, &a) && spq_box_contains(&bounds, &b),
				  "%s %s", show(&a), show(&b));
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			check(float8_eq(bounds.low[axis], a.low[axis]) ||
				  float8_eq(bounds.low[axis], b.low[axis]), "%s", show(&bounds));
			check(float8_eq(bounds.high[axis], a.high[axis]) ||
				  float8_eq(bounds.high[axis], b.high[axis]), "%s", show(&bounds));
		}

		if (!spq_box3_intersection(&a, &b, &common))
		{
			check(!spq_box_overlaps(&a, &b), "%s %s", show(&a), show(&b));
			continue;
		}
		meeting++;
		check(spq_box_contains(&a, &common) && spq_box_contains(&b, &common),
			  "%s %s: %s", show(&a), show(&b), show(&common));
		check(spq_box_conjunction(SPQ_BOX_MEETS, spq_box_corners(&common), point) ==
			  (spq_box_conjunction(SPQ_BOX_MEETS, spq_box_corners(&a), point) &&
			   spq_box_conjunction(SPQ_BOX_MEETS, spq_box_corners(&b), point)),
			  "%s %s: %s", show(&a), show(&b), show(&common));
	}
	check(meeting > ROUNDS / 50, "%ld", meeting);
	finish_test("bounds and intersection");
}

/* Return the distance, computed in long double. */
static long double
exact_distance(const SpqBox3 *a, const SpqBox3 *b)
{
	long double distance = 0;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		long double gap = 0;

		if (a->low[axis] > b->high[axis])
			gap = (long double) a->low[axis] - b->high[axis];
		else if (b->low[axis] > a->high[axis])
			gap = (long double) b->low[axis] - a->high[axis];
		distance = hypotl(distance, gap);
	}
	return distance;
}

static void
test_distance(void)
{
	long		apart = 0;

	for (int i = 0; i < ROUNDS; i++)
	{
		SpqBox3		a = some_box(),
					b = box_by(&a, some_distance());
		float8		distance = spq_box3_distance(spq_box_corners(&a), spq_box_corners(&b));
		long double exact;

		check(float8_eq(distance, spq_box3_distance(spq_box_corners(&b), spq_box_corners(&a))),
			  "%s %s", show(&a), show(&b));
		if (spq_box_has_nan(&a) || spq_box_has_nan(&b))
		{
			check(isnan(distance), "%s %s: %g", show(&a), show(&b), distance);
			continue;
		}
		check((distance == 0) == spq_box_overlaps(&a, &b), "%s %s: %g",
			  show(&a), show(&b), distance);
		exact = exact_distance(&a, &b);
		check(exact > DBL_MAX ? isinf(distance) || distance == DBL_MAX :
			  fabsl(distance - exact) <= exact * 4 * DBL_EPSILON + 1e-322L,
			  "%s %s: %.17g", show(&a), show(&b), distance);
		apart += distance > 0 && !isinf(distance);
	}
	check(apart > ROUNDS / 10, "%ld", apart);
	finish_test("distances");
}

/*
 * Check that a box within a distance overlaps the expanded box, despite
 * rounding.
 */
static void
test_expanded(void)
{
	long		within = 0,
				beyond = 0;

	for (int i = 0; i < 4 * ROUNDS; i++)
	{
		SpqBox3		a = some_box();
		double		distance = random_int(0, 3) ? some_distance() : 0;
		SpqBox3		b = box_by(&a, distance),
					larger;
		float8		apart;

		if (spq_box_has_nan(&a) || spq_box_has_nan(&b))
		{
			check(!spq_box_has_nan(&a) ||
				  !spq_box3_expanded(spq_box_corners(&a), distance, &larger), "%s", show(&a));
			continue;
		}
		apart = spq_box3_distance(spq_box_corners(&a), spq_box_corners(&b));
		/* the exact distance is the critical case */
		if (random_int(0, 1) && !isinf(apart))
			distance = apart;
		check(spq_box3_expanded(spq_box_corners(&a), distance, &larger), "%g", distance);
		check(spq_box_contains(&larger, &a), "%s %g", show(&a), distance);
		if (distance == 0)
			check(spq_box_related(SPQ_BOX_SAME, 0, &larger, &a), "%s: %s", show(&a), show(&larger));
		if (apart <= distance)
		{
			within++;
			check(spq_box_overlaps(&larger, &b), "%s %s %.17g %.17g",
				  show(&a), show(&b), distance, apart);
		}
		else
			beyond += !spq_box_overlaps(&larger, &b);
	}
	check(within > ROUNDS && beyond > ROUNDS / 10, "%ld %ld", within, beyond);
	for (int i = 0; i < ROUNDS; i++)
	{
		SpqBox3		a = some_box(),
					larger;

		check(!spq_box3_expanded(spq_box_corners(&a), -fabs(odd_number()) - 5e-324, &larger),
			  "below 0");
		check(!spq_box3_expanded(spq_box_corners(&a), get_float8_nan(), &larger), "NaN");
		if (spq_box_has_nan(&a))
			continue;
		check(spq_box3_expanded(spq_box_corners(&a), get_float8_infinity(), &larger) &&
			  isinf(larger.low[0]) && larger.low[0] < 0 && isinf(larger.high[0]), "infinity");
	}
	finish_test("expanded boxes");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_corners();
	test_bounds_and_intersection();
	test_distance();
	test_expanded();
	return tests_failed > 0;
}
