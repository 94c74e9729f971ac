/*-------------------------------------------------------------------------
 *
 * box_type.c
 *	  The type box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	memcpy(numbers, DatumGetBoxP(value), sizeof(BOX));
}

static const SpqTypeOperator operators[] = {
	OPERATORS_OF(BOX, box, EXACT, EXACT, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

/* of the centers */
static const SpqTypeFunction distances[] = {SPQ_TYPE_BUILTIN(F_BOX_DISTANCE), SPQ_TYPE_NO_FUNCTION};

static const SpqTypeFunction harmless[] = {
	SPQ_TYPE_BUILTIN(F_BOX_POINT_POINT),
	SPQ_TYPE_BUILTIN(F_BOX_POINT),
	SPQ_TYPE_OWN("spq_box_of_box3"),
	SPQ_TYPE_NO_FUNCTION
};

const SpqType spq_type_box = {
	.name = "box",
	.oid = BOXOID,
	.axes = 2,
	.is_box = true,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.harmless = harmless,
	.argument_number = 1,
	.has_edges = true,
};
