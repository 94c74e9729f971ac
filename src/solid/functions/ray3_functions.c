/*-------------------------------------------------------------------------
 *
 * ray3_functions.c
 *	  Type ray3 in SQL.
 *
 * A direction is stored as given, with any length except 0.  NaN is accepted,
 * as by other types; a ray with a NaN meets nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/fmgrprotos.h"

#include "compat.h"
#include "solid/functions/solid_io.h"
#include "solid/geometry/shapes3.h"
#include "sql_function.h"

#define NUMBERS (sizeof(SpqRay3) / sizeof(float8))

PG_FUNCTION_INFO_V1(spq_ray3_in);
PG_FUNCTION_INFO_V1(spq_ray3_out);
PG_FUNCTION_INFO_V1(spq_ray3_recv);
PG_FUNCTION_INFO_V1(spq_ray3_make);
PG_FUNCTION_INFO_V1(spq_hit_box3_ray3);

/*
 * Return whether a ray is valid; report a direction of zero or infinity, or a
 * negative maximum distance, as an error.
 */
static bool
is_valid(const SpqRay3 *ray, struct Node *escontext, int code)
{
	const float8 *direction = ray->direction.x;

	if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
		spq_ereturn(escontext, false,
					(errcode(code),
					 errmsg("direction of a ray must not be zero"),
					 errhint("Specify the direction as a vector, for example the difference of two distinct points.")));
	if (isinf(direction[0]) || isinf(direction[1]) || isinf(direction[2]))
		spq_ereturn(escontext, false,
					(errcode(code),
					 errmsg("direction of a ray must be finite")));
	if (ray->max_distance < 0)
		spq_ereturn(escontext, false,
					(errcode(code),
					 errmsg("maximum distance of a ray must not be negative"),
					 errhint("To reverse the ray, negate its direction.")));
	return true;
}

/* <(x,y,z),(dx,dy,dz),distance>; the distance is optional, default infinity */
Datum
spq_ray3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "ray3");
	SpqRay3    *ray = palloc(sizeof(SpqRay3));

	ray->max_distance = get_float8_infinity();
	if (!spq_input_expect(&input, '<') || !spq_input_point(&input, &ray->origin) ||
		!spq_input_expect(&input, ',') || !spq_input_point(&input, &ray->direction) ||
		(spq_input_take(&input, ',') && !spq_input_number(&input, &ray->max_distance)) ||
		!spq_input_expect(&input, '>') || !spq_input_end(&input) ||
		!is_valid(ray, input.escontext, ERRCODE_INVALID_PARAMETER_VALUE))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(ray);
}

Datum
spq_ray3_out(PG_FUNCTION_ARGS)
{
	const SpqRay3 *ray = PG_GETARG_RAY3_P(0);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, '<');
	spq_output_point(&out, &ray->origin);
	appendStringInfoChar(&out, ',');
	spq_output_point(&out, &ray->direction);
	appendStringInfoChar(&out, ',');
	spq_output_number(&out, ray->max_distance);
	appendStringInfoChar(&out, '>');
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_ray3_recv(PG_FUNCTION_ARGS)
{
	SpqRay3    *ray = palloc(sizeof(SpqRay3));

	spq_receive_numbers(fcinfo, (float8 *) ray, NUMBERS);
	is_valid(ray, NULL, ERRCODE_INVALID_BINARY_REPRESENTATION);
	PG_RETURN_POINTER(ray);
}

SPQ_SQL_FUNCTION(spq_ray3_send, return spq_send_numbers((float8 *) PG_GETARG_RAY3_P(0), NUMBERS))

/* ray3(origin point3, direction point3, max_distance float8) */
Datum
spq_ray3_make(PG_FUNCTION_ARGS)
{
	SpqRay3    *ray = palloc(sizeof(SpqRay3));

	ray->origin = *PG_GETARG_POINT3_P(0);
	ray->direction = *PG_GETARG_POINT3_P(1);
	ray->max_distance = PG_GETARG_FLOAT8(2);
	is_valid(ray, NULL, ERRCODE_INVALID_PARAMETER_VALUE);
	PG_RETURN_POINTER(ray);
}

static Datum
copy_of_point(const SpqPoint3 *point)
{
	SpqPoint3  *copy = palloc(sizeof(SpqPoint3));

	*copy = *point;
	return PointerGetDatum(copy);
}

SPQ_SQL_FUNCTION(spq_ray3_origin, return copy_of_point(&PG_GETARG_RAY3_P(0)->origin))

SPQ_SQL_FUNCTION(spq_ray3_direction, return copy_of_point(&PG_GETARG_RAY3_P(0)->direction))

SPQ_SQL_FUNCTION(spq_ray3_max_distance, PG_RETURN_FLOAT8(PG_GETARG_RAY3_P(0)->max_distance))

SPQ_SQL_OPERATOR(spq_box3_overlaps_ray3, spq_ray3_overlaps_box3, BOOL, BOX3, RAY3, spq_ray3_meets_box)
SPQ_SQL_OPERATOR(spq_box3_distance_ray3, spq_ray3_distance_box3, FLOAT8, BOX3, RAY3, spq_ray3_distance)

/* spqtree_hit(box, ray): (distance, point, normal) */
Datum
spq_hit_box3_ray3(PG_FUNCTION_ARGS)
{
	SpqRay3Hit	hit;
	TupleDesc	desc;
	Datum		values[3];
	bool		nulls[3] = {false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (!spq_ray3_hit(PG_GETARG_RAY3_P(1), PG_GETARG_BOX3_P(0), &hit))
		PG_RETURN_NULL();
	values[0] = Float8GetDatum(hit.distance);
	values[1] = PointerGetDatum(&hit.point);
	values[2] = PointerGetDatum(&hit.normal);
	/* the ray begins in the box, and enters no side */
	nulls[2] = hit.is_inside;
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
