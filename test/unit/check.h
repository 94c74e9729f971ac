/*-------------------------------------------------------------------------
 *
 * check.h
 *	  Common to the unit tests: checks, reports, random numbers and boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_CHECK_H
#define SPQ_TEST_CHECK_H

#include "postgres.h"

#include <stdio.h>

/* the C library's, not the server's */
#undef printf
#undef fprintf
#undef snprintf

#include "utils/float.h"
#include "utils/geo_decls.h"

static int	test_number = 0;
static int	tests_failed = 0;
static long checks = 0;
static long checks_failed = 0;
static long seed = 1;

#define check(condition, ...) \
	do { \
		checks++; \
		if (!(condition) && checks_failed++ < 5) \
		{ \
			printf("# seed %ld, %s:%d: %s: ", seed, __FILE__, __LINE__, \
				   #condition); \
			printf(__VA_ARGS__); \
			printf("\n"); \
		} \
	} while (0)

/* Report the checks since the last report as one test. */
static void
finish_test(const char *name)
{
	bool		ok = checks > 0 && checks_failed == 0;

	printf("%s %d - %s (%ld checks)\n", ok ? "ok" : "not ok", ++test_number,
		   name, checks);
	if (!ok)
		tests_failed++;
	checks = checks_failed = 0;
}

static void
start_tests(int argc, char **argv)
{
	if (argc > 1)
		seed = atol(argv[1]);
	srand48(seed);
	setvbuf(stdout, NULL, _IOLBF, 0);	/* output precedes an abort */
}

/*
 * Return the number of random cases to try: all, or with SPQTREE_UNIT_SHARE=n
 * an n-th of them.
 */
static inline int
cases(int all)
{
	const char *share = getenv("SPQTREE_UNIT_SHARE");
	int			n = share ? atoi(share) : 1;

	return n > 1 ? (all + n - 1) / n : all;
}

static inline int
random_int(int low, int high)
{
	return low + (int) (lrand48() % (high - low + 1));
}

/* Return a finite number of any magnitude and sign, often a special one. */
static inline float8
odd_number(void)
{
	static const float8 special[] = {
		0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-300, -1e-300, 1e300, -1e300,
		1.7976931348623157e308, -1.7976931348623157e308, 1e-6, -1e-6
	};
	float8		sign = lrand48() % 2 ? 1.0 : -1.0;

	switch (lrand48() % 8)
	{
		case 0:
			return special[lrand48() % lengthof(special)];
		case 1:
			return sign * ldexp(1.0, random_int(-1074, 1023));
		case 2:
			return sign * ldexp(1.0 + drand48(), random_int(-1070, 1022));
		case 3:
			return random_int(-8, 8);
		case 4:
			return random_int(-8, 8) + random_int(-4, 4) * 5e-7;
		case 5:
			return sign * drand48();
		default:
			return sign * drand48() * 1000.0;
	}
}

/* Return such a number, or infinity, or NaN. */
static inline float8
any_number(void)
{
	switch (lrand48() % 12)
	{
		case 0:
			return get_float8_infinity();
		case 1:
			return -get_float8_infinity();
		case 2:
			return get_float8_nan();
		default:
			return odd_number();
	}
}

/* Return a box with its corners in order, as the server keeps them. */
static inline BOX
any_box(void)
{
	BOX			box;
	float8		x1 = any_number(),
				x2 = lrand48() % 2 ? any_number() : x1 + drand48() * 10,
				y1 = any_number(),
				y2 = lrand48() % 2 ? any_number() : y1 + drand48() * 10;

	box.low.x = float8_min(x1, x2);
	box.high.x = float8_max(x1, x2);
	box.low.y = float8_min(y1, y2);
	box.high.y = float8_max(y1, y2);
	return box;
}

#endif							/* SPQ_TEST_CHECK_H */
