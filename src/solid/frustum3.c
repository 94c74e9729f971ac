/*-------------------------------------------------------------------------
 *
 * frustum3.c
 *	  Frustums and boxes.  See shapes3.h.
 *
 * A frustum is what six half-spaces have in common, n . x + d >= 0.  That no plane
 * has all of a box behind it does not mean that they meet:
 *
 *			\  |
 *			 \ |  +---+		the corner of a frustum, between a side and the
 *			  \|  |box|		end, and a box beside it.  What separates them is
 *			   \..+---+		a plane through the edge, a sum of the two.
 *				\
 *
 * By Farkas' lemma they do not meet if and only if some sum of the half-spaces,
 * with weights >= 0, is below 0 in all of the box.  The largest value of such a
 * sum in the box is
 *
 *		max over the box of  sum_i w_i (n_i . x + d_i),
 *
 * a function of the weights that is linear as long as no component of the summed
 * normal changes its sign.  So its minimum over the weights, if it is below 0, is
 * below 0 on an extreme ray of one of the cones that these signs make of w >= 0.
 * There, of j + 1 planes with weights above 0, j components of the normal vanish,
 * and that determines the weights up to a factor.  So there are finitely many sums
 * to try: the planes themselves, pairs for each axis, triples for two axes, and
 * quadruples, whose sum is a constant.
 *
 * A half-space that holds all of the box says nothing about the points of the box,
 * so only planes that cut the box are combined: most boxes are cut by none or one.
 *
 * Weights are minors, and the value is a determinant of at most four factors:
 * in float8, where that is sure, and otherwise exact.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/exact.h"
#include "solid/shapes3.h"

#define OFFSET SPQ_AXES			/* a plane as an array of its normal and this */

/* The search for a common point: how often it moves, and how far past a plane. */
#define STEPS 4
#define BEYOND 1.5

/* A sum of products in float8, and without their signs. */
typedef struct Rounded
{
	float8		value;
	float8		magnitude;
} Rounded;

/* A box, and planes that are combined. */
typedef struct Planes
{
	const SpqBox3 *box;
	const float8 *plane[SPQ_FRUSTUM3_PLANES];
	int			count;
	/* no product of their numbers overflows or underflows */
	bool		is_moderate;
} Planes;

/*
 * Return the determinant of rows of planes and of columns: components of normals,
 * or offsets.
 */
static Rounded
determinant(const float8 *const *row, const int *column, int size)
{
	Rounded		sum = {0, 0};
	int			rest[SPQ_AXES];

	if (size == 1)
	{
		sum.value = row[0][column[0]];
		sum.magnitude = fabs(sum.value);
		return sum;
	}
	/* by the first row */
	for (int i = 0; i < size; i++)
	{
		Rounded		minor;
		float8		factor = row[0][column[i]];

		if (factor == 0)
			continue;
		for (int j = 0, n = 0; j < size; j++)
			if (j != i)
				rest[n++] = column[j];
		minor = determinant(row + 1, rest, size - 1);
		sum.value += (i % 2 == 0 ? factor : -factor) * minor.value;
		sum.magnitude += fabs(factor) * minor.magnitude;
	}
	return sum;
}

/* Add a determinant times factors, of which the first is 0 to "given". */
static void
add_determinant(SpqExactSum *sum, const float8 *const *row, const int *column,
				int size, float8 *factor, int given)
{
	int			rest[SPQ_AXES];

	if (size == 0)
	{
		for (int i = given; i < SPQ_EXACT_FACTORS; i++)
			factor[i] = 1;
		spq_exact_add(sum, factor[0], factor[1], factor[2], factor[3]);
		return;
	}
	for (int i = 0; i < size; i++)
	{
		for (int j = 0, n = 0; j < size; j++)
			if (j != i)
				rest[n++] = column[j];
		factor[given] = i % 2 == 0 ? row[0][column[i]] : -row[0][column[i]];
		if (factor[given] != 0)
			add_determinant(sum, row + 1, rest, size - 1, factor, given + 1);
	}
}

/* Return the sign of a determinant. */
static int
determinant_sign(const float8 *const *row, const int *column, int size, bool is_moderate)
{
	SpqExactSum sum;
	float8		factor[SPQ_EXACT_FACTORS];

	if (is_moderate || size <= 2)
	{
		Rounded		rounded = determinant(row, column, size);
		int			sign = size == 1 ?
			(rounded.value > 0) - (rounded.value < 0) :
			spq_exact_sure_sign(rounded.value, rounded.magnitude);

		if (sign != 0 || size == 1)
			return sign;
	}
	spq_exact_start(&sum);
	add_determinant(&sum, row, column, size, factor, 0);
	return spq_exact_sign(&sum);
}

/*
 * Return the sign of a sum of planes, at the end of the box where it is largest.
 * The sum is the determinant of the components that vanish and one column of what
 * is summed; "sign" is that of the weights, which are the minors of that column.
 */
static int
sum_sign(const Planes *planes, const float8 *const *row, const int *vanishing, int size, int sign)
{
	Rounded		total = {0, 0};
	float8		corner[SPQ_AXES] = {0};
	int			column[SPQ_AXES + 1];
	float8		factor[SPQ_EXACT_FACTORS];
	SpqExactSum sum;
	bool		is_moderate = planes->is_moderate;
	int			sure;

	memcpy(column, vanishing, (size - 1) * sizeof(int));
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		bool		vanishes = false;

		for (int i = 0; i < size - 1; i++)
			vanishes |= vanishing[i] == axis;
		if (vanishes)
			continue;
		column[size - 1] = axis;
		switch (sign * determinant_sign(row, column, size, is_moderate))
		{
			case 1:
				corner[axis] = planes->box->high[axis];
				break;
			case -1:
				corner[axis] = planes->box->low[axis];
				break;
			default:
				continue;
		}
		if (isinf(corner[axis]))
			return 1;
		if (is_moderate)
		{
			Rounded		rounded = determinant(row, column, size);

			total.value += sign * rounded.value * corner[axis];
			total.magnitude += rounded.magnitude * fabs(corner[axis]);
		}
	}
	if (is_moderate)
	{
		Rounded		rounded;

		column[size - 1] = OFFSET;
		rounded = determinant(row, column, size);
		total.value += sign * rounded.value;
		total.magnitude += rounded.magnitude;
		sure = spq_exact_sure_sign(total.value, total.magnitude);
		if (sure != 0)
			return sure;
	}

	spq_exact_start(&sum);
	for (int axis = 0; axis <= SPQ_AXES; axis++)
	{
		/* which is not there to multiply four offsets */
		factor[0] = axis == OFFSET ? 1 : corner[axis];
		column[size - 1] = axis;
		if (factor[0] != 0)
			add_determinant(&sum, row, column, size, factor, size < SPQ_EXACT_FACTORS);
	}
	return sign * spq_exact_sign(&sum);
}

/*
 * Return whether the sum of planes in whose normal some components vanish has
 * weights above 0 and is below 0 in all of the box.
 */
static bool
sum_separates(const Planes *planes, const float8 *const *row, const int *vanishing, int size)
{
	int			common = 0;

	/* the weights: minors of the last column, with alternating signs */
	for (int i = 0; i < size; i++)
	{
		const float8 *others[SPQ_AXES];
		int			sign;

		for (int j = 0, n = 0; j < size; j++)
			if (j != i)
				others[n++] = row[j];
		sign = determinant_sign(others, vanishing, size - 1, planes->is_moderate);
		if ((i + size - 1) % 2 != 0)
			sign = -sign;
		if (sign == 0 || sign == -common)
			return false;
		common = sign;
	}
	return sum_sign(planes, row, vanishing, size, common) < 0;
}

/*
 * Return whether a sum of "size" of the planes separates them from the box: of
 * those in "row", "chosen" of them, and planes from "first" on.
 */
static bool
some_sum_separates(const Planes *planes, int size, const float8 **row, int chosen, int first)
{
	/* the components that vanish */
	static const int vanishing[][SPQ_AXES][SPQ_AXES] = {
		{{0}, {1}, {2}},
		{{0, 1}, {0, 2}, {1, 2}},
		{{0, 1, 2}}
	};

	if (chosen == size)
	{
		for (int i = 0; i < (size < 4 ? SPQ_AXES : 1); i++)
			if (sum_separates(planes, row, vanishing[size - 2][i], size))
				return true;
		return false;
	}
	for (int i = first; i < planes->count; i++)
	{
		row[chosen] = planes->plane[i];
		if (some_sum_separates(planes, size, row, chosen + 1, i + 1))
			return true;
	}
	return false;
}

/* Return whether any sum of planes does.  If so, most often one of two. */
static bool
sums_separate(const Planes *planes)
{
	const float8 *row[4];

	for (int size = 2; size <= 4; size++)
		if (some_sum_separates(planes, size, row, 0, 0))
			return true;
	return false;
}

/*
 * Look for a point of the box in front of all planes: from its middle, go a bit
 * beyond the plane that is farthest, and back into the box, a few times.  False
 * says nothing; true saves the sums, of which none then separates.
 */
static bool
find_common_point(const Planes *planes)
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
 * Return the sign of a plane at the corner of the box where it is largest, or if
 * not "largest", smallest.  An infinite corner is behind the plane if it is so on
 * one axis.
 */
static int
corner_sign(const float8 *plane, const SpqBox3 *box, bool largest)
{
	Rounded		total = {plane[OFFSET], fabs(plane[OFFSET])};
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
		total.value += plane[axis] * corner[axis];
		total.magnitude += fabs(plane[axis] * corner[axis]);
	}
	if (is_infinite)
		return 1;
	sure = spq_exact_sure_sign(total.value, total.magnitude);
	if (sure != 0)
		return sure;

	spq_exact_start(&sum);
	for (int axis = 0; axis < SPQ_AXES; axis++)
		spq_exact_add(&sum, plane[axis], corner[axis], 1, 1);
	spq_exact_add(&sum, plane[OFFSET], 1, 1, 1);
	return spq_exact_sign(&sum);
}

/* Return whether a plane has a NaN, or no finite normal. */
static bool
is_no_plane(const SpqPlane3 *plane)
{
	return !isfinite(plane->normal[0]) || !isfinite(plane->normal[1]) ||
		!isfinite(plane->normal[2]) || isnan(plane->offset);
}

/*
 * Return the sign of a plane in a box of which all is at infinity on some axis, or
 * 0 if that does not decide: the box is finite, or the plane parallel to the axis.
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
	Planes		cut;

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
	return find_common_point(&cut) || !sums_separate(&cut);
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
 * Set the planes of a camera, from the rows of the matrix by which a column (x, y,
 * z, 1) is multiplied to be in clip space (Gribb and Hartmann, "Fast extraction of
 * viewing frustum planes from the world-view-projection matrix", 2001).  What the
 * camera sees is between -w and w on all three axes, or in depth between 0 and w.
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
