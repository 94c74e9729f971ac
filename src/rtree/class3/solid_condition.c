/*-------------------------------------------------------------------------
 *
 * solid_condition.c
 *	  Conditions on boxes and points of three dimensions with other shapes.
 *
 * A row can satisfy "b && shape" or "b <@ shape" only if it meets the shape's
 * bounding box.  Comparisons, rounded outward, test that for eight entries at a
 * time.  The bounds of a page that pass are then tested against the shape: if
 * they do not meet it, no box within them does (src/solid/README.md).  For the
 * rows that pass, the operator itself is evaluated.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "rtree/class3/solid_condition.h"
#include "rtree/class3/solid_distance.h"
#include "rtree/class3/solid_frustum.h"

/* More than a few roundings add to a fraction that is at most 1. */
#define ROUNDING (16 * DBL_EPSILON)

/* Return whether the shape may meet rows within bounds. */
static bool
sphere_reaches(const void *sphere, const float8 *bounds)
{
	return spq_sphere3_meets_box(sphere, (const SpqBox3 *) bounds);
}

static bool
ray_reaches(const void *ray, const float8 *bounds)
{
	return spq_ray3_meets_box(ray, (const SpqBox3 *) bounds);
}

static bool
segment_reaches(const void *segment, const float8 *bounds)
{
	return spq_segment3_meets_box(segment, (const SpqBox3 *) bounds);
}

static bool
frustum_reaches(const void *frustum, const float8 *bounds)
{
	return spq_frustum3_meets_box(frustum, (const SpqBox3 *) bounds);
}

/* Require that a row meets an interval on an axis, or is in it. */
static void
compare_interval(SpqRtreeCondition *condition, int axis, float8 low, float8 high, bool is_in)
{
	if (high < get_float8_infinity())
		spq_rtree_compare(condition, is_in ? axis : SPQ_AXES + axis, true, high);
	if (low > -get_float8_infinity())
		spq_rtree_compare(condition, is_in ? SPQ_AXES + axis : axis, false, low);
}

/*
 * Return the ends of an interval around a number, rounded outward even if the
 * reach is 0.
 */
static float8
lowest(float8 origin, float8 reach)
{
	return nextafter(origin - reach, -get_float8_infinity());
}

static float8
highest(float8 origin, float8 reach)
{
	return nextafter(origin + reach, get_float8_infinity());
}

static void
compare_with_sphere(SpqRtreeCondition *condition, const SpqSphere3 *sphere, bool is_in)
{
	if (!spq_point3_is_finite(&sphere->center) || !isfinite(sphere->radius))
		return;
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		float8		center = spq_point3_axes(&sphere->center)[axis];

		compare_interval(condition, axis, lowest(center, sphere->radius),
						 highest(center, sphere->radius), is_in);
	}
}

static void
compare_with_segment(SpqRtreeCondition *condition, const SpqSegment3 *segment)
{
	const float8 *a = spq_point3_axes(&segment->p[0]),
			   *b = spq_point3_axes(&segment->p[1]);

	if (!spq_point3_is_finite(&segment->p[0]) || !spq_point3_is_finite(&segment->p[1]))
		return;
	for (int axis = 0; axis < SPQ_AXES; axis++)
		compare_interval(condition, axis, Min(a[axis], b[axis]), Max(a[axis], b[axis]), false);
}

/*
 * Along an axis, a ray extends at most its distance times the axis's component
 * of its direction, as a fraction of the direction's length.
 */
static void
compare_with_ray(SpqRtreeCondition *condition, const SpqRay3 *ray)
{
	const float8 *origin = spq_point3_axes(&ray->origin),
			   *direction = spq_point3_axes(&ray->direction);
	float8		largest = 0,
				square = 0;

	if (!spq_point3_is_finite(&ray->origin) || !spq_point3_is_finite(&ray->direction) ||
		isnan(ray->max_distance))
		return;
	for (int axis = 0; axis < SPQ_AXES; axis++)
		largest = Max(largest, fabs(direction[axis]));
	for (int axis = 0; axis < SPQ_AXES; axis++)
		square += (direction[axis] / largest) * (direction[axis] / largest);
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		float8		fraction = fabs(direction[axis]) / largest / sqrt(square),
					reach = ray->max_distance * (fraction + ROUNDING),
					low = origin[axis],
					high = origin[axis];

		if (direction[axis] > 0)
			high = highest(origin[axis], reach);
		if (direction[axis] < 0)
			low = lowest(origin[axis], reach);
		compare_interval(condition, axis, low, high, false);
	}
}

bool
spq_rtree_solid_condition(const ScanKeyData *key, SpqRtreeCondition *condition)
{
	const void *shape = DatumGetPointer(key->sk_argument);

	condition->ncomparisons = 0;
	condition->exact = false;
	condition->ask = NULL;
	condition->argument = shape;
	switch (key->sk_strategy)
	{
		case SPQ_SOLID_OVERLAPS_SPHERE_STRATEGY:
		case SPQ_SOLID_IN_SPHERE_STRATEGY:
			condition->reaches = sphere_reaches;
			compare_with_sphere(condition, shape,
								key->sk_strategy == SPQ_SOLID_IN_SPHERE_STRATEGY);
			return true;
		case SPQ_SOLID_OVERLAPS_RAY_STRATEGY:
			condition->reaches = ray_reaches;
			condition->prefilter = spq_rtree_prefilter_by_ray;
			condition->argument_size = sizeof(SpqRay3);
			compare_with_ray(condition, shape);
			return true;
		case SPQ_SOLID_OVERLAPS_SEGMENT_STRATEGY:
			condition->reaches = segment_reaches;
			compare_with_segment(condition, shape);
			return true;
		case SPQ_SOLID_OVERLAPS_FRUSTUM_STRATEGY:
		case SPQ_SOLID_IN_FRUSTUM_STRATEGY:
			condition->reaches = frustum_reaches;
			condition->prefilter = key->sk_strategy == SPQ_SOLID_IN_FRUSTUM_STRATEGY ?
				spq_rtree_prefilter_in_frustum : spq_rtree_prefilter_by_frustum;
			condition->argument_size = sizeof(SpqFrustum3);
			return true;
		default:
			return false;
	}
}
