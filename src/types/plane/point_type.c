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
	BUILTIN(F_POINT_EQ, SPQ_BOX_SAME, EXACT, point, point),
	BUILTIN(F_POINT_LEFT, SPQ_BOX_LEFT, EXACT, point, point),
	BUILTIN(F_POINT_RIGHT, SPQ_BOX_RIGHT, EXACT, point, point),
	BUILTIN(F_POINT_BELOW, SPQ_BOX_BELOW, EXACT, point, point),
	BUILTIN(F_POINT_ABOVE, SPQ_BOX_ABOVE, EXACT, point, point),

	BUILTIN(F_BOX_CONTAIN_PT, SPQ_BOX_MEETS, EXACT, box, point),
	BUILTIN(F_ON_PB, SPQ_BOX_MEETS, EXACT, point, box),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction distances[] = {
	SPQ_TYPE_BUILTIN(F_POINT_DISTANCE),
	SPQ_TYPE_BUILTIN(F_DIST_PB),
	SPQ_TYPE_BUILTIN(F_DIST_BP),
	SPQ_TYPE_NO_FUNCTION
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
