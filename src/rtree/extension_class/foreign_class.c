/*-------------------------------------------------------------------------
 *
 * foreign_class.c
 *	  Support functions of operator classes for types of other extensions, by
 *	  their bounds.  See class.h; their orders are in foreign_order.h.
 *
 * Such a type has a function spqtree_bounds(type) (spatial/foreign_clause.c) that
 * returns a box or a box3, which is what the class stores.  Its operators have the
 * strategy numbers of PostgreSQL's class for boxes, and hold only if the same relation,
 * without EPSILON, holds for the bounds on each axis.  An axis on which these are not finite,
 * or as large as a float4 can be, says nothing, and bounds that are absent say no more
 * than that the value overlaps nothing.
 *
 * A type may have classes in the plane and in space.  The function for the latter is
 * spqtree_bounds3(type) then.
 *
 * A row's ends may be larger than its value, so comparisons are those for anything
 * that encloses it: low ends at most, high ends at least.  Where the extension says that
 * its operators are about nothing but the bounds, && and @> of rows with bounds need not
 * be asked again: a condition of spqtree_exact_bounds_condition.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/class.h"
#include "rtree/extension_class/foreign_class.h"
#include "spatial/foreign_clause.h"

PG_FUNCTION_INFO_V1(spq_rtree_foreign_ends);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_ends3);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_condition);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_condition3);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_exact_condition);

/*
 * Return the function for a type, that for space or the only one, kept from one call of a
 * support function to the next.
 */
SpqRtreeForeign *
spq_rtree_foreign_type(FmgrInfo *flinfo, Oid type, bool in_space)
{
	SpqRtreeForeign *foreign = flinfo->fn_extra;
	const char *name = in_space ? SPQ_SPATIAL_BOUNDS3 : SPQ_SPATIAL_BOUNDS;
	Oid			function;

	if (foreign != NULL && foreign->type == type)
		return foreign;
	function = spq_spatial_find_function(name, 1, &type, InvalidOid);
	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("there is no function %s(%s)", name, format_type_be(type)),
				 errdetail("An operator class that uses function \"%s\" needs it.",
						   get_func_name(flinfo->fn_oid)),
				 errhint("It has to be written in C, immutable, strict and parallel safe, and belong to the type's extension or one that requires it.")));
	if (foreign == NULL)
		foreign = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(SpqRtreeForeign));
	foreign->type = InvalidOid;
	flinfo->fn_extra = foreign;
	fmgr_info_cxt(function, &foreign->function, flinfo->fn_mcxt);
	foreign->axes = spq_rtree_axes_of_length(get_typlen(get_func_rettype(function)));
	foreign->type = type;
	return foreign;
}

/* Let an axis be one on which nothing is known. */
static void
set_everything(float8 *ends, int axes, int axis)
{
	ends[axis] = get_float8_infinity();
	ends[axes + axis] = -get_float8_infinity();
}

/* Let axes be such on which bounds are not finite, or as large as a float4 can be. */
static SpqRtreeKnown
limit_bounds(float8 *ends, int axes)
{
	SpqRtreeKnown known = SPQ_RTREE_KNOWN;

	for (int axis = 0; axis < axes; axis++)
		if (!(ends[axis] < FLT_MAX && ends[axes + axis] > -FLT_MAX))
		{
			set_everything(ends, axes, axis);
			known = SPQ_RTREE_PARTLY;
		}
	return known;
}

/* Set the ends of a value's bounds, infinite on an axis on which they are not known. */
SpqRtreeKnown
spq_rtree_foreign_bounds(SpqRtreeForeign *foreign, Datum value, float8 *ends)
{
	LOCAL_FCINFO(fcinfo, 1);
	int			axes = foreign->axes;
	Datum		result;

	InitFunctionCallInfoData(*fcinfo, &foreign->function, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	result = FunctionCallInvoke(fcinfo);
	if (fcinfo->isnull)
	{
		for (int axis = 0; axis < axes; axis++)
			set_everything(ends, axes, axis);
		return SPQ_RTREE_ABSENT;
	}
	memcpy(ends, DatumGetPointer(result), 2 * axes * sizeof(float8));
	pfree(DatumGetPointer(result));
	return limit_bounds(ends, axes);
}

/* Return the type of a support function's first argument. */
static Oid
argument_type(const FmgrInfo *flinfo)
{
	const SpqRtreeForeign *foreign = flinfo->fn_extra;
	Oid		   *types;
	int			ntypes;

	if (foreign != NULL)
		return foreign->type;
	(void) get_func_signature(flinfo->fn_oid, &types, &ntypes);
	return types[0];
}

static void
set_ends(FmgrInfo *flinfo, bool in_space, Datum value, float8 *ends)
{
	SpqRtreeForeign *foreign = spq_rtree_foreign_type(flinfo, argument_type(flinfo), in_space);

	(void) spq_rtree_foreign_bounds(foreign, value, ends);
}

/*
 * spqtree_TYPE_ends(TYPE, internal) returns void, of whichever type has bounds
 */
Datum
spq_rtree_foreign_ends(PG_FUNCTION_ARGS)
{
	set_ends(fcinfo->flinfo, false, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * The same of spqtree_bounds3
 */
Datum
spq_rtree_foreign_ends3(PG_FUNCTION_ARGS)
{
	set_ends(fcinfo->flinfo, true, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/* Set the condition that a value with these bounds makes. */
static void
set_bounds_condition(int strategy, bool by_bounds, const float8 *query, SpqRtreeKnown known,
					 int axes, SpqRtreeCondition *condition)
{
	const float8 no_margins[SPQ_RTREE_AXES] = {0};
	SpqRelation relation = spq_box_relation(strategy);
	SpqBoxCorners corners = {.high = query,.low = query + axes};

	condition->ncomparisons = 0;
	condition->exact = by_bounds && known == SPQ_RTREE_KNOWN &&
		(relation == SPQ_BOX_OVERLAPS || relation == SPQ_BOX_CONTAINS);
	if (known != SPQ_RTREE_ABSENT)
		spq_rtree_compare_bounds(condition, relation, corners, no_margins, axes);
	else if (relation == SPQ_BOX_OVERLAPS)
		spq_rtree_compare(condition, 0, true, get_float8_nan());	/* nothing */
}

static void
set_condition(FmgrInfo *flinfo, bool in_space, bool by_bounds, const ScanKeyData *key,
			  SpqRtreeCondition *condition)
{
	SpqRtreeForeign *foreign = spq_rtree_foreign_type(flinfo, key->sk_subtype, in_space);
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known = spq_rtree_foreign_bounds(foreign, key->sk_argument, query);

	set_bounds_condition(key->sk_strategy, by_bounds, query, known, foreign->axes, condition);
}

/*
 * spqtree_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_foreign_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, false, false, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * spqtree_bounds3_condition(internal, internal) returns void
 */
Datum
spq_rtree_foreign_condition3(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, true, false, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * spqtree_exact_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_foreign_exact_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, false, true, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * Return the name of the function that returns the bounds of what an index has; NULL if
 * the index is not of such a class.
 */
const char *
spq_rtree_foreign_name(Relation index)
{
	PGFunction	condition = spq_rtree_class_proc(index, SPQ_RTREE_CONDITION_PROC)->fn_addr;

	if (condition == spq_rtree_foreign_condition3)
		return SPQ_SPATIAL_BOUNDS3;
	return condition == spq_rtree_foreign_condition ||
		condition == spq_rtree_foreign_exact_condition ? SPQ_SPATIAL_BOUNDS : NULL;
}

/*
 * Return the condition of a scan of an index of such a class for a value with these
 * bounds: high ends, then low ones.
 */
SpqRtreeCondition
spq_rtree_foreign_box_condition(Relation index, int strategy, const float8 *box)
{
	SpqRtreeCondition condition = {.ask = spq_rtree_ask_executor};
	const FmgrInfo *proc = spq_rtree_class_proc(index, SPQ_RTREE_CONDITION_PROC);
	int			axes = spq_rtree_axes(index);
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known;

	memcpy(query, box, 2 * axes * sizeof(float8));
	known = limit_bounds(query, axes);
	set_bounds_condition(strategy, proc->fn_addr == spq_rtree_foreign_exact_condition, query,
						 known, axes, &condition);
	return condition;
}
