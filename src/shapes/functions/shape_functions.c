/*-------------------------------------------------------------------------
 *
 * shape_functions.c
 *	  Boxes and other shapes in SQL: operators, spqtree_dwithin of boxes, points
 *	  and segments, and spqtree_expand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"

#include "shapes/functions/kept_polygon.h"
#include "shapes/geometry/shapes.h"

PG_FUNCTION_INFO_V1(spq_box_overlaps_circle);
PG_FUNCTION_INFO_V1(spq_circle_overlaps_box);
PG_FUNCTION_INFO_V1(spq_box_in_circle);
PG_FUNCTION_INFO_V1(spq_circle_holds_box);
PG_FUNCTION_INFO_V1(spq_box_overlaps_polygon);
PG_FUNCTION_INFO_V1(spq_polygon_overlaps_box);
PG_FUNCTION_INFO_V1(spq_box_in_polygon);
PG_FUNCTION_INFO_V1(spq_polygon_holds_box);
PG_FUNCTION_INFO_V1(spq_box_meets_lseg);
PG_FUNCTION_INFO_V1(spq_dwithin_box_box);
PG_FUNCTION_INFO_V1(spq_dwithin_box_point);
PG_FUNCTION_INFO_V1(spq_dwithin_point_box);
PG_FUNCTION_INFO_V1(spq_dwithin_box_lseg);
PG_FUNCTION_INFO_V1(spq_dwithin_lseg_box);
PG_FUNCTION_INFO_V1(spq_expand_box);
PG_FUNCTION_INFO_V1(spq_expand_point);
PG_FUNCTION_INFO_V1(spq_expand_lseg);

/* box && circle */
Datum
spq_box_overlaps_circle(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_overlaps_circle(PG_GETARG_BOX_P(0), PG_GETARG_CIRCLE_P(1)));
}

/* circle && box */
Datum
spq_circle_overlaps_box(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_overlaps_circle(PG_GETARG_BOX_P(1), PG_GETARG_CIRCLE_P(0)));
}

/* box <@ circle */
Datum
spq_box_in_circle(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_is_in_circle(PG_GETARG_BOX_P(0), PG_GETARG_CIRCLE_P(1)));
}

/* circle @> box */
Datum
spq_circle_holds_box(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_is_in_circle(PG_GETARG_BOX_P(1), PG_GETARG_CIRCLE_P(0)));
}

/* box && polygon */
Datum
spq_box_overlaps_polygon(PG_FUNCTION_ARGS)
{
	POLYGON    *polygon = spq_polygon_argument(fcinfo, 1);
	bool		result = spq_shape_overlaps_polygon(PG_GETARG_BOX_P(0), polygon);

	spq_polygon_release(fcinfo, 1, polygon);
	PG_RETURN_BOOL(result);
}

/* polygon && box */
Datum
spq_polygon_overlaps_box(PG_FUNCTION_ARGS)
{
	POLYGON    *polygon = spq_polygon_argument(fcinfo, 0);
	bool		result = spq_shape_overlaps_polygon(PG_GETARG_BOX_P(1), polygon);

	spq_polygon_release(fcinfo, 0, polygon);
	PG_RETURN_BOOL(result);
}

/* box <@ polygon */
Datum
spq_box_in_polygon(PG_FUNCTION_ARGS)
{
	POLYGON    *polygon = spq_polygon_argument(fcinfo, 1);
	bool		result = spq_shape_is_in_polygon(PG_GETARG_BOX_P(0), polygon);

	spq_polygon_release(fcinfo, 1, polygon);
	PG_RETURN_BOOL(result);
}

/* polygon @> box */
Datum
spq_polygon_holds_box(PG_FUNCTION_ARGS)
{
	POLYGON    *polygon = spq_polygon_argument(fcinfo, 0);
	bool		result = spq_shape_is_in_polygon(PG_GETARG_BOX_P(1), polygon);

	spq_polygon_release(fcinfo, 0, polygon);
	PG_RETURN_BOOL(result);
}

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

/* spqtree_dwithin(box, box, float8) */
Datum
spq_dwithin_box_box(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_within_of_box(PG_GETARG_BOX_P(0), PG_GETARG_BOX_P(1),
										   PG_GETARG_FLOAT8(2)));
}

/* spqtree_dwithin(box, point, float8) */
Datum
spq_dwithin_box_point(PG_FUNCTION_ARGS)
{
	const Point *point = PG_GETARG_POINT_P(1);
	BOX			box = {*point, *point};

	PG_RETURN_BOOL(spq_shape_within_of_box(PG_GETARG_BOX_P(0), &box,
										   PG_GETARG_FLOAT8(2)));
}

/* spqtree_dwithin(point, box, float8) */
Datum
spq_dwithin_point_box(PG_FUNCTION_ARGS)
{
	const Point *point = PG_GETARG_POINT_P(0);
	BOX			box = {*point, *point};

	PG_RETURN_BOOL(spq_shape_within_of_box(PG_GETARG_BOX_P(1), &box,
										   PG_GETARG_FLOAT8(2)));
}

/* spqtree_dwithin(box, lseg, float8) */
Datum
spq_dwithin_box_lseg(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_within_of_segment(PG_GETARG_BOX_P(0), PG_GETARG_LSEG_P(1),
											   PG_GETARG_FLOAT8(2)));
}

/* spqtree_dwithin(lseg, box, float8) */
Datum
spq_dwithin_lseg_box(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(spq_shape_within_of_segment(PG_GETARG_BOX_P(1), PG_GETARG_LSEG_P(0),
											   PG_GETARG_FLOAT8(2)));
}

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

/* spqtree_expand(box, float8) */
Datum
spq_expand_box(PG_FUNCTION_ARGS)
{
	return expand(fcinfo, PG_GETARG_BOX_P(0));
}

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
