/*-------------------------------------------------------------------------
 *
 * shapes3.h
 *	  Spheres, rays, segments and frustums, and boxes.
 *
 * Conditions are decided in real arithmetic, without rounding or tolerance.
 * So if a shape meets a box, it meets every box around it, which an index
 * needs to test the bounds of a page.  Distances and points are rounded.
 * README.md has the definitions.
 *
 * These functions need no server and raise no errors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_GEOMETRY_SHAPES3_H
#define SPQ_SOLID_GEOMETRY_SHAPES3_H

#include "solid/geometry/solid.h"

#define SPQ_AXES 3

/* Where a ray enters a box. */
typedef struct SpqRay3Hit
{
	float8		distance;
	SpqPoint3	point;
	/* of the side, pointing outward; zero if the ray begins in the box */
	SpqPoint3	normal;
	bool		is_inside;
} SpqRay3Hit;

extern bool spq_sphere3_meets_box(const SpqSphere3 *sphere, const SpqBox3 *box);
extern bool spq_sphere3_holds_box(const SpqSphere3 *sphere, const SpqBox3 *box);
extern bool spq_sphere3_holds_point(const SpqSphere3 *sphere, const SpqPoint3 *point);
extern bool spq_sphere3_meets_sphere(const SpqSphere3 *a, const SpqSphere3 *b);
extern bool spq_sphere3_holds_sphere(const SpqSphere3 *outer, const SpqSphere3 *inner);

extern bool spq_segment3_meets_box(const SpqSegment3 *segment, const SpqBox3 *box);
extern bool spq_ray3_meets_box(const SpqRay3 *ray, const SpqBox3 *box);
extern float8 spq_ray3_distance(const SpqRay3 *ray, const SpqBox3 *box);
extern bool spq_ray3_hit(const SpqRay3 *ray, const SpqBox3 *box, SpqRay3Hit *hit);

extern bool spq_frustum3_meets_box(const SpqFrustum3 *frustum, const SpqBox3 *box);
extern bool spq_frustum3_holds_box(const SpqFrustum3 *frustum, const SpqBox3 *box);
extern bool spq_frustum3_holds_point(const SpqFrustum3 *frustum, const SpqPoint3 *point);
extern void spq_frustum3_of_matrix(const float8 *const *row, bool depth_from_zero,
								   SpqFrustum3 *frustum);

/* Return the coordinates of a point, as an array. */
static inline const float8 *
spq_point3_axes(const SpqPoint3 *point)
{
	return (const float8 *) point;
}

static inline bool
spq_point3_has_nan(const SpqPoint3 *point)
{
	const float8 *x = spq_point3_axes(point);

	return isnan(x[0]) || isnan(x[1]) || isnan(x[2]);
}

static inline bool
spq_point3_is_finite(const SpqPoint3 *point)
{
	return spq_all_finite(spq_point3_axes(point), SPQ_AXES);
}

static inline bool
spq_box3_has_nan(const SpqBox3 *box)
{
	bool		found = false;

	for (int i = 0; i < SPQ_AXES; i++)
		found |= isnan(box->low[i]) || isnan(box->high[i]);
	return found;
}

/* Treat a radius below 0 like a NaN, although no input accepts it. */
static inline bool
spq_sphere3_has_nan(const SpqSphere3 *sphere)
{
	return spq_point3_has_nan(&sphere->center) || !(sphere->radius >= 0);
}

#endif							/* SPQ_SOLID_GEOMETRY_SHAPES3_H */
