/*-------------------------------------------------------------------------
 *
 * lseg_type.c
 *	  The type lseg.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "shapes/geometry/shapes.h"
#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	spq_type_points_bounds(DatumGetLsegP(value)->p, 2, (BOX *) numbers);
	if (!how->exact)
		spq_type_cover_edges((BOX *) numbers);
}

static void
line_of(Datum value, SpqLine *line)
{
	const Point *p = DatumGetLsegP(value)->p;
	const float8 along[] = {p[1].x - p[0].x, p[1].y - p[0].y};
	float8		farthest = Max(Max(fabs(p[0].x), fabs(p[0].y)), Max(fabs(p[1].x), fabs(p[1].y)));

	/* the rest covers rounding, as in spq_shape_segment_reaches() */
	spq_type_set_line(line, &p[0].x, along, lengthof(along),
					  spq_line_reach(hypot(along[0], along[1])) + 4 * EPSILON + 1e-12 * farthest);
}

static double
filled(Datum value)
{
	return 0;
}

static double
filled_near(Datum value, double d)
{
	const LSEG *segment = DatumGetLsegP(value);
	double		dx = fabs(segment->p[1].x - segment->p[0].x),
				dy = fabs(segment->p[1].y - segment->p[0].y),
				filled = d * (2 * hypot(dx, dy) + M_PI * d) / ((dx + 2 * d) * (dy + 2 * d));

	/* a distance of 0, infinity or NaN */
	return filled >= 0 && filled <= 1 ? filled : d == 0 ? 0 : -1;
}

static bool
reaches(const void *segment, const float8 *bounds)
{
	return spq_shape_segment_reaches(segment, (const BOX *) bounds);
}

static const SpqTypeOperator operators[] = {
	BUILTIN(3, "?#", lseg, lseg, F_LSEG_INTERSECT, SPQ_BOX_OVERLAPS, SEGMENTS_CROSS),
	BUILTIN(6, "=", lseg, lseg, F_LSEG_EQ, SPQ_BOX_SAME, 1),
	BUILTIN(23, "?#", lseg, box, F_INTER_SB, SPQ_BOX_OVERLAPS, SEGMENT_IN_BOX),
	BUILTIN(28, "<@", lseg, box, F_ON_SB, SPQ_BOX_CONTAINED, 1),
	BUILTIN(88, "<@", point, lseg, F_ON_PS, SPQ_BOX_OVERLAPS, POINT_ON_SEGMENT),

	OWN(35, "?#", box, lseg, "spq_box_meets_lseg", SPQ_BOX_OVERLAPS, SEGMENT_IN_BOX),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator orders[] = {
	BUILTIN_ORDER(15, "<->", lseg, point, F_DIST_SP),
	BUILTIN_ORDER(17, "<->", lseg, lseg, F_LSEG_DISTANCE),
	BUILTIN_ORDER(35, "<->", lseg, box, F_DIST_SB),
	BUILTIN_ORDER(95, "<->", point, lseg, F_DIST_PS),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_lseg = {
	.name = "lseg",
	.oid = LSEGOID,
	.axes = 2,
	.box = box_of,
	.line = line_of,
	.operators = operators,
	.orders = orders,
	.filled = filled,
	.filled_near = filled_near,
	.reaches = reaches,
};
