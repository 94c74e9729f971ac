/*-------------------------------------------------------------------------
 *
 * exact.h
 *	  Signs of sums of products of float8, without rounding.
 *
 * A comparison in float8 is certain if the numbers differ by more than their
 * rounding errors.  Otherwise these functions compute it again.
 *
 * A float8 is an integer of 53 bits times a power of two, so a product of four
 * is an integer of 212 bits times a power of two.  Their sum is a fixed-point
 * number, with a digit for each possible exponent (Kulisch, "Very fast and
 * exact accumulation of products", 2011).  It cannot overflow or underflow.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_GEOMETRY_EXACT_H
#define SPQ_SOLID_GEOMETRY_EXACT_H

#include "postgres.h"

#include <float.h>
#include <math.h>

/* Terms that underflow are less than a unit in the last place of this. */
#define SPQ_EXACT_LEAST_SURE 0x1p-900

/*
 * Products of four factors from 1 / this to this cannot overflow or underflow.
 */
#define SPQ_EXACT_MODERATE 0x1p200

/* factors of a product; any may be 1 */
#define SPQ_EXACT_FACTORS 4

/*
 * Digits of 32 bits.  The lowest bit is worth the smallest float8 to the power
 * of the factors: 2^-1074 each; the largest float8 is below 2^1024.  Two more
 * digits take the carry and the sign.
 */
#define SPQ_EXACT_DIGITS (SPQ_EXACT_FACTORS * (1074 + 1024) / 32 + 3)

typedef struct SpqExactSum
{
	/* without carries: each digit has room for 2^31 additions */
	int64		digit[SPQ_EXACT_DIGITS];
} SpqExactSum;

static inline void
spq_exact_start(SpqExactSum *sum)
{
	memset(sum, 0, sizeof(*sum));
}

extern void spq_exact_add(SpqExactSum *sum, float8 a, float8 b, float8 c, float8 d);
extern int	spq_exact_sign(SpqExactSum *sum);

/*
 * Return the sign of a sum that was computed in float8, or 0 if the sign is
 * not certain.
 *
 * "magnitude" is the sum of the absolute values of the products.  A product,
 * its factors and the sum are rounded at most a dozen times; the margin of 64
 * units in the last place is more.  If a product has more than two factors,
 * they must be spq_exact_is_moderate().
 */
static inline int
spq_exact_sure_sign(float8 value, float8 magnitude)
{
	float8		margin = 64 * DBL_EPSILON * magnitude;

	if (unlikely(!(magnitude >= SPQ_EXACT_LEAST_SURE && magnitude <= DBL_MAX)))
		return 0;
	return value > margin ? 1 : value < -margin ? -1 : 0;
}

/*
 * Return whether products of four such numbers cannot overflow or underflow.
 */
static inline bool
spq_exact_is_moderate(float8 number)
{
	return number == 0 ||
		(fabs(number) >= 1 / SPQ_EXACT_MODERATE && fabs(number) <= SPQ_EXACT_MODERATE);
}

#endif							/* SPQ_SOLID_GEOMETRY_EXACT_H */
