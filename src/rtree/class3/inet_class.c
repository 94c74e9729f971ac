/*-------------------------------------------------------------------------
 *
 * inet_class.c
 *	  The operator class for inet and cidr: support functions.  See class.h.
 *
 * Rows have the boxes of their blocks, of three axes (inet_type.c), which decide
 * the operators, except that "<<" and ">>" are false for blocks that are the
 * same, and that "=" also compares the bits of hosts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/box3.h"

#include "rtree/class/box_condition.h"
#include "rtree/class/key_columns.h"
#include "types/value_box.h"

PG_FUNCTION_INFO_V1(spq_rtree_inet_ends);
PG_FUNCTION_INFO_V1(spq_rtree_inet_condition);
PG_FUNCTION_INFO_V1(spq_inet_type);

static const SpqTypeBoxOf box_of = {.type = &spq_type_inet,.exact = true};

/*
 * _spqtree_inet_ends(inet, internal) returns void
 */
Datum
spq_rtree_inet_ends(PG_FUNCTION_ARGS)
{
	spq_type_box_of(&box_of, PG_GETARG_DATUM(0), (float8 *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_inet_condition(internal, internal) returns void
 */
Datum
spq_rtree_inet_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	const SpqTypeOperator *row = key->sk_strategy == SPQ_RTREE_EQUAL_STRATEGY ? NULL :
		spq_type_class_row(&spq_type_inet, key->sk_strategy);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	SpqBox3		box;

	spq_type_box_of(&box_of, key->sk_argument, (float8 *) &box);
	*condition = spq_rtree_box_comparisons(row ? row->relation : SPQ_BOX_SAME,
										   spq_box_corners(&box));
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
