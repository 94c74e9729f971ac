/*-------------------------------------------------------------------------
 *
 * expected_fraction.c
 *	  Which part of the pairs whose boxes match is expected to satisfy a condition.
 *
 * Of a condition on types of another extension nothing is known but that it implies one of
 * boxes.  But the boxes of a sample show which side has points, and which has points made
 * larger by a distance:
 *
 *		point, point				they are the same
 *		point, point and distance	a circle in its square: pi / 4
 *		point, anything				it is in a polygon: one half
 *		line or polygon, the same	seldom
 *
 * tried_pairs.c finds out more, where it can.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "estimate/pairs/expected_fraction.h"

/* Rows that are looked at, and sides that count as none: boxes are rounded. */
#define ROWS	64
#define NO_SIDE	3e-7

/* How much sides may differ that are twice a distance: rounding. */
#define SAME_SIDE	0.02

#define IN_POLYGON	0.5
#define NEAR_ANYTHING	0.4
#define EQUAL	0.9

/* A ball in its cube, as far as it meets the surface of the Earth, in any direction. */
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

/*
 * Return which part of the pairs in an operator's relation of boxes is expected to
 * satisfy the operator, or the condition that it stands for.
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
