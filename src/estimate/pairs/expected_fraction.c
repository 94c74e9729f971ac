/*-------------------------------------------------------------------------
 *
 * expected_fraction.c
 *	  The fraction of the pairs with matching boxes that is expected to satisfy
 *	  a condition.
 *
 * All that is known of a condition on types of another extension is that it
 * implies one on boxes.  But the boxes of a sample show which side has points,
 * and which has points grown by a distance:
 *
 *		point, point				the same point: 1
 *		point, point and distance	a circle in its square: pi / 4
 *		point, shape				a point in a polygon: 0.5
 *		point and distance, shape	at least 0.4
 *		shape, shape				rare: the operator's own fraction
 *
 * tried_pairs.c finds the true fraction where it can.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "estimate/pairs/estimate.h"

/*
 * Rows to check; and the relative size up to which a side counts as 0, because
 * boxes are rounded.
 */
#define ROWS	64
#define NO_SIDE	3e-7

/*
 * Relative difference, by rounding, of sides that are twice the same distance.
 */
#define SAME_SIDE	0.02

#define IN_POLYGON	0.5
#define NEAR_ANYTHING	0.4
#define EQUAL	0.9

/*
 * The fraction of the Earth's surface in a cube that is in the cube's ball,
 * too, averaged over directions.
 */
#define CAP_IN_CUBE	0.7

typedef enum Extent
{
	POINTS,
	SQUARES,					/* all of one size */
	SHAPES
} Extent;

/* Return what the boxes of a sample look like. */
static Extent
extent_of(const SpqEstimateSample *sample)
{
	int			rows = Min(sample->count, ROWS);
	double		least = 0,
				most = 0;
	bool		points = true;

	for (int i = 0; i < rows; i++)
	{
		const float8 *high = spq_estimate_high(sample, (int) ((int64) i * sample->count / rows)),
				   *low = high + sample->axes;
		double		size = 0;

		for (int axis = 0; axis < sample->axes; axis++)
			size = Max(size, Max(fabs(low[axis]), fabs(high[axis])));
		for (int axis = 0; axis < sample->axes; axis++)
		{
			double		side = high[axis] - low[axis];

			points &= side <= size * NO_SIDE;
			least = i + axis == 0 ? side : Min(least, side);
			most = Max(most, side);
		}
	}
	if (points)
		return POINTS;
	return rows > 1 && most - least <= most * SAME_SIDE ? SQUARES : SHAPES;
}

/* Return whether an operator asks if a segment or ray meets a box. */
bool
spq_estimate_line_meets_box(const SpqSpatialOperator *op)
{
	return op->relation == SPQ_BOX_OVERLAPS &&
		((op->left.type->line && op->right.type->is_box) ||
		 (op->right.type->line && op->left.type->is_box));
}

/*
 * Return the fraction of the pairs in an operator's relation of boxes that is
 * expected to satisfy the operator, or the condition that it stands for.  Only
 * for a condition of another extension does it depend on the samples.
 */
double
spq_estimate_expected_fraction(const SpqSpatialOperator *op, const SpqEstimateSample *left,
							   const SpqEstimateSample *right)
{
	Extent		a,
				b;

	if (!OidIsValid(op->condition) || left->count == 0 || right->count == 0)
		return op->fraction;
	if (op->relation == SPQ_BOX_SAME)
		return EQUAL;
	a = extent_of(left);
	b = extent_of(right);
	if (a == POINTS && b == POINTS)
		return 1;
	if (a != SHAPES && b != SHAPES)
		return op->axes == 2 ? M_PI / 4 : CAP_IN_CUBE;
	if (a == POINTS || b == POINTS)
		return IN_POLYGON;
	return a == SQUARES || b == SQUARES ? Max(NEAR_ANYTHING, op->fraction) : op->fraction;
}
