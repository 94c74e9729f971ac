/*-------------------------------------------------------------------------
 *
 * line3.c
 *	  Rays, segments and boxes.  See shapes3.h.
 *
 * The slab test (Kay and Kajiya, "Ray tracing complex scenes", 1986): a box is
 * the intersection of three slabs, and a line is in each slab for an interval.
 * It meets the box if the three intervals have a point in common:
 *
 *		---|==== x ====|------------		enters x before it
 *		--------|=== y ===|---------		leaves y and z, ...
 *		-----|======= z =======|----		... and so on
 *
 * The usual form divides by the direction, so rounding decides at edges and
 * corners, and a direction of 0 or -0 gives infinities (Williams et al., "An
 * efficient and robust ray-box intersection algorithm", 2005).  Here the
 * fractions are compared by multiplying crosswise, and exactly if the result
 * is not certain.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/exact.h"
#include "solid/geometry/shapes3.h"

/*
 * A half-line from the origin in the direction head - tail.  (The difference
 * is not computed, because that of the ends of a segment might be rounded.)
 * All numbers are finite.
 */
typedef struct HalfLine
{
	const float8 *origin;
	const float8 *head;
	const float8 *tail;
} HalfLine;

/* Where a half-line enters and leaves the slab of an axis. */
typedef struct Slab
{
	/* 0 if the line is parallel to the slab */
	int			sign;
	/* the near side is in front of the origin */
	bool		enters;
	float8		near;
	float8		far;
} Slab;

static const float8 nowhere[SPQ_AXES] = {0, 0, 0};

/*
 * Set the slabs of a box.  Return false if the half-line misses one of them,
 * or the box has a NaN or lies entirely at infinity.
 */
static bool
find_slabs(const HalfLine *line, const SpqBox3 *box, Slab *slab)
{
	for (int i = 0; i < SPQ_AXES; i++)
	{
		float8		origin = line->origin[i],
					low = box->low[i],
					high = box->high[i];

		slab[i].sign = (line->head[i] > line->tail[i]) - (line->head[i] < line->tail[i]);
		slab[i].enters = false;
		/* if the box has a NaN, low <= high is false */
		if (!(low <= high) || low == HUGE_VAL || high == -HUGE_VAL)
			return false;
		if (slab[i].sign > 0)
		{
			if (high < origin)
				return false;
			slab[i].enters = low > origin;
			slab[i].near = low;
			slab[i].far = high;
		}
		else if (slab[i].sign < 0)
		{
			if (low > origin)
				return false;
			slab[i].enters = high < origin;
			slab[i].near = high;
			slab[i].far = low;
		}
		else if (low > origin || high < origin)
			return false;
	}
	return true;
}

/* Add (a - b) (c - d), times a sign. */
static void
add_product(SpqExactSum *sum, float8 sign, float8 a, float8 b, float8 c, float8 d)
{
	spq_exact_add(sum, sign, a, c, 1);
	spq_exact_add(sum, -sign, a, d, 1);
	spq_exact_add(sum, -sign, b, c, 1);
	spq_exact_add(sum, sign, b, d, 1);
}

/*
 * Compare the points where a half-line reaches coordinate x of axis i and y of
 * axis j: return -1, 0 or 1 if the first comes earlier, at the same place or
 * later.  Both must be in front of the origin; y may be infinite.
 */
static int
compare_times(const HalfLine *line, const Slab *slab, int i, float8 x, int j, float8 y)
{
	const float8 *o = line->origin,
			   *head = line->head,
			   *tail = line->tail;
	float8		first = fabs((x - o[i]) * (head[j] - tail[j])),
				second = fabs((y - o[j]) * (head[i] - tail[i]));
	int			sure;
	float8		sign;
	SpqExactSum sum;

	if (isinf(y))
		return -1;
	sure = spq_exact_sure_sign(first - second, first + second);
	if (sure != 0)
		return sure;

	/* the sign of both products is that of the product of the directions */
	sign = slab[i].sign * slab[j].sign;
	spq_exact_start(&sum);
	add_product(&sum, sign, x, o[i], head[j], tail[j]);
	add_product(&sum, -sign, y, o[j], head[i], tail[i]);
	return spq_exact_sign(&sum);
}

/* Return whether a half-line meets a box. */
static bool
meets_box(const HalfLine *line, const Slab *slab)
{
	for (int i = 0; i < SPQ_AXES; i++)
		if (slab[i].enters)
			for (int j = 0; j < SPQ_AXES; j++)
				if (j != i && slab[j].sign != 0 &&
					compare_times(line, slab, i, slab[i].near, j, slab[j].far) > 0)
					return false;
	return true;
}

/* Return whether a ray enters slab i within its maximum distance. */
static bool
is_in_reach(const SpqRay3 *ray, const Slab *slab, int i)
{
	const float8 *direction = spq_point3_axes(&ray->direction);
	float8		origin = spq_point3_axes(&ray->origin)[i],
				near = slab[i].near,
				reach = ray->max_distance,
				gap = near - origin,
				length = 0,
				left,
				right;
	bool		is_moderate = spq_exact_is_moderate(gap) && spq_exact_is_moderate(reach);
	int			sure;
	SpqExactSum sum;

	if (isinf(reach))
		return true;
	for (int k = 0; k < SPQ_AXES; k++)
	{
		length += direction[k] * direction[k];
		is_moderate &= spq_exact_is_moderate(direction[k]);
	}
	if (is_moderate)
	{
		left = gap * gap * length;
		right = reach * reach * (direction[i] * direction[i]);
		sure = spq_exact_sure_sign(left - right, left + right);
		if (sure != 0)
			return sure < 0;
	}

	/* (near - origin)^2 |direction|^2 <= reach^2 direction[i]^2 */
	spq_exact_start(&sum);
	for (int k = 0; k < SPQ_AXES; k++)
	{
		spq_exact_add(&sum, near, near, direction[k], direction[k]);
		spq_exact_add(&sum, -near, origin, direction[k], direction[k]);
		spq_exact_add(&sum, -near, origin, direction[k], direction[k]);
		spq_exact_add(&sum, origin, origin, direction[k], direction[k]);
	}
	spq_exact_add(&sum, -reach, reach, direction[i], direction[i]);
	return spq_exact_sign(&sum) <= 0;
}

static HalfLine
half_line_of(const SpqRay3 *ray)
{
	HalfLine	line = {
		spq_point3_axes(&ray->origin), spq_point3_axes(&ray->direction), nowhere
	};

	return line;
}

/* Return whether a ray meets a box.  If so, set the slabs. */
static bool
ray_meets_box(const SpqRay3 *ray, const SpqBox3 *box, Slab *slab)
{
	HalfLine	line = half_line_of(ray);

	if (!spq_point3_is_finite(&ray->origin) || !spq_point3_is_finite(&ray->direction) ||
		!(ray->max_distance >= 0) ||
		!find_slabs(&line, box, slab) || !meets_box(&line, slab))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
		if (slab[i].enters && !is_in_reach(ray, slab, i))
			return false;
	return true;
}

/* box && ray */
bool
spq_ray3_meets_box(const SpqRay3 *ray, const SpqBox3 *box)
{
	Slab		slab[SPQ_AXES];

	return ray_meets_box(ray, box, slab);
}

/* box && lseg: as for a ray that ends at the other end */
bool
spq_segment3_meets_box(const SpqSegment3 *segment, const SpqBox3 *box)
{
	HalfLine	line = {
		spq_point3_axes(&segment->p[0]), spq_point3_axes(&segment->p[1]),
		spq_point3_axes(&segment->p[0])
	};
	Slab		slab[SPQ_AXES];

	if (!spq_point3_is_finite(&segment->p[0]) || !spq_point3_is_finite(&segment->p[1]) ||
		!find_slabs(&line, box, slab))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
		if (slab[i].enters &&
			(slab[i].sign > 0 ? slab[i].near > line.head[i] : slab[i].near < line.head[i]))
			return false;
	return meets_box(&line, slab);
}

/*
 * Return the distance along a ray to the near side of slab i.  It does not
 * decrease if the slab shrinks, since each step is monotonic, rounding
 * included.
 *
 * Exponents are computed separately, so that only the result can overflow.  If
 * the ray is parallel to the axis, the result is the difference of
 * coordinates.
 */
static float8
entry_distance(const SpqRay3 *ray, const Slab *slab, int i)
{
	const float8 *direction = spq_point3_axes(&ray->direction);
	float8		origin = spq_point3_axes(&ray->origin)[i],
				gap = fabs(slab[i].near - origin),
				largest = Max(Max(fabs(direction[0]), fabs(direction[1])), fabs(direction[2])),
				length = 0,
				part,
				result;
	int			gap_exponent,
				part_exponent,
				largest_exponent,
				halved = 0;

	if (isinf(gap))
	{
		gap = fabs(slab[i].near / 2 - origin / 2);
		halved = 1;
	}
	for (int k = 0; k < SPQ_AXES; k++)
		length += (direction[k] / largest) * (direction[k] / largest);
	gap = frexp(gap, &gap_exponent);
	part = frexp(fabs(direction[i]), &part_exponent);
	largest = frexp(largest, &largest_exponent);
	result = ldexp(gap / (part / largest) * sqrt(length),
				   gap_exponent + halved - part_exponent + largest_exponent);
	/* an exact test has found that the ray meets the box */
	return Min(Min(result, ray->max_distance), DBL_MAX);
}

/* Return the distance along a ray to the point where it enters a box. */
static float8
entry(const SpqRay3 *ray, const Slab *slab)
{
	float8		farthest = 0;

	for (int i = 0; i < SPQ_AXES; i++)
		if (slab[i].enters)
			farthest = Max(farthest, entry_distance(ray, slab, i));
	return farthest;
}

/*
 * Return the axis of the side through which a ray enters a box, or -1 if it
 * begins in the box.  At an edge or a corner, return the first of the axes.
 */
static int
entry_axis(const SpqRay3 *ray, const Slab *slab)
{
	HalfLine	line = half_line_of(ray);
	int			last = -1;

	for (int i = 0; i < SPQ_AXES; i++)
		if (slab[i].enters &&
			(last < 0 || compare_times(&line, slab, i, slab[i].near, last, slab[last].near) > 0))
			last = i;
	return last;
}

/* box <-> ray: infinity if the ray does not meet the box */
float8
spq_ray3_distance(const SpqRay3 *ray, const SpqBox3 *box)
{
	Slab		slab[SPQ_AXES];

	if (!ray_meets_box(ray, box, slab))
		return HUGE_VAL;
	return entry(ray, slab);
}

/*
 * Set where a ray enters a box.  Return false if the ray does not meet the
 * box.  The point is in the box, on the side that the ray enters; if the ray
 * begins in the box, it is the origin.
 */
bool
spq_ray3_hit(const SpqRay3 *ray, const SpqBox3 *box, SpqRay3Hit *hit)
{
	const float8 *direction = spq_point3_axes(&ray->direction),
			   *origin = spq_point3_axes(&ray->origin);
	float8	   *point = (float8 *) &hit->point,
			   *normal = (float8 *) &hit->normal,
				largest = Max(Max(fabs(direction[0]), fabs(direction[1])), fabs(direction[2])),
				length = 0;
	Slab		slab[SPQ_AXES];
	int			axis;

	if (!ray_meets_box(ray, box, slab))
		return false;
	hit->distance = entry(ray, slab);
	axis = entry_axis(ray, slab);
	hit->is_inside = axis < 0;
	for (int i = 0; i < SPQ_AXES; i++)
		length += (direction[i] / largest) * (direction[i] / largest);
	length = sqrt(length);
	for (int i = 0; i < SPQ_AXES; i++)
	{
		normal[i] = i == axis ? -slab[i].sign : 0;
		if (i == axis)
			point[i] = slab[i].near;
		else if (axis < 0 || slab[i].sign == 0)
			point[i] = origin[i];
		else
			point[i] = Max(Min(origin[i] + hit->distance * (direction[i] / largest / length),
							   box->high[i]), box->low[i]);
	}
	return true;
}
