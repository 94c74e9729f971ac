/*-------------------------------------------------------------------------
 *
 * box_class.c
 *	  The operator class for boxes: support functions.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "box/distance.h"
#include "box/strategy.h"
#include "rtree/box_condition.h"
#include "rtree/class.h"

StaticAssertDecl(SPQ_DIM == 2, "the type box has two axes");

/* A sum of squares below this has not overflowed. */
#define MAX_SQUARES	1e300

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

/*
 * Set lower bounds of both distance operators, as spq_box_min_distance() does,
 * for the entries of a group.  Without branches, so that compilers make it a
 * loop over several entries at a time.
 */
static void
least_distances(const float8 (*ends)[SPQ_RTREE_GROUP], Point point, float8 *least)
{
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		float8		gap[SPQ_DIM],
					size = 0.0,
					longer,
					squares;

		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			float8		v = axis == 0 ? point.x : point.y,
						a = ends[axis][i],
						b = ends[SPQ_DIM + axis][i],
						low = a < b ? a : b,
						high = a < b ? b : a,
						before = low - v,
						after = v - high,
						farthest = fabs(low) > fabs(high) ? fabs(low) : fabs(high),
						ignored = 2.0 * EPSILON + 8.0 * DBL_EPSILON * (fabs(v) + farthest),
						beside = (before > after ? before : after) - ignored;

			size += farthest;
			gap[axis] = beside > 0.0 ? beside : 0.0;
		}
		longer = gap[0] > gap[1] ? gap[0] : gap[1];
		squares = gap[0] * gap[0] + gap[1] * gap[1];
		squares = squares < MAX_SQUARES ? sqrt(squares) * (1.0 - 8.0 * DBL_EPSILON) : longer;
		/* a box with an infinite side can be at any distance */
		least[i] = size <= DBL_MAX ? squares : 0.0;
	}
}

static void
least_from_point(const SpqRtreeOrder *order, const float8 (*ends)[SPQ_RTREE_GROUP],
				 float8 *least)
{
	least_distances(ends, *(const Point *) order->numbers, least);
}

static void
least_from_center(const SpqRtreeOrder *order, const float8 (*ends)[SPQ_RTREE_GROUP],
				  float8 *least)
{
	least_distances(ends, spq_box_center((const BOX *) order->numbers), least);
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
