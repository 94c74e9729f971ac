/*-------------------------------------------------------------------------
 *
 * geography_predicates.c
 *	  Predicates of geographies, for plans to call in place of PostGIS'.
 *
 * _spqtree_st_dwithin(a, b, distance, use_spheroid) returns the same as
 * ST_DWithin.  If both geographies have arcs and the answer is certain, it is
 * computed here.  Otherwise PostGIS' function is called, which also raises the
 * errors, as in predicates.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "call.h"
#include "compat.h"
#include "geometry/arcs_within.h"

PG_FUNCTION_INFO_V1(spq_gis_geography_intersects);
PG_FUNCTION_INFO_V1(spq_gis_geography_dwithin);

static void *
make_arcs(const char *bytes, Size length, Size *size)
{
	SpqGisArcs *arcs = spq_gis_make_arcs(bytes, length);

	*size = arcs ? arcs->size : 0;
	return arcs;
}

/*
 * Return the arcs of a geography, or NULL if it has none: of a point in "room",
 * of others as spq_gis_kept_value() does.
 */
static const SpqGisArcs *
get_arcs(SpqGisCall *call, Datum geography, SpqGisPointArcs *room)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(geography);

	if (!VARATT_IS_EXTERNAL(stored) && !VARATT_IS_COMPRESSED(stored))
	{
		const SpqGisArcs *arcs = spq_gis_point_arcs(VARDATA_ANY(stored), VARSIZE_ANY_EXHDR(stored), room);

		if (arcs)
			return arcs;
	}
	return spq_gis_kept_value(call->kept, geography);
}

static Datum
answer(FunctionCallInfo fcinfo, float8 distance)
{
	SpqGisCall *call = spq_gis_get_call(fcinfo->flinfo, make_arcs);
	SpqGisPointArcs room[2];
	const SpqGisArcs *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	spq_gis_kept_trim(call->kept);
	a = get_arcs(call, PG_GETARG_DATUM(0), &room[0]);
	b = a ? get_arcs(call, PG_GETARG_DATUM(1), &room[1]) : NULL;
	if (b)
		result = spq_gis_arcs_within(a, b, distance);
	return result == SPQ_GIS_ASK ? spq_gis_ask(fcinfo, call) : BoolGetDatum(result == SPQ_GIS_YES);
}

Datum
spq_gis_geography_dwithin(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, PG_GETARG_FLOAT8(2));
}

/*
 * Geographies intersect if their distance is at most a tolerance, which is
 * smaller than this in all versions of PostGIS.  So only no can be certain.
 */
#define INTERSECTS	1e-5

Datum
spq_gis_geography_intersects(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, INTERSECTS);
}
