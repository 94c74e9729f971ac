/*-------------------------------------------------------------------------
 *
 * hilbert.c
 *	  Positions on the Hilbert curve.  See hilbert.h.
 *
 * The position in the plane is computed for all bits at once, that in space two
 * bits at a time.  Both curves are those of Skilling ("Programming the Hilbert curve",
 * AIP Conference Proceedings 707, 2004).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/bits.h"
#include "box/hilbert.h"

/*
 * From one bit to the next, that is, from a square to its quarters, the curve
 * may have its axes swapped, and may run in the other direction.  With x and y
 * the coordinates' bits, and d their difference x ^ y,
 *
 *		upper bit of the position = x ^ (swapped & d) ^ reversed
 *		lower bit of the position = d
 *		swapped, one bit below    = (swapped & ~d) ^ reversed ^ ~y
 *		reversed, one bit below   = (swapped & d) ^ (reversed & ~d) ^ (d & ~y)
 *
 * So a bit transforms (swapped, reversed) by a matrix and a sum, of bits, and
 * several bits in turn transform it by their product.  Products of 2, 4, 8, 16
 * and 32 bits, computed for all places at once, take five steps instead of 32.
 * Without the last step, the upper half of the bits is right.
 */
static pg_attribute_always_inline void
plane(SpqWords x, SpqWords y, int most, SpqWords *upper, SpqWords *lower)
{
	SpqWords	d = x ^ y;
	SpqWords	ss = ~d,		/* from swapped to swapped ... */
				sr = d,			/* and to reversed */
				rs = ~(d ^ d),
				rr = ~d,
				swapped = ~y,
				reversed = d & ~y;

	for (int bits = 1; bits < most; bits *= 2)
	{
		/* the same number of bits above comes first */
		SpqWords	ss1 = ss >> bits,
					sr1 = sr >> bits,
					rs1 = rs >> bits,
					rr1 = rr >> bits,
					swapped1 = swapped >> bits,
					reversed1 = reversed >> bits;
		SpqWords	ss2 = ss,
					sr2 = sr;

		swapped ^= (ss & swapped1) ^ (rs & reversed1);
		reversed ^= (sr & swapped1) ^ (rr & reversed1);
		ss = (ss2 & ss1) ^ (rs & sr1);
		sr = (sr2 & ss1) ^ (rr & sr1);
		rs = (ss2 & rs1) ^ (rs & rr1);
		rr = (sr2 & rs1) ^ (rr & rr1);
	}
	*upper = x ^ (swapped >> 1 & d) ^ reversed >> 1;
	*lower = d;
}

uint64
spq_hilbert_plane(const uint32 *x)
{
	SpqWords	first = {x[0]},
				second = {x[1]},
				upper,
				lower;

	plane(first, second, 32, &upper, &lower);
	return spq_box_spread(upper[0]) << 1 | spq_box_spread(lower[0]);
}

/* Spread the high halves of numbers, as spq_box_spread() does. */
static inline SpqWords
spread_high(SpqWords x)
{
	x >>= 16;
	x = (x | x << 8) & 0x00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f;
	x = (x | x << 2) & 0x33333333;
	return (x | x << 1) & 0x55555555;
}

SpqWords
spq_hilbert_planes(SpqWords x, SpqWords y)
{
	SpqWords	upper,
				lower;

	plane(x, y, 16, &upper, &lower);
	return spread_high(upper) << 1 | spread_high(lower);
}

/*
 * The curve in space.  Within an eighth of a cube, the curve is that of the
 * cube, turned in one of 24 ways.  For each way, and each eighth given by a bit
 * of x, y and z, the table has the way in which the curve is turned there, and
 * the place of the eighth along the curve.
 */
#define TO(turn, place) ((turn) << 3 | (place))

static const uint8 turns[24][8] = {
	{TO(1, 0), TO(2, 1), TO(3, 3), TO(0, 2), TO(4, 7), TO(5, 6), TO(6, 4), TO(0, 5)},
	{TO(7, 0), TO(8, 7), TO(9, 1), TO(10, 6), TO(11, 3), TO(2, 4), TO(1, 2), TO(1, 5)},
	{TO(6, 0), TO(0, 1), TO(12, 7), TO(13, 6), TO(14, 3), TO(2, 2), TO(1, 4), TO(2, 5)},
	{TO(15, 6), TO(16, 1), TO(3, 5), TO(3, 2), TO(9, 7), TO(10, 0), TO(17, 4), TO(0, 3)},
	{TO(18, 4), TO(5, 3), TO(4, 5), TO(4, 2), TO(15, 7), TO(16, 0), TO(9, 6), TO(10, 1)},
	{TO(19, 4), TO(5, 5), TO(4, 3), TO(5, 2), TO(3, 7), TO(0, 6), TO(20, 0), TO(13, 1)},
	{TO(9, 0), TO(10, 7), TO(17, 3), TO(0, 4), TO(7, 1), TO(8, 6), TO(6, 2), TO(6, 5)},
	{TO(0, 0), TO(21, 3), TO(13, 7), TO(9, 4), TO(6, 1), TO(7, 2), TO(12, 6), TO(7, 5)},
	{TO(22, 4), TO(17, 7), TO(10, 3), TO(23, 0), TO(8, 5), TO(6, 6), TO(8, 2), TO(12, 1)},
	{TO(2, 0), TO(15, 3), TO(1, 1), TO(9, 2), TO(5, 7), TO(7, 4), TO(4, 6), TO(9, 5)},
	{TO(16, 4), TO(11, 7), TO(10, 5), TO(1, 6), TO(8, 3), TO(18, 0), TO(10, 2), TO(4, 1)},
	{TO(17, 6), TO(6, 7), TO(23, 1), TO(12, 0), TO(11, 5), TO(14, 4), TO(11, 2), TO(1, 3)},
	{TO(23, 4), TO(13, 3), TO(21, 7), TO(22, 0), TO(12, 5), TO(12, 2), TO(7, 6), TO(8, 1)},
	{TO(20, 4), TO(13, 5), TO(14, 7), TO(2, 6), TO(12, 3), TO(13, 2), TO(19, 0), TO(5, 1)},
	{TO(21, 6), TO(22, 1), TO(7, 7), TO(8, 0), TO(14, 5), TO(14, 2), TO(11, 4), TO(2, 3)},
	{TO(3, 6), TO(15, 5), TO(20, 1), TO(15, 2), TO(0, 7), TO(21, 4), TO(13, 0), TO(9, 3)},
	{TO(16, 2), TO(3, 1), TO(16, 5), TO(20, 6), TO(22, 3), TO(17, 0), TO(10, 4), TO(23, 7)},
	{TO(11, 6), TO(1, 7), TO(17, 5), TO(3, 4), TO(18, 1), TO(4, 0), TO(17, 2), TO(6, 3)},
	{TO(18, 2), TO(19, 3), TO(18, 5), TO(4, 4), TO(17, 1), TO(3, 0), TO(23, 6), TO(20, 7)},
	{TO(19, 2), TO(19, 5), TO(18, 3), TO(5, 4), TO(21, 1), TO(22, 6), TO(15, 0), TO(16, 7)},
	{TO(20, 2), TO(20, 5), TO(15, 1), TO(16, 6), TO(23, 3), TO(13, 4), TO(21, 0), TO(22, 7)},
	{TO(14, 6), TO(21, 5), TO(2, 7), TO(15, 4), TO(19, 1), TO(21, 2), TO(5, 0), TO(7, 3)},
	{TO(22, 2), TO(14, 1), TO(16, 3), TO(11, 0), TO(22, 5), TO(19, 6), TO(8, 4), TO(18, 7)},
	{TO(23, 2), TO(20, 3), TO(11, 1), TO(14, 0), TO(23, 5), TO(12, 4), TO(18, 6), TO(19, 7)}
};

/* Bits of a coordinate that take part in a step, and the eighths of eighths. */
#define STEP_BITS	2
#define EIGHTHS		(1 << 3 * STEP_BITS)

/* The same for two bits of x, y and z, made of two steps of the table above. */
static uint16 two_turns[24][EIGHTHS];

static void
make_two_turns(void)
{
	for (int turn = 0; turn < 24; turn++)
		for (int eighths = 0; eighths < EIGHTHS; eighths++)
		{
			uint8		first = turns[turn][eighths >> 3],
						second = turns[first >> 3][eighths & 7];

			two_turns[turn][eighths] = (second >> 3) << 3 * STEP_BITS |
				(first & 7) << 3 | (second & 7);
		}
}

/* Return a number with these 21 bits at every third position. */
static inline uint64
spread_in_space(uint32 bits)
{
	uint64		x = bits;

	x = (x | x << 32) & UINT64CONST(0x001f00000000ffff);
	x = (x | x << 16) & UINT64CONST(0x001f0000ff0000ff);
	x = (x | x << 8) & UINT64CONST(0x100f00f00f00f00f);
	x = (x | x << 4) & UINT64CONST(0x10c30c30c30c30c3);
	return (x | x << 2) & UINT64CONST(0x1249249249249249);
}

uint64
spq_hilbert_space(const uint32 *x)
{
	/* the eighths, one after the other, from the largest to the smallest */
	uint64		eighths = spread_in_space(x[0]) << 2 | spread_in_space(x[1]) << 1 |
		spread_in_space(x[2]);
	int			bit = 3 * (SPQ_HILBERT_SPACE_BITS - 1);
	uint32		to = turns[0][eighths >> bit];
	uint64		position = to & 7;
	const uint16 *turn = two_turns[to >> 3];

	StaticAssertStmt(SPQ_HILBERT_SPACE_BITS % STEP_BITS == 1, "one bit, then two at a time");
	if (unlikely(two_turns[0][EIGHTHS - 1] == 0))
		make_two_turns();
	while (bit > 0)
	{
		bit -= 3 * STEP_BITS;
		to = turn[eighths >> bit & (EIGHTHS - 1)];
		position = position << 3 * STEP_BITS | (to & (EIGHTHS - 1));
		turn = two_turns[to >> 3 * STEP_BITS];
	}
	return position;
}
