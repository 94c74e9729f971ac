/*-------------------------------------------------------------------------
 *
 * point3_type.c
 *	  The type point3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/space/space.h"

static void
set_box(const void *point, float8 *numbers)
{
	memcpy(numbers, point, sizeof(SpqPoint3));
	memcpy(numbers + SPQ_AXES, point, sizeof(SpqPoint3));
}

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	set_box(DatumGetPointer(value), numbers);
}

static float8
core(const void *value, float8 *box)
{
	set_box(value, box);
	return 0;
}

static const SpqTypeOperator operators[] = {
	OWN(6, "~=", point3, point3, "spq_point3_same", SPQ_BOX_SAME, EXACT),
	OWN(1, "<<", point3, point3, "spq_point3_left", SPQ_BOX_LEFT, EXACT),
	OWN(5, ">>", point3, point3, "spq_point3_right", SPQ_BOX_RIGHT, EXACT),
	OWN(10, "<<|", point3, point3, "spq_point3_below", SPQ_BOX_BELOW, EXACT),
	OWN(11, "|>>", point3, point3, "spq_point3_above", SPQ_BOX_ABOVE, EXACT),
	OWN(41, "<</", point3, point3, "spq_point3_front", SPQ_BOX_FRONT, EXACT),
	OWN(43, "/>>", point3, point3, "spq_point3_back", SPQ_BOX_BACK, EXACT),

	OWN(16, "@>", box3, point3, "spq_box3_contains_point3", SPQ_BOX_MEETS, EXACT),
	OWN(57, "<@", point3, box3, "spq_point3_in_box3", SPQ_BOX_MEETS, EXACT),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator distances[] = {
	OWN_ORDER(15, "<->", point3, point3, "spq_point3_distance_point3"),
	OWN_ORDER(17, "<->", point3, box3, "spq_point3_distance_box3"),
	OWN_ORDER(15, "<->", box3, point3, "spq_box3_distance_point3"),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {
	SPQ_TYPE_OWN("spq_point3_make"),
	SPQ_TYPE_OWN("spq_point3_of_point"),
	SPQ_TYPE_NO_FUNCTION
};

const SpqType spq_type_point3 = {
	.name = "point3",
	.axes = 3,
	.is_point = true,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.harmless = harmless,
	.size = sizeof(SpqPoint3),
	.core = core,
};
