/*-------------------------------------------------------------------------
 *
 * float4.h
 *	  Rounding outward to float4: exact, for all numbers.
 *
 *		  floor(x)	 x	 ceiling(x)
 *		----+--------+-------+----		neighboring float4, or both x
 *
 * Conversion rounds to the nearest float4; where that is on the wrong side, its
 * neighbor is the one.  Both functions are monotonic.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_FLOAT4_H
#define SPQ_BOX_FLOAT4_H

#include "utils/float.h"

/*
 * Return the next float4 above: for -infinity the lowest finite one, for
 * infinity and NaN themselves.
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

/* Return the largest float4 that is not above a number; NaN for NaN. */
static inline float4
spq_box_float4_floor(float8 value)
{
	float4		nearest = (float4) value;

	return nearest > value ? spq_box_float4_below(nearest) : nearest;
}

/* Return the smallest float4 that is not below a number; NaN for NaN. */
static inline float4
spq_box_float4_ceiling(float8 value)
{
	return -spq_box_float4_floor(-value);
}

#endif							/* SPQ_BOX_FLOAT4_H */
