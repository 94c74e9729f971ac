/*-------------------------------------------------------------------------
 *
 * inet_type.c
 *	  The type inet, and cidr, which is stored alike.
 *
 * A value stands for the block of addresses that begin with its first bits; the
 * bits after these, of a host, do not count.  The first and the last address of
 * a block of IPv4 are its ends on the first axis, as negative numbers.  An address
 * of IPv6 has 128 bits, more than a float8 holds, so it is a point of three axes:
 *
 *		bits	43			43			42			all exact in a float8
 *		axis	x >= 0		y			z
 *
 * A block leaves the bits from some place on free.  So on one axis its ends have
 * some bits in common, on axes before it they are the same, and axes after it are
 * covered: the box has the addresses of the block and no others.  Hence two boxes
 * overlap, or one contains the other, if and only if the blocks do.
 *
 * No box of one family meets one of the other, not even 0.0.0.0/0 and ::/0: they
 * are on different sides of x = 0.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/socket.h>

#include "catalog/pg_type_d.h"
#include "port/pg_bswap.h"
#include "utils/inet.h"

#include "compat.h"
#include "types/rows.h"

#define AXES	3

/* Bits of an address on the first two axes, and on the last one. */
#define AXIS_BITS	43
#define LAST_BITS	42

/* Return a number whose bits from this one on are set, of 64 bits. */
static inline uint64
bits_from(int bit)
{
	return bit >= 64 ? 0 : PG_UINT64_MAX >> Max(bit, 0);
}

/* Set the numbers of an address of IPv6, given by its two halves. */
static inline void
set_point(uint64 first, uint64 second, float8 *numbers)
{
	const int	shift = 64 - AXIS_BITS;

	numbers[0] = (float8) (first >> shift);
	numbers[1] = (float8) ((first & bits_from(AXIS_BITS)) << (AXIS_BITS - shift) |
						   second >> LAST_BITS);
	numbers[2] = (float8) (second & bits_from(64 - LAST_BITS));
}

static void
box_of_ipv6(const unsigned char *address, int length, float8 *numbers)
{
	uint64		half[2],
				free[2] = {bits_from(length), bits_from(length - 64)};

	memcpy(half, address, sizeof(half));
	for (int i = 0; i < 2; i++)
		half[i] = pg_ntoh64(half[i]);
	set_point(half[0] | free[0], half[1] | free[1], numbers);
	set_point(half[0] & ~free[0], half[1] & ~free[1], numbers + AXES);
}

static void
box_of_ipv4(const unsigned char *address, int length, float8 *numbers)
{
	const float8 all = (float8) PG_UINT32_MAX + 1;
	uint32		number,
				free = (uint32) bits_from(32 + length);

	memcpy(&number, address, sizeof(number));
	number = pg_ntoh32(number);
	memset(numbers, 0, 2 * AXES * sizeof(float8));
	numbers[0] = (float8) (number | free) - all;
	numbers[AXES] = (float8) (number & ~free) - all;
}

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	inet	   *block = DatumGetInetPP(value);

	if (ip_family(block) == PGSQL_AF_INET)
		box_of_ipv4(ip_addr(block), ip_bits(block), numbers);
	else
		box_of_ipv6(ip_addr(block), ip_bits(block), numbers);
}

static const SpqTypeOperator operators[] = {
	BUILTIN(3, "&&", inet, inet, F_NETWORK_OVERLAP, SPQ_BOX_OVERLAPS, EXACT),
	BUILTIN(24, "<<", inet, inet, F_NETWORK_SUB, SPQ_BOX_CONTAINED, PROPER),
	BUILTIN(25, "<<=", inet, inet, F_NETWORK_SUBEQ, SPQ_BOX_CONTAINED, EXACT),
	BUILTIN(26, ">>", inet, inet, F_NETWORK_SUP, SPQ_BOX_CONTAINS, PROPER),
	BUILTIN(27, ">>=", inet, inet, F_NETWORK_SUPEQ, SPQ_BOX_CONTAINS, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_inet = {
	.name = "inet",
	.oid = INETOID,
	.axes = AXES,
	.box = box_of,
	.operators = operators,
	.base = (float8) (INT64CONST(1) << AXIS_BITS),
};
