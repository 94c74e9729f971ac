/*-------------------------------------------------------------------------
 *
 * point3_functions.c
 *	  Points of three dimensions in SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "solid/functions/solid_io.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_point3_in);
PG_FUNCTION_INFO_V1(spq_point3_out);
PG_FUNCTION_INFO_V1(spq_point3_recv);
PG_FUNCTION_INFO_V1(spq_point3_send);
PG_FUNCTION_INFO_V1(spq_point3_make);
PG_FUNCTION_INFO_V1(spq_point3_of_point);
PG_FUNCTION_INFO_V1(spq_point_of_point3);
PG_FUNCTION_INFO_V1(spq_point3_add);
PG_FUNCTION_INFO_V1(spq_point3_sub);

Datum
spq_point3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "point3");
	SpqPoint3  *point = palloc(sizeof(SpqPoint3));

	if (!spq_input_point(&input, point) || !spq_input_end(&input))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(point);
}

Datum
spq_point3_out(PG_FUNCTION_ARGS)
{
	StringInfoData out;

	initStringInfo(&out);
	spq_output_point(&out, PG_GETARG_POINT3_P(0));
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_point3_recv(PG_FUNCTION_ARGS)
{
	SpqPoint3  *point = palloc(sizeof(SpqPoint3));

	spq_receive_numbers(fcinfo, point->x, lengthof(point->x));
	PG_RETURN_POINTER(point);
}

Datum
spq_point3_send(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *point = PG_GETARG_POINT3_P(0);

	return spq_send_numbers(point->x, lengthof(point->x));
}

/* point3(x, y, z) */
Datum
spq_point3_make(PG_FUNCTION_ARGS)
{
	SpqPoint3  *point = palloc(sizeof(SpqPoint3));

	for (int axis = 0; axis < SPQ_DIM; axis++)
		point->x[axis] = PG_GETARG_FLOAT8(axis);
	PG_RETURN_POINTER(point);
}

/* point3(point, z) */
Datum
spq_point3_of_point(PG_FUNCTION_ARGS)
{
	const Point *plane = PG_GETARG_POINT_P(0);
	SpqPoint3  *point = palloc(sizeof(SpqPoint3));

	point->x[0] = plane->x;
	point->x[1] = plane->y;
	point->x[2] = PG_GETARG_FLOAT8(1);
	PG_RETURN_POINTER(point);
}

/* point(point3): without z */
Datum
spq_point_of_point3(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *point = PG_GETARG_POINT3_P(0);
	Point	   *plane = palloc(sizeof(Point));

	plane->x = point->x[0];
	plane->y = point->x[1];
	PG_RETURN_POINT_P(plane);
}

SPQ_SQL_FUNCTION(spq_point3_x, PG_RETURN_FLOAT8(PG_GETARG_POINT3_P(0)->x[0]))

SPQ_SQL_FUNCTION(spq_point3_y, PG_RETURN_FLOAT8(PG_GETARG_POINT3_P(0)->x[1]))

SPQ_SQL_FUNCTION(spq_point3_z, PG_RETURN_FLOAT8(PG_GETARG_POINT3_P(0)->x[2]))

/* point3 + point3: an error on overflow, as for point */
Datum
spq_point3_add(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *a = PG_GETARG_POINT3_P(0),
			   *b = PG_GETARG_POINT3_P(1);
	SpqPoint3  *sum = palloc(sizeof(SpqPoint3));

	for (int axis = 0; axis < SPQ_DIM; axis++)
		sum->x[axis] = float8_pl(a->x[axis], b->x[axis]);
	PG_RETURN_POINTER(sum);
}

/* point3 - point3 */
Datum
spq_point3_sub(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *a = PG_GETARG_POINT3_P(0),
			   *b = PG_GETARG_POINT3_P(1);
	SpqPoint3  *difference = palloc(sizeof(SpqPoint3));

	for (int axis = 0; axis < SPQ_DIM; axis++)
		difference->x[axis] = float8_mi(a->x[axis], b->x[axis]);
	PG_RETURN_POINTER(difference);
}
