/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  Bounds of boxes: the smallest rectangle around them.
 *
 * Unlike a box, bounds can be empty, and have no NaN: on an axis where a box
 * has a NaN, its bounds are infinite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_BOUNDS_H
#define SPQ_BOX_BOUNDS_H

#include "utils/float.h"
#include "utils/geo_decls.h"

typedef struct SpqBoxBounds
{
	float8		xmin;
	float8		ymin;
	float8		xmax;
	float8		ymax;
} SpqBoxBounds;

/* Return whether the first bounds enclose the second. */
static inline bool
spq_box_bounds_hold(const SpqBoxBounds *outer, const SpqBoxBounds *inner)
{
	return outer->xmin <= inner->xmin && outer->ymin <= inner->ymin &&
		outer->xmax >= inner->xmax && outer->ymax >= inner->ymax;
}

/* Widen bounds to enclose others. */
static inline void
spq_box_bounds_add(SpqBoxBounds *bounds, const SpqBoxBounds *more)
{
	bounds->xmin = Min(bounds->xmin, more->xmin);
	bounds->ymin = Min(bounds->ymin, more->ymin);
	bounds->xmax = Max(bounds->xmax, more->xmax);
	bounds->ymax = Max(bounds->ymax, more->ymax);
}

/* Return empty bounds: the neutral element of spq_box_bounds_add(). */
static inline SpqBoxBounds
spq_box_bounds_nothing(void)
{
	SpqBoxBounds bounds;

	bounds.xmin = bounds.ymin = get_float8_infinity();
	bounds.xmax = bounds.ymax = -get_float8_infinity();
	return bounds;
}

static inline SpqBoxBounds
spq_box_bounds_everything(void)
{
	SpqBoxBounds bounds;

	bounds.xmin = bounds.ymin = -get_float8_infinity();
	bounds.xmax = bounds.ymax = get_float8_infinity();
	return bounds;
}

extern SpqBoxBounds spq_box_bounds(const BOX *box);

#endif							/* SPQ_BOX_BOUNDS_H */
