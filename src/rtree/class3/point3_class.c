/*-------------------------------------------------------------------------
 *
 * point3_class.c
 *	  The operator class for points of three dimensions: support functions.
 *	  See class.h.
 *
 * As in the plane (point_class.c), the ends of a point are a box without
 * extent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/shapes3.h"

#include "rtree/class3/solid_condition.h"
#include "rtree/class3/solid_distance.h"

PG_FUNCTION_INFO_V1(spq_rtree_point3_ends);
PG_FUNCTION_INFO_V1(spq_rtree_point3_condition);
PG_FUNCTION_INFO_V1(spq_rtree_point3_order);

/*
 * _spqtree_point3_ends(point3, internal) returns void
 *
 * The ends are those of a leaf of points (spq_rtree_get_ends()).  If the point
 * has a NaN, all low ends are NaN: its bounds are all of space, and the image
 * is kept.
 */
Datum
spq_rtree_point3_ends(PG_FUNCTION_ARGS)
{
	const SpqPoint3 *point = PG_GETARG_POINT3_P(0);
	float8	   *ends = (float8 *) PG_GETARG_POINTER(1);

	memcpy(ends, point, sizeof(SpqPoint3));
	memcpy(ends + SPQ_AXES, point, sizeof(SpqPoint3));
	if (unlikely(spq_point3_has_nan(point)))
		for (int axis = 0; axis < SPQ_AXES; axis++)
			ends[SPQ_AXES + axis] = get_float8_nan();
	PG_RETURN_VOID();
}

/*
 * _spqtree_point3_condition(internal, internal) returns void
 *
 * A point compares with a point or a box as a box without extent does.
 */
Datum
spq_rtree_point3_condition(PG_FUNCTION_ARGS)
{
	spq_rtree_solid_condition((const ScanKeyData *) PG_GETARG_POINTER(0), &spq_type_point3,
							  (SpqRtreeCondition *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}

/*
 * _spqtree_point3_order(internal, internal) returns void
 */
Datum
spq_rtree_point3_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);

	spq_rtree_solid_order(key, (SpqRtreeOrder *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}
