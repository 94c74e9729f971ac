/*-------------------------------------------------------------------------
 *
 * extension_class.c
 *	  Support functions of operator classes for types of other extensions, by
 *	  their bounds.  See class.h; their orders are in extension_order.h.
 *
 * Such a type has a descriptor (types/type.h), or a function spqtree_bounds(type)
 * (spatial/extension/extension_clause.c) that returns a box or a box3.  The class
 * stores these bounds.  Its operators have the
 * strategy numbers of PostgreSQL's class for boxes, and hold only if the same
 * relation, without EPSILON, holds for the bounds on each axis.  An axis on
 * which bounds are not finite, or as large as a float4 can be, restricts
 * nothing.  If a value has no bounds, all that is known is that it overlaps
 * nothing.
 *
 * A type may have classes in the plane and in space.  Then
 * spqtree_bounds3(type) is the function for space.
 *
 * A row's ends may be larger than its value.  So comparisons are those that
 * hold for anything that encloses the value: low ends at most, high ends at
 * least a number.  If the extension declares that its operators compare only
 * bounds (by _spqtree_exact_bounds_condition, or _spqtree_exact_bounds3_condition
 * in space), && and @> need no recheck for rows with bounds.
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/class.h"
#include "rtree/extension_class/extension_class.h"
#include "spatial/extension/extension_clause.h"
#include "types/registry.h"

PG_FUNCTION_INFO_V1(spq_rtree_extension_ends);
PG_FUNCTION_INFO_V1(spq_rtree_extension_ends3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_float_ends);
PG_FUNCTION_INFO_V1(spq_rtree_extension_float_ends3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_condition);
PG_FUNCTION_INFO_V1(spq_rtree_extension_condition3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_exact_condition);
PG_FUNCTION_INFO_V1(spq_rtree_extension_exact_condition3);

/*
 * Return how a type's values yield their bounds: by a descriptor, if the column's
 * type is described by its class, else by the type's bounds function, the one for
 * space if "in_space".  It is kept in "flinfo" from one call of a support function to
 * the next.  If there is no such function, raise an error.  A type that a column's
 * descriptor does not go with has 0 axes: nothing is known of its values.
 */
SpqRtreeExtension *
spq_rtree_extension_type(FmgrInfo *flinfo, Oid type, Oid column_type, bool in_space)
{
	SpqRtreeExtension *extension = flinfo->fn_extra;
	const char *name = in_space ? SPQ_SPATIAL_BOUNDS3 : SPQ_SPATIAL_BOUNDS;
	const SpqType *column;
	Oid			function;

	if (extension != NULL && extension->type == type)
		return extension;
	column = spq_type_of(column_type);
	if (extension == NULL)
		extension = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(SpqRtreeExtension));
	extension->type = InvalidOid;
	flinfo->fn_extra = extension;
	memset(&extension->described, 0, sizeof(SpqTypeBoxOf));

	extension->described.exact = true;

	/*
	 * the operators of our own types have EPSILON, which these classes do not
	 * know
	 */
	if (column != NULL && column->version != 0)
	{
		const SpqType *described = spq_type_of(type);

		extension->axes = 0;
		if (described != NULL && described->box != NULL && described->axes == column->axes)
		{
			extension->described.type = described;
			extension->axes = described->axes;
		}
		extension->type = type;
		return extension;
	}
	function = spq_spatial_find_function(name, 1, &type, InvalidOid);
	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function %s(%s) does not exist", name, format_type_be(type)),
				 errdetail("Operator classes with support function \"%s\" require it.",
						   get_func_name(flinfo->fn_oid)),
				 errhint("It must be a C function, immutable, strict and parallel safe, of the type's extension or of one that requires it.")));
	fmgr_info_cxt(function, &extension->function, flinfo->fn_mcxt);
	extension->axes = spq_rtree_axes_of_length(get_typlen(get_func_rettype(function)));
	extension->type = type;
	return extension;
}

/* Set the ends on an axis to enclose everything. */
static void
set_everything(float8 *ends, int axes, int axis)
{
	ends[axis] = get_float8_infinity();
	ends[axes + axis] = -get_float8_infinity();
}

/*
 * Set the ends on each axis on which they are not finite, or as large as a
 * float4 can be, to enclose everything.
 */
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

/*
 * Set "ends" to the bounds of a value, infinite on each axis without known
 * bounds.
 */
SpqRtreeKnown
spq_rtree_extension_bounds(SpqRtreeExtension *extension, Datum value, float8 *ends)
{
	LOCAL_FCINFO(fcinfo, 1);
	int			axes = extension->axes;
	Datum		result;

	if (extension->described.type != NULL)
	{
		extension->described.type->box(&extension->described, value, ends);
		return limit_bounds(ends, axes);
	}
	InitFunctionCallInfoData(*fcinfo, &extension->function, 1, InvalidOid, NULL, NULL);
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
	const SpqRtreeExtension *extension = flinfo->fn_extra;
	Oid		   *types;
	int			ntypes;

	if (extension != NULL)
		return extension->type;
	(void) get_func_signature(flinfo->fn_oid, &types, &ntypes);
	return types[0];
}

/* Return the number of axes. */
static int
set_ends(FmgrInfo *flinfo, bool in_space, Datum value, float8 *ends)
{
	Oid			type = argument_type(flinfo);
	SpqRtreeExtension *extension = spq_rtree_extension_type(flinfo, type, type, in_space);

	if (extension->axes == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of type %s have no bounds", format_type_be(type))));
	(void) spq_rtree_extension_bounds(extension, value, ends);
	return extension->axes;
}

/* Set "ends" to the bounds of a value, rounded outward to float4. */
static void
set_float_ends(FmgrInfo *flinfo, bool in_space, Datum value, float8 *ends)
{
	int			axes = set_ends(flinfo, in_space, value, ends);

	for (int end = 0; end < 2 * axes; end++)
	{
		SpqRtreeComparison enclosing = {.at_most = end >= axes,.number = ends[end]};

		ends[end] = spq_rtree_rounded(&enclosing);
	}
}

/*
 * _spqtree_TYPE_ends(TYPE, internal) returns void, for any type with bounds
 */
Datum
spq_rtree_extension_ends(PG_FUNCTION_ARGS)
{
	(void) set_ends(fcinfo->flinfo, false, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * The same, for the bounds of spqtree_bounds3
 */
Datum
spq_rtree_extension_ends3(PG_FUNCTION_ARGS)
{
	(void) set_ends(fcinfo->flinfo, true, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * The same two, for types whose bounds are of single precision: leaves are of
 * floats (layout.h)
 */
Datum
spq_rtree_extension_float_ends(PG_FUNCTION_ARGS)
{
	set_float_ends(fcinfo->flinfo, false, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

Datum
spq_rtree_extension_float_ends3(PG_FUNCTION_ARGS)
{
	set_float_ends(fcinfo->flinfo, true, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/* Return a support function of the class of an index. */
static PGFunction
support_function(Relation index, int number)
{
	return spq_rtree_class_proc(index, number)->fn_addr;
}

/* Return whether the ends of all rows of an index are float4. */
bool
spq_rtree_extension_has_floats(Relation index)
{
	PGFunction	ends = support_function(index, SPQ_RTREE_ENDS_PROC);

	return (ends == spq_rtree_extension_float_ends || ends == spq_rtree_extension_float_ends3) &&
		!spq_rtree_returns_key(index) && !spq_rtree_keeps_points(index);
}

/* Set the condition of an operator whose argument has these bounds. */
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
		spq_rtree_compare(condition, 0, true, get_float8_nan());	/* no row */
}

static void
set_condition(FmgrInfo *flinfo, bool in_space, bool by_bounds, const ScanKeyData *key,
			  SpqRtreeCondition *condition)
{
	SpqRtreeExtension *extension = spq_rtree_extension_type(flinfo, key->sk_subtype,
															condition->column_type, in_space);
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known;

	condition->ncomparisons = 0;
	condition->exact = false;
	if (extension->axes == 0)
		return;
	known = spq_rtree_extension_bounds(extension, key->sk_argument, query);
	set_bounds_condition(key->sk_strategy, by_bounds, query, known, extension->axes, condition);
}

/*
 * _spqtree_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_extension_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, false, false, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_bounds3_condition(internal, internal) returns void
 */
Datum
spq_rtree_extension_condition3(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, true, false, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_exact_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_extension_exact_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, false, true, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_exact_bounds3_condition(internal, internal) returns void
 */
Datum
spq_rtree_extension_exact_condition3(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, true, true, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * Return whether a class has a condition function that declares that its operators
 * compare only bounds.
 */
static bool
is_exact(PGFunction condition)
{
	return condition == spq_rtree_extension_exact_condition ||
		condition == spq_rtree_extension_exact_condition3;
}

/* Return whether a condition function uses the bounds for space. */
static bool
is_in_space(PGFunction condition)
{
	return condition == spq_rtree_extension_condition3 ||
		condition == spq_rtree_extension_exact_condition3;
}

/*
 * Return the name of the bounds function that an index of such a class uses, or
 * NULL if the index has another class.
 */
const char *
spq_rtree_extension_name(Relation index)
{
	PGFunction	condition = support_function(index, SPQ_RTREE_CONDITION_PROC);

	if (is_in_space(condition))
		return SPQ_SPATIAL_BOUNDS3;
	return condition == spq_rtree_extension_condition ||
		condition == spq_rtree_extension_exact_condition ? SPQ_SPATIAL_BOUNDS : NULL;
}

/*
 * Return the condition of an operator of an index of such a class, given the
 * bounds of the operator's argument: high ends, then low ones.
 */
SpqRtreeCondition
spq_rtree_extension_box_condition(Relation index, int strategy, const float8 *box)
{
	SpqRtreeCondition condition = {.ask = spq_rtree_ask_executor};
	PGFunction	function = support_function(index, SPQ_RTREE_CONDITION_PROC);
	int			axes = spq_rtree_axes(index);
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known;

	memcpy(query, box, 2 * axes * sizeof(float8));
	known = limit_bounds(query, axes);
	set_bounds_condition(strategy, is_exact(function), query, known, axes, &condition);
	return condition;
}
