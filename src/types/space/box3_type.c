/*-------------------------------------------------------------------------
 *
 * box3_type.c
 *	  The type box3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/space/space.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	memcpy(numbers, DatumGetPointer(value), sizeof(SpqBox3));
}

static float8
core(const void *value, float8 *box)
{
	memcpy(box, value, sizeof(SpqBox3));
	return 0;
}

static const SpqTypeOperator operators[] = {
	OWN(3, "&&", box3, box3, "spq_box3_overlap", SPQ_BOX_OVERLAPS, EXACT),
	OWN(7, "@>", box3, box3, "spq_box3_contains_box3", SPQ_BOX_CONTAINS, EXACT),
	OWN(8, "<@", box3, box3, "spq_box3_in_box3", SPQ_BOX_CONTAINED, EXACT),
	OWN(6, "~=", box3, box3, "spq_box3_same", SPQ_BOX_SAME, EXACT),
	OWN(1, "<<", box3, box3, "spq_box3_left", SPQ_BOX_LEFT, EXACT),
	OWN(2, "&<", box3, box3, "spq_box3_overleft", SPQ_BOX_OVERLEFT, EXACT),
	OWN(5, ">>", box3, box3, "spq_box3_right", SPQ_BOX_RIGHT, EXACT),
	OWN(4, "&>", box3, box3, "spq_box3_overright", SPQ_BOX_OVERRIGHT, EXACT),
	OWN(10, "<<|", box3, box3, "spq_box3_below", SPQ_BOX_BELOW, EXACT),
	OWN(9, "&<|", box3, box3, "spq_box3_overbelow", SPQ_BOX_OVERBELOW, EXACT),
	OWN(11, "|>>", box3, box3, "spq_box3_above", SPQ_BOX_ABOVE, EXACT),
	OWN(12, "|&>", box3, box3, "spq_box3_overabove", SPQ_BOX_OVERABOVE, EXACT),
	OWN(41, "<</", box3, box3, "spq_box3_front", SPQ_BOX_FRONT, EXACT),
	OWN(42, "&</", box3, box3, "spq_box3_overfront", SPQ_BOX_OVERFRONT, EXACT),
	OWN(43, "/>>", box3, box3, "spq_box3_back", SPQ_BOX_BACK, EXACT),
	OWN(44, "/&>", box3, box3, "spq_box3_overback", SPQ_BOX_OVERBACK, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator distances[] = {
	OWN_ORDER(17, "<->", box3, box3, "spq_box3_distance_box3"),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {
	SPQ_TYPE_OWN("spq_box3_of_points"),
	SPQ_TYPE_OWN("spq_box3_of_numbers"),
	SPQ_TYPE_OWN("spq_box3_of_point"),
	SPQ_TYPE_OWN("spq_box3_of_box"),
	SPQ_TYPE_OWN("spq_box3_of_lseg3"),
	SPQ_TYPE_OWN("spq_box3_center"),
	SPQ_TYPE_OWN("spq_box3_low"),
	SPQ_TYPE_OWN("spq_box3_high"),
	SPQ_TYPE_NO_FUNCTION
};

const SpqType spq_type_box3 = {
	.name = "box3",
	.axes = 3,
	.is_box = true,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.harmless = harmless,
	.size = sizeof(SpqBox3),
	.core = core,
};
