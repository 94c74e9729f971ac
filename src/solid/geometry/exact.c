/*-------------------------------------------------------------------------
 *
 * exact.c
 *	  Signs of sums of products of float8, without rounding.  See exact.h.
 *
 *-------------------------------------------------------------------------
 */
#include "solid/geometry/exact.h"

/*
 * Return an integer that, times 2^(exponent - 1074), is the absolute value of
 * a finite number.  Set the exponent, which is >= 0.
 */
static uint64
take_apart(float8 number, int *exponent)
{
	uint64		bits;

	memcpy(&bits, &number, sizeof(bits));
	*exponent = (bits >> 52) & 0x7ff;
	bits &= (UINT64CONST(1) << 52) - 1;
	/* the first bit of a normal number is not stored */
	if (*exponent > 0)
	{
		bits |= UINT64CONST(1) << 52;
		(*exponent)--;
	}
	return bits;
}

/* Add the product of four finite numbers. */
void
spq_exact_add(SpqExactSum *sum, float8 a, float8 b, float8 c, float8 d)
{
	float8		factor[SPQ_EXACT_FACTORS] = {a, b, c, d};
	uint32		product[2 * SPQ_EXACT_FACTORS + 1] = {1};
	int			length = 1,
				shift = 0;
	bool		negative = false;
	uint64		carry;
	int64	   *digit;

	for (int i = 0; i < SPQ_EXACT_FACTORS; i++)
	{
		int			exponent;
		uint64		integer;
		uint32		half[2];
		uint32		next[2 * SPQ_EXACT_FACTORS + 1] = {0};

		Assert(isfinite(factor[i]));
		integer = take_apart(factor[i], &exponent);
		if (integer == 0)
			return;
		half[0] = (uint32) integer;
		half[1] = (uint32) (integer >> 32);
		shift += exponent;
		negative ^= signbit(factor[i]) != 0;

		for (int j = 0; j < length; j++)
		{
			carry = 0;
			for (int k = 0; k < 2; k++)
			{
				carry += (uint64) product[j] * half[k] + next[j + k];
				next[j + k] = (uint32) carry;
				carry >>= 32;
			}
			next[j + 2] = (uint32) carry;
		}
		length += 2;
		memcpy(product, next, sizeof(product));
	}

	digit = sum->digit + shift / 32;
	shift %= 32;
	carry = 0;
	for (int i = 0; i < length; i++)
	{
		carry |= (uint64) product[i] << shift;
		digit[i] += negative ? -(int64) (uint32) carry : (int64) (uint32) carry;
		carry >>= 32;
	}
	/* the top digit is 0, as the product began with one digit */
	Assert(carry == 0);
}

/* Return the sign of a sum: -1, 0 or 1. */
int
spq_exact_sign(SpqExactSum *sum)
{
	int64		carry = 0;
	bool		is_zero = true;

	for (int i = 0; i < SPQ_EXACT_DIGITS; i++)
	{
		carry += sum->digit[i];
		is_zero &= (uint32) carry == 0;
		/* floor, also of a negative number */
		carry = (carry - (int64) (uint32) carry) / ((int64) 1 << 32);
	}
	if (carry < 0)
		return -1;
	return is_zero ? 0 : 1;
}
