/*-------------------------------------------------------------------------
 *
 * earth.c
 *	  The functions of the extension earthdistance in C.
 *
 * They are there in SQL, and not inlined: a call takes microseconds.  In plans,
 * these stand for them (spatial/extension/equivalent_plan.c).  They call the
 * same functions of PostgreSQL, in the same order, so that results are the same
 * to the last bit, and so are errors.
 *
 *		earthdistance				here
 *		ll_to_earth(lat, lon)		_spqtree_ll_to_earth(lat, lon)
 *		sec_to_gc(chord)			_spqtree_sec_to_gc(chord)
 *		gc_to_sec(arc)				_spqtree_gc_to_sec(arc)
 *
 * The radius is what earth() returns, which a database may replace.  Before
 * version 1.2, the functions find it in the search path; if that has another
 * one first, the original function is called.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"

#include "compat.h"
#include "cube/ndbox.h"
#include "types/extension_function.h"

PG_FUNCTION_INFO_V1(spq_earth_sec_to_gc);
PG_FUNCTION_INFO_V1(spq_earth_gc_to_sec);
PG_FUNCTION_INFO_V1(spq_earth_try_gc_to_sec);
PG_FUNCTION_INFO_V1(spq_earth_ll_to_earth);
PG_FUNCTION_INFO_V1(spq_earth_try_ll_to_earth);

/* The usual radius, for estimates. */
#define USUAL_RADIUS	6378168.0

/*
 * A result is on the surface if its distance from the center differs from the radius by
 * less than this fraction.  The limit of the domain earth is 10e-7; between the
 * two, the original function decides.
 */
#define ON_SURFACE		9e-7

/* What is kept from one call to the next. */
typedef struct Earth
{
	FmgrInfo	original;
	bool		is_known;		/* the radius; else the original is called */
	float8		radius;
} Earth;

/* Find the original function and the radius. */
static void
find_earth(Earth *earth, const char *name, int nargs, MemoryContext context)
{
	const Oid	types[] = {FLOAT8OID, FLOAT8OID};
	Oid			extension = get_extension_oid("earthdistance", true),
				cube = get_extension_oid("cube", true),
				original = spq_extension_function(name, nargs, types, extension),
				radius = spq_extension_function("earth", 0, NULL, extension);

	if (OidIsValid(original))
		fmgr_info_cxt(original, &earth->original, context);
	earth->is_known = OidIsValid(original) && OidIsValid(radius) &&
		spq_function_aclcheck(radius, GetUserId()) == ACLCHECK_OK &&
		spq_extension_body_finds(original, radius) &&
		spq_extension_body_finds(original, spq_extension_function("cube", 1, types, cube));
	earth->radius = earth->is_known ? DatumGetFloat8(OidFunctionCall0(radius)) : USUAL_RADIUS;
}

static const Earth *
get_earth(FunctionCallInfo fcinfo, const char *name, int nargs)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	if (flinfo->fn_extra == NULL)
	{
		Earth	   *earth = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(Earth));

		find_earth(earth, name, nargs, flinfo->fn_mcxt);
		flinfo->fn_extra = earth;
	}
	return flinfo->fn_extra;
}

/* Call the original function with the same arguments. */
static Datum
call_original(const Earth *earth, FunctionCallInfo fcinfo)
{
	FmgrInfo   *original = unconstify(FmgrInfo *, &earth->original);

	if (!OidIsValid(original->fn_oid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("extension \"%s\" does not have the function", "earthdistance")));
	return PG_NARGS() == 1 ? FunctionCall1(original, PG_GETARG_DATUM(0)) :
		FunctionCall2(original, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

/* Call a function of PostgreSQL. */
static float8
of(PGFunction function, float8 x)
{
	return DatumGetFloat8(DirectFunctionCall1(function, Float8GetDatum(x)));
}

/*
 * _spqtree_sec_to_gc(float8) returns float8
 */
Datum
spq_earth_sec_to_gc(PG_FUNCTION_ARGS)
{
	const Earth *earth = get_earth(fcinfo, "sec_to_gc", 1);
	float8		chord = PG_GETARG_FLOAT8(0),
				diameter;

	if (!earth->is_known)
		return call_original(earth, fcinfo);
	if (float8_lt(chord, 0))
		PG_RETURN_FLOAT8(0);
	diameter = float8_mul(2, earth->radius);
	if (float8_gt(float8_div(chord, diameter), 1))
		PG_RETURN_FLOAT8(float8_mul(M_PI, earth->radius));
	PG_RETURN_FLOAT8(float8_mul(diameter, of(dasin, float8_div(chord, diameter))));
}

/*
 * _spqtree_gc_to_sec(float8) returns float8
 */
Datum
spq_earth_gc_to_sec(PG_FUNCTION_ARGS)
{
	const Earth *earth = get_earth(fcinfo, "gc_to_sec", 1);
	float8		arc = PG_GETARG_FLOAT8(0),
				diameter;

	if (!earth->is_known)
		return call_original(earth, fcinfo);
	if (float8_lt(arc, 0))
		PG_RETURN_FLOAT8(0);
	diameter = float8_mul(2, earth->radius);
	if (float8_gt(float8_div(arc, earth->radius), M_PI))
		PG_RETURN_FLOAT8(diameter);
	PG_RETURN_FLOAT8(float8_mul(diameter, of(dsin, float8_div(arc, diameter))));
}

/*
 * _spqtree_try_gc_to_sec(float8) returns float8
 */
Datum
spq_earth_try_gc_to_sec(PG_FUNCTION_ARGS)
{
	const Earth *earth = get_earth(fcinfo, "gc_to_sec", 1);
	float8		arc = PG_GETARG_FLOAT8(0),
				half = arc / (2 * earth->radius);

	PG_RETURN_FLOAT8(arc < 0 ? 0 : half < M_PI_2 ? 2 * earth->radius * sin(half) : 2 * earth->radius);
}

/* Return a point of space as a cube. */
static Datum
make_point(float8 x, float8 y, float8 z)
{
	const float8 coordinates[] = {x, y, z};
	SpqCube    *cube = palloc(SPQ_CUBE_SIZE(lengthof(coordinates)));

	SET_VARSIZE(cube, SPQ_CUBE_SIZE(lengthof(coordinates)));
	cube->header = lengthof(coordinates) | SPQ_CUBE_POINT;
	memcpy(cube->x, coordinates, sizeof(coordinates));
	return PointerGetDatum(cube);
}

/*
 * _spqtree_ll_to_earth(float8, float8) returns cube
 */
Datum
spq_earth_ll_to_earth(PG_FUNCTION_ARGS)
{
	const Earth *earth = get_earth(fcinfo, "ll_to_earth", 2);
	float8		latitude,
				longitude,
				from_axis,
				x,
				y,
				z;

	if (!earth->is_known)
		return call_original(earth, fcinfo);
	latitude = of(radians, PG_GETARG_FLOAT8(0));
	longitude = of(radians, PG_GETARG_FLOAT8(1));
	from_axis = float8_mul(earth->radius, of(dcos, latitude));
	x = float8_mul(from_axis, of(dcos, longitude));
	y = float8_mul(from_axis, of(dsin, longitude));
	z = float8_mul(earth->radius, of(dsin, latitude));
	if (!(fabs(sqrt(x * x + y * y + z * z) / earth->radius - 1) < ON_SURFACE))
		return call_original(earth, fcinfo);
	return make_point(x, y, z);
}

/*
 * _spqtree_try_ll_to_earth(float8, float8) returns cube
 */
Datum
spq_earth_try_ll_to_earth(PG_FUNCTION_ARGS)
{
	const Earth *earth = get_earth(fcinfo, "ll_to_earth", 2);
	float8		latitude = PG_GETARG_FLOAT8(0) * (M_PI / 180),
				longitude = PG_GETARG_FLOAT8(1) * (M_PI / 180);

	if (!isfinite(latitude) || !isfinite(longitude))
		PG_RETURN_NULL();
	return make_point(earth->radius * cos(latitude) * cos(longitude),
					  earth->radius * cos(latitude) * sin(longitude),
					  earth->radius * sin(latitude));
}
