/*-------------------------------------------------------------------------
 *
 * solid_distance.c
 *	  Distances of boxes and points of three dimensions, as orders of a scan.
 *
 * The distance from a point or a box is that of the gap (gap.h), without a margin: the
 * types have no EPSILON.
 *
 * The distance along a ray is that to the farthest of the sides of the box that the
 * origin is in front of:
 *
 *				   |  box  |		What is computed here is a lower bound of it, of
 *		origin ----+-->    |		eight entries at a time, whether or not the ray
 *				   |	   |		meets them.  That it does, the condition of the
 *									scan asks, "b && ray".
 *
 * Each number is the one that spq_ray3_distance() computes, but for the order in which
 * it multiplies and divides, which ROUNDING allows for.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/box3.h"
#include "solid/shapes3.h"

#include "box/strategy.h"
#include "rtree/gap.h"
#include "rtree/solid_condition.h"
#include "rtree/solid_distance.h"

/* What a lower bound is multiplied with for being rounded. */
#define ROUNDING (1 - 32 * DBL_EPSILON)

static float8
distance_from_box(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box3_distance(spq_box_corners((const SpqBox3 *) ends),
							 spq_box_corners((const SpqBox3 *) order->numbers));
}

static void
least_from_box(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 margins[SPQ_AXES] = {0};
	float8		query[2 * SPQ_AXES];

	/* what is written to does not change this one */
	memcpy(query, order->numbers, sizeof(query));
	spq_rtree_least_squares(columns, query, margins, 0, squares);
}

static float8
distance_along_ray(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_ray3_distance(order->argument, (const SpqBox3 *) ends);
}

/* Return the length of a direction, with an error of a few units in the last place. */
static float8
length_of(const float8 *direction)
{
	return hypot(hypot(direction[0], direction[1]), direction[2]);
}

static void
least_along_ray(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const SpqRay3 *ray = order->argument;
	const float8 *origin = spq_point3_axes(&ray->origin),
			   *direction = spq_point3_axes(&ray->direction);
	float8		length = length_of(direction);
	const char *group = columns->first;

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
				   *lows = highs + columns->low;

		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			squares[i] = 0;
		for (int axis = 0; axis < SPQ_AXES; axis++)
		{
			bool		ascends = direction[axis] > 0;
			const float8 *near = ascends ? lows[axis] : highs[axis];
			float8		from = origin[axis],
						factor = length / direction[axis] * ROUNDING;

			/*
			 * an axis on which nothing can be said: parallel to it, or no
			 * number
			 */
			if (!isfinite(factor) || !isfinite(from))
				continue;
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			{
				float8		distance = (near[i] - from) * factor;

				squares[i] = distance > squares[i] ? distance : squares[i];
			}
		}
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		square = squares[i] * squares[i];

			square = square < SPQ_RTREE_MOST_SQUARE ? square : SPQ_RTREE_MOST_SQUARE;
			squares[i] = square >= SPQ_RTREE_LEAST_SQUARE ? square : 0;
		}
	}
}

void
spq_rtree_solid_order(const ScanKeyData *key, SpqRtreeOrder *order)
{
	const void *argument = DatumGetPointer(key->sk_argument);

	order->argument = argument;
	order->distance = distance_from_box;
	order->least = least_from_box;
	switch (key->sk_strategy)
	{
		case RTKNNSearchStrategyNumber:
			memcpy(order->numbers, argument, sizeof(SpqPoint3));
			memcpy(order->numbers + SPQ_AXES, argument, sizeof(SpqPoint3));
			break;
		case SPQ_BOX_CENTER_DISTANCE_STRATEGY:
			memcpy(order->numbers, argument, sizeof(SpqBox3));
			break;
		case SPQ_SOLID_RAY_DISTANCE_STRATEGY:
			order->distance = distance_along_ray;
			order->least = least_along_ray;
			break;
		default:
			spq_box_unknown_strategy(key->sk_strategy);
	}
}
