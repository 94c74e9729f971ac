/*-------------------------------------------------------------------------
 *
 * within_functions.c
 *	  spqtree_dwithin(a, b, distance) and spqtree_expand(shape, distance) in
 *	  SQL, for the shapes of the plane that are not in shape_functions.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "shapes/functions/kept_polygon.h"
#include "shapes/geometry/within.h"
#include "sql_function.h"

/* Return an argument as a shape, for release(). */
static SpqShape
shape_of(FunctionCallInfo fcinfo, int n, SpqShapeKind kind)
{
	Datum		value = PG_GETARG_DATUM(n);
	SpqShape	shape = {.kind = kind};

	switch (kind)
	{
		case SPQ_SHAPE_POINT:
			shape.core.low = shape.core.high = *DatumGetPointP(value);
			break;
		case SPQ_SHAPE_CIRCLE:
			shape.core.low = shape.core.high = DatumGetCircleP(value)->center;
			shape.radius = DatumGetCircleP(value)->radius;
			break;
		case SPQ_SHAPE_BOX:
			shape.core = *DatumGetBoxP(value);
			break;
		case SPQ_SHAPE_LSEG:
			shape.segment = DatumGetLsegP(value);
			shape.core = spq_shape_segment_bounds(shape.segment);
			break;
		case SPQ_SHAPE_POLYGON:
			shape.polygon = spq_polygon_argument(fcinfo, n);
			shape.core = shape.polygon->boundbox;
			break;
	}
	return shape;
}

static void
release(FunctionCallInfo fcinfo, int n, SpqShape *shape)
{
	if (shape->polygon != NULL)
		spq_polygon_release(fcinfo, n, shape->polygon);
}

static Datum
within(FunctionCallInfo fcinfo, SpqShapeKind a_kind, SpqShapeKind b_kind)
{
	SpqShape	a = shape_of(fcinfo, 0, a_kind),
				b = shape_of(fcinfo, 1, b_kind);
	bool		result = spq_shape_within(&a, &b, PG_GETARG_FLOAT8(2));

	release(fcinfo, 0, &a);
	release(fcinfo, 1, &b);
	PG_RETURN_BOOL(result);
}

/*
 * Return the window of a shape, or NULL if nothing is within the distance: it
 * is below 0, a radius is below -EPSILON, or there is a NaN.
 */
static Datum
expand(FunctionCallInfo fcinfo, SpqShapeKind kind)
{
	SpqShape	shape = shape_of(fcinfo, 0, kind);
	BOX		   *result = palloc(sizeof(BOX));
	bool		found = spq_shape_window(&shape, PG_GETARG_FLOAT8(1), result);

	release(fcinfo, 0, &shape);
	if (!found)
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(result);
}

#define WITHIN(name, a, b) SPQ_SQL_FUNCTION(name, return within(fcinfo, SPQ_SHAPE_##a, SPQ_SHAPE_##b))
#define EXPAND(name, kind) SPQ_SQL_FUNCTION(name, return expand(fcinfo, SPQ_SHAPE_##kind))

/* shape_functions.c has boxes with boxes, points and segments */
WITHIN(spq_dwithin_point_point, POINT, POINT)
WITHIN(spq_dwithin_point_circle, POINT, CIRCLE)
WITHIN(spq_dwithin_circle_point, CIRCLE, POINT)
WITHIN(spq_dwithin_point_polygon, POINT, POLYGON)
WITHIN(spq_dwithin_polygon_point, POLYGON, POINT)
WITHIN(spq_dwithin_box_circle, BOX, CIRCLE)
WITHIN(spq_dwithin_circle_box, CIRCLE, BOX)
WITHIN(spq_dwithin_box_polygon, BOX, POLYGON)
WITHIN(spq_dwithin_polygon_box, POLYGON, BOX)
WITHIN(spq_dwithin_circle_circle, CIRCLE, CIRCLE)
WITHIN(spq_dwithin_circle_polygon, CIRCLE, POLYGON)
WITHIN(spq_dwithin_polygon_circle, POLYGON, CIRCLE)
WITHIN(spq_dwithin_polygon_polygon, POLYGON, POLYGON)
WITHIN(spq_dwithin_lseg_point, LSEG, POINT)
WITHIN(spq_dwithin_point_lseg, POINT, LSEG)
WITHIN(spq_dwithin_lseg_circle, LSEG, CIRCLE)
WITHIN(spq_dwithin_circle_lseg, CIRCLE, LSEG)
WITHIN(spq_dwithin_lseg_polygon, LSEG, POLYGON)
WITHIN(spq_dwithin_polygon_lseg, POLYGON, LSEG)

EXPAND(spq_expand_circle, CIRCLE)
EXPAND(spq_expand_polygon, POLYGON)
