/*-------------------------------------------------------------------------
 *
 * sphere3_type.c
 *	  The type sphere3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/space/space.h"

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const SpqSphere3 *sphere = (SpqSphere3 *) DatumGetPointer(value);

	if (!spq_box3_expanded(spq_point3_corners(&sphere->center), sphere->radius,
						   (SpqBox3 *) numbers))
		set_nowhere(numbers);
}

static bool
meets(const void *sphere, const float8 *box)
{
	return spq_sphere3_meets_box(sphere, (const SpqBox3 *) box);
}

static bool
holds(const void *sphere, const float8 *box)
{
	return spq_sphere3_holds_box(sphere, (const SpqBox3 *) box);
}

static float8
core(const void *value, float8 *box)
{
	const SpqSphere3 *sphere = value;

	memcpy(box, &sphere->center, sizeof(SpqPoint3));
	memcpy(box + SPQ_AXES, &sphere->center, sizeof(SpqPoint3));
	return sphere->radius;
}

static const SpqTypeOperator operators[] = {
	OWN(0, "&&", sphere3, sphere3, "spq_sphere3_overlaps_sphere3", SPQ_BOX_OVERLAPS, ROUND),
	OWN(0, "@>", sphere3, sphere3, "spq_sphere3_contains_sphere3", SPQ_BOX_CONTAINS, ROUND),
	OWN(0, "<@", sphere3, sphere3, "spq_sphere3_in_sphere3", SPQ_BOX_CONTAINED, ROUND),
	OWN(0, "@>", sphere3, point3, "spq_sphere3_contains_point3", SPQ_BOX_OVERLAPS, ROUND),
	OWN(52, "<@", point3, sphere3, "spq_point3_in_sphere3", SPQ_BOX_OVERLAPS, ROUND),
	OWN(51, "&&", box3, sphere3, "spq_box3_overlaps_sphere3", SPQ_BOX_OVERLAPS, ROUND),
	OWN(0, "&&", sphere3, box3, "spq_sphere3_overlaps_box3", SPQ_BOX_OVERLAPS, ROUND),
	OWN(52, "<@", box3, sphere3, "spq_box3_in_sphere3", SPQ_BOX_CONTAINED, ROUND),
	OWN(0, "@>", sphere3, box3, "spq_sphere3_contains_box3", SPQ_BOX_CONTAINS, ROUND),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_sphere3 = {
	.name = "sphere3",
	.axes = 3,
	.has_center = true,
	.box = box_of,
	.operators = operators,
	.size = sizeof(SpqSphere3),
	.meets = meets,
	.holds = holds,
	.core = core,
};
