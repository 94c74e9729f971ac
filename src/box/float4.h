/*-------------------------------------------------------------------------
 *
 * float4.h
 *	  Rounding outward to float4: exact, for all numbers.
 *
 *		  floor(x)	 x	 ceiling(x)
 *		----+--------+-------+----		neighboring float4, or both x
 *
 * Conversion rounds to the nearest float4.  If that is on the wrong side, the
 * result is its neighbor.  Both functions are monotonic.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_FLOAT4_H
#define SPQ_BOX_FLOAT4_H

#include "utils/float.h"

/*
 * Return the next larger float4: for -infinity the lowest finite one, for
 * infinity and NaN the same value.
 */
static inline float4
spq_box_float4_above(float4 value)
{
	union
	{
		float4		value;
		int32		bits;
	}			u;

	if (!(value < get_float4_infinity()))
		return value;
	u.value = value + 0.0f;		/* no negative zero */
	u.bits += u.bits < 0 ? -1 : 1;
	return u.value;
}

static inline float4
spq_box_float4_below(float4 value)
{
	return -spq_box_float4_above(-value);
}

/*
 * Return the largest float4 that is not above a number; NaN for NaN.
 *
 * No predictor can guess whether the nearest float4 is above, so the step to
 * the neighbor below is arithmetic, not a branch: the bits of a float4 are sign
 * and magnitude, and the step adds one to the magnitude of a negative number
 * and subtracts one from that of a positive number.
 */
static inline float4
spq_box_float4_floor(float8 value)
{
	union
	{
		float4		value;
		int32		bits;
	}			u;

	u.value = (float4) value;
	u.bits -= -(int32) (u.value > value) & (1 | (u.bits >> 31));
	return u.value;
}

/* Return the smallest float4 that is not below a number; NaN for NaN. */
static inline float4
spq_box_float4_ceiling(float8 value)
{
	return -spq_box_float4_floor(-value);
}

#endif							/* SPQ_BOX_FLOAT4_H */
