/*-------------------------------------------------------------------------
 *
 * inet_type.c
 *	  The type inet, and cidr, which is stored alike.
 *
 * A value stands for the block of addresses that begin with its first bits; the
 * bits after these, of a host, do not count.  A block is a prefix, so two boxes
 * (address_box.h) overlap, or one contains the other, if and only if the blocks
 * do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/socket.h>

#include "catalog/pg_type_d.h"
#include "port/pg_bswap.h"
#include "utils/inet.h"

#include "compat.h"
#include "types/network/address_box.h"
#include "types/rows.h"

static void
box_of_ipv6(const unsigned char *address, int length, float8 *numbers)
{
	const uint64 free[2] = {spq_address_bits_from(length), spq_address_bits_from(length - 64)};
	uint64		first[2],
				last[2];

	memcpy(first, address, sizeof(first));
	for (int i = 0; i < 2; i++)
	{
		first[i] = pg_ntoh64(first[i]) & ~free[i];
		last[i] = first[i] | free[i];
	}
	spq_address_box_ipv6(first, last, numbers);
}

static void
box_of_ipv4(const unsigned char *address, int length, float8 *numbers)
{
	const uint32 free = (uint32) spq_address_bits_from(32 + length);
	uint32		first;

	memcpy(&first, address, sizeof(first));
	first = pg_ntoh32(first) & ~free;
	spq_address_box_ipv4(first, first | free, numbers);
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
	.axes = SPQ_ADDRESS_AXES,
	.box = box_of,
	.operators = operators,
	.base = SPQ_ADDRESS_BASE,
};
