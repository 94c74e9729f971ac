/*-------------------------------------------------------------------------
 *
 * sphere3_functions.c
 *	  Type sphere3 in SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/fmgrprotos.h"

#include "compat.h"
#include "solid/functions/solid_io.h"
#include "solid/geometry/shapes3.h"
#include "sql_function.h"

#define NUMBERS (sizeof(SpqSphere3) / sizeof(float8))

PG_FUNCTION_INFO_V1(spq_sphere3_in);
PG_FUNCTION_INFO_V1(spq_sphere3_out);
PG_FUNCTION_INFO_V1(spq_sphere3_recv);
PG_FUNCTION_INFO_V1(spq_sphere3_make);
PG_FUNCTION_INFO_V1(spq_sphere3_center);

/* <(x,y,z),r> */
Datum
spq_sphere3_in(PG_FUNCTION_ARGS)
{
	SpqInput	input = spq_input(fcinfo, "sphere3");
	SpqSphere3 *sphere = palloc(sizeof(SpqSphere3));

	if (!spq_input_expect(&input, '<') || !spq_input_point(&input, &sphere->center) ||
		!spq_input_expect(&input, ',') || !spq_input_number(&input, &sphere->radius) ||
		!spq_input_expect(&input, '>') || !spq_input_end(&input))
		PG_RETURN_NULL();
	/* as in circle_in(); a NaN is accepted */
	if (sphere->radius < 0)
	{
		spq_input_invalid(&input);
		PG_RETURN_NULL();
	}
	PG_RETURN_POINTER(sphere);
}

Datum
spq_sphere3_out(PG_FUNCTION_ARGS)
{
	const SpqSphere3 *sphere = PG_GETARG_SPHERE3_P(0);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, '<');
	spq_output_point(&out, &sphere->center);
	appendStringInfoChar(&out, ',');
	spq_output_number(&out, sphere->radius);
	appendStringInfoChar(&out, '>');
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_sphere3_recv(PG_FUNCTION_ARGS)
{
	SpqSphere3 *sphere = palloc(sizeof(SpqSphere3));

	spq_receive_numbers(fcinfo, (float8 *) sphere, NUMBERS);
	if (sphere->radius < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid radius in external \"sphere3\" value")));
	PG_RETURN_POINTER(sphere);
}

SPQ_SQL_FUNCTION(spq_sphere3_send, return spq_send_numbers((float8 *) PG_GETARG_SPHERE3_P(0), NUMBERS))

/* sphere3(center point3, radius float8) */
Datum
spq_sphere3_make(PG_FUNCTION_ARGS)
{
	SpqSphere3 *sphere = palloc(sizeof(SpqSphere3));

	sphere->center = *PG_GETARG_POINT3_P(0);
	sphere->radius = PG_GETARG_FLOAT8(1);
	if (sphere->radius < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("radius of a sphere must not be negative")));
	PG_RETURN_POINTER(sphere);
}

Datum
spq_sphere3_center(PG_FUNCTION_ARGS)
{
	SpqPoint3  *center = palloc(sizeof(SpqPoint3));

	*center = PG_GETARG_SPHERE3_P(0)->center;
	PG_RETURN_POINTER(center);
}

SPQ_SQL_FUNCTION(spq_sphere3_radius, PG_RETURN_FLOAT8(PG_GETARG_SPHERE3_P(0)->radius))

SPQ_SQL_OPERATOR(spq_box3_overlaps_sphere3, spq_sphere3_overlaps_box3, BOOL, BOX3, SPHERE3, spq_sphere3_meets_box)
SPQ_SQL_OPERATOR(spq_box3_in_sphere3, spq_sphere3_contains_box3, BOOL, BOX3, SPHERE3, spq_sphere3_holds_box)
SPQ_SQL_OPERATOR(spq_point3_in_sphere3, spq_sphere3_contains_point3, BOOL, POINT3, SPHERE3, spq_sphere3_holds_point)
SPQ_SQL_OPERATOR(spq_sphere3_in_sphere3, spq_sphere3_contains_sphere3, BOOL, SPHERE3, SPHERE3, spq_sphere3_holds_sphere)

/* sphere && sphere */
SPQ_SQL_FUNCTION(spq_sphere3_overlaps_sphere3,
				 PG_RETURN_BOOL(spq_sphere3_meets_sphere(PG_GETARG_SPHERE3_P(0), PG_GETARG_SPHERE3_P(1))))
