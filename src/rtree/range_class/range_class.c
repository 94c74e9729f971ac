/*-------------------------------------------------------------------------
 *
 * range_class.c
 *	  The operator classes for ranges and multiranges: support functions.  See
 *	  class.h and range_condition.h.
 *
 * These are classes for both positions in a key, so the index has the type of
 * the column: that of a value that ranges are asked to contain depends on it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/stratnum.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "utils/lsyscache.h"

#include "range/range_box.h"
#include "rtree/class/class.h"
#include "rtree/range_class/range_condition.h"

/*
 * Strategy numbers are those of PostgreSQL's classes, except that equality is 1,
 * as in all classes for scalars, and << has its number.
 */
#define ADJACENT_STRATEGY	6
#define ELEMENT_STRATEGY	16
#define LEFT_STRATEGY		18

/*
 * Up to this number, halves of whole numbers are exact, and so are those of
 * rows, if they are not farther out.
 */
#define EXACT_END	((float8) (INT64CONST(1) << 51))

PG_FUNCTION_INFO_V1(spq_rtree_range_ends);
PG_FUNCTION_INFO_V1(spq_rtree_multirange_ends);
PG_FUNCTION_INFO_V1(spq_rtree_range_condition);

/* Return the place for what is known about the type of ranges. */
static SpqRangeType *
cached_type(FmgrInfo *flinfo)
{
	if (!flinfo->fn_extra)
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(SpqRangeType));
	return flinfo->fn_extra;
}

static void
set_ends(FmgrInfo *flinfo, Datum value, bool multirange, float8 *ends)
{
	BOX			box;

	if (!spq_range_box(cached_type(flinfo), value, multirange, SPQ_RANGE_OVERLAPS, &box))
	{
		/* the empty range */
		box.low.x = get_float8_infinity();
		box.high.x = -get_float8_infinity();
	}

	/* those of a point: high ends, then low ends */
	ends[0] = ends[2] = box.low.x;
	ends[1] = ends[3] = box.high.x;
}

/*
 * _spqtree_range_ends(anyrange, internal) returns void
 */
Datum
spq_rtree_range_ends(PG_FUNCTION_ARGS)
{
	set_ends(fcinfo->flinfo, PG_GETARG_DATUM(0), false, (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_multirange_ends(anymultirange, internal) returns void
 */
Datum
spq_rtree_multirange_ends(PG_FUNCTION_ARGS)
{
	set_ends(fcinfo->flinfo, PG_GETARG_DATUM(0), true, (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/* Return what the operator with a strategy number asks of a row. */
static SpqRtreeRangeRelation
relation_of(StrategyNumber strategy)
{
	switch (strategy)
	{
		case SPQ_RTREE_EQUAL_STRATEGY:
			return SPQ_RTREE_RANGE_EQUALS;
		case RTOverLeftStrategyNumber:
			return SPQ_RTREE_RANGE_OVERLEFT;
		case RTOverlapStrategyNumber:
			return SPQ_RTREE_RANGE_OVERLAPS;
		case RTOverRightStrategyNumber:
			return SPQ_RTREE_RANGE_OVERRIGHT;
		case RTRightStrategyNumber:
			return SPQ_RTREE_RANGE_RIGHT;
		case ADJACENT_STRATEGY:
			return SPQ_RTREE_RANGE_ADJACENT;
		case RTContainsStrategyNumber:
		case ELEMENT_STRATEGY:
			return SPQ_RTREE_RANGE_CONTAINS;
		case RTContainedByStrategyNumber:
			return SPQ_RTREE_RANGE_CONTAINED;
		case LEFT_STRATEGY:
			return SPQ_RTREE_RANGE_LEFT;
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/* Set a query that is a value, which is the range from the value to itself. */
static void
set_value(const SpqRangeType *type, Datum value, SpqRtreeRangeQuery *query)
{
	query->low = query->left = -get_float8_infinity();
	query->high = query->right = get_float8_infinity();
	if (type->kind != SPQ_NUMBER_NONE)
	{
		SpqNumber	number = spq_number_of(type->kind, value);

		query->low = number.low;
		query->high = number.high;
	}
}

/* Set a query that is a range or multirange.  Return false if it is empty. */
static bool
set_range(SpqRangeType *type, Datum value, bool multirange, SpqRtreeRangeQuery *query)
{
	BOX			box;

	if (!spq_range_box(type, value, multirange, SPQ_RANGE_OVERLAPS, &box))
		return false;
	query->low = box.low.x;
	query->high = box.high.x;
	return spq_range_sides(type, value, multirange, &query->left, &query->right);
}

/* Return whether values are whole numbers, of which those near 0 are exact. */
static bool
is_whole(SpqNumberKind kind)
{
	switch (kind)
	{
		case SPQ_NUMBER_NONE:
		case SPQ_NUMBER_FLOAT4:
		case SPQ_NUMBER_FLOAT8:
		case SPQ_NUMBER_NUMERIC:
		case SPQ_NUMBER_INTERVAL:
		case SPQ_NUMBER_UUID:
			return false;
		default:
			return true;
	}
}

/* Return whether the comparisons of a condition decide its operator. */
static bool
is_decided(const SpqRangeType *type, SpqRtreeRangeRelation relation,
		   const SpqRtreeCondition *condition)
{
	if (relation == SPQ_RTREE_RANGE_ADJACENT || !is_whole(type->kind))
		return false;
	for (int c = 0; c < condition->ncomparisons; c++)
		if (!(fabs(condition->comparisons[c].number) <= EXACT_END))
			return false;
	return true;
}

/*
 * _spqtree_range_condition(internal, internal) returns void, for ranges and for
 * multiranges
 */
Datum
spq_rtree_range_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	SpqRangeType *type = cached_type(fcinfo->flinfo);
	SpqRtreeRangeRelation relation = relation_of(key->sk_strategy);
	Oid			column_type = getBaseType(condition->column_type);
	bool		multirange = key->sk_subtype == ANYMULTIRANGEOID;
	SpqRtreeRangeQuery query;

	condition->ncomparisons = 0;
	condition->exact = false;
	if (key->sk_strategy == ELEMENT_STRATEGY)
	{
		spq_range_type(type, column_type);
		set_value(type, key->sk_argument, &query);
	}
	else if (!set_range(type, key->sk_argument, multirange, &query))
	{
		spq_rtree_range_compare_empty(relation, condition);
		condition->exact = true;
		PG_RETURN_VOID();
	}
	if (relation == SPQ_RTREE_RANGE_ADJACENT && spq_range_may_skip_values(type))
		PG_RETURN_VOID();
	spq_rtree_range_compare(relation, &query, condition);
	condition->exact = !multirange && !type_is_multirange(column_type) &&
		is_decided(type, relation, condition);
	PG_RETURN_VOID();
}
