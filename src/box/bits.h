/*-------------------------------------------------------------------------
 *
 * bits.h
 *	  The bits of a double, and bits spread for a Z-order code.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_BITS_H
#define SPQ_BOX_BITS_H

/* The bits of a double: sign, 11 of the exponent, 52 of the mantissa. */
static inline uint64
spq_box_bits(float8 value)
{
	union
	{
		float8		value;
		uint64		bits;
	}			u;

	u.value = value;
	return u.bits;
}

static inline float8
spq_box_from_bits(uint64 bits)
{
	union
	{
		uint64		bits;
		float8		value;
	}			u;

	u.bits = bits;
	return u.value;
}

/* Compare two doubles, which are no NaN, for qsort(). */
static inline int
spq_compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

#define SPQ_BOX_EXPONENT_BIAS	1023

/*
 * Return the exponent as stored: with the bias; 0 for zero and denormal
 * numbers, 2047 for infinity and NaN.
 */
static inline int
spq_box_exponent(float8 value)
{
	return (int) (spq_box_bits(value) >> 52) & 2047;
}

/*
 * Return a number with these bits at its even positions: half of a Z-order
 * code (Morton 1966).
 */
static inline uint64
spq_box_spread(uint32 bits)
{
	uint64		x = bits;

	x = (x | x << 16) & UINT64CONST(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64CONST(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64CONST(0x0f0f0f0f0f0f0f0f);
	x = (x | x << 2) & UINT64CONST(0x3333333333333333);
	return (x | x << 1) & UINT64CONST(0x5555555555555555);
}

#endif							/* SPQ_BOX_BITS_H */
