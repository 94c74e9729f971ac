/*-------------------------------------------------------------------------
 *
 * ray3_type.c
 *	  The type ray3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "types/space/space.h"

/* More than the rounding of a quotient, a root, a quotient and a product. */
#define ROUNDING	(1 + 16 * DBL_EPSILON)

/* Underflow changes a quotient or a product by less than this. */
#define UNDERFLOW	1e-300

/*
 * Set the box of a ray.  On each axis the ray extends by the distance times
 * the direction's component, divided by the direction's length.  Dividing the
 * components by the largest one first prevents overflow.
 */
static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const SpqRay3 *ray = (SpqRay3 *) DatumGetPointer(value);
	const float8 infinity = get_float8_infinity(),
			   *direction = ray->direction.x,
			   *origin = ray->origin.x;
	float8	   *high = numbers,
			   *low = numbers + SPQ_AXES,
				part[SPQ_AXES],
				largest = 0,
				square = 0,
				factor;

	for (int axis = 0; axis < SPQ_AXES; axis++)
		largest = Max(largest, fabs(direction[axis]));
	if (!spq_point3_is_finite(&ray->origin) || !spq_point3_is_finite(&ray->direction) ||
		!(ray->max_distance >= 0))
	{
		set_nowhere(numbers);
		return;
	}
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		part[axis] = fabs(direction[axis]) / largest;
		square += part[axis] * part[axis];
	}
	factor = ROUNDING / sqrt(square);
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		float8		reach = ray->max_distance * ((part[axis] + UNDERFLOW) * factor) + UNDERFLOW;

		high[axis] = low[axis] = origin[axis];
		if (direction[axis] > 0)
			high[axis] = nextafter(origin[axis] + reach, infinity);
		else if (direction[axis] < 0)
			low[axis] = nextafter(origin[axis] - reach, -infinity);
	}
}

static void
line_of(Datum value, SpqLine *line)
{
	const SpqRay3 *ray = (SpqRay3 *) DatumGetPointer(value);

	spq_type_set_line(line, ray->origin.x, ray->direction.x, SPQ_AXES, 0);
}

static bool
meets(const void *ray, const float8 *box)
{
	return spq_ray3_meets_box(ray, (const SpqBox3 *) box);
}

static const SpqTypeOperator operators[] = {
	OWN(53, "&&", box3, ray3, "spq_box3_overlaps_ray3", SPQ_BOX_OVERLAPS, LINE_IN_BOX),
	OWN(0, "&&", ray3, box3, "spq_ray3_overlaps_box3", SPQ_BOX_OVERLAPS, LINE_IN_BOX),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator orders[] = {
	OWN_ORDER(18, "<->", box3, ray3, "spq_box3_distance_ray3"),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_ray3 = {
	.name = "ray3",
	.axes = 3,
	.box = box_of,
	.line = line_of,
	.operators = operators,
	.orders = orders,
	.size = sizeof(SpqRay3),
	.meets = meets,
};
