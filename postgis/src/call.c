/*-------------------------------------------------------------------------
 *
 * call.c
 *	  A call of a function that PostGIS' function of the same name may decide.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "fmgr.h"
#include "nodes/value.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "utils/lsyscache.h"

#include "call.h"
#include "compat.h"

/* The prefix of our functions' names in SQL; the rest is PostGIS' name. */
#define NAME_PREFIX "_spqtree_"

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

/* Return the state of a call, in which "make" makes what is kept of an argument. */
SpqGisCall *
spq_gis_get_call(FmgrInfo *flinfo, SpqGisMake make)
{
	SpqGisCall *call = flinfo->fn_extra;

	if (call == NULL)
	{
		call = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(SpqGisCall));
		call->kept = spq_gis_kept_get(flinfo->fn_mcxt, is_search(flinfo), make);
		flinfo->fn_extra = call;
	}
	return call;
}

/* Call PostGIS' function with the same arguments. */
Datum
spq_gis_ask(FunctionCallInfo fcinfo, SpqGisCall *call)
{
	LOCAL_FCINFO(asked, SPQ_GIS_MAX_ARGS);
	Datum		result;

	if (!OidIsValid(call->original.fn_oid))
		find_original(fcinfo->flinfo, &call->original);
	Assert(PG_NARGS() <= SPQ_GIS_MAX_ARGS);
	InitFunctionCallInfoData(*asked, &call->original, PG_NARGS(), PG_GET_COLLATION(), NULL, NULL);
	memcpy(asked->args, fcinfo->args, PG_NARGS() * sizeof(NullableDatum));
	result = FunctionCallInvoke(asked);
	if (asked->isnull)
		elog(ERROR, "function %u returned NULL", call->original.fn_oid);
	return result;
}
