/*-------------------------------------------------------------------------
 *
 * curve.c
 *	  Positions of rows on the Hilbert curve.  See curve.h.
 *
 * In the plane, a coordinate is the upper half of the bits of a double,
 * arranged to sort as the numbers do; that needs no scale that suits the data.
 * In space, near the middle of all rows, it counts the fractions that a build
 * has chosen (units.h); farther out it goes by magnitude.  Axes that are digits
 * have the order of low ends in place of a curve.  The curve only groups
 * rows: packing (pack.c) decides which ones share a page.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/bits.h"
#include "box/hilbert.h"
#include "rtree/place/curve.h"
#include "rtree/place/digits.h"

/* Return the bits of a number, arranged to sort as the numbers do. */
static inline uint64
sorted_bits(float8 number)
{
	uint64		bits = spq_box_bits(number);

	return bits >> 63 ? ~bits : bits | UINT64CONST(0x8000000000000000);
}

/*
 * Return a coordinate in the plane, that of the middle of low and high.  For
 * -infinity .. infinity, which has no middle, it is 0.
 */
static inline uint32
coordinate(float8 low, float8 high)
{
	float8		middle = spq_box_middle(low, high);

	if (unlikely(isnan(middle)))
		middle = 0;
	return sorted_bits(middle) >> 32;
}

/*
 * Up to this distance from the origin, a coordinate in space counts fractions.
 * Beyond it, there are 2^FAR_BITS coordinates for each factor of two.
 */
#define NEAR		(1 << 19)
#define FAR_BITS	13

/*
 * Return a coordinate in space; what is too far away gets the outermost one.
 */
static inline uint32
coordinate_in_space(float8 low, float8 high, float8 origin, float8 fraction)
{
	float8		place = (spq_box_middle(low, high) - origin) / fraction,
				distance = fabs(place);
	uint32		from_origin;

	if (likely(distance < NEAR))
		from_origin = (uint32) distance;
	else if (isnan(place))
		from_origin = 0;
	else
	{
		uint64		beyond = spq_box_bits(distance / NEAR) - spq_box_bits(1.0);

		from_origin = NEAR + (uint32) Min(beyond >> (52 - FAR_BITS), NEAR - 1);
	}
	return place < 0 ? 2 * NEAR - 1 - from_origin : 2 * NEAR + from_origin;
}

uint64
spq_rtree_curve_key(const SpqRtreeBounds *bounds, int axes, const SpqRtreeUnits *units)
{
	uint32		x[SPQ_RTREE_AXES];

	Assert(axes == 2 || axes == 3);
	if (axes == 2)
	{
		for (int axis = 0; axis < 2; axis++)
			x[axis] = coordinate(bounds->low[axis], bounds->high[axis]);
		return spq_hilbert_plane(x);
	}
	if (spq_rtree_units_are_digits(units))
		return sorted_bits(spq_rtree_difference_of_digits(bounds->low, units->origin,
														  units->base));
	for (int axis = 0; axis < 3; axis++)
		x[axis] = coordinate_in_space(bounds->low[axis], bounds->high[axis],
									  units->origin[axis], units->fraction[axis]);
	return spq_hilbert_space(x);
}
