/*-------------------------------------------------------------------------
 *
 * box_class.c
 *	  The operator class for boxes: support functions.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "box/distance.h"
#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/gap.h"
#include "rtree/class/window_condition.h"

StaticAssertDecl(SPQ_DIM == 2, "the type box has two axes");

/* More than the roundings of a distance, for each unit of the coordinates. */
#define ROUNDING	(8.0 * DBL_EPSILON)

PG_FUNCTION_INFO_V1(spq_rtree_box_ends);
PG_FUNCTION_INFO_V1(spq_rtree_box_condition);
PG_FUNCTION_INFO_V1(spq_rtree_box_order);

/*
 * _spqtree_box_ends(box, internal) returns void
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
 * _spqtree_box_condition(internal, internal) returns void
 */
Datum
spq_rtree_box_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	SpqBoxCorners query;

	if (spq_rtree_window_condition(key, condition))
		PG_RETURN_VOID();
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

/*
 * Set the squares of lower bounds of both distance operators for the entries of a page.
 *
 * The margins are those of spq_box_min_distance(): what fuzzy comparisons may ignore at
 * this magnitude.
 */
static void
least_squares(const SpqRtreeColumns *columns, Point point, float8 *squares)
{
	const float8 query[] = {point.x, point.y, point.x, point.y};
	const float8 margins[] = {
		2.0 * EPSILON + ROUNDING * fabs(point.x),
		2.0 * EPSILON + ROUNDING * fabs(point.y)
	};

	spq_rtree_least_squares(columns, query, margins, ROUNDING, true, squares);
}

static void
least_from_point(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	least_squares(columns, *(const Point *) order->numbers, squares);
}

static void
least_from_center(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	least_squares(columns, spq_box_center((const BOX *) order->numbers), squares);
}

/*
 * _spqtree_box_order(internal, internal) returns void
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
