/*-------------------------------------------------------------------------
 *
 * relation_test.c
 *	  The relations of boxes: box/relation.h, in SPQ_DIM dimensions.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include "box/relation.h"

#define RELATIONS	(SPQ_BOX_LEFT + SPQ_DIM * SPQ_BOX_AXIS_RELATIONS)

static float8 *
low(SpqBox *box)
{
	return (float8 *) box + SPQ_DIM;
}

static float8 *
high(SpqBox *box)
{
	return (float8 *) box;
}

/* Return a box with its corners in order, as the server keeps them. */
static SpqBox
some_box(void)
{
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		x1 = any_number(),
					x2 = random_int(0, 1) ? any_number() : x1 + drand48() * 10;

		low(&box)[axis] = float8_min(x1, x2);
		high(&box)[axis] = float8_max(x1, x2);
	}
	return box;
}

/* Return a box that just matches the other one, or just does not. */
static SpqBox
box_near(SpqBox *other, double distance)
{
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		ends[] = {low(other)[axis], high(other)[axis]},
					x1 = random_int(0, 4) ? near(ends[random_int(0, 1)], distance) : ends[0],
					x2 = random_int(0, 3) ? near(ends[random_int(0, 1)], distance) :
			random_int(0, 1) ? ends[1] : any_number();

		low(&box)[axis] = float8_min(x1, x2);
		high(&box)[axis] = float8_max(x1, x2);
	}
	return box;
}

/* Make a pair of boxes, usually close together, and a distance for it. */
static void
make_pair(SpqBox *a, SpqBox *b, double *distance)
{
	*a = some_box();
	*distance = some_distance();
	*b = random_int(0, 3) ? box_near(a, *distance) : some_box();
	if (random_int(0, 1))
	{
		SpqBox		swap = *a;

		*a = *b;
		*b = swap;
	}
	/* sometimes a point */
	if (random_int(0, 7) == 0)
		memcpy(high(b), low(b), SPQ_DIM * sizeof(float8));
}

static const char *
show(const SpqBox *a, const SpqBox *b)
{
	static char text[1000];
	int			used = 0;

	for (int i = 0; i < 4 * SPQ_DIM; i++)
		used += snprintf(text +used, sizeof(text) - used, "%s%.17g",
						 i == 0 ? "" : i == 2 * SPQ_DIM ? "   " : ", ",
						 i < 2 * SPQ_DIM ? ((const float8 *) a)[i] :
						 ((const float8 *) b)[i - 2 * SPQ_DIM]);
	return text;
}

/*
 * PostgreSQL's operators, as in geo_decls.h and geo_ops.c.  In three
 * dimensions they have no tolerance.
 */
#if SPQ_DIM == 2
#define TOLERANCE	1.0E-06
#else
#define TOLERANCE	0.0
#endif

static bool
pg_le(double a, double b)
{
	return a <= b + TOLERANCE;
}

static bool
pg_ge(double a, double b)
{
	return a + TOLERANCE >= b;
}

static bool
pg_lt(double a, double b)
{
	return a + TOLERANCE < b;
}

static bool
pg_gt(double a, double b)
{
	return a > b + TOLERANCE;
}

static bool
pg_eq(double a, double b)
{
	return a == b || fabs(a - b) <= TOLERANCE;
}

/* box_overlap */
static bool
pg_overlap(SpqBox *a, SpqBox *b)
{
	for (int i = 0; i < SPQ_DIM; i++)
		if (!pg_le(low(a)[i], high(b)[i]) || !pg_le(low(b)[i], high(a)[i]))
			return false;
	return true;
}

/* box_contain_box */
static bool
pg_contain(SpqBox *a, SpqBox *b)
{
	for (int i = 0; i < SPQ_DIM; i++)
		if (!pg_ge(high(a)[i], high(b)[i]) || !pg_le(low(a)[i], low(b)[i]))
			return false;
	return true;
}

/* point_eq_point */
static bool
pg_same_point(const float8 *a, const float8 *b)
{
	bool		nan = false;

	for (int i = 0; i < SPQ_DIM; i++)
		if (isnan(a[i]) || isnan(b[i]))
			nan = true;
	for (int i = 0; i < SPQ_DIM; i++)
		if (nan ? !((isnan(a[i]) && isnan(b[i])) || a[i] == b[i]) : !pg_eq(a[i], b[i]))
			return false;
	return true;
}

/* box_same */
static bool
pg_same(SpqBox *a, SpqBox *b)
{
	return pg_same_point(high(a), high(b)) && pg_same_point(low(a), low(b));
}

/* box_contain_point, if one of the boxes is a point */
static bool
pg_meet(SpqBox *a, SpqBox *b)
{
	for (int i = 0; i < SPQ_DIM; i++)
		if (!(high(a)[i] >= low(b)[i] && low(a)[i] <= high(b)[i]))
			return false;
	return true;
}

static long double
pg_gap(double a_low, double a_high, double b_low, double b_high)
{
	if (a_low > b_high)
		return (long double) a_low - b_high;
	if (b_low > a_high)
		return (long double) b_low - a_high;
	return 0;
}

/* Return the distance of the closest points. */
static long double
pg_apart(SpqBox *a, SpqBox *b)
{
	long double apart = 0;

	for (int i = 0; i < SPQ_DIM; i++)
		apart = hypotl(apart, pg_gap(low(a)[i], high(a)[i], low(b)[i], high(b)[i]));
	return apart;
}

static bool
pg_related(SpqRelation relation, SpqBox *a, SpqBox *b)
{
	int			axis = (relation - SPQ_BOX_LEFT) / 4;

	switch (relation)
	{
		case SPQ_BOX_OVERLAPS:
			return pg_overlap(a, b);
		case SPQ_BOX_CONTAINS:
			return pg_contain(a, b);
		case SPQ_BOX_CONTAINED:
			return pg_contain(b, a);
		case SPQ_BOX_SAME:
			return pg_same(a, b);
		case SPQ_BOX_MEETS:
			return pg_meet(a, b);
		case SPQ_BOX_WITHIN:
			abort();
		default:
			break;
	}
	switch ((relation - SPQ_BOX_LEFT) % 4)
	{
		case 0:					/* box_left, box_below */
			return pg_lt(high(a)[axis], low(b)[axis]);
		case 1:					/* box_overleft, box_overbelow */
			return pg_le(high(a)[axis], high(b)[axis]);
		case 2:					/* box_right, box_above */
			return pg_gt(low(a)[axis], high(b)[axis]);
		default:				/* box_overright, box_overabove */
			return pg_ge(low(a)[axis], low(b)[axis]);
	}
}

static void
test_operators(void)
{
	long		found[RELATIONS] = {0};
	long		not_found[RELATIONS] = {0};

	for (int i = 0; i < 400000; i++)
	{
		SpqBox		a,
					b;
		double		distance;

		make_pair(&a, &b, &distance);
		for (SpqRelation relation = 0; relation < RELATIONS; relation++)
		{
			bool		expected;

			if (relation == SPQ_BOX_WITHIN)
				continue;
			expected = pg_related(relation, &a, &b);
			check(spq_box_related(relation, 0, &a, &b) == expected,
				  "%d: %s", relation, show(&a, &b));
			found[relation] += expected;
			not_found[relation] += !expected;
		}
		check(spq_box_overlaps(&a, &b) == pg_overlap(&a, &b), "%s", show(&a, &b));
		check(spq_box_contains(&a, &b) == pg_contain(&a, &b), "%s", show(&a, &b));
	}
	for (int relation = 0; relation < RELATIONS; relation++)
		check(relation == SPQ_BOX_WITHIN ||
			  (found[relation] > 500 && not_found[relation] > 1000),
			  "relation %d: %ld and %ld", relation, found[relation], not_found[relation]);
	finish_test("relations are those of PostgreSQL's operators");
}

static void
test_distance(void)
{
	long		near_ones = 0,
				far_ones = 0;

	for (int i = 0; i < 400000; i++)
	{
		SpqBox		a,
					b;
		double		distance;
		long double exact;
		bool		related;

		make_pair(&a, &b, &distance);
		if (spq_box_has_nan(&a) || spq_box_has_nan(&b))
			continue;
		exact = pg_apart(&a, &b);
		related = spq_box_related(SPQ_BOX_WITHIN, distance, &a, &b);
		/* the oracle is not precise enough to decide */
		if (fabsl(exact - distance) <= distance * 1e-15L + 1e-323L)
			continue;
		check(related == (exact <= distance || pg_overlap(&a, &b)),
			  "%.17g: %s", distance, show(&a, &b));
		if (!pg_overlap(&a, &b))
			*(related ? &near_ones : &far_ones) += 1;
	}
	check(near_ones > 1000 && far_ones > 1000, "%ld %ld", near_ones, far_ones);
	finish_test("distances are right");

	/* exact cases: sides 3, 4, 5, at all magnitudes */
	for (int exponent = -1074; exponent <= 1020; exponent++)
	{
		double		unit = ldexp(1, exponent);
		SpqBox		a,
					b;

		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			low(&a)[axis] = low(&b)[axis] = -unit;
			high(&a)[axis] = high(&b)[axis] = 0;
		}
		low(&b)[0] = 3 * unit;
		high(&b)[0] = low(&b)[1] = 4 * unit;
		high(&b)[1] = 5 * unit;
		check(spq_box_within(spq_box_corners(&a), spq_box_corners(&b), 5 * unit), "2^%d", exponent);
		check(!spq_box_within(spq_box_corners(&a), spq_box_corners(&b), nextafter(5 * unit, 0)), "2^%d", exponent);
		check(spq_box_within(spq_box_corners(&b), spq_box_corners(&a), 5 * unit), "2^%d", exponent);
	}
	finish_test("distances are right at all magnitudes");
}

/* Check the properties of relations that joins rely on. */
static void
test_consequences(void)
{
	for (int i = 0; i < 300000; i++)
	{
		SpqBox		a,
					b;
		double		distance;

		make_pair(&a, &b, &distance);
		for (SpqRelation relation = 0; relation < RELATIONS; relation++)
		{
			bool		can = spq_box_can_match(relation, &a) &&
				spq_box_can_match(relation, &b);
			bool		related = spq_box_related(relation, distance, &a, &b);
			double		slack;

			/* joins test only boxes that can match */
			if (relation == SPQ_BOX_WITHIN && !can)
				continue;
			check(can || !related, "%d: %s", relation, show(&a, &b));
			if (relation < SPQ_BOX_LEFT || (relation - SPQ_BOX_LEFT) % 2 == 0)
				check(related == spq_box_related(spq_box_commute(relation), distance,
												 &b, &a), "%d: %s", relation, show(&a, &b));
			if (spq_box_is_axial(relation))
				continue;
			slack = spq_box_slack(relation, distance);
			check(slack >= 0, "%g: slack %g", distance, slack);
			if (!related || spq_box_has_nan(&a) || spq_box_has_nan(&b))
				continue;

			/*
			 * written as "not more" because the difference of infinities is
			 * NaN
			 */
			for (int axis = 0; axis < SPQ_DIM; axis++)
				check(!(low(&a)[axis] - slack > high(&b)[axis]) &&
					  !(low(&b)[axis] > high(&a)[axis] + slack),
					  "%d, %.17g: %s", relation, distance, show(&a, &b));
		}
	}
	finish_test("what a relation implies: sides exchanged, slack, NaN");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_operators();
	test_distance();
	test_consequences();
	return tests_failed > 0;
}
