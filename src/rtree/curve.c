/*-------------------------------------------------------------------------
 *
 * curve.c
 *	  Positions on the Hilbert curve.  See curve.h.
 *
 * A coordinate is the upper half of a double's bits, such that their order is
 * that of the numbers.  This needs no scale that suits the data, which the first
 * row of a build could not know.  The curve only groups rows: what
 * belongs on one page is decided by packing (pack.c).
 *
 * The position is computed as by Skilling ("Programming the Hilbert curve", AIP
 * Conference Proceedings 707, 2004), for any number of dimensions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bswap.h"

#include "box/bits.h"
#include "rtree/curve.h"

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
 * Turn coordinates into the "transposed" position: bits of the position are
 * dealt out to the axes in turn, from the highest one.
 */
static void
coordinates_to_position(uint32 *x)
{
	uint32		parity;

	/*
	 * Undo the rotations and reflections.  Without branches: what they would
	 * depend on is random.
	 */
	for (int bit = 31; bit > 0; bit--)
	{
		uint32		lower = ((uint32) 1 << bit) - 1;

		for (int axis = 0; axis < SPQ_DIM; axis++)
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
	for (int axis = 1; axis < SPQ_DIM; axis++)
		x[axis] ^= x[axis - 1];
	parity = x[SPQ_DIM - 1] >> 1;
	for (int shift = 1; shift < 32; shift *= 2)
		parity ^= parity >> shift;
	for (int axis = 0; axis < SPQ_DIM; axis++)
		x[axis] ^= parity;
}

void
spq_rtree_curve_key(const SpqRtreeBounds *bounds, uint8 *key)
{
	uint32		x[SPQ_DIM];

	for (int axis = 0; axis < SPQ_DIM; axis++)
		x[axis] = coordinate(bounds->low[axis], bounds->high[axis]);
	coordinates_to_position(x);

#if SPQ_DIM == 2
	{
		uint64		position = pg_hton64(spq_box_spread(x[0]) << 1 | spq_box_spread(x[1]));

		memcpy(key, &position, sizeof(position));
	}
#else
	{
		int			written = 0;

		memset(key, 0, SPQ_RTREE_KEY_SIZE);
		for (int bit = 31; bit >= 0; bit--)
			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				key[written / 8] |= (x[axis] >> bit & 1) << (7 - written % 8);
				written++;
			}
	}
#endif
}
