/*-------------------------------------------------------------------------
 *
 * solid_box.c
 *	  The bounding box of a value in space.
 *
 * Operators in space are exact, so these boxes contain the value without a
 * margin.  A value with a NaN gets a box with a NaN: operators are false for
 * it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "solid/geometry/box3.h"
#include "spatial/operators/value_box.h"

/* Set a box that overlaps no other. */
static void
set_nowhere(SpqBox3 *box)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
		box->high[axis] = box->low[axis] = get_float8_nan();
}

/*
 * Set the box of a ray.  On each axis the ray extends by the distance times
 * the direction's component, divided by the direction's length.  Dividing the
 * components by "scale" first prevents overflow.
 *
 * Two quotients, two hypotenuses and a product are rounded, some of them to 0
 * or to a number with few digits if the components differ very much.  Each
 * step that may do so goes to the next larger number; the factor covers the
 * others.
 */
static void
ray_box(const SpqRay3 *ray, SpqBox3 *box)
{
	const float8 infinity = get_float8_infinity(),
			   *direction = ray->direction.x,
			   *origin = ray->origin.x;
	float8		part[SPQ_DIM],
				scale = 0,
				length;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		if (isnan(direction[axis]) || isnan(origin[axis]) || isinf(origin[axis]))
		{
			set_nowhere(box);
			return;
		}
		scale = Max(scale, fabs(direction[axis]));
	}
	if (!(scale < infinity && ray->max_distance >= 0))
	{
		set_nowhere(box);
		return;
	}
	for (int axis = 0; axis < SPQ_DIM; axis++)
		part[axis] = fabs(direction[axis]) / scale;
	length = hypot(hypot(part[0], part[1]), part[2]);
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		reach;

		box->high[axis] = box->low[axis] = origin[axis];
		if (direction[axis] == 0)
			continue;
		reach = nextafter(part[axis], infinity) / length * (1 + 16 * DBL_EPSILON);
		reach = nextafter(ray->max_distance * nextafter(reach, infinity), infinity);
		if (direction[axis] > 0)
			box->high[axis] = nextafter(origin[axis] + reach, infinity);
		else
			box->low[axis] = nextafter(origin[axis] - reach, -infinity);
	}
}

/* Set the box (six numbers) of a value in space that is not NULL. */
void
spq_spatial_solid_box_of(SpqSpatialKind kind, Datum value, float8 *box)
{
	SpqBox3    *result = (SpqBox3 *) box;

	switch (kind)
	{
		case SPQ_SPATIAL_BOX3:
			memcpy(box, DatumGetPointer(value), sizeof(SpqBox3));
			break;
		case SPQ_SPATIAL_POINT3:
			memcpy(result->high, DatumGetPointer(value), sizeof(SpqPoint3));
			memcpy(result->low, DatumGetPointer(value), sizeof(SpqPoint3));
			break;
		case SPQ_SPATIAL_LSEG3:
			{
				const SpqSegment3 *segment = (SpqSegment3 *) DatumGetPointer(value);

				spq_box3_of_corners(segment->p[0].x, segment->p[1].x, result);
				break;
			}
		case SPQ_SPATIAL_SPHERE3:
			{
				const SpqSphere3 *sphere = (SpqSphere3 *) DatumGetPointer(value);

				if (!spq_box3_expanded(spq_point3_corners(&sphere->center),
									   sphere->radius, result))
					set_nowhere(result);
				break;
			}
		case SPQ_SPATIAL_RAY3:
			ray_box((SpqRay3 *) DatumGetPointer(value), result);
			break;
		default:
			elog(ERROR, "kind %d has no box in space", kind);
	}
}
