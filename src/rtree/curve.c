/*-------------------------------------------------------------------------
 *
 * curve.c
 *	  Positions on the Hilbert curve.  See curve.h.
 *
 * If the units of the axes are known (units.h), a coordinate is a number of small
 * fractions of a unit.  Else it is the upper half of a double's bits, such that their
 * order is that of the numbers, which needs no scale that suits the data.  The curve
 * only groups rows: what belongs on one page is decided by packing (pack.c).
 *
 * In two dimensions the position is computed for all bits at once, otherwise as
 * by Skilling ("Programming the Hilbert curve", AIP Conference Proceedings 707,
 * 2004), bit by bit.  Both have the same curve.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bswap.h"

#include "box/bits.h"
#include "rtree/curve.h"

/* Of a unit, so that there are 2^26 units. */
#define FRACTIONS	64

/* Return a coordinate.  The middle of an axis without any, -infinity .. infinity, is 0. */
static inline uint32
coordinate(float8 low, float8 high)
{
	float8		middle = spq_box_middle(low, high);
	uint64		bits;

	if (unlikely(isnan(middle)))
		middle = 0;
	bits = spq_box_bits(middle);
	bits = bits >> 63 ? ~bits : bits | UINT64CONST(0x8000000000000000);
	return bits >> 32;
}

/*
 * Write the position in two dimensions.  Going down from bit to bit, that is from a square to its
 * quarters, the curve within a quarter may have its axes swapped, and may run the
 * other way.  With x and y the coordinates' bits, and d their difference x ^ y,
 *
 *		upper bit of the position = x ^ (swapped & d) ^ reversed
 *		lower bit of the position = d
 *		swapped, one bit below    = (swapped & ~d) ^ reversed ^ ~y
 *		reversed, one bit below   = (swapped & d) ^ (reversed & ~d) ^ (d & ~y)
 *
 * So what is done to (swapped, reversed) is a matrix and a sum, of bits, and what
 * several bits do, one after the other, is their product.  Products of 2, 4, 8, 16
 * and 32 bits, made for all places at once, take five steps instead of 32.
 */
static void
write_plane_position(const uint32 *x, uint8 *key)
{
	uint32		d = x[0] ^ x[1];
	uint32		ss = ~d,		/* of swapped, to swapped ... */
				sr = d,			/* and to reversed */
				rs = ~(uint32) 0,
				rr = ~d,
				swapped = ~x[1],
				reversed = d & ~x[1];
	uint64		position;

	for (int bits = 1; bits < 32; bits *= 2)
	{
		/* what the same number of bits above does comes first */
		uint32		ss1 = ss >> bits,
					sr1 = sr >> bits,
					rs1 = rs >> bits,
					rr1 = rr >> bits,
					swapped1 = swapped >> bits,
					reversed1 = reversed >> bits;
		uint32		ss2 = ss,
					sr2 = sr;

		swapped ^= (ss & swapped1) ^ (rs & reversed1);
		reversed ^= (sr & swapped1) ^ (rr & reversed1);
		ss = (ss2 & ss1) ^ (rs & sr1);
		sr = (sr2 & ss1) ^ (rr & sr1);
		rs = (ss2 & rs1) ^ (rs & rr1);
		rr = (sr2 & rs1) ^ (rr & rr1);
	}
	position = spq_box_spread(x[0] ^ (swapped >> 1 & d) ^ reversed >> 1) << 1 |
		spq_box_spread(d);
	position = pg_hton64(position);
	memcpy(key, &position, sizeof(position));
}

/*
 * Turn coordinates into the "transposed" position: bits of the position are
 * dealt out to the axes in turn, from the highest one.
 */
static void
coordinates_to_position(uint32 *x, int axes)
{
	uint32		parity;

	/*
	 * Undo the rotations and reflections.  Without branches: what they would
	 * depend on is random.
	 */
	for (int bit = 31; bit > 0; bit--)
	{
		uint32		lower = ((uint32) 1 << bit) - 1;

		for (int axis = 0; axis < axes; axis++)
		{
			uint32		reflect = lower & -(x[axis] >> bit & 1);
			uint32		differ = (x[0] ^ x[axis]) & (lower ^ reflect);

			x[0] ^= reflect ^ differ;
			x[axis] ^= differ;
		}
	}

	/*
	 * the inverse of Gray's code: each bit with the parity of all bits above
	 * it
	 */
	for (int axis = 1; axis < axes; axis++)
		x[axis] ^= x[axis - 1];
	parity = x[axes - 1] >> 1;
	for (int shift = 1; shift < 32; shift *= 2)
		parity ^= parity >> shift;
	for (int axis = 0; axis < axes; axis++)
		x[axis] ^= parity;
}

/* Return the lower 21 bits of a number, spread to every third position. */
static inline uint64
spread_to_thirds(uint32 bits)
{
	uint64		x = bits & 0x1fffff;

	x = (x | x << 32) & UINT64CONST(0x001f00000000ffff);
	x = (x | x << 16) & UINT64CONST(0x001f0000ff0000ff);
	x = (x | x << 8) & UINT64CONST(0x100f00f00f00f00f);
	x = (x | x << 4) & UINT64CONST(0x10c30c30c30c30c3);
	return (x | x << 2) & UINT64CONST(0x1249249249249249);
}

/* Write the position in three dimensions: 63 bits of the upper 21 of each axis, and 33. */
static void
write_space_position(uint32 *x, uint8 *key)
{
	uint64		upper = 0,
				lower = 0;
	uint32		last;

	coordinates_to_position(x, 3);
	for (int axis = 0; axis < 3; axis++)
	{
		upper = upper << 1 | spread_to_thirds(x[axis] >> 11);
		lower = lower << 1 | spread_to_thirds(x[axis] & 0x7ff);
	}
	upper = pg_hton64(upper << 1 | lower >> 32);
	last = pg_hton32((uint32) lower);
	memcpy(key, &upper, sizeof(upper));
	memcpy(key + sizeof(upper), &last, sizeof(last));
}

/* Return a coordinate in fractions of a unit; what is too far away has the last one. */
static inline uint32
coordinate_in_units(float8 low, float8 high, float8 origin, float8 unit)
{
	float8		place = (spq_box_middle(low, high) - origin) / (unit / FRACTIONS) + 0x80000000u;

	return place >= PG_UINT32_MAX ? PG_UINT32_MAX : place > 0 ? (uint32) place : 0;
}

void
spq_rtree_curve_key(const SpqRtreeBounds *bounds, int axes, const SpqRtreeUnits *units,
					uint8 *key)
{
	bool		is_known = spq_rtree_units_are_known(units);
	uint32		x[SPQ_RTREE_AXES];

	Assert(axes == 2 || axes == 3);
	for (int axis = 0; axis < axes; axis++)
		x[axis] = is_known ?
			coordinate_in_units(bounds->low[axis], bounds->high[axis],
								units->origin[axis], units->unit[axis]) :
			coordinate(bounds->low[axis], bounds->high[axis]);
	if (axes == 2)
		write_plane_position(x, key);
	else
		write_space_position(x, key);
}
