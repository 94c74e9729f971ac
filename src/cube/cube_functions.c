/*-------------------------------------------------------------------------
 *
 * cube_functions.c
 *	  Functions of the extension spqtree_cube: casts, and boxes of cubes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "cube/cube_box.h"

PG_FUNCTION_INFO_V1(spq_cube_to_box3);
PG_FUNCTION_INFO_V1(spq_cube_of_box3);
PG_FUNCTION_INFO_V1(spq_cube_bounds);
PG_FUNCTION_INFO_V1(spq_cube_bounds_within);
PG_FUNCTION_INFO_V1(spq_cube_bounds_along);
PG_FUNCTION_INFO_V1(spq_cube_overlaps_box3);

/*
 * box3(cube) returns box3
 *
 * Dimensions that the cube does not have are 0.
 */
Datum
spq_cube_to_box3(PG_FUNCTION_ARGS)
{
	const SpqCube *cube = PG_GETARG_CUBE_P(0);
	const int	dimensions = spq_cube_dimensions(cube);
	float8		corners[2][SPQ_DIM] = {{0}};
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	if (dimensions > SPQ_DIM)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cube has more than three dimensions"),
				 errdetail("A box3 has three, this cube has %d.", dimensions)));
	memcpy(corners[0], spq_cube_first(cube), dimensions * sizeof(float8));
	memcpy(corners[1], spq_cube_second(cube), dimensions * sizeof(float8));
	spq_box3_of_corners(corners[0], corners[1], box);
	PG_RETURN_POINTER(box);
}

/* Return a cube with room for this many coordinates, which are 0. */
static SpqCube *
make_cube(int dimensions, int coordinates)
{
	const Size	size = SPQ_CUBE_SIZE(coordinates);
	SpqCube    *cube = palloc0(size);

	SET_VARSIZE(cube, size);
	cube->header = (uint32) dimensions | (coordinates == dimensions ? SPQ_CUBE_POINT : 0);
	return cube;
}

/*
 * cube(box3) returns cube
 */
Datum
spq_cube_of_box3(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);
	bool		is_point = true;
	SpqCube    *cube;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		is_point &= box->low[axis] == box->high[axis];
	cube = make_cube(SPQ_DIM, is_point ? SPQ_DIM : 2 * SPQ_DIM);
	memcpy(cube->x, box->low, sizeof(box->low));
	if (!is_point)
		memcpy(cube->x + SPQ_DIM, box->high, sizeof(box->high));
	PG_RETURN_POINTER(cube);
}

/*
 * spqtree_bounds(cube) returns box3
 */
Datum
spq_cube_bounds(PG_FUNCTION_ARGS)
{
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_cube_box(PG_GETARG_CUBE_P(0), box);
	PG_RETURN_POINTER(box);
}

static Datum
bounds_within(const SpqCube *cube, float8 distance)
{
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_cube_box_within(cube, spq_cube_reach(distance), box);
	PG_RETURN_POINTER(box);
}

/*
 * spqtree_bounds(cube, distance float8) returns box3
 *
 * NULL for a distance below 0, which no two cubes have.
 */
Datum
spq_cube_bounds_within(PG_FUNCTION_ARGS)
{
	float8		distance = PG_GETARG_FLOAT8(1);

	if (distance < 0)
		PG_RETURN_NULL();
	return bounds_within(PG_GETARG_CUBE_P(0), distance);
}

/*
 * spqtree_bounds(cube, distance float8, radius float8) returns box3
 *
 * The same, for distances along the surface of a sphere with this radius.
 */
Datum
spq_cube_bounds_along(PG_FUNCTION_ARGS)
{
	float8		distance = PG_GETARG_FLOAT8(1);

	if (distance < 0)
		PG_RETURN_NULL();
	return bounds_within(PG_GETARG_CUBE_P(0), spq_cube_chord(distance, PG_GETARG_FLOAT8(2)));
}

/*
 * cube && box3
 */
Datum
spq_cube_overlaps_box3(PG_FUNCTION_ARGS)
{
	SpqBox3		box;

	spq_cube_box(PG_GETARG_CUBE_P(0), &box);
	PG_RETURN_BOOL(spq_box_overlaps(&box, PG_GETARG_BOX3_P(1)));
}
