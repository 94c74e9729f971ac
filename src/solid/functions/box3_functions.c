/*-------------------------------------------------------------------------
 *
 * box3_functions.c
 *	  Boxes of three dimensions in SQL: input and output, parts, and boxes made
 *	  from others.
 *
 * Functions that return a length or a volume, and those that move a box, raise
 * an error on overflow, as PostgreSQL's functions of boxes do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "solid/functions/solid_io.h"
#include "solid/geometry/box3.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_box3_in);
PG_FUNCTION_INFO_V1(spq_box3_out);
PG_FUNCTION_INFO_V1(spq_box3_recv);
PG_FUNCTION_INFO_V1(spq_box3_of_points);
PG_FUNCTION_INFO_V1(spq_box3_of_numbers);
PG_FUNCTION_INFO_V1(spq_box3_of_point);
PG_FUNCTION_INFO_V1(spq_box3_of_box);
PG_FUNCTION_INFO_V1(spq_box_of_box3);
PG_FUNCTION_INFO_V1(spq_box3_center);
PG_FUNCTION_INFO_V1(spq_box3_volume);
PG_FUNCTION_INFO_V1(spq_box3_bound_box);
PG_FUNCTION_INFO_V1(spq_box3_intersect);
PG_FUNCTION_INFO_V1(spq_box3_add);
PG_FUNCTION_INFO_V1(spq_box3_sub);

Datum
spq_box3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "box3");
	SpqPoint3	corners[2];
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	if (!spq_input_points(&input, false, 2, corners) || !spq_input_end(&input))
		PG_RETURN_NULL();
	spq_box3_of_corners(corners[0].x, corners[1].x, box);
	PG_RETURN_POINTER(box);
}

Datum
spq_box3_out(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *corners = (const SpqPoint3 *) PG_GETARG_BOX3_P(0);
	StringInfoData out;

	initStringInfo(&out);
	spq_output_point(&out, &corners[0]);
	appendStringInfoChar(&out, ',');
	spq_output_point(&out, &corners[1]);
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_box3_recv(PG_FUNCTION_ARGS)
{
	SpqPoint3	corners[2];
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_receive_numbers(fcinfo, (float8 *) corners, 2 * SPQ_DIM);
	spq_box3_of_corners(corners[0].x, corners[1].x, box);
	PG_RETURN_POINTER(box);
}

SPQ_SQL_FUNCTION(spq_box3_send, return spq_send_numbers((const float8 *) PG_GETARG_BOX3_P(0), 2 * SPQ_DIM))

/* box3(point3, point3): two opposite corners */
Datum
spq_box3_of_points(PG_FUNCTION_ARGS)
{
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_box3_of_corners(PG_GETARG_POINT3_P(0)->x, PG_GETARG_POINT3_P(1)->x, box);
	PG_RETURN_POINTER(box);
}

/* box3(x1, y1, z1, x2, y2, z2) */
Datum
spq_box3_of_numbers(PG_FUNCTION_ARGS)
{
	float8		numbers[2 * SPQ_DIM];
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	for (int i = 0; i < 2 * SPQ_DIM; i++)
		numbers[i] = PG_GETARG_FLOAT8(i);
	spq_box3_of_corners(numbers, numbers + SPQ_DIM, box);
	PG_RETURN_POINTER(box);
}

/* box3(point3) */
Datum
spq_box3_of_point(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *point = PG_GETARG_POINT3_P(0);
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_box3_of_corners(point->x, point->x, box);
	PG_RETURN_POINTER(box);
}

/* box3(box, zmin, zmax) */
Datum
spq_box3_of_box(PG_FUNCTION_ARGS)
{
	const BOX  *plane = PG_GETARG_BOX_P(0);
	const float8 low[] = {plane->low.x, plane->low.y, PG_GETARG_FLOAT8(1)};
	const float8 high[] = {plane->high.x, plane->high.y, PG_GETARG_FLOAT8(2)};
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_box3_of_corners(low, high, box);
	PG_RETURN_POINTER(box);
}

/* box(box3): without z */
Datum
spq_box_of_box3(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);
	BOX		   *plane = palloc(sizeof(BOX));

	plane->high.x = box->high[0];
	plane->high.y = box->high[1];
	plane->low.x = box->low[0];
	plane->low.y = box->low[1];
	PG_RETURN_BOX_P(plane);
}

static Datum
point_of(const float8 *coordinates)
{
	SpqPoint3  *point = palloc(sizeof(SpqPoint3));

	memcpy(point->x, coordinates, sizeof(point->x));
	PG_RETURN_POINTER(point);
}

SPQ_SQL_FUNCTION(spq_box3_high, return point_of(PG_GETARG_BOX3_P(0)->high))

SPQ_SQL_FUNCTION(spq_box3_low, return point_of(PG_GETARG_BOX3_P(0)->low))

Datum
spq_box3_center(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);
	float8		center[SPQ_DIM];

	for (int axis = 0; axis < SPQ_DIM; axis++)
		center[axis] = spq_box_middle(box->low[axis], box->high[axis]);
	return point_of(center);
}

static float8
extent(const SpqBox3 *box, int axis)
{
	return float8_mi(box->high[axis], box->low[axis]);
}

/* width(box3): along x */
SPQ_SQL_FUNCTION(spq_box3_width, PG_RETURN_FLOAT8(extent(PG_GETARG_BOX3_P(0), 0)))

/* depth(box3): along y */
SPQ_SQL_FUNCTION(spq_box3_depth, PG_RETURN_FLOAT8(extent(PG_GETARG_BOX3_P(0), 1)))

/* height(box3): along z */
SPQ_SQL_FUNCTION(spq_box3_height, PG_RETURN_FLOAT8(extent(PG_GETARG_BOX3_P(0), 2)))

Datum
spq_box3_volume(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);

	PG_RETURN_FLOAT8(float8_mul(float8_mul(extent(box, 0), extent(box, 1)),
								extent(box, 2)));
}

/* bound_box(box3, box3) */
Datum
spq_box3_bound_box(PG_FUNCTION_ARGS)
{
	SpqBox3    *result = palloc(sizeof(SpqBox3));

	spq_box3_bounds(PG_GETARG_BOX3_P(0), PG_GETARG_BOX3_P(1), result);
	PG_RETURN_POINTER(result);
}

/* box3 # box3: NULL if the boxes do not overlap */
Datum
spq_box3_intersect(PG_FUNCTION_ARGS)
{
	SpqBox3    *result = palloc(sizeof(SpqBox3));

	if (!spq_box3_intersection(PG_GETARG_BOX3_P(0), PG_GETARG_BOX3_P(1), result))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

/*
 * box3 + point3: the moved box.  The sum of opposite infinities is NaN, in
 * either corner, so put the corners in order.
 */
Datum
spq_box3_add(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);
	const SpqPoint3 *by = PG_GETARG_POINT3_P(1);
	SpqBox3    *moved = palloc(sizeof(SpqBox3));

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		moved->high[axis] = float8_pl(box->high[axis], by->x[axis]);
		moved->low[axis] = float8_pl(box->low[axis], by->x[axis]);
	}
	spq_box3_of_corners(moved->high, moved->low, moved);
	PG_RETURN_POINTER(moved);
}

/* box3 - point3 */
Datum
spq_box3_sub(PG_FUNCTION_ARGS)
{
	const SpqBox3 *box = PG_GETARG_BOX3_P(0);
	const SpqPoint3 *by = PG_GETARG_POINT3_P(1);
	SpqBox3    *moved = palloc(sizeof(SpqBox3));

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		moved->high[axis] = float8_mi(box->high[axis], by->x[axis]);
		moved->low[axis] = float8_mi(box->low[axis], by->x[axis]);
	}
	spq_box3_of_corners(moved->high, moved->low, moved);
	PG_RETURN_POINTER(moved);
}

/*
 * Return a box enlarged by a distance, or NULL if the distance is below 0 or
 * there is a NaN.
 */
static Datum
expand(FunctionCallInfo fcinfo, SpqBoxCorners box)
{
	SpqBox3    *result = palloc(sizeof(SpqBox3));

	if (!spq_box3_expanded(box, PG_GETARG_FLOAT8(1), result))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

SPQ_SQL_FUNCTION(spq_expand_box3, return expand(fcinfo, spq_box_corners(PG_GETARG_BOX3_P(0))))

SPQ_SQL_FUNCTION(spq_expand_point3, return expand(fcinfo, spq_point3_corners(PG_GETARG_POINT3_P(0))))

static Datum
expand_by_axis(FunctionCallInfo fcinfo, SpqBoxCorners box)
{
	const float8 distances[SPQ_DIM] = {
		PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_FLOAT8(3)
	};
	SpqBox3    *result = palloc(sizeof(SpqBox3));

	if (!spq_box3_expanded_by_axis(box, distances, result))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

SPQ_SQL_FUNCTION(spq_expand_box3_by_axis, return expand_by_axis(fcinfo, spq_box_corners(PG_GETARG_BOX3_P(0))))

SPQ_SQL_FUNCTION(spq_expand_point3_by_axis, return expand_by_axis(fcinfo, spq_point3_corners(PG_GETARG_POINT3_P(0))))
