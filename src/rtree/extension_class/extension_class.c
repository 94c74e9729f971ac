/*-------------------------------------------------------------------------
 *
 * extension_class.c
 *	  Support functions of operator classes for types of other extensions, by
 *	  their bounds.  See class.h; their orders are in extension_order.h.
 *
 * Such a type has a descriptor (types/type.h), whose box the class stores.  Its
 * operators have the strategy numbers of PostgreSQL's class for boxes, and hold
 * only if the same relation, without EPSILON, holds for the boxes on each axis.
 * An axis on which a box is not finite, or as large as a float4 can be, restricts
 * nothing.  If a value has no box, all that is known is that it overlaps
 * nothing.
 *
 * A type may have classes in the plane and in space, with a descriptor for each.
 *
 * A row's ends may be larger than its value.  So comparisons are those that
 * hold for anything that encloses the value: low ends at most, high ends at
 * least a number.  If the descriptor says that operators compare only boxes, &&
 * and @> need no recheck for rows with a box.
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
#include "types/registry.h"

PG_FUNCTION_INFO_V1(spq_rtree_extension_ends);
PG_FUNCTION_INFO_V1(spq_rtree_extension_ends3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_float_ends);
PG_FUNCTION_INFO_V1(spq_rtree_extension_float_ends3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_condition);

/*
 * Return the descriptor of the type of a column, in a class with this number of
 * axes (0: in the default class), or NULL.  The operators of our own types have EPSILON, which these
 * classes do not know.
 */
static const SpqType *
described(Oid column_type, int axes)
{
	const SpqType *type = spq_type_of(column_type);

	if (type == NULL || type->version == 0)
		return NULL;
	return axes == 0 || type->axes == axes ? type : type->in_space;
}

/*
 * Return how a type's values yield their boxes, in a class of a column's type.
 * It is kept in "flinfo" from one call of a support function to the next.  Of a
 * type that does not go with the column's, nothing is known (how.type is NULL).
 */
SpqRtreeExtension *
spq_rtree_extension_type(FmgrInfo *flinfo, Oid type, Oid column_type, int axes)
{
	SpqRtreeExtension *extension = flinfo->fn_extra;
	const SpqType *column,
			   *known;

	if (extension != NULL && extension->type == type)
		return extension;
	known = column = described(column_type, axes);
	if (column == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("type %s is not described by its default operator class for access method %s",
						format_type_be(column_type), "spqtree"),
				 errdetail("Operator classes with support function \"%s\" require it.",
						   get_func_name(flinfo->fn_oid)),
				 errhint("Support function %d of the default class returns the descriptor.",
						 SPQ_TYPE_SUPPORT)));
	if (type != column_type)
		known = spq_type_of(type);
	if (extension == NULL)
		extension = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(SpqRtreeExtension));
	extension->type = type;
	extension->column = column;
	extension->how.type = known && known->box && known->axes == column->axes ? known : NULL;
	extension->how.exact = true;
	extension->how.oid = type;
	flinfo->fn_extra = extension;
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
spq_rtree_extension_bounds(const SpqRtreeExtension *extension, Datum value, float8 *ends)
{
	int			axes = extension->how.type->axes;

	extension->how.type->box(&extension->how, value, ends);
	if (!(ends[0] < ends[axes]))
		return limit_bounds(ends, axes);
	for (int axis = 0; axis < axes; axis++)
		set_everything(ends, axes, axis);
	return SPQ_RTREE_ABSENT;
}

/*
 * Set "ends" to the bounds of a value, in the default class (axes: 0) or one in space
 * (3).  Return the number of axes.
 */
static int
set_ends(FmgrInfo *flinfo, int axes, Datum value, float8 *ends)
{
	const SpqRtreeExtension *extension = flinfo->fn_extra;

	if (extension == NULL)
	{
		Oid		   *types;
		int			ntypes;

		(void) get_func_signature(flinfo->fn_oid, &types, &ntypes);
		extension = spq_rtree_extension_type(flinfo, types[0], types[0], axes);
	}
	if (extension->how.type == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of type %s have no bounds", format_type_be(extension->type))));
	(void) spq_rtree_extension_bounds(extension, value, ends);
	return extension->how.type->axes;
}

/* The same, rounded outward to float4. */
static void
set_float_ends(FmgrInfo *flinfo, int axes, Datum value, float8 *ends)
{
	axes = set_ends(flinfo, axes, value, ends);
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
	(void) set_ends(fcinfo->flinfo, 0, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * The same in a class in space, of a type whose default class is in the plane
 */
Datum
spq_rtree_extension_ends3(PG_FUNCTION_ARGS)
{
	(void) set_ends(fcinfo->flinfo, 3, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * The same two, for types whose bounds are of single precision: leaves are of
 * floats (layout.h)
 */
Datum
spq_rtree_extension_float_ends(PG_FUNCTION_ARGS)
{
	set_float_ends(fcinfo->flinfo, 0, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

Datum
spq_rtree_extension_float_ends3(PG_FUNCTION_ARGS)
{
	set_float_ends(fcinfo->flinfo, 3, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
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

/*
 * Set the condition of an operator of a described class whose argument has these
 * bounds.
 */
static void
set_bounds_condition(const SpqType *column, int strategy, const float8 *query,
					 SpqRtreeKnown known, SpqRtreeCondition *condition)
{
	const float8 no_margins[SPQ_RTREE_AXES] = {0};
	SpqRelation relation = spq_box_relation(strategy);
	SpqBoxCorners corners = {.high = query,.low = query + column->axes};

	condition->ncomparisons = 0;
	condition->exact = column->compares_boxes && known == SPQ_RTREE_KNOWN &&
		(relation == SPQ_BOX_OVERLAPS || relation == SPQ_BOX_CONTAINS);
	if (known != SPQ_RTREE_ABSENT)
		spq_rtree_compare_bounds(condition, relation, corners, no_margins, column->axes);
	else if (relation == SPQ_BOX_OVERLAPS)
		spq_rtree_compare(condition, 0, true, get_float8_nan());	/* no row */
}

/*
 * _spqtree_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_extension_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	const SpqRtreeExtension *extension =
		spq_rtree_extension_type(fcinfo->flinfo, key->sk_subtype, condition->column_type,
								 condition->axes);
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known;

	condition->ncomparisons = 0;
	condition->exact = false;
	if (extension->how.type == NULL)
		PG_RETURN_VOID();
	known = spq_rtree_extension_bounds(extension, key->sk_argument, query);
	set_bounds_condition(extension->column, key->sk_strategy, query, known, condition);
	PG_RETURN_VOID();
}

/*
 * Return the descriptor of the type of an index of such a class, or NULL if the
 * index has another class.
 */
const SpqType *
spq_rtree_extension_described(Relation index)
{
	return support_function(index, SPQ_RTREE_CONDITION_PROC) == spq_rtree_extension_condition ?
		described(index->rd_opcintype[spq_rtree_box_column(index) - 1], spq_rtree_axes(index)) : NULL;
}

/*
 * Return the condition of an operator of an index of such a class, given the
 * bounds of the operator's argument: high ends, then low ones.
 */
SpqRtreeCondition
spq_rtree_extension_box_condition(Relation index, int strategy, const float8 *box)
{
	const SpqType *column = spq_rtree_extension_described(index);
	SpqRtreeCondition condition = {.ask = spq_rtree_ask_executor};
	float8		query[SPQ_RTREE_ENDS];
	SpqRtreeKnown known;

	memcpy(query, box, 2 * column->axes * sizeof(float8));
	known = limit_bounds(query, column->axes);
	set_bounds_condition(column, strategy, query, known, &condition);
	return condition;
}
