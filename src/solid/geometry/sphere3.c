/*-------------------------------------------------------------------------
 *
 * sphere3.c
 *	  Spheres, boxes and points.  See shapes3.h.
 *
 * All conditions test whether two points are at most a radius apart.  For a
 * box the points are the center and the nearest point, or the farthest corner,
 * of the box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/exact.h"
#include "solid/geometry/shapes3.h"

/* Add (a - b)^2, times a sign. */
static void
add_square(SpqExactSum *sum, float8 sign, float8 a, float8 b)
{
	spq_exact_add(sum, sign * a, a, 1, 1);
	spq_exact_add(sum, -2 * sign, a, b, 1);
	spq_exact_add(sum, sign * b, b, 1, 1);
}

/*
 * Return whether two points are at most outer - inner apart.  That difference
 * must not be below 0.  No argument may be NaN; outer and inner may be
 * infinite.
 */
static bool
is_within(const float8 *p, const float8 *q, float8 outer, float8 inner)
{
	float8		reach = outer - inner,
				square = reach * reach,
				distance = 0;
	bool		apart = false;
	SpqExactSum sum;
	int			sign;

	if (isinf(outer))
		return true;
	if (isinf(inner))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
	{
		/* the same infinity is at distance 0 */
		if (p[i] == q[i])
			continue;
		if (isinf(p[i]) || isinf(q[i]))
			return false;
		apart = true;
		distance += (p[i] - q[i]) * (p[i] - q[i]);
	}
	if (!apart)
		return true;
	sign = spq_exact_sure_sign(distance - square, distance + square);
	if (sign != 0)
		return sign < 0;

	spq_exact_start(&sum);
	for (int i = 0; i < SPQ_AXES; i++)
		if (p[i] != q[i])
			add_square(&sum, 1, p[i], q[i]);
	add_square(&sum, -1, outer, inner);
	return spq_exact_sign(&sum) <= 0;
}

/* Return which end of an interval is farther from a number. */
static float8
farther_end(float8 low, float8 high, float8 x)
{
	float8		below = x - low,
				above = high - x;
	SpqExactSum sum;

	if (isinf(x))
		return low == x ? high : low;
	/* rounding cannot change the order of the differences */
	if (below != above)
		return below > above ? low : high;
	if (low == high || isinf(below))
		return low;
	spq_exact_start(&sum);
	spq_exact_add(&sum, 2, x, 1, 1);
	spq_exact_add(&sum, -1, low, 1, 1);
	spq_exact_add(&sum, -1, high, 1, 1);
	return spq_exact_sign(&sum) >= 0 ? low : high;
}

/* box && sphere: the nearest point of the box is in the sphere */
bool
spq_sphere3_meets_box(const SpqSphere3 *sphere, const SpqBox3 *box)
{
	const float8 *center = spq_point3_axes(&sphere->center);
	float8		nearest[SPQ_AXES];

	if (spq_sphere3_has_nan(sphere) || spq_box3_has_nan(box))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
		nearest[i] = center[i] < box->low[i] ? box->low[i] :
			center[i] > box->high[i] ? box->high[i] : center[i];
	return is_within(center, nearest, sphere->radius, 0);
}

/* box <@ sphere: the farthest corner of the box is in the sphere */
bool
spq_sphere3_holds_box(const SpqSphere3 *sphere, const SpqBox3 *box)
{
	const float8 *center = spq_point3_axes(&sphere->center);
	float8		farthest[SPQ_AXES];

	if (spq_sphere3_has_nan(sphere) || spq_box3_has_nan(box))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
		farthest[i] = farther_end(box->low[i], box->high[i], center[i]);
	return is_within(center, farthest, sphere->radius, 0);
}

/* point <@ sphere */
bool
spq_sphere3_holds_point(const SpqSphere3 *sphere, const SpqPoint3 *point)
{
	return !spq_sphere3_has_nan(sphere) && !spq_point3_has_nan(point) &&
		is_within(spq_point3_axes(&sphere->center), spq_point3_axes(point),
				  sphere->radius, 0);
}

/* sphere && sphere: the centers are at most the sum of the radii apart */
bool
spq_sphere3_meets_sphere(const SpqSphere3 *a, const SpqSphere3 *b)
{
	if (spq_sphere3_has_nan(a) || spq_sphere3_has_nan(b))
		return false;
	if (isinf(b->radius))
		return true;
	return is_within(spq_point3_axes(&a->center), spq_point3_axes(&b->center),
					 a->radius, -b->radius);
}

/*
 * sphere @> sphere: the centers are at most the difference of the radii apart
 */
bool
spq_sphere3_holds_sphere(const SpqSphere3 *outer, const SpqSphere3 *inner)
{
	return !spq_sphere3_has_nan(outer) && !spq_sphere3_has_nan(inner) &&
		outer->radius >= inner->radius &&
		is_within(spq_point3_axes(&outer->center), spq_point3_axes(&inner->center),
				  outer->radius, inner->radius);
}
