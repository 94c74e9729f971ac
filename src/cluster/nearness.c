/*-------------------------------------------------------------------------
 *
 * nearness.c
 *	  Which rows are neighbors: what it means for values of a type to meet, or to
 *	  be within a distance.
 *
 *	type						to meet			within a distance
 *	box							&&				closest points, exact
 *	point, box3, point3			closest points, exact, at most 0 or the distance
 *	circle, polygon				&&				-
 *	lseg, path					?#				-
 *	ranges, multiranges			&&				-
 *	geometry, geography			ST_DWithin, of 0 or the distance
 *
 * Boxes of the engine are compared with PostgreSQL's tolerance, EPSILON, before
 * their distance is.  Where the distance is much larger than EPSILON, this makes
 * no difference.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "cluster/nearness.h"
#include "compat.h"
#include "spatial/extension/member.h"
#include "types/registry.h"

/* strategy number of the operator that means "to meet" */
#define MEETS	3

/*
 * The least distance for which the tolerance of && makes no difference: boxes that
 * overlap with it are at most 2 EPSILON apart on each axis, rounding included.
 */
#define TOLERANT_DISTANCE	(4 * EPSILON)

/* Boxes of values whose distance PostGIS rounds differently than we do. */
#define DISTANCE_MARGIN		1e-9

static void
check_rights(Oid function)
{
	AclResult	rights = spq_function_aclcheck(function, GetUserId());

	if (rights != ACLCHECK_OK)
		aclcheck_error(rights, OBJECT_FUNCTION, get_func_name(function));
}

static void
ask_function(SpqNearness *nearness, Oid function, int nargs)
{
	fmgr_info(function, &nearness->decides);
	nearness->asks = true;
	nearness->nargs = nargs;
}

/* What does not depend on the type. */
static void
finish_init(SpqNearness *nearness, Oid base)
{
	nearness->engine = spq_join_engine(nearness->axes);
	nearness->relation = nearness->box_distance > 0 ? SPQ_BOX_WITHIN : SPQ_BOX_OVERLAPS;
	nearness->value_length = get_typlen(base);
	nearness->context = AllocSetContextCreate(CurrentMemoryContext, "spatial cluster row",
											  ALLOCSET_DEFAULT_SIZES);
}

/* Values of an extension that has a function for distances, such as PostGIS. */
static bool
init_extension(SpqNearness *nearness, Oid type, double distance, bool checks_rights)
{
	const SpqType *known = spq_spatial_member_type(type);
	Oid			types[] = {type, type, FLOAT8OID, BOOLOID},
				bounds = spq_spatial_find_bounds(type),
				within = InvalidOid,
				faster;
	int			nargs;

	if (known == NULL || known->within == NULL || !OidIsValid(bounds))
		return false;
	for (nargs = 3; nargs <= 4; nargs++)
	{
		within = spq_spatial_within_function(type, nargs, types);
		if (OidIsValid(within))
			break;
	}
	if (!OidIsValid(within))
		return false;
	faster = spq_spatial_equivalent(within);
	if (checks_rights)
	{
		check_rights(bounds);
		check_rights(within);
	}
	ask_function(nearness, OidIsValid(faster) ? faster : within, nargs);
	fmgr_info(bounds, &nearness->bounds);
	nearness->kind = SPQ_VALUE_FUNCTION;
	nearness->axes = get_func_rettype(bounds) == BOXOID ? 2 : 3;
	nearness->box_distance = distance / known->unit * (1 + DISTANCE_MARGIN);
	return true;
}

/* Values that meet by an operator, without a distance. */
static bool
init_operator(SpqNearness *nearness, Oid type, const SpqType *known)
{
	char		typtype = get_typtype(type);
	const SpqTypeOperator *row = known ? known->operators : NULL;
	SpqTypeOperand operand = {.type = known};

	nearness->axes = 2;
	if (typtype == TYPTYPE_RANGE)
	{
		nearness->kind = SPQ_VALUE_RANGE;
		check_rights(F_RANGE_OVERLAPS);
		ask_function(nearness, F_RANGE_OVERLAPS, 2);
		return true;
	}
	if (typtype == TYPTYPE_MULTIRANGE)
	{
		nearness->kind = SPQ_VALUE_MULTIRANGE;
		check_rights(F_MULTIRANGE_OVERLAPS_MULTIRANGE);
		ask_function(nearness, F_MULTIRANGE_OVERLAPS_MULTIRANGE, 2);
		return true;
	}
	while (row && row->left && !(row->strategy == MEETS && row->left == known &&
								 row->right == known))
		row++;
	if (known == NULL || known->axes != 2 || known->box == NULL ||
		row == NULL || row->left == NULL || !OidIsValid(row->function.oid))
		return false;
	nearness->kind = SPQ_VALUE_TYPE;
	check_rights(row->function.oid);
	ask_function(nearness, row->function.oid, 2);
	spq_type_box_init(&nearness->box_of, &operand, false, InvalidOid);
	return true;
}

/*
 * Find out what neighbors are for values of a type: those that meet, or if
 * "distance" is not NULL, those within this distance.  "argument" is the argument
 * that returned them.
 */
void
spq_nearness_init(SpqNearness *nearness, Oid type, const char *argument, const double *distance)
{
	Oid			base = getBaseType(type);
	const SpqType *known = spq_type_of(base);

	memset(nearness, 0, sizeof(*nearness));
	nearness->distance = nearness->box_distance = distance ? *distance : 0;
	if (known && (known->is_box || known->is_point))
	{
		nearness->kind = known->is_box ? SPQ_VALUE_BOX : SPQ_VALUE_POINT;
		nearness->axes = known->axes;
		nearness->exact = known->axes == 2 && (distance ? *distance < TOLERANT_DISTANCE : known->is_point);
	}
	else if (!init_extension(nearness, base, nearness->distance, true) &&
			 (distance || !init_operator(nearness, base, known)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg(distance ?
						"second column of %s must be a box, point, box3 or point3, not %s" :
						"second column of %s must be a box, point, box3, point3, range or other shape of the plane, not %s",
						argument, format_type_be(type)),
				 errhint("Convert it to a box or a box3, such as with box(polygon).  Types of PostGIS need the extension spqtree_postgis.")));
	finish_init(nearness, base);
}

/*
 * The same for a type of an extension, in a function that stands for one of this extension: the user
 * need not have rights on the functions that it uses.  Return false if there are none.
 */
bool
spq_nearness_init_extension(SpqNearness *nearness, Oid type, double distance)
{
	memset(nearness, 0, sizeof(*nearness));
	nearness->distance = distance;
	if (!init_extension(nearness, type, distance, false))
		return false;
	finish_init(nearness, type);
	return true;
}

static bool
has_nan(const float8 *numbers, int count)
{
	bool		found = false;

	for (int i = 0; i < count; i++)
		found |= isnan(numbers[i]);
	return found;
}

/* Set the box that a function returns.  Return false if that is NULL. */
static bool
call_bounds(SpqNearness *nearness, Datum value, float8 *box)
{
	LOCAL_FCINFO(fcinfo, 1);
	Datum		result;

	InitFunctionCallInfoData(*fcinfo, &nearness->bounds, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	result = FunctionCallInvoke(fcinfo);
	if (fcinfo->isnull)
		return false;
	memcpy(box, DatumGetPointer(result), 2 * nearness->axes * sizeof(float8));
	return true;
}

/* The same for values that are not stored as numbers. */
static bool
make_box(SpqNearness *nearness, Datum value, float8 *box)
{
	MemoryContext old = MemoryContextSwitchTo(nearness->context);
	bool		found = true;

	switch (nearness->kind)
	{
		case SPQ_VALUE_TYPE:
			spq_type_box_of(&nearness->box_of, value, box);
			break;
		case SPQ_VALUE_RANGE:
		case SPQ_VALUE_MULTIRANGE:
			found = spq_range_box(&nearness->range, value,
								  nearness->kind == SPQ_VALUE_MULTIRANGE,
								  SPQ_RANGE_OVERLAPS, (BOX *) box);
			break;
		default:
			found = call_bounds(nearness, value, box);
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(nearness->context);
	return found;
}

/*
 * Set the box of a value.  Return false if it has none: it meets nothing, not even
 * itself.
 */
bool
spq_nearness_box(SpqNearness *nearness, Datum value, float8 *box)
{
	const float8 *numbers = (const float8 *) DatumGetPointer(value);
	int			axes = nearness->axes;

	switch (nearness->kind)
	{
		case SPQ_VALUE_BOX:
			memcpy(box, numbers, 2 * axes * sizeof(float8));
			break;
		case SPQ_VALUE_POINT:
			memcpy(box, numbers, axes * sizeof(float8));
			memcpy(box + axes, numbers, axes * sizeof(float8));
			break;
		default:
			if (!make_box(nearness, value, box))
				return false;
	}
	return !has_nan(box, 2 * axes);
}

/*
 * Return whether two values are neighbors.  They are the contents of datums passed by
 * reference.
 */
bool
spq_nearness_ask(SpqNearness *nearness, const void *a, const void *b)
{
	LOCAL_FCINFO(fcinfo, 4);
	MemoryContext old = MemoryContextSwitchTo(nearness->context);
	Datum		result;

	InitFunctionCallInfoData(*fcinfo, &nearness->decides, nearness->nargs, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = PointerGetDatum(a);
	fcinfo->args[1].value = PointerGetDatum(b);
	fcinfo->args[2].value = Float8GetDatum(nearness->distance);
	fcinfo->args[3].value = BoolGetDatum(true);
	for (int i = 0; i < 4; i++)
		fcinfo->args[i].isnull = false;
	result = FunctionCallInvoke(fcinfo);
	MemoryContextSwitchTo(old);
	MemoryContextReset(nearness->context);
	return !fcinfo->isnull && DatumGetBool(result);
}
