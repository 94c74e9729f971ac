/*-------------------------------------------------------------------------
 *
 * shape_functions.c
 *	  Boxes and other shapes in SQL: operators, spqtree_dwithin of boxes, points
 *	  and segments, and spqtree_expand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/fmgrprotos.h"

#include "shapes/functions/kept_polygon.h"
#include "shapes/geometry/shapes.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_box_meets_lseg);
PG_FUNCTION_INFO_V1(spq_expand_point);
PG_FUNCTION_INFO_V1(spq_expand_lseg);

SPQ_SQL_OPERATOR(spq_circle_overlaps_box, spq_box_overlaps_circle, BOOL, CIRCLE, BOX, spq_shape_overlaps_circle)
SPQ_SQL_OPERATOR(spq_circle_holds_box, spq_box_in_circle, BOOL, CIRCLE, BOX, spq_shape_is_in_circle)

/* Test a box with a polygon, the argument of this number. */
static inline bool
test_polygon(FunctionCallInfo fcinfo, int n, bool (*test) (const BOX *box, const POLYGON *polygon))
{
	POLYGON    *polygon = spq_polygon_argument(fcinfo, n);
	bool		result = test(PG_GETARG_BOX_P(1 - n), polygon);

	spq_polygon_release(fcinfo, n, polygon);
	return result;
}

SPQ_SQL_FUNCTION(spq_box_overlaps_polygon, PG_RETURN_BOOL(test_polygon(fcinfo, 1, spq_shape_overlaps_polygon)))
SPQ_SQL_FUNCTION(spq_polygon_overlaps_box, PG_RETURN_BOOL(test_polygon(fcinfo, 0, spq_shape_overlaps_polygon)))
SPQ_SQL_FUNCTION(spq_box_in_polygon, PG_RETURN_BOOL(test_polygon(fcinfo, 1, spq_shape_is_in_polygon)))
SPQ_SQL_FUNCTION(spq_polygon_holds_box, PG_RETURN_BOOL(test_polygon(fcinfo, 0, spq_shape_is_in_polygon)))

/*
 * box ?# lseg: call PostgreSQL's lseg ?# box, the commutator.  It compares the
 * segment with each edge of the box, but most boxes that an index finds are
 * far from the segment, so test that first.
 */
Datum
spq_box_meets_lseg(PG_FUNCTION_ARGS)
{
	if (!spq_shape_segment_reaches(PG_GETARG_LSEG_P(1), PG_GETARG_BOX_P(0)))
		PG_RETURN_BOOL(false);
	return DirectFunctionCall2(inter_sb, PG_GETARG_DATUM(1), PG_GETARG_DATUM(0));
}

/* Return whether a box is within the distance of a point, the argument of this number. */
static Datum
within_of_point(FunctionCallInfo fcinfo, int n)
{
	const Point *point = PG_GETARG_POINT_P(n);
	BOX			box = {*point, *point};

	PG_RETURN_BOOL(spq_shape_within_of_box(PG_GETARG_BOX_P(1 - n), &box, PG_GETARG_FLOAT8(2)));
}

static Datum
within_of_segment(FunctionCallInfo fcinfo, int n)
{
	PG_RETURN_BOOL(spq_shape_within_of_segment(PG_GETARG_BOX_P(1 - n), PG_GETARG_LSEG_P(n),
											   PG_GETARG_FLOAT8(2)));
}

/* spqtree_dwithin() of boxes with boxes, points and segments */
SPQ_SQL_FUNCTION(spq_dwithin_box_box,
				 PG_RETURN_BOOL(spq_shape_within_of_box(PG_GETARG_BOX_P(0), PG_GETARG_BOX_P(1), PG_GETARG_FLOAT8(2))))
SPQ_SQL_FUNCTION(spq_dwithin_box_point, return within_of_point(fcinfo, 1))
SPQ_SQL_FUNCTION(spq_dwithin_point_box, return within_of_point(fcinfo, 0))
SPQ_SQL_FUNCTION(spq_dwithin_box_lseg, return within_of_segment(fcinfo, 1))
SPQ_SQL_FUNCTION(spq_dwithin_lseg_box, return within_of_segment(fcinfo, 0))

/*
 * Return a box enlarged by a distance, or NULL if the distance is below 0 or
 * there is a NaN.
 */
static Datum
expand(FunctionCallInfo fcinfo, const BOX *box)
{
	BOX		   *result = palloc(sizeof(BOX));

	if (!spq_shape_grown(box, PG_GETARG_FLOAT8(1), result))
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(result);
}

SPQ_SQL_FUNCTION(spq_expand_box, return expand(fcinfo, PG_GETARG_BOX_P(0)))

/* spqtree_expand(point, float8) */
Datum
spq_expand_point(PG_FUNCTION_ARGS)
{
	const Point *point = PG_GETARG_POINT_P(0);
	BOX			box = {*point, *point};

	return expand(fcinfo, &box);
}

/* spqtree_expand(lseg, float8) */
Datum
spq_expand_lseg(PG_FUNCTION_ARGS)
{
	BOX			bounds = spq_shape_segment_bounds(PG_GETARG_LSEG_P(0));

	return expand(fcinfo, &bounds);
}
