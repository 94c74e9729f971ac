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

#define POINTS(symbol, relation) \
	OPERATOR(symbol, relation, EXACT, point3, point3)

static const SpqTypeOperator operators[] = {
	POINTS("spq_point3_same", SPQ_BOX_SAME),
	POINTS("spq_point3_left", SPQ_BOX_LEFT),
	POINTS("spq_point3_right", SPQ_BOX_RIGHT),
	POINTS("spq_point3_below", SPQ_BOX_BELOW),
	POINTS("spq_point3_above", SPQ_BOX_ABOVE),
	POINTS("spq_point3_front", SPQ_BOX_FRONT),
	POINTS("spq_point3_back", SPQ_BOX_BACK),

	OPERATOR("spq_box3_contains_point3", SPQ_BOX_MEETS, EXACT, box3, point3),
	OPERATOR("spq_point3_in_box3", SPQ_BOX_MEETS, EXACT, point3, box3),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction distances[] = {
	SPQ_TYPE_OWN("spq_point3_distance_point3"),
	SPQ_TYPE_OWN("spq_box3_distance_point3"),
	SPQ_TYPE_OWN("spq_point3_distance_box3"),
	SPQ_TYPE_NO_FUNCTION
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
