/*-------------------------------------------------------------------------
 *
 * plane_sums.c
 *	  Half-spaces and a box without a common point.
 *
 * A half-space is the set of all x with n . x + d >= 0.  By Farkas' lemma, a
 * box and half-spaces have no common point if and only if some sum of the
 * half-spaces, with weights >= 0, is below 0 in all of the box.  The largest
 * value of a sum in the box is
 *
 *		max over the box of  sum_i w_i (n_i . x + d_i),
 *
 * a function of the weights that is linear as long as no component of the
 * summed normal changes its sign.  These signs divide w >= 0 into cones.  So
 * if the function is below 0 anywhere, it is below 0 on an extreme ray of one
 * of the cones.  There j + 1 planes have weights above 0, and j components of
 * the normal are 0, which determines the weights up to a factor.  So there are
 * finitely many sums to try: the planes themselves, which the caller has
 * tried, pairs for each axis, triples for each two axes, and quadruples, whose
 * sum is a constant.
 *
 * The weights are minors, and the value is a determinant with at most four
 * factors in a product.  Both are computed in float8, and exactly if the sign
 * is not certain.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/exact.h"
#include "solid/geometry/plane_sums.h"
#include "solid/geometry/shapes3.h"

#define OFFSET SPQ_PLANE_OFFSET

/* A sum of products in float8, and the sum of their absolute values. */
typedef struct Rounded
{
	float8		value;
	float8		magnitude;
} Rounded;

/*
 * Return a determinant.  Its rows are planes; its columns are components of
 * normals, or the offsets.
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
	/* expand along the first row */
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

/*
 * Add a determinant, times the first "given" factors.  The rest of the array
 * is overwritten.
 */
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
 * Return the sign of the largest value of a sum of planes in the box.
 *
 * The sum is a determinant: the columns of the components that vanish, and as
 * the last column the numbers to be summed.  The weights are the minors of the
 * last column, and "sign" is their sign.
 */
static int
sum_sign(const SpqPlanes *planes, const float8 *const *row, const int *vanishing, int size, int sign)
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
		/* four planes leave no room for this factor: only offsets remain */
		factor[0] = axis == OFFSET ? 1 : corner[axis];
		column[size - 1] = axis;
		if (factor[0] != 0)
			add_determinant(&sum, row, column, size, factor, size < SPQ_EXACT_FACTORS);
	}
	return sign * spq_exact_sign(&sum);
}

/*
 * Return whether a sum of planes separates: its weights, for which these
 * components of the normal vanish, are above 0, and it is below 0 in all of
 * the box.
 */
static bool
sum_separates(const SpqPlanes *planes, const float8 *const *row, const int *vanishing, int size)
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
 * Return whether a sum of "size" planes separates: of the "chosen" planes in
 * "row", and others from number "first" on.
 */
static bool
some_sum_separates(const SpqPlanes *planes, int size, const float8 **row, int chosen, int first)
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

/*
 * Return whether a sum of planes separates: the planes and the box have no
 * common point.  Try pairs first, which separate most often.
 */
bool
spq_plane_sums_separate(const SpqPlanes *planes)
{
	const float8 *row[4];

	for (int size = 2; size <= 4; size++)
		if (some_sum_separates(planes, size, row, 0, 0))
			return true;
	return false;
}
