/*-------------------------------------------------------------------------
 *
 * joined.h
 *	  Boxes of SPQ_DIM axes for the tests of the join engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_JOINED_H
#define SPQ_TEST_JOINED_H

#include "check.h"

#include "box/box.h"

/* Return the corners, to be changed. */
static inline float8 *
low(SpqBox *box)
{
	return (float8 *) box + SPQ_DIM;
}

static inline float8 *
high(SpqBox *box)
{
	return (float8 *) box;
}

/* Return a box with its corners in order, of arbitrary numbers. */
static inline SpqBox
odd_box(void)
{
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		x1 = any_number(),
					x2 = random_int(0, 1) ? any_number() : x1 + drand48() * 10;

		low(&box)[axis] = float8_min(x1, x2);
		high(&box)[axis] = float8_max(x1, x2);
	}
	return box;
}

/*
 * Return a box with this corner and these sides.  In two dimensions, z and
 * depth are ignored.
 */
static inline SpqBox
box_at(double x, double y, double z, double width, double height, double depth)
{
	const double corner[] = {x, y, z},
				side[] = {width, height, depth};
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		low(&box)[axis] = corner[axis];
		high(&box)[axis] = corner[axis] + side[axis];
	}
	return box;
}

#ifdef SPQ_JOIN_BOXES_BUCKET_H
static inline SpqJoinOrigin
odd_origin(void)
{
	SpqJoinOrigin origin;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		origin.at[axis] = odd_number();
	return origin;
}
#endif

#endif							/* SPQ_TEST_JOINED_H */
