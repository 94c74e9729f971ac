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
	BUILTIN(1, "<<", box, box, F_BOX_LEFT, SPQ_BOX_LEFT, EXACT),
	BUILTIN(2, "&<", box, box, F_BOX_OVERLEFT, SPQ_BOX_OVERLEFT, EXACT),
	BUILTIN(3, "&&", box, box, F_BOX_OVERLAP, SPQ_BOX_OVERLAPS, EXACT),
	BUILTIN(4, "&>", box, box, F_BOX_OVERRIGHT, SPQ_BOX_OVERRIGHT, EXACT),
	BUILTIN(5, ">>", box, box, F_BOX_RIGHT, SPQ_BOX_RIGHT, EXACT),
	BUILTIN(6, "~=", box, box, F_BOX_SAME, SPQ_BOX_SAME, EXACT),
	BUILTIN(7, "@>", box, box, F_BOX_CONTAIN, SPQ_BOX_CONTAINS, EXACT),
	BUILTIN(8, "<@", box, box, F_BOX_CONTAINED, SPQ_BOX_CONTAINED, EXACT),
	BUILTIN(9, "&<|", box, box, F_BOX_OVERBELOW, SPQ_BOX_OVERBELOW, EXACT),
	BUILTIN(10, "<<|", box, box, F_BOX_BELOW, SPQ_BOX_BELOW, EXACT),
	BUILTIN(11, "|>>", box, box, F_BOX_ABOVE, SPQ_BOX_ABOVE, EXACT),
	BUILTIN(12, "|&>", box, box, F_BOX_OVERABOVE, SPQ_BOX_OVERABOVE, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

/* of boxes: of the centers */
static const SpqTypeOperator distances[] = {
	BUILTIN_ORDER(15, "<->", box, point, F_DIST_BP),
	BUILTIN_ORDER(17, "<->", box, box, F_BOX_DISTANCE),
	SPQ_TYPE_NO_OPERATOR
};

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
	.has_edges = true,
};
