/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  Bounds of boxes.  See bounds.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/bounds.h"

/*
 * Return the bounds of a box.  Its corners may be swapped or NaN, as arithmetic
 * on boxes can leave them.
 */
SpqBoxBounds
spq_box_bounds(const BOX *box)
{
	SpqBoxBounds bounds;

	bounds.xmin = Min(box->low.x, box->high.x);
	bounds.xmax = Max(box->low.x, box->high.x);
	bounds.ymin = Min(box->low.y, box->high.y);
	bounds.ymax = Max(box->low.y, box->high.y);
	if (unlikely(isnan(box->low.x) || isnan(box->high.x)))
	{
		bounds.xmin = -get_float8_infinity();
		bounds.xmax = get_float8_infinity();
	}
	if (unlikely(isnan(box->low.y) || isnan(box->high.y)))
	{
		bounds.ymin = -get_float8_infinity();
		bounds.ymax = get_float8_infinity();
	}
	return bounds;
}
