/*-------------------------------------------------------------------------
 *
 * point_type.c
 *	  The type point.
 *
 * Two points are the same (~=) if and only if their boxes are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	BOX		   *box = (BOX *) numbers;

	box->high = box->low = *DatumGetPointP(value);
}

static const SpqTypeOperator operators[] = {
	BUILTIN(6, "~=", point, point, F_POINT_EQ, SPQ_BOX_SAME, EXACT),
	BUILTIN(1, "<<", point, point, F_POINT_LEFT, SPQ_BOX_LEFT, EXACT),
	BUILTIN(5, ">>", point, point, F_POINT_RIGHT, SPQ_BOX_RIGHT, EXACT),
	BUILTIN(10, "<<|", point, point, F_POINT_BELOW, SPQ_BOX_BELOW, EXACT),
	BUILTIN(11, "|>>", point, point, F_POINT_ABOVE, SPQ_BOX_ABOVE, EXACT),

	BUILTIN(16, "@>", box, point, F_BOX_CONTAIN_PT, SPQ_BOX_MEETS, EXACT),
	BUILTIN(28, "<@", point, box, F_ON_PB, SPQ_BOX_MEETS, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator distances[] = {
	BUILTIN_ORDER(15, "<->", point, point, F_POINT_DISTANCE),
	BUILTIN_ORDER(35, "<->", point, box, F_DIST_PB),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {
	SPQ_TYPE_BUILTIN(F_POINT_FLOAT8_FLOAT8),
	SPQ_TYPE_OWN("spq_point_of_point3"),
	SPQ_TYPE_NO_FUNCTION
};

const SpqType spq_type_point = {
	.name = "point",
	.oid = POINTOID,
	.axes = 2,
	.is_point = true,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.harmless = harmless,
};
