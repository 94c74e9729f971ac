/*-------------------------------------------------------------------------
 *
 * near.h
 *	  Numbers for which comparisons with EPSILON, or with a distance, change
 *	  their result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_NEAR_H
#define SPQ_TEST_NEAR_H

#include "check.h"

#include <math.h>

/* Return x, changed by a few units in the last place. */
static double
nearly(double x)
{
	for (int steps = random_int(0, 3); steps > 0; steps--)
		x = nextafter(x, random_int(0, 1) ? HUGE_VAL : -HUGE_VAL);
	return x;
}

/* Return a finite distance above 0, as the engine requires. */
static inline double
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

/* Return a number about EPSILON, or about the distance, from x. */
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

#endif							/* SPQ_TEST_NEAR_H */
