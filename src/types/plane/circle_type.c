/*-------------------------------------------------------------------------
 *
 * circle_type.c
 *	  The type circle.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

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

static const SpqTypeOperator operators[] = {
	OPERATORS_OF(CIRCLE, circle, ROUND, ROUND, 1),
	BUILTIN(F_CIRCLE_CONTAIN_PT, SPQ_BOX_OVERLAPS, ROUND, circle, point),
	BUILTIN(F_PT_CONTAINED_CIRCLE, SPQ_BOX_OVERLAPS, ROUND, point, circle),

	OWN("spq_box_overlaps_circle", SPQ_BOX_OVERLAPS, ROUND, box, circle),
	OWN("spq_circle_overlaps_box", SPQ_BOX_OVERLAPS, ROUND, circle, box),
	OWN("spq_box_in_circle", SPQ_BOX_CONTAINED, ROUND, box, circle),
	OWN("spq_circle_holds_box", SPQ_BOX_CONTAINS, ROUND, circle, box),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction distances[] = {
	SPQ_TYPE_BUILTIN(F_CIRCLE_DISTANCE),
	SPQ_TYPE_BUILTIN(F_DIST_PC),
	SPQ_TYPE_BUILTIN(F_DIST_CPOINT),
	SPQ_TYPE_NO_FUNCTION
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
	.argument_number = 3,
	.excludes = excludes,
};
