/*-------------------------------------------------------------------------
 *
 * lattice.c
 *	  The place of a box in the lattice, and the cell around several places.
 *	  See lattice.h for the idea.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "quadtree/lattice.h"

/*
 * Can this coordinate be placed?  No for NaN, infinities and anything beyond
 * the largest cell.
 */
static inline bool
has_place(float8 v)
{
	return fabs(v) < spq_pow2(SPQ_CELL_MAX);
}

/*
 * Anchor along one axis: the middle, which halving first keeps from
 * overflowing.  A side without a place leaves the decision to the other
 * one, so that [2020, infinity) is found near 2020.
 */
static float8
anchor(float8 low, float8 high)
{
	if (!has_place(low))
		return has_place(high) ? high : 0.0;
	if (!has_place(high))
		return low;
	return 0.5 * low + 0.5 * high;
}

/*
 * Exponent of the smallest cell whose side is at least this size.
 */
static int
size_class(float8 size)
{
	int			exp;
	float8		mantissa = frexp(size, &exp);	/* size = mantissa * 2^exp */

	if (mantissa == 0.5)
		exp--;					/* size is itself a power of two */
	if (!(size > 0) || exp < SPQ_CELL_MIN)
		return SPQ_CELL_MIN;
	return Min(exp, SPQ_CELL_TOP);
}

/*
 * Place of a box.  Never fails; a box with a corner that has no place is of
 * the largest size class.
 */
SpqPlace
spq_place_of_box(const BOX *box)
{
	SpqPlace	place;

	place.x = anchor(box->low.x, box->high.x);
	place.y = anchor(box->low.y, box->high.y);
	if (likely(has_place(box->low.x) && has_place(box->high.x) &&
			   has_place(box->low.y) && has_place(box->high.y)))
		place.size = size_class(Max(box->high.x - box->low.x,
									box->high.y - box->low.y));
	else
		place.size = SPQ_CELL_TOP;
	return place;
}

/*
 * Smallest exponent from "exp" on at which two values are in the same cell.
 *
 * Values on either side of zero only meet in the whole plane.  Otherwise the
 * side has to exceed their difference, and a cell that begins at zero is
 * reached after at most 53 doublings from there.
 */
static int
common_exponent(float8 min, float8 max, int exp)
{
	if (min < 0 && max >= 0)
		return SPQ_CELL_TOP;
	if (max > min)
	{
		int			diff_exp;

		(void) frexp(max - min, &diff_exp);
		exp = Max(exp, diff_exp - 1);
	}
	while (spq_cell_edge(min, exp) != spq_cell_edge(max, exp))
		exp++;
	return exp;
}

/*
 * Smallest cell of at least the given exponent that holds all points between
 * (xmin, ymin) and (xmax, ymax), which must have places.
 */
SpqCell
spq_cell_around(float8 xmin, float8 ymin, float8 xmax, float8 ymax,
				int least_exp)
{
	int			exp = least_exp;

	exp = common_exponent(xmin, xmax, exp);
	exp = common_exponent(ymin, ymax, exp);
	return spq_cell_at(xmin, ymin, exp);
}
