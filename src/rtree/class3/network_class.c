/*-------------------------------------------------------------------------
 *
 * network_class.c
 *	  Operator classes for networks: support functions.  See class.h.
 *
 * Rows have the boxes of their addresses, of three axes (address_box.h), which
 * decide those operators that the type's descriptor says are exact.  That is
 * inet, or a type of another extension.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/box3.h"

#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/key_columns.h"
#include "types/value_box.h"

PG_FUNCTION_INFO_V1(spq_rtree_network_ends);
PG_FUNCTION_INFO_V1(spq_rtree_network_condition);
PG_FUNCTION_INFO_V1(spq_inet_type);

/*
 * Return how values of a type yield their boxes, kept in "flinfo" from one call of
 * a support function to the next.
 */
static const SpqTypeBoxOf *
box_of_type(FmgrInfo *flinfo, Oid type)
{
	SpqTypeBoxOf *how = flinfo->fn_extra;

	if (how != NULL && how->oid == type)
		return how;
	how = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(SpqTypeBoxOf));
	how->type = spq_type_of(type);
	if (how->type == NULL || how->type->box == NULL || how->type->axes != SPQ_DIM)
		elog(ERROR, "type %u has no box of three axes", type);
	how->exact = true;
	how->oid = type;
	flinfo->fn_extra = how;
	return how;
}

/*
 * _spqtree_TYPE_ends(TYPE, internal) returns void
 */
Datum
spq_rtree_network_ends(PG_FUNCTION_ARGS)
{
	const SpqTypeBoxOf *how = fcinfo->flinfo->fn_extra;

	if (how == NULL)
	{
		Oid		   *types;
		int			ntypes;

		(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
		how = box_of_type(fcinfo->flinfo, types[0]);
	}
	spq_type_box_of(how, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_network_condition(internal, internal) returns void
 */
Datum
spq_rtree_network_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	const SpqTypeBoxOf *how = box_of_type(fcinfo->flinfo, condition->column_type);
	const SpqTypeOperator *row = NULL;
	SpqRelation relation = SPQ_BOX_SAME;
	SpqBox3		box;

	if (key->sk_strategy != SPQ_RTREE_EQUAL_STRATEGY)
	{
		row = spq_type_own_row(how->type, key->sk_strategy);
		if (row == NULL)
			spq_box_unknown_strategy(key->sk_strategy);
		relation = row->relation;
	}
	spq_type_box_of(how, key->sk_argument, (float8 *) &box);
	*condition = spq_rtree_box_comparisons(relation, spq_box_corners(&box));
	condition->exact = row && row->fraction == SPQ_TYPE_EXACT;
	PG_RETURN_VOID();
}

/*
 * _spqtree_inet_type(internal) returns internal
 */
Datum
spq_inet_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(&spq_type_inet);
}
