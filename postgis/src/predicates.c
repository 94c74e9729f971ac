/*-------------------------------------------------------------------------
 *
 * predicates.c
 *	  Predicates of PostGIS, for many pairs of the same geometries.
 *
 * spqtree_st_intersects(a, b) returns the same as ST_Intersects(a, b), and so
 * on.  Plans call them in place of PostGIS' functions
 * (src/spatial/clauses/equivalent.c).  If both geometries have a shape and the answer
 * is certain, it is computed here.  Otherwise PostGIS' function is called,
 * which also raises the errors.
 *
 * spqtree_try_st_intersects(a, b) and so on are for estimates and raise no
 * error: they never call PostGIS.  If boundaries meet, so that the answer is
 * uncertain, they return the usual answer for such pairs.  They return NULL if
 * a geometry has no shape.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "fmgr.h"
#include "nodes/value.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "kept.h"
#include "within.h"

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

/* The prefix of our functions' names in SQL; the rest is PostGIS' name. */
#define NAME_PREFIX "spqtree_"

/* State of one call in a query. */
typedef struct Call
{
	FmgrInfo	original;		/* found when it is called first */
	SpqGisKept *kept;
} Call;

/*
 * Find the function of PostGIS that one of ours replaces: the one with the
 * same arguments, in the schema of the first argument's type's input function.
 */
static void
find_original(FmgrInfo *flinfo, FmgrInfo *original)
{
	char	   *name = get_func_name(flinfo->fn_oid);
	Oid		   *types,
				input,
				param,
				function;
	int			nargs;

	if (name == NULL || strncmp(name, NAME_PREFIX, strlen(NAME_PREFIX)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("function \"%s\" was renamed", name ? name : "?")));
	(void) get_func_signature(flinfo->fn_oid, &types, &nargs);
	getTypeInputInfo(types[0], &input, &param);
	function = LookupFuncName(list_make2(makeString(get_namespace_name(get_func_namespace(input))),
										 makeString(name + strlen(NAME_PREFIX))),
							  nargs, types, false);
	fmgr_info_cxt(function, original, flinfo->fn_mcxt);
}

/*
 * Return whether one of the first two arguments has no columns: of a row, of
 * the rows of a join.  Then the call is part of a search, whose other geometries
 * may be used only once.
 */
static bool
is_search(const FmgrInfo *flinfo)
{
	const FuncExpr *call = (const FuncExpr *) flinfo->fn_expr;

	if (call == NULL || !IsA(call, FuncExpr) || list_length(call->args) < 2)
		return false;
	return !contain_var_clause(linitial(call->args)) || !contain_var_clause(lsecond(call->args));
}

static Call *
get_call(FmgrInfo *flinfo)
{
	Call	   *call = flinfo->fn_extra;

	if (call == NULL)
	{
		call = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(Call));
		call->kept = spq_gis_kept_create(flinfo->fn_mcxt, is_search(flinfo));
		flinfo->fn_extra = call;
	}
	return call;
}

/* Call PostGIS' function with the same arguments. */
static Datum
ask(FunctionCallInfo fcinfo, Call *call)
{
	if (!OidIsValid(call->original.fn_oid))
		find_original(fcinfo->flinfo, &call->original);
	if (PG_NARGS() == 3)
		return FunctionCall3Coll(&call->original, PG_GET_COLLATION(), PG_GETARG_DATUM(0),
								 PG_GETARG_DATUM(1), PG_GETARG_DATUM(2));
	return FunctionCall2Coll(&call->original, PG_GET_COLLATION(), PG_GETARG_DATUM(0),
							 PG_GETARG_DATUM(1));
}

/*
 * Get the shapes of both arguments.  Return false if one has none, or their
 * SRIDs differ.
 */
static bool
get_shapes(FunctionCallInfo fcinfo, Call *call, SpqGisSmallShape *room,
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
	Call	   *call = get_call(fcinfo->flinfo);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	if (get_shapes(fcinfo, call, room, &a, &b))
		result = exchanged ? relation(b, a) : relation(a, b);
	return result == SPQ_GIS_ASK ? ask(fcinfo, call) : BoolGetDatum(result == SPQ_GIS_YES);
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
	Call	   *call = get_call(fcinfo->flinfo);
	SpqGisSmallShape room[2];
	const SpqGisShape *a,
			   *b;
	SpqGisAnswer result = SPQ_GIS_ASK;

	if (get_shapes(fcinfo, call, room, &a, &b))
		result = spq_gis_within(a, b, PG_GETARG_FLOAT8(2));
	return result == SPQ_GIS_ASK ? ask(fcinfo, call) : BoolGetDatum(result == SPQ_GIS_YES);
}

/*
 * Evaluate a predicate for an estimate.  "unsure" is the answer if boundaries
 * meet; SPQ_GIS_ASK means NULL.
 */
static Datum
attempt(FunctionCallInfo fcinfo, SpqGisRelation relation, bool exchanged, SpqGisAnswer unsure)
{
	Call	   *call = get_call(fcinfo->flinfo);
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
	Call	   *call = get_call(fcinfo->flinfo);
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
