/*-------------------------------------------------------------------------
 *
 * cube_box.c
 *	  Boxes in space: of a cube, and around everything within a distance of it.
 *
 * The box has the first three dimensions of a cube.  Where an operator of the
 * extension cube is true, the boxes of its arguments overlap, and where it
 * returns a distance, the boxes are at most that far apart: see README.md.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"

#include "cube/cube_box.h"

/*
 * What is added to distances: more than the rounding of a sum of a hundred
 * squares and of its root, and than a difference whose square is 0.
 */
#define RELATIVE_MARGIN	1e-12
#define ABSOLUTE_MARGIN	1e-150

/* The same for the length of an arc, computed from its chord. */
#define ARC_MARGIN		1e-9

static void
set_everything(SpqBox3 *box, int axis)
{
	box->high[axis] = get_float8_infinity();
	box->low[axis] = -get_float8_infinity();
}

/*
 * Set the box of a cube.  It is unbounded along a dimension that the cube does
 * not have, that has a NaN, or where both ends are the same infinity.
 */
void
spq_cube_box(const SpqCube *cube, SpqBox3 *box)
{
	const int	dimensions = spq_cube_dimensions(cube);
	const float8 *first = spq_cube_first(cube),
			   *second = spq_cube_second(cube);

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		if (axis >= dimensions || isnan(first[axis]) || isnan(second[axis]) ||
			(isinf(first[axis]) && first[axis] == second[axis]))
		{
			set_everything(box, axis);
			continue;
		}
		box->high[axis] = Max(first[axis], second[axis]);
		box->low[axis] = Min(first[axis], second[axis]);
	}
}

/*
 * Return how far apart boxes may be, on each axis, if the computed distance of
 * their cubes is at most this.
 */
float8
spq_cube_reach(float8 distance)
{
	return distance * (1 + RELATIVE_MARGIN) + ABSOLUTE_MARGIN;
}

/*
 * Return at least the length of each chord whose arc, as computed by the
 * extension earthdistance, is at most this.  A chord that is longer than the
 * diameter counts as half of the circle.
 */
float8
spq_cube_chord(float8 arc, float8 radius)
{
	const float8 almost_pi = 3.1415;

	if (arc < radius * almost_pi)
		return 2 * radius * sin(arc / (2 * radius)) * (1 + ARC_MARGIN) + ABSOLUTE_MARGIN;
	return get_float8_infinity();	/* or one of them is NaN */
}

/*
 * Set the box that overlaps the box of each cube at most this far away.  All of
 * space, if "reach" is infinite or NaN.
 */
void
spq_cube_box_within(const SpqCube *cube, float8 reach, SpqBox3 *box)
{
	SpqBox3		core;

	spq_cube_box(cube, &core);
	if (!spq_box3_expanded(spq_box_corners(&core), reach, box))
		for (int axis = 0; axis < SPQ_DIM; axis++)
			set_everything(box, axis);
}
