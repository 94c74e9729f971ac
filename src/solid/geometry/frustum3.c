/*-------------------------------------------------------------------------
 *
 * frustum3.c
 *	  Frustums and boxes.  See shapes3.h.
 *
 * A frustum is the intersection of six half-spaces, n . x + d >= 0.  A box may
 * be outside even if it is not entirely behind any plane:
 *
 *			\  |
 *			 \ |  +---+		the corner of a frustum, between a side and the
 *			  \|  |box|		end, and a box beside it.  They are separated by a
 *			   \..+---+		plane through the edge, a sum of the two.
 *				\
 *
 * plane_sums.c tries these sums.  A half-space that holds all of the box does
 * not restrict the points of the box, so only planes that cut the box are
 * combined.  Most boxes are cut by one plane or none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/exact.h"
#include "solid/geometry/plane_sums.h"
#include "solid/geometry/shapes3.h"

#define OFFSET SPQ_PLANE_OFFSET

/*
 * The search for a common point: the number of moves, and how far to move, as
 * a multiple of the distance to the plane.
 */
#define STEPS 4
#define BEYOND 1.5

/*
 * Search for a point of the box in front of all planes: start at the middle of
 * the box, and a few times move to a point a bit beyond the farthest plane,
 * and back into the box.  If the result is true, no sum separates, and the
 * caller need not try any.  If it is false, there may still be a common point.
 */
static bool
find_common_point(const SpqPlanes *planes)
{
	float8		x[SPQ_AXES];

	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		x[axis] = spq_box_middle(planes->box->low[axis], planes->box->high[axis]);
		if (!isfinite(x[axis]))
			return false;
	}
	for (int step = 0; step < STEPS; step++)
	{
		const float8 *farthest = NULL;
		float8		distance = 0,
					move = 0;

		for (int i = 0; i < planes->count; i++)
		{
			const float8 *plane = planes->plane[i];
			float8		value = plane[OFFSET],
						magnitude = fabs(plane[OFFSET]),
						square = 0;

			for (int axis = 0; axis < SPQ_AXES; axis++)
			{
				value += plane[axis] * x[axis];
				magnitude += fabs(plane[axis] * x[axis]);
				square += plane[axis] * plane[axis];
			}
			if (spq_exact_sure_sign(value, magnitude) <= 0 &&
				(farthest == NULL || value * value / square > distance))
			{
				farthest = plane;
				distance = value * value / square;
				move = -BEYOND * value / square;
			}
		}
		if (farthest == NULL)
			return true;
		for (int axis = 0; axis < SPQ_AXES; axis++)
		{
			x[axis] = Max(Min(x[axis] + move * farthest[axis], planes->box->high[axis]),
						  planes->box->low[axis]);
			if (!isfinite(x[axis]))
				return false;
		}
	}
	return false;
}

/*
 * Return the sign of a plane's value at the corner of the box where the value
 * is largest, or, if "largest" is false, smallest.  An infinite corner is
 * behind the plane if it is behind it on one axis.
 */
static int
corner_sign(const float8 *plane, const SpqBox3 *box, bool largest)
{
	float8		value = plane[OFFSET],
				magnitude = fabs(value);
	float8		corner[SPQ_AXES];
	bool		is_infinite = false;
	SpqExactSum sum;
	int			sure;

	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		if (plane[axis] == 0)
		{
			corner[axis] = 0;
			continue;
		}
		corner[axis] = (plane[axis] > 0) == largest ? box->high[axis] : box->low[axis];
		if (isinf(corner[axis]))
		{
			if ((corner[axis] > 0) != (plane[axis] > 0))
				return -1;
			is_infinite = true;
			continue;
		}
		value += plane[axis] * corner[axis];
		magnitude += fabs(plane[axis] * corner[axis]);
	}
	if (is_infinite)
		return 1;
	sure = spq_exact_sure_sign(value, magnitude);
	if (sure != 0)
		return sure;

	spq_exact_start(&sum);
	for (int axis = 0; axis < SPQ_AXES; axis++)
		spq_exact_add(&sum, plane[axis], corner[axis], 1, 1);
	spq_exact_add(&sum, plane[OFFSET], 1, 1, 1);
	return spq_exact_sign(&sum);
}

/* Return whether a plane has a NaN or an infinite normal. */
static bool
is_no_plane(const SpqPlane3 *plane)
{
	return !isfinite(plane->normal[0]) || !isfinite(plane->normal[1]) ||
		!isfinite(plane->normal[2]) || isnan(plane->offset);
}

/*
 * Return the sign of a plane's value in a box that lies entirely at infinity
 * on some axis.  Return 0 if that does not decide: the box does not lie at
 * infinity, or the plane is parallel to the axis.
 */
static int
sign_at_infinity(const float8 *plane, const SpqBox3 *box)
{
	int			result = 0;

	for (int axis = 0; axis < SPQ_AXES; axis++)
		if (plane[axis] != 0 &&
			(box->low[axis] == HUGE_VAL || box->high[axis] == -HUGE_VAL))
		{
			if ((box->low[axis] > 0) != (plane[axis] > 0))
				return -1;
			result = 1;
		}
	return result;
}

static bool
is_moderate_box(const SpqBox3 *box)
{
	for (int axis = 0; axis < SPQ_AXES; axis++)
		if (!(isinf(box->low[axis]) || spq_exact_is_moderate(box->low[axis])) ||
			!(isinf(box->high[axis]) || spq_exact_is_moderate(box->high[axis])))
			return false;
	return true;
}

/* box && frustum */
bool
spq_frustum3_meets_box(const SpqFrustum3 *frustum, const SpqBox3 *box)
{
	SpqPlanes	cut;

	if (spq_box3_has_nan(box))
		return false;
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
		if (is_no_plane(&frustum->plane[i]))
			return false;
	cut.box = box;
	cut.count = 0;
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
	{
		const float8 *plane = (const float8 *) &frustum->plane[i];

		int			sign;

		if (plane[OFFSET] == HUGE_VAL)
			continue;
		sign = sign_at_infinity(plane, box);
		if (plane[OFFSET] == -HUGE_VAL || sign < 0)
			return false;
		if (sign > 0)
			continue;
		if (corner_sign(plane, box, true) < 0)
			return false;
		if (corner_sign(plane, box, false) < 0)
			cut.plane[cut.count++] = plane;
	}
	if (cut.count < 2)
		return true;
	cut.is_moderate = is_moderate_box(box);
	for (int i = 0; i < cut.count; i++)
		for (int j = 0; j <= OFFSET; j++)
			cut.is_moderate &= spq_exact_is_moderate(cut.plane[i][j]);
	return find_common_point(&cut) || !spq_plane_sums_separate(&cut);
}

/* box <@ frustum: no corner is behind a plane */
bool
spq_frustum3_holds_box(const SpqFrustum3 *frustum, const SpqBox3 *box)
{
	if (spq_box3_has_nan(box))
		return false;
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
	{
		const SpqPlane3 *plane = &frustum->plane[i];

		if (is_no_plane(plane) || plane->offset == -HUGE_VAL)
			return false;
		if (plane->offset != HUGE_VAL && corner_sign((const float8 *) plane, box, false) < 0)
			return false;
	}
	return true;
}

/* point <@ frustum */
bool
spq_frustum3_holds_point(const SpqFrustum3 *frustum, const SpqPoint3 *point)
{
	SpqBox3		box;

	memcpy(box.low, point, sizeof(box.low));
	memcpy(box.high, point, sizeof(box.high));
	return spq_frustum3_holds_box(frustum, &box);
}

/*
 * Set the planes of a camera, in the order left, right, bottom, top, near,
 * far.  "row" has the rows of the matrix that transforms a column (x, y, z, 1)
 * to clip space (Gribb and Hartmann, "Fast extraction of viewing frustum
 * planes from the world-view-projection matrix", 2001).  In clip space the
 * camera sees what is between -w and w on all three axes, or in depth between
 * 0 and w.
 */
void
spq_frustum3_of_matrix(const float8 *const *row, bool depth_from_zero, SpqFrustum3 *frustum)
{
	for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
	{
		float8	   *plane = (float8 *) &frustum->plane[i];
		const float8 *axis = row[i / 2];

		for (int j = 0; j <= OFFSET; j++)
			if (i == 4 && depth_from_zero)
				plane[j] = axis[j];
			else
				plane[j] = i % 2 == 0 ? row[3][j] + axis[j] : row[3][j] - axis[j];
	}
}
