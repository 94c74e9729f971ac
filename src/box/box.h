/*-------------------------------------------------------------------------
 *
 * box.h
 *	  A box of SPQ_DIM axes, and its coordinates.
 *
 * Code that includes this file is compiled for boxes of SPQ_DIM axes, by
 * default two.  In two dimensions the box is PostgreSQL's:
 *
 *			high[0]	 high[1] .. | low[0]  low[1] ..
 *		BOX high.x	 high.y		| low.x	  low.y
 *
 * In two dimensions boxes are compared with PostgreSQL's tolerance, in three
 * exactly.
 *
 * The number of axes is a constant, so the compiler unrolls loops over them.
 *
 * These functions need no server and are tested without one
 * (test/unit/relation_test.c, and in three dimensions relation3_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_BOX_H
#define SPQ_BOX_BOX_H

#include <math.h>

#include "utils/float.h"
#include "utils/geo_decls.h"

#ifndef SPQ_DIM
#define SPQ_DIM 2
#endif

#if SPQ_DIM == 2
typedef BOX SpqBox;
#else
typedef struct SpqBox
{
	float8		high[SPQ_DIM];
	float8		low[SPQ_DIM];
} SpqBox;
#endif

/*
 * A loop over the axes, unrolled so that its variables stay in registers.  gcc
 * does not unroll it by itself at -O2.
 */
#define spq_each_axis(axis) \
	_Pragma("GCC unroll 3") for (int axis = 0; axis < SPQ_DIM; axis++)

/* The tolerance of fuzzy comparisons. */
#if SPQ_DIM == 2
#define SPQ_BOX_EPSILON EPSILON
#else
#define SPQ_BOX_EPSILON 0.0
#endif

StaticAssertDecl(sizeof(SpqBox) == 2 * SPQ_DIM * sizeof(float8),
				 "a box is its high corner and its low corner, without padding");

/* The corners, as arrays of coordinates. */
static inline const float8 *
spq_box_high(const SpqBox *box)
{
	return (const float8 *) box;
}

static inline const float8 *
spq_box_low(const SpqBox *box)
{
	return (const float8 *) box + SPQ_DIM;
}

/*
 * The corners of a box, which need not be adjacent in memory.  Both corners of
 * a point are the point itself.
 */
typedef struct SpqBoxCorners
{
	const float8 *high;
	const float8 *low;
} SpqBoxCorners;

static inline SpqBoxCorners
spq_box_corners(const SpqBox *box)
{
	SpqBoxCorners corners = {spq_box_high(box), spq_box_low(box)};

	return corners;
}

static inline bool
spq_box_has_nan(const SpqBox *box)
{
	const float8 *number = (const float8 *) box;
	bool		found = false;

	for (int i = 0; i < 2 * SPQ_DIM; i++)
		found |= isnan(number[i]);
	return found;
}

/* Return whether all of some numbers are finite. */
static inline bool
spq_all_finite(const float8 *numbers, int count)
{
	bool		finite = true;

	for (int i = 0; i < count; i++)
		finite = finite && isfinite(numbers[i]);
	return finite;
}

static inline bool
spq_box_is_finite(const SpqBox *box)
{
	return spq_all_finite((const float8 *) box, 2 * SPQ_DIM);
}

/*
 * Return the middle of an interval, or NaN between opposite infinities.  It
 * halves before adding, so the sum cannot overflow.  (For distances use
 * spq_box_center(), which computes the middle as the operator <-> does.)
 */
static inline float8
spq_box_middle(float8 low, float8 high)
{
	return 0.5 * low + 0.5 * high;
}

#endif							/* SPQ_BOX_BOX_H */
