/*-------------------------------------------------------------------------
 *
 * address_box.h
 *	  The box of all addresses from one to another.
 *
 * Addresses of IPv4 are intervals on the first axis, as negative numbers.  An
 * address of IPv6 has 128 bits, more than a float8 holds, so it is a point of three
 * axes, the digits of its number:
 *
 *		bits	43			43			42			all exact in a float8
 *		axis	x >= 0		y			z
 *
 * The box of an interval has its first digits as far as both ends have them in
 * common, then an interval of digits, and everything on the axes after that.  So
 * if an interval contains another one, or they overlap, so do their boxes.  The
 * converse is true of IPv4, and of IPv6 if the intervals are prefixes, since these
 * have all digits after the interval.
 *
 * No box of one family meets one of the other, not even 0.0.0.0/0 and ::/0: they
 * are on different sides of x = 0.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_NETWORK_ADDRESS_BOX_H
#define SPQ_TYPES_NETWORK_ADDRESS_BOX_H

#include "types/type.h"

#define SPQ_ADDRESS_AXES	3

/* Bits of an address of IPv6 on the first two axes, and on the last one. */
#define SPQ_ADDRESS_BITS	43
#define SPQ_ADDRESS_LAST_BITS	42

#define SPQ_ADDRESS_BASE	((float8) (UINT64CONST(1) << SPQ_ADDRESS_BITS))

/* Return a number whose bits from this one on are set, of 64 bits. */
static inline uint64
spq_address_bits_from(int bit)
{
	return bit >= 64 ? 0 : PG_UINT64_MAX >> Max(bit, 0);
}

static inline void
spq_address_box_ipv4(uint32 first, uint32 last, float8 *numbers)
{
	const float8 all = (float8) PG_UINT32_MAX + 1;

	memset(numbers, 0, 2 * SPQ_ADDRESS_AXES * sizeof(float8));
	numbers[0] = (float8) last - all;
	numbers[SPQ_ADDRESS_AXES] = (float8) first - all;
}

/* Set the digits of an address of IPv6, given by its two halves. */
static inline void
spq_address_digits(const uint64 *half, float8 *digits)
{
	const int	shift = 64 - SPQ_ADDRESS_BITS;

	digits[0] = (float8) (half[0] >> shift);
	digits[1] = (float8) ((half[0] & spq_address_bits_from(SPQ_ADDRESS_BITS)) << (SPQ_ADDRESS_BITS - shift) |
						  half[1] >> SPQ_ADDRESS_LAST_BITS);
	digits[2] = (float8) (half[1] & spq_address_bits_from(64 - SPQ_ADDRESS_LAST_BITS));
}

static inline void
spq_address_box_ipv6(const uint64 *first, const uint64 *last, float8 *numbers)
{
	float8	   *high = numbers,
			   *low = numbers + SPQ_ADDRESS_AXES;
	bool		differ = false;

	spq_address_digits(last, high);
	spq_address_digits(first, low);
	for (int axis = 0; axis < SPQ_ADDRESS_AXES; axis++)
	{
		if (differ)
		{
			high[axis] = SPQ_ADDRESS_BASE - 1;
			low[axis] = 0;
		}
		differ |= high[axis] != low[axis];
	}
}

/* Set the box of all addresses of both families. */
static inline void
spq_address_box_all(float8 *numbers)
{
	const float8 all = (float8) PG_UINT32_MAX + 1;

	for (int axis = 0; axis < SPQ_ADDRESS_AXES; axis++)
	{
		numbers[axis] = SPQ_ADDRESS_BASE - 1;
		numbers[SPQ_ADDRESS_AXES + axis] = axis == 0 ? -all : 0;
	}
}

#endif							/* SPQ_TYPES_NETWORK_ADDRESS_BOX_H */
