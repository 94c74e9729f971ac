/*-------------------------------------------------------------------------
 *
 * circle_type.c
 *	  The type circle.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "shapes/geometry/shapes.h"
#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

/*
 * Set the box of a circle, slightly enlarged: operators that compare it round
 * several numbers of the size of radius and center.
 */
static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const CIRCLE *circle = DatumGetCircleP(value);
	BOX		   *box = (BOX *) numbers;
	double		radius = fabs(circle->radius) * (1 + 16 * DBL_EPSILON),
				dx = radius + fabs(circle->center.x) * (4 * DBL_EPSILON),
				dy = radius + fabs(circle->center.y) * (4 * DBL_EPSILON);

	box->low.x = circle->center.x - dx;
	box->low.y = circle->center.y - dy;
	box->high.x = circle->center.x + dx;
	box->high.y = circle->center.y + dy;
}

/* A negative radius makes some operators true for circles far away. */
static bool
excludes(Datum value)
{
	return DatumGetCircleP(value)->radius >= 0;
}

static bool
reaches(const void *circle, const float8 *bounds)
{
	return spq_shape_circle_reaches(circle, (const BOX *) bounds);
}

static bool
window_of(const void *circle, BOX *window)
{
	return spq_shape_circle_window(circle, window);
}

static const SpqTypeOperator operators[] = {
	BUILTIN(1, "<<", circle, circle, F_CIRCLE_LEFT, SPQ_BOX_LEFT, 1),
	BUILTIN(2, "&<", circle, circle, F_CIRCLE_OVERLEFT, SPQ_BOX_OVERLEFT, 1),
	BUILTIN(3, "&&", circle, circle, F_CIRCLE_OVERLAP, SPQ_BOX_OVERLAPS, ROUND),
	BUILTIN(4, "&>", circle, circle, F_CIRCLE_OVERRIGHT, SPQ_BOX_OVERRIGHT, 1),
	BUILTIN(5, ">>", circle, circle, F_CIRCLE_RIGHT, SPQ_BOX_RIGHT, 1),
	BUILTIN(6, "~=", circle, circle, F_CIRCLE_SAME, SPQ_BOX_SAME, 1),
	BUILTIN(7, "@>", circle, circle, F_CIRCLE_CONTAIN, SPQ_BOX_CONTAINS, ROUND),
	BUILTIN(8, "<@", circle, circle, F_CIRCLE_CONTAINED, SPQ_BOX_CONTAINED, ROUND),
	BUILTIN(9, "&<|", circle, circle, F_CIRCLE_OVERBELOW, SPQ_BOX_OVERBELOW, 1),
	BUILTIN(10, "<<|", circle, circle, F_CIRCLE_BELOW, SPQ_BOX_BELOW, 1),
	BUILTIN(11, "|>>", circle, circle, F_CIRCLE_ABOVE, SPQ_BOX_ABOVE, 1),
	BUILTIN(12, "|&>", circle, circle, F_CIRCLE_OVERABOVE, SPQ_BOX_OVERABOVE, 1),
	BUILTIN(16, "@>", circle, point, F_CIRCLE_CONTAIN_PT, SPQ_BOX_OVERLAPS, ROUND),
	BUILTIN(68, "<@", point, circle, F_PT_CONTAINED_CIRCLE, SPQ_BOX_OVERLAPS, ROUND),

	OWN(31, "&&", box, circle, "spq_box_overlaps_circle", SPQ_BOX_OVERLAPS, ROUND),
	OWN(23, "&&", circle, box, "spq_circle_overlaps_box", SPQ_BOX_OVERLAPS, ROUND),
	OWN(32, "<@", box, circle, "spq_box_in_circle", SPQ_BOX_CONTAINED, ROUND),
	OWN(27, "@>", circle, box, "spq_circle_holds_box", SPQ_BOX_CONTAINS, ROUND),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator distances[] = {
	BUILTIN_ORDER(15, "<->", circle, point, F_DIST_CPOINT),
	BUILTIN_ORDER(17, "<->", circle, circle, F_CIRCLE_DISTANCE),
	BUILTIN_ORDER(75, "<->", point, circle, F_DIST_PC),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {
	SPQ_TYPE_BUILTIN(F_CIRCLE_POINT_FLOAT8),
	SPQ_TYPE_BUILTIN(F_POINT_CIRCLE),
	SPQ_TYPE_BUILTIN(F_CENTER_CIRCLE),
	SPQ_TYPE_NO_FUNCTION
};

const SpqType spq_type_circle = {
	.name = "circle",
	.oid = CIRCLEOID,
	.axes = 2,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.harmless = harmless,
	.excludes = excludes,
	.reaches = reaches,
	.window = window_of,
	.around = "circle_around",
};
