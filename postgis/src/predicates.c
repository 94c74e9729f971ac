/*-------------------------------------------------------------------------
 *
 * predicates.c
 *	  Predicates of PostGIS, for many pairs of the same geometries.
 *
 * _spqtree_st_intersects(a, b) returns the same as ST_Intersects(a, b), and so
 * on.  Plans call them in place of PostGIS' functions
 * (src/spatial/extension/equivalent_plan.c).  If both geometries have a shape and the answer
 * is certain, it is computed here.  Otherwise PostGIS' function is called,
 * which also raises the errors.
 *
 * _spqtree_try_st_intersects(a, b) and so on are for estimates and raise no
 * error: they never call PostGIS.  If boundaries meet, so that the answer is
 * uncertain, they return the usual answer for such pairs.  They return NULL if
 * a geometry has no shape.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "call.h"
#include "compat.h"
#include "geometry/within.h"

PG_FUNCTION_INFO_V1(spq_gis_st_intersects);
PG_FUNCTION_INFO_V1(spq_gis_st_crosses);
PG_FUNCTION_INFO_V1(spq_gis_st_touches);
PG_FUNCTION_INFO_V1(spq_gis_st_overlaps);
PG_FUNCTION_INFO_V1(spq_gis_st_contains);
PG_FUNCTION_INFO_V1(spq_gis_st_within);
PG_FUNCTION_INFO_V1(spq_gis_st_dwithin);
PG_FUNCTION_INFO_V1(spq_gis_try_st_intersects);
PG_FUNCTION_INFO_V1(spq_gis_try_st_crosses);
PG_FUNCTION_INFO_V1(spq_gis_try_st_touches);
PG_FUNCTION_INFO_V1(spq_gis_try_st_overlaps);
PG_FUNCTION_INFO_V1(spq_gis_try_st_contains);
PG_FUNCTION_INFO_V1(spq_gis_try_st_within);
PG_FUNCTION_INFO_V1(spq_gis_try_st_dwithin);

/*
 * Get the shapes of both arguments.  Return false if one has none, or their
 * SRIDs differ.
 */
static bool
get_shapes(FunctionCallInfo fcinfo, SpqGisCall *call, SpqGisSmallShape *room,
		   const SpqGisShape **a, const SpqGisShape **b)
{
	spq_gis_kept_trim(call->kept);
	*a = spq_gis_kept_shape(call->kept, PG_GETARG_DATUM(0), &room[0]);
	*b = *a ? spq_gis_kept_shape(call->kept, PG_GETARG_DATUM(1), &room[1]) : NULL;
	return *b && memcmp((*a)->srid, (*b)->srid, sizeof((*a)->srid)) == 0;
}

/*
 * Evaluate a predicate of two geometries, with exchanged arguments if
 * "exchanged".
 */
static Datum
answer(FunctionCallInfo fcinfo, SpqGisRelation relation, bool exchanged)
{
	SpqGisCall *call = spq_gis_get_call(fcinfo->flinfo, spq_gis_make_kept_shape);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	if (get_shapes(fcinfo, call, room, &a, &b))
		result = exchanged ? relation(b, a) : relation(a, b);
	return result == SPQ_GIS_ASK ? spq_gis_ask(fcinfo, call) : BoolGetDatum(result == SPQ_GIS_YES);
}

Datum
spq_gis_st_intersects(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_intersects, false);
}

Datum
spq_gis_st_crosses(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_crosses, false);
}

Datum
spq_gis_st_touches(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_touches, false);
}

Datum
spq_gis_st_overlaps(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_overlaps, false);
}

/*
 * also ST_ContainsProperly and ST_Covers: all agree if the answer is certain
 */
Datum
spq_gis_st_contains(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_contains, false);
}

/* also ST_CoveredBy */
Datum
spq_gis_st_within(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, spq_gis_contains, true);
}

Datum
spq_gis_st_dwithin(PG_FUNCTION_ARGS)
{
	SpqGisCall *call = spq_gis_get_call(fcinfo->flinfo, spq_gis_make_kept_shape);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	if (get_shapes(fcinfo, call, room, &a, &b))
		result = spq_gis_within(a, b, PG_GETARG_FLOAT8(2));
	return result == SPQ_GIS_ASK ? spq_gis_ask(fcinfo, call) : BoolGetDatum(result == SPQ_GIS_YES);
}

/*
 * Evaluate a predicate for an estimate.  "unsure" is the answer if boundaries
 * meet; SPQ_GIS_ASK means NULL.
 */
static Datum
attempt(FunctionCallInfo fcinfo, SpqGisRelation relation, bool exchanged, SpqGisAnswer unsure)
{
	SpqGisCall *call = spq_gis_get_call(fcinfo->flinfo, spq_gis_make_kept_shape);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result;

	if (!get_shapes(fcinfo, call, room, &a, &b))
		PG_RETURN_NULL();
	result = exchanged ? relation(b, a) : relation(a, b);
	if (result == SPQ_GIS_ASK)
		result = unsure;
	if (result == SPQ_GIS_ASK)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(result == SPQ_GIS_YES);
}

Datum
spq_gis_try_st_intersects(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_intersects, false, SPQ_GIS_YES);
}

Datum
spq_gis_try_st_crosses(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_crosses, false, SPQ_GIS_NO);
}

Datum
spq_gis_try_st_touches(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_touches, false, SPQ_GIS_YES);
}

Datum
spq_gis_try_st_overlaps(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_overlaps, false, SPQ_GIS_NO);
}

Datum
spq_gis_try_st_contains(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_contains, false, SPQ_GIS_ASK);
}

Datum
spq_gis_try_st_within(PG_FUNCTION_ARGS)
{
	return attempt(fcinfo, spq_gis_contains, true, SPQ_GIS_ASK);
}

Datum
spq_gis_try_st_dwithin(PG_FUNCTION_ARGS)
{
	SpqGisCall *call = spq_gis_get_call(fcinfo->flinfo, spq_gis_make_kept_shape);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	if (get_shapes(fcinfo, call, room, &a, &b))
		result = spq_gis_within(a, b, PG_GETARG_FLOAT8(2));
	if (result == SPQ_GIS_ASK)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(result == SPQ_GIS_YES);
}
