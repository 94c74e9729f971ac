/*-------------------------------------------------------------------------
 *
 * box_class.c
 *	  The operator class for boxes: support functions.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "box/distance.h"
#include "box/strategy.h"
#include "rtree/box_condition.h"
#include "rtree/class.h"

StaticAssertDecl(SPQ_DIM == 2, "the type box has two axes");

PG_FUNCTION_INFO_V1(spq_rtree_box_ends);
PG_FUNCTION_INFO_V1(spq_rtree_box_condition);
PG_FUNCTION_INFO_V1(spq_rtree_box_order);

/*
 * spqtree_box_ends(box, internal) returns void
 */
Datum
spq_rtree_box_ends(PG_FUNCTION_ARGS)
{
	const BOX  *box = PG_GETARG_BOX_P(0);
	float8	   *ends = (float8 *) PG_GETARG_POINTER(1);

	memcpy(ends, box, sizeof(BOX));
	PG_RETURN_VOID();
}

/*
 * spqtree_box_condition(internal, internal) returns void
 */
Datum
spq_rtree_box_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	SpqBoxCorners query;

	if (key->sk_strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY)
		query.high = query.low = (const float8 *) DatumGetPointP(key->sk_argument);
	else
		query = spq_box_corners(DatumGetBoxP(key->sk_argument));
	*condition = spq_rtree_box_comparisons(spq_box_relation(key->sk_strategy), query);
	PG_RETURN_VOID();
}

static float8
distance_from_point(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box_point_distance((const BOX *) ends, (const Point *) order->numbers);
}

static float8
distance_from_center(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box_center_distance((const BOX *) ends, (const BOX *) order->numbers);
}

static float8
least_distance(const SpqRtreeBounds *bounds, const Point *point)
{
	SpqBoxBounds around;

	around.xmin = bounds->low[0];
	around.ymin = bounds->low[1];
	around.xmax = bounds->high[0];
	around.ymax = bounds->high[1];
	return spq_box_min_distance(&around, point);
}

static float8
least_from_point(const SpqRtreeOrder *order, const SpqRtreeBounds *bounds)
{
	return least_distance(bounds, (const Point *) order->numbers);
}

static float8
least_from_center(const SpqRtreeOrder *order, const SpqRtreeBounds *bounds)
{
	Point		center = spq_box_center((const BOX *) order->numbers);

	return least_distance(bounds, &center);
}

/*
 * spqtree_box_order(internal, internal) returns void
 */
Datum
spq_rtree_box_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeOrder *order = (SpqRtreeOrder *) PG_GETARG_POINTER(1);

	order->argument = NULL;
	if (key->sk_strategy == SPQ_BOX_CENTER_DISTANCE_STRATEGY)
	{
		order->distance = distance_from_center;
		order->least = least_from_center;
		memcpy(order->numbers, DatumGetBoxP(key->sk_argument), sizeof(BOX));
	}
	else if (key->sk_strategy == RTKNNSearchStrategyNumber)
	{
		order->distance = distance_from_point;
		order->least = least_from_point;
		memcpy(order->numbers, DatumGetPointP(key->sk_argument), sizeof(Point));
	}
	else
		spq_box_unknown_strategy(key->sk_strategy);
	PG_RETURN_VOID();
}
