/*-------------------------------------------------------------------------
 *
 * ip4r_type.c
 *	  What is known of the types of the extension ip4r (types/type.h).
 *
 * Ranges of addresses, which include both ends:
 *
 *		ip4r		two uint32, the lower one first
 *		ip6r		two addresses; each is two uint64, the higher half first
 *		iprange		of variable length, one of
 *					nothing			all addresses
 *					8 bytes			as ip4r
 *					1 + 8, 1 + 16	length of a prefix of IPv6, and its first
 *									half or all of it
 *					32 bytes		as ip6r
 *
 * in the machine's byte order, as written by ip4r 2.4.1 (src/ipr.h, src/iprange.c).
 * pg_upgrade copies them, so they cannot change.
 *
 * Addresses (ip4, ip6, ipaddress) have no operators with ranges: they are cast to
 * one, implicitly.
 *
 * The default operator classes, in the extension spqtree_ip4r, return these
 * descriptors by their support function 5.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "types/network/address_box.h"
#include "types/rows.h"

PG_FUNCTION_INFO_V1(spq_ip4r_type);
PG_FUNCTION_INFO_V1(spq_ip6r_type);
PG_FUNCTION_INFO_V1(spq_iprange_type);

/* Bytes of a range. */
#define IPV4_SIZE	(2 * sizeof(uint32))
#define IPV6_SIZE	(4 * sizeof(uint64))

static void
set_ipv4(const char *range, float8 *numbers)
{
	uint32		ends[2];

	memcpy(ends, range, sizeof(ends));
	spq_address_box_ipv4(ends[0], ends[1], numbers);
}

static void
set_ipv6(const char *range, float8 *numbers)
{
	uint64		ends[4];

	memcpy(ends, range, sizeof(ends));
	spq_address_box_ipv6(ends, ends + 2, numbers);
}

/* Set the box of a prefix of IPv6, of which some bytes are given. */
static void
set_prefix(const char *prefix, Size given, float8 *numbers)
{
	const int	length = (unsigned char) *prefix;
	uint64		first[2] = {0},
				last[2];

	memcpy(first, prefix + 1, given);
	last[0] = first[0] | spq_address_bits_from(length);
	last[1] = first[1] | spq_address_bits_from(length - 64);
	spq_address_box_ipv6(first, last, numbers);
}

static void
box_of_ip4r(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	set_ipv4(DatumGetPointer(value), numbers);
}

static void
box_of_ip6r(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	set_ipv6(DatumGetPointer(value), numbers);
}

static void
box_of_iprange(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const struct varlena *packed = PG_DETOAST_DATUM_PACKED(value);
	const char *range = VARDATA_ANY(packed);
	const Size	size = VARSIZE_ANY_EXHDR(packed);

	switch (size)
	{
		case IPV4_SIZE:
			set_ipv4(range, numbers);
			break;
		case 1 + sizeof(uint64):
		case 1 + 2 * sizeof(uint64):
			set_prefix(range, size - 1, numbers);
			break;
		case IPV6_SIZE:
			set_ipv6(range, numbers);
			break;
		default:
			spq_address_box_all(numbers);
	}
}

/* IPv4: the boxes are the ranges. */
static const SpqTypeOperator exact_operators[] = {
	{.strategy = 3,.relation = SPQ_BOX_OVERLAPS,.fraction = EXACT}, /* && */
	{.strategy = 24,.relation = SPQ_BOX_CONTAINED,.fraction = PROPER},	/* << */
	{.strategy = 25,.relation = SPQ_BOX_CONTAINED,.fraction = EXACT},	/* <<= */
	{.strategy = 26,.relation = SPQ_BOX_CONTAINS,.fraction = PROPER},	/* >> */
	{.strategy = 27,.relation = SPQ_BOX_CONTAINS,.fraction = EXACT},	/* >>= */
	SPQ_TYPE_NO_OPERATOR
};

/*
 * IPv6, or both: the box of a range that is no prefix may be larger, and those of
 * two such ranges the same.
 */
static const SpqTypeOperator operators[] = {
	{.strategy = 3,.relation = SPQ_BOX_OVERLAPS,.fraction = 1},
	{.strategy = 24,.relation = SPQ_BOX_CONTAINED,.fraction = PROPER},
	{.strategy = 25,.relation = SPQ_BOX_CONTAINED,.fraction = 1},
	{.strategy = 26,.relation = SPQ_BOX_CONTAINS,.fraction = PROPER},
	{.strategy = 27,.relation = SPQ_BOX_CONTAINS,.fraction = 1},
	SPQ_TYPE_NO_OPERATOR
};

/* Casts and constructors of ranges; those of text and others may fail. */
static const SpqTypeMember members[] = {
	{.name = "ip4r",.arguments = "ip4",.is_harmless = true},
	{.name = "ip4r",.arguments = "ip4,ip4",.is_harmless = true},
	{.name = "ip6r",.arguments = "ip6",.is_harmless = true},
	{.name = "ip6r",.arguments = "ip6,ip6",.is_harmless = true},
	{.name = "iprange",.arguments = "ip4",.is_harmless = true},
	{.name = "iprange",.arguments = "ip4,ip4",.is_harmless = true},
	{.name = "iprange",.arguments = "ip4r",.is_harmless = true},
	{.name = "iprange",.arguments = "ip6",.is_harmless = true},
	{.name = "iprange",.arguments = "ip6,ip6",.is_harmless = true},
	{.name = "iprange",.arguments = "ip6r",.is_harmless = true},
	{.name = "iprange",.arguments = "ipaddress",.is_harmless = true},
	{.name = "iprange",.arguments = "cidr",.is_harmless = true},
	SPQ_TYPE_NO_MEMBER
};

static const SpqType ip4r = {
	.version = SPQ_TYPE_VERSION,
	.name = "ip4r",
	.axes = SPQ_ADDRESS_AXES,
	.box = box_of_ip4r,
	.operators = exact_operators,
	.members = members,
	.base = SPQ_ADDRESS_BASE,
};

static const SpqType ip6r = {
	.version = SPQ_TYPE_VERSION,
	.name = "ip6r",
	.axes = SPQ_ADDRESS_AXES,
	.box = box_of_ip6r,
	.operators = operators,
	.members = members,
	.base = SPQ_ADDRESS_BASE,
};

static const SpqType iprange = {
	.version = SPQ_TYPE_VERSION,
	.name = "iprange",
	.axes = SPQ_ADDRESS_AXES,
	.box = box_of_iprange,
	.operators = operators,
	.members = members,
	.base = SPQ_ADDRESS_BASE,
};

/*
 * _spqtree_ip4r_type(internal) returns internal
 */
Datum
spq_ip4r_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&ip4r);
}

/*
 * _spqtree_ip6r_type(internal) returns internal
 */
Datum
spq_ip6r_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&ip6r);
}

/*
 * _spqtree_iprange_type(internal) returns internal
 */
Datum
spq_iprange_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&iprange);
}
