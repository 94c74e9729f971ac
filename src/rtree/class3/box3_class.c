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
	spq_rtree_solid_condition((const ScanKeyData *) PG_GETARG_POINTER(0), &spq_type_box3,
							  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
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
