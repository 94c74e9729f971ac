/*-------------------------------------------------------------------------
 *
 * box3_class.c
 *	  The operator class for boxes of three dimensions: support functions.
 *	  See class.h.
 *
 * The type has no EPSILON, so gaps need no margin.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/shapes3.h"

#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/gap.h"
#include "rtree/class3/solid_condition.h"
#include "rtree/class3/solid_distance.h"

PG_FUNCTION_INFO_V1(spq_rtree_box3_ends);
PG_FUNCTION_INFO_V1(spq_rtree_box3_condition);
PG_FUNCTION_INFO_V1(spq_rtree_box3_order);

/*
 * _spqtree_box3_ends(box3, internal) returns void
 */
Datum
spq_rtree_box3_ends(PG_FUNCTION_ARGS)
{
	memcpy(PG_GETARG_POINTER(1), PG_GETARG_BOX3_P(0), sizeof(SpqBox3));
	PG_RETURN_VOID();
}

/*
 * _spqtree_box3_condition(internal, internal) returns void
 */
Datum
spq_rtree_box3_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	const void *argument = DatumGetPointer(key->sk_argument);
	SpqBoxCorners query;

	if (spq_rtree_solid_condition(key, condition))
		PG_RETURN_VOID();
	if (key->sk_strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY)
		query = spq_point3_corners(argument);
	else
		query = spq_box_corners(argument);
	*condition = spq_rtree_box_comparisons(spq_box_relation(key->sk_strategy), query);
	PG_RETURN_VOID();
}

/*
 * _spqtree_box3_order(internal, internal) returns void
 */
Datum
spq_rtree_box3_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);

	spq_rtree_solid_order(key, (SpqRtreeOrder *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}
