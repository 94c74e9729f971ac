/*-------------------------------------------------------------------------
 *
 * frustum3_type.c
 *	  The type frustum3.
 *
 * A frustum need not have bounds, so it has no box: its operators are estimated,
 * but not joined.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/space/space.h"

static bool
meets(const void *frustum, const float8 *box)
{
	return spq_frustum3_meets_box(frustum, (const SpqBox3 *) box);
}

/*
 * The common test whether some plane has the whole box behind it.  The exact
 * one takes a hundred times as long for boxes that several planes cut, as they
 * cut large ones.
 */
static bool
may_meet(const void *value, const float8 *numbers)
{
	const SpqFrustum3 *frustum = value;
	const SpqBox3 *box = (const SpqBox3 *) numbers;

	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
	{
		const SpqPlane3 *plane = &frustum->plane[i];
		double		farthest = plane->offset;

		for (int axis = 0; axis < SPQ_AXES; axis++)
			farthest += plane->normal[axis] *
				(plane->normal[axis] > 0 ? box->high[axis] : box->low[axis]);
		if (!(farthest >= 0))
			return false;
	}
	return true;
}

static bool
holds(const void *frustum, const float8 *box)
{
	return spq_frustum3_holds_box(frustum, (const SpqBox3 *) box);
}

static const SpqTypeOperator operators[] = {
	OWN(55, "&&", box3, frustum3, "spq_box3_overlaps_frustum3", SPQ_BOX_OVERLAPS, 1),
	OWN(0, "&&", frustum3, box3, "spq_frustum3_overlaps_box3", SPQ_BOX_OVERLAPS, 1),
	OWN(56, "<@", box3, frustum3, "spq_box3_in_frustum3", SPQ_BOX_CONTAINED, 1),
	OWN(0, "@>", frustum3, box3, "spq_frustum3_contains_box3", SPQ_BOX_CONTAINS, 1),
	OWN(56, "<@", point3, frustum3, "spq_point3_in_frustum3", SPQ_BOX_OVERLAPS, 1),
	OWN(0, "@>", frustum3, point3, "spq_frustum3_contains_point3", SPQ_BOX_OVERLAPS, 1),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_frustum3 = {
	.name = "frustum3",
	.axes = 3,
	.operators = operators,
	.size = sizeof(SpqFrustum3),
	.meets = meets,
	.may_meet = may_meet,
	.holds = holds,
};
