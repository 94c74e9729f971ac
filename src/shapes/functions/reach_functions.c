/*-------------------------------------------------------------------------
 *
 * reach_functions.c
 *	  _spqtree_reach(shape, distance): the box that meets every value for which
 *	  PostgreSQL's <-> may return at most this distance.
 *
 * It differs from spqtree_expand() for unusual numbers, because <-> differs
 * from spqtree_dwithin().  Comparisons of float8 put NaN above all other
 * numbers, so every distance is <= NaN, even NaN and infinity.  A circle may
 * have a negative radius, which makes distances longer.  If any number is not
 * finite, the result is the whole plane, and the comparison itself decides.
 *
 * spatial/distance/compared_distance.c uses it to make conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/float.h"
#include "utils/geo_decls.h"

#include "compat.h"
#include "shapes/geometry/shapes.h"

PG_FUNCTION_INFO_V1(spq_reach_box);
PG_FUNCTION_INFO_V1(spq_reach_point);
PG_FUNCTION_INFO_V1(spq_reach_circle);

/*
 * Return a box enlarged by a radius and a distance, or NULL if the distance is
 * below 0.
 */
static Datum
reach(FunctionCallInfo fcinfo, const BOX *core, float8 radius)
{
	const float8 infinity = get_float8_infinity();
	float8		distance = PG_GETARG_FLOAT8(1);
	BOX		   *result;

	if (distance < 0)
		PG_RETURN_NULL();
	result = palloc(sizeof(BOX));
	/* a sum is finite only if all its terms are */
	if (!(fabs(core->high.x) + fabs(core->high.y) + fabs(core->low.x) + fabs(core->low.y) +
		  fabs(radius) + distance < infinity) ||
		!spq_shape_grown(core, distance + fabs(radius), result))
	{
		result->high.x = result->high.y = infinity;
		result->low.x = result->low.y = -infinity;
	}
	PG_RETURN_BOX_P(result);
}

/*
 * _spqtree_reach(box, float8)
 *
 * The distance of a point from a box is that from one of its sides.
 * PostgreSQL accepts a point beyond the end of a side as a point of the side
 * if its distances from both ends add up to the side's length, within EPSILON
 * and rounding.
 */
Datum
spq_reach_box(PG_FUNCTION_ARGS)
{
	const BOX  *box = PG_GETARG_BOX_P(0);
	float8		length = Max(fabs(box->high.x - box->low.x), fabs(box->high.y - box->low.y));

	return reach(fcinfo, box, EPSILON + (EPSILON + length) * (64 * DBL_EPSILON));
}

/* _spqtree_reach(point, float8) */
Datum
spq_reach_point(PG_FUNCTION_ARGS)
{
	const Point *point = PG_GETARG_POINT_P(0);
	BOX			core = {*point, *point};

	return reach(fcinfo, &core, 0);
}

/* _spqtree_reach(circle, float8) */
Datum
spq_reach_circle(PG_FUNCTION_ARGS)
{
	const CIRCLE *circle = PG_GETARG_CIRCLE_P(0);
	BOX			core = {circle->center, circle->center};

	return reach(fcinfo, &core, circle->radius);
}
