/*-------------------------------------------------------------------------
 *
 * foreign_class.c
 *	  Support functions of operator classes for types of other extensions, by
 *	  their bounds.  See class.h.
 *
 * Such a type has a function spqtree_bounds(type) (spatial/foreign_clause.c) that
 * returns a box or a box3, which is what the class stores.  Its operators have the
 * strategy numbers of PostgreSQL's class for boxes, and hold only if the same relation,
 * without EPSILON, holds for the bounds; those that are absent, not finite, or as large as
 * a float4 can be say nothing, except that a value without bounds overlaps nothing.
 *
 * A row's ends may be larger than its value, so comparisons are those for anything
 * that encloses it: low ends at most, high ends at least.  Where the extension says that
 * its operators are about nothing but the bounds, && and @> of rows with bounds need not
 * be asked again: a condition of spqtree_exact_bounds_condition.
 *
 * The distance of two values, in the unit of the bounds, is at least that of their
 * bounds.  Formulas for distances of arcs lose more bits than those for points, so the
 * margin is a thousand times what the latter need.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"

#include "box/strategy.h"
#include "rtree/class.h"
#include "rtree/gap.h"
#include "spatial/foreign_clause.h"

PG_FUNCTION_INFO_V1(spq_rtree_foreign_ends);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_condition);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_exact_condition);
PG_FUNCTION_INFO_V1(spq_rtree_foreign_order);

/* For each unit of the coordinates. */
#define MARGIN	1e-12

/* The function that returns the bounds of a type. */
typedef struct BoundsOf
{
	Oid			type;
	int			axes;
	FmgrInfo	function;
} BoundsOf;

/* What is known of a value's bounds. */
typedef enum Known
{
	KNOWN,
	ABSENT,						/* the value has none */
	UNKNOWN						/* they say nothing */
} Known;

/* Return the function for a type, kept from one call of a support function to the next. */
static BoundsOf *
bounds_of_type(FmgrInfo *flinfo, Oid type)
{
	BoundsOf   *bounds = flinfo->fn_extra;
	Oid			function;

	if (bounds != NULL && bounds->type == type)
		return bounds;
	function = spq_spatial_bounds_function(type, false);
	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("there is no function spqtree_bounds(%s)", format_type_be(type)),
				 errdetail("An operator class that uses function \"%s\" needs it.",
						   get_func_name(flinfo->fn_oid)),
				 errhint("It has to be written in C, immutable, strict and parallel safe.")));
	if (bounds == NULL)
		bounds = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(BoundsOf));
	bounds->type = InvalidOid;
	flinfo->fn_extra = bounds;
	fmgr_info_cxt(function, &bounds->function, flinfo->fn_mcxt);
	bounds->axes = spq_rtree_axes_of_length(get_typlen(get_func_rettype(function)));
	bounds->type = type;
	return bounds;
}

/* Return the type of a support function's first argument. */
static Oid
argument_type(const FmgrInfo *flinfo)
{
	BoundsOf   *bounds = flinfo->fn_extra;
	Oid		   *types;
	int			ntypes;

	if (bounds != NULL)
		return bounds->type;
	(void) get_func_signature(flinfo->fn_oid, &types, &ntypes);
	return types[0];
}

/* Let the ends be those of everything. */
static void
set_everything(float8 *ends, int axes)
{
	for (int axis = 0; axis < axes; axis++)
	{
		ends[axis] = get_float8_infinity();
		ends[axes + axis] = -get_float8_infinity();
	}
}

/* Set the ends of a value's bounds, of everything if they are not known. */
static Known
get_ends(BoundsOf *bounds, Datum value, float8 *ends)
{
	LOCAL_FCINFO(fcinfo, 1);
	Datum		result;
	Known		known = KNOWN;

	InitFunctionCallInfoData(*fcinfo, &bounds->function, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	result = FunctionCallInvoke(fcinfo);
	if (fcinfo->isnull)
		known = ABSENT;
	else
	{
		memcpy(ends, DatumGetPointer(result), 2 * bounds->axes * sizeof(float8));
		pfree(DatumGetPointer(result));
		for (int axis = 0; axis < bounds->axes; axis++)
			if (!(ends[axis] < FLT_MAX && ends[bounds->axes + axis] > -FLT_MAX))
				known = UNKNOWN;
	}
	if (known != KNOWN)
		set_everything(ends, bounds->axes);
	return known;
}

/*
 * spqtree_TYPE_ends(TYPE, internal) returns void, of whichever type has bounds
 */
Datum
spq_rtree_foreign_ends(PG_FUNCTION_ARGS)
{
	BoundsOf   *bounds = bounds_of_type(fcinfo->flinfo, argument_type(fcinfo->flinfo));

	(void) get_ends(bounds, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/* Add the comparisons of a relation, for ends of anything that encloses a value. */
static void
compare_ends(SpqRelation relation, const float8 *query, int axes, SpqRtreeCondition *condition)
{
	const SpqBoxRule *rule = spq_box_rule(relation);
	SpqBoxCorners corners = {.high = query,.low = query + axes};
	int			first = 0,
				last = axes - 1;

	if (spq_box_is_axial(relation))
		first = last = spq_box_axis(relation);
	for (int axis = first; axis <= last; axis++)
	{
		if (rule->low_a != SPQ_BOX_NO_END)
			spq_rtree_compare(condition, axes + axis, true,
							  spq_box_end(corners, rule->low_b)[axis]);
		if (rule->high_a != SPQ_BOX_NO_END)
			spq_rtree_compare(condition, axis, false,
							  spq_box_end(corners, rule->high_b)[axis]);
	}
}

static void
set_condition(FmgrInfo *flinfo, bool by_bounds, const ScanKeyData *key,
			  SpqRtreeCondition *condition)
{
	BoundsOf   *bounds = bounds_of_type(flinfo, key->sk_subtype);
	SpqRelation relation = spq_box_relation(key->sk_strategy);
	float8		query[SPQ_RTREE_ENDS];
	Known		known = get_ends(bounds, key->sk_argument, query);

	condition->ncomparisons = 0;
	condition->exact = false;
	if (known == KNOWN)
	{
		compare_ends(relation, query, bounds->axes, condition);
		condition->exact = by_bounds &&
			(relation == SPQ_BOX_OVERLAPS || relation == SPQ_BOX_CONTAINS);
	}
	else if (known == ABSENT && relation == SPQ_BOX_OVERLAPS)
		spq_rtree_compare(condition, 0, true, get_float8_nan());	/* nothing */
}

/*
 * spqtree_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_foreign_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, false, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * spqtree_exact_bounds_condition(internal, internal) returns void
 */
Datum
spq_rtree_foreign_exact_condition(PG_FUNCTION_ARGS)
{
	set_condition(fcinfo->flinfo, true, (const ScanKeyData *) PG_GETARG_POINTER(0),
				  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

static void
least(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 *query = order->numbers;
	float8		margins[SPQ_DIM];

	for (int axis = 0; axis < SPQ_DIM; axis++)
		margins[axis] = MARGIN * Max(fabs(query[axis]), fabs(query[SPQ_DIM + axis]));
	spq_rtree_least_squares(columns, query, margins, MARGIN, squares);
}

/* Return the lower bound for a single row. */
static float8
distance(const SpqRtreeOrder *order, const float8 *ends)
{
	SpqRtreeColumn group[2 * SPQ_DIM] = {{0}};
	SpqRtreeColumns columns = {(const char *) group, sizeof(group), 1, SPQ_DIM, true, NULL};
	float8		squares[SPQ_RTREE_GROUP];

	for (int end = 0; end < 2 * SPQ_DIM; end++)
		group[end][0] = ends[end];
	least(order, &columns, squares);
	return spq_rtree_root(squares[0]);
}

/*
 * spqtree_bounds_order(internal, internal) returns void, for bounds of two axes
 */
Datum
spq_rtree_foreign_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeOrder *order = (SpqRtreeOrder *) PG_GETARG_POINTER(1);
	BoundsOf   *bounds = bounds_of_type(fcinfo->flinfo, key->sk_subtype);

	if (bounds->axes != SPQ_DIM)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("orders by bounds of type %s are not supported", format_type_be(bounds->type))));
	(void) get_ends(bounds, key->sk_argument, order->numbers);
	order->distance = distance;
	order->least = least;
	order->argument = NULL;
	PG_RETURN_VOID();
}
