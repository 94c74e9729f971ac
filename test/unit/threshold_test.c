/*-------------------------------------------------------------------------
 *
 * threshold_test.c
 *	  Thresholds that replace comparisons with EPSILON by plain ones:
 *	  box/threshold.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include "box/threshold.h"

static const struct
{
	SpqBoxComparison comparison;
	const char *name;
}			comparisons[] = {
	{SPQ_BOX_COMPARE_EXACT, "exact"},
	{SPQ_BOX_COMPARE_FUZZY, "fuzzy"},
	{SPQ_BOX_COMPARE_FUZZY_STRICT, "fuzzy and strict"},
	{SPQ_BOX_COMPARE_SAME, "same"}
};

/* Compare with PostgreSQL's own macros, as lower and as upper bound. */
static bool
is_low_enough(SpqBoxComparison comparison, float8 x, float8 q)
{
	switch (comparison)
	{
		case SPQ_BOX_COMPARE_EXACT:
			return x <= q;
		case SPQ_BOX_COMPARE_FUZZY:
			return FPle(x, q);
		case SPQ_BOX_COMPARE_FUZZY_STRICT:
			return FPlt(x, q);
		case SPQ_BOX_COMPARE_SAME:
			return x < q || FPeq(x, q);
	}
	return false;
}

static bool
is_high_enough(SpqBoxComparison comparison, float8 x, float8 q)
{
	switch (comparison)
	{
		case SPQ_BOX_COMPARE_EXACT:
			return x >= q;
		case SPQ_BOX_COMPARE_FUZZY:
			return FPge(x, q);
		case SPQ_BOX_COMPARE_FUZZY_STRICT:
			return FPgt(x, q);
		case SPQ_BOX_COMPARE_SAME:
			return x > q || FPeq(x, q);
	}
	return false;
}

static void
try(SpqBoxComparison comparison, float8 x, float8 q, float8 low, float8 high)
{
	check((x <= low) == is_low_enough(comparison, x, q), "%a low enough for %a: %a",
		  x, q, low);
	check((x >= high) == is_high_enough(comparison, x, q), "%a high enough for %a: %a",
		  x, q, high);
	if (comparison == SPQ_BOX_COMPARE_SAME)
		check((x <= low && x >= high) == FPeq(x, q), "%a the same as %a", x, q);
}

/* Test a number and its neighbors. */
static void
try_around(SpqBoxComparison comparison, float8 x, float8 q, float8 low, float8 high)
{
	float8		above = x,
				below = x;

	try(comparison, x, q, low, high);
	try(comparison, -x, q, low, high);
	for (int i = 0; i < 3; i++)
	{
		above = nextafter(above, get_float8_infinity());
		below = nextafter(below, -get_float8_infinity());
		try(comparison, above, q, low, high);
		try(comparison, below, q, low, high);
	}
}

static void
test_comparison(SpqBoxComparison comparison, const char *name)
{
	for (int i = 0; i < 60000; i++)
	{
		/*
		 * some so large that EPSILON is about the gap between adjacent
		 * numbers
		 */
		float8		q = i % 3 ? any_number() :
			i % 2 ? (drand48() - 0.5) * ldexp(1.0, random_int(25, 36)) :
			(drand48() - 0.5) * ldexp(EPSILON, random_int(-3, 3));
		float8		low,
					high;

		if (i % 7 == 0)
			q = random_int(-2, 2) * EPSILON * (random_int(0, 1) ? 1 : 0.5);
		if (i % 5 == 0)
			q = nextafter(q, random_int(0, 1) ? INFINITY : -INFINITY);
		low = spq_box_greatest_low(comparison, q);
		high = spq_box_least_high(comparison, q);
		try_around(comparison, low, q, low, high);
		try_around(comparison, high, q, low, high);
		try_around(comparison, q, q, low, high);
		try_around(comparison, q + EPSILON, q, low, high);
		try_around(comparison, q - EPSILON, q, low, high);
		try_around(comparison, get_float8_infinity(), q, low, high);
		try_around(comparison, 0, q, low, high);
		try_around(comparison, get_float8_nan(), q, low, high);
		for (int j = 0; j < 4; j++)
			try_around(comparison, random_int(0, 1) ? any_number() : near(q, 0), q, low, high);
	}
	finish_test(name);
}

/*
 * Check that places are in the order of numbers, and adjacent for adjacent
 * numbers.
 */
static void
test_places(void)
{
	for (int i = 0; i < 100000; i++)
	{
		float8		x = any_number(),
					y = any_number(),
					again;

		if (isnan(x) || isnan(y))
			continue;
		again = spq_box_at_place(spq_box_place(x));
		check(memcmp(&x, &again, sizeof(x)) == 0, "%a", x);
		if (x != y)
			check((x < y) == (spq_box_place(x) < spq_box_place(y)), "%a %a", x, y);
		if (x != 0 && x < get_float8_infinity())
		{
			float8		next = nextafter(x, get_float8_infinity());

			/* -0 follows the smallest negative number */
			check(spq_box_place(next == 0 ? -0.0 : next) == spq_box_place(x) + 1, "%a", x);
		}
	}
	check(spq_box_place(0.0) == spq_box_place(-0.0) + 1, "zeros");
	finish_test("places");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_places();
	for (int i = 0; i < (int) lengthof(comparisons); i++)
		test_comparison(comparisons[i].comparison, comparisons[i].name);
	return tests_failed > 0;
}
