/*-------------------------------------------------------------------------
 *
 * solid_shape.c
 *	  Shapes of three dimensions in the conditions of a scan.
 *
 * Almost nothing is computed from the numbers of a shape.  Instead, the
 * function that decides whether it meets a box is called: to find the bounds
 * of a shape in a region by halving the region, its volume by points, and its
 * shadows by needles (a frustum's shadows are derived from its volume):
 *
 *		+---+-------+		+-----------+
 *		|   |	 __ |		| .	 . ___. |
 *		|   |  _/ | |		|  .  / . | |		needles are boxes as long as the
 *		|   | /	  | |		| . _/ .  |.|		region, and a point across
 *		|   |/____| |		|  /__.___| |
 *		+---+-------+		+-----------+
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "solid/geometry/box3.h"
#include "solid/geometry/shapes3.h"

#include "estimate/window/solid_shape.h"

/*
 * Most halvings of the region for each end of the bounds, and the part of the shape's
 * width within which an end must be known.  The exact test of a frustum takes 10 us.
 */
#define HALVINGS	20
#define PRECISION	(1.0 / 64)

/* Number of points, and of needles along each axis. */
#define POINTS		128

/*
 * Half the side of a cube as large as a ball of radius 1.  Around a line, a cube is
 * larger than that if the line is oblique, and smaller if it is parallel to an axis.
 */
#define CUBE_OF_BALL	0.8

/* Set the condition "box && value". */
void
spq_estimate_shape_set(SpqEstimateShape *shape, const SpqType *type, const void *value)
{
	Assert(type->size <= sizeof(shape->number));
	memset(shape, 0, sizeof(*shape));
	shape->type = type;
	memcpy(shape->number, value, type->size);
}

/*
 * Set the condition that a box is within a distance of a line: the box, grown on each
 * side, meets it.
 */
void
spq_estimate_shape_set_near_line(SpqEstimateShape *shape, const SpqType *type, const void *value,
								 double distance)
{
	spq_estimate_shape_set(shape, type, value);
	shape->distance = Max(distance, 0) * CUBE_OF_BALL;
}

/* Set the condition that a box is within a distance of this one. */
void
spq_estimate_shape_set_near(SpqEstimateShape *shape, const float8 *box, double distance)
{
	memset(shape, 0, sizeof(*shape));
	memcpy(shape->number, box, sizeof(SpqBox3));
	shape->distance = distance;
}

static bool
meets(const SpqEstimateShape *shape, const SpqBox3 *box)
{
	if (shape->type)
		return shape->type->meets(shape->number, (const float8 *) box);
	return spq_box3_distance(spq_box_corners((const SpqBox3 *) shape->number),
							 spq_box_corners(box)) <= shape->distance;
}

/* Return whether a box may meet the shape, by a fast test. */
static bool
may_meet(const SpqEstimateShape *shape, const SpqBox3 *box)
{
	return shape->type && shape->type->may_meet ?
		shape->type->may_meet(shape->number, (const float8 *) box) : meets(shape, box);
}

static bool
holds(const SpqEstimateShape *shape, const SpqBox3 *box)
{
	return shape->type && shape->type->holds &&
		shape->type->holds(shape->number, (const float8 *) box);
}

/* Return whether the condition is true for a box, given by its ends. */
bool
spq_estimate_shape_fits(const SpqEstimateShape *shape, const float8 *ends)
{
	const double margin = spq_estimate_shape_margin(shape);
	SpqBox3		box = *(const SpqBox3 *) ends;

	for (int axis = 0; axis < SPQ_AXES && margin > 0; axis++)
	{
		box.low[axis] -= margin;
		box.high[axis] += margin;
	}
	return shape->holds ? holds(shape, &box) : meets(shape, &box);
}

static void
make_box(SpqBox3 *box, const double *center, const double *half)
{
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		box->low[axis] = center[axis] - half[axis];
		box->high[axis] = center[axis] + half[axis];
	}
}

/*
 * Return whether the condition is true for a box with this center and half
 * sides.  For "box <@ shape", negative sides are those of a box that must lie
 * in the shape.  Sides of 0 or more mean that the reach exceeds the box; then
 * the shape grown by them must contain the center.
 */
bool
spq_estimate_shape_reaches(const SpqEstimateShape *shape, const double *center,
						   const double *half)
{
	SpqBox3		box;
	double		outer[SPQ_AXES],
				inner[SPQ_AXES];

	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		outer[axis] = Max(half[axis], 0);
		inner[axis] = Max(-half[axis], 0);
	}
	make_box(&box, center, outer);
	if (!may_meet(shape, &box))
		return false;
	if (!shape->holds)
		return true;
	make_box(&box, center, inner);
	if (inner[0] > 0 || inner[1] > 0 || inner[2] > 0)
		return holds(shape, &box);
	return true;
}

/*
 * Cut a box that the shape meets where the shape ends, at the low or high side
 * of an axis.
 */
static void
cut_box(const SpqEstimateShape *shape, SpqBox3 *box, int axis, bool low)
{
	SpqBox3		part = *box;
	double		outside = low ? box->low[axis] : box->high[axis],
				other = low ? box->high[axis] : box->low[axis],
				inside = other;
	float8	   *edge = low ? &part.high[axis] : &part.low[axis];

	*edge = outside;
	if (meets(shape, &part))
		return;
	for (int i = 0; i < HALVINGS && fabs(outside - inside) > fabs(inside - other) * PRECISION; i++)
	{
		double		half = outside / 2 + inside / 2;

		*edge = half;
		if (meets(shape, &part))
			inside = half;
		else
			outside = half;
	}
	if (low)
		box->low[axis] = outside;
	else
		box->high[axis] = outside;
}

/* Return number i of a sequence that fills 0 to 1 evenly (van der Corput). */
static double
spread_number(int i, int base)
{
	double		result = 0,
				digit = 1;

	for (; i > 0; i /= base)
	{
		digit /= base;
		result += digit * (i % base);
	}
	return result;
}

/*
 * Return the fraction of small boxes with sides "size", spread evenly over
 * "bounds", for which the condition is true.  On the axis "along", unless that
 * is negative, they are as long as the bounds.
 */
static double
part_of(const SpqEstimateShape *shape, const SpqBox3 *bounds, const double *size, int along)
{
	static const int base[SPQ_AXES] = {2, 3, 5};
	int			found = 0;

	for (int i = 0; i < POINTS; i++)
	{
		SpqBox3		box;

		for (int axis = 0; axis < SPQ_AXES; axis++)
		{
			double		room = Max(bounds->high[axis] - bounds->low[axis] - size[axis], 0);

			box.low[axis] = bounds->low[axis] + room * spread_number(i + 1, base[axis]);
			box.high[axis] = box.low[axis] + size[axis];
			if (axis == along)
			{
				box.low[axis] = bounds->low[axis];
				box.high[axis] = bounds->high[axis];
			}
		}
		found += spq_estimate_shape_fits(shape, (const float8 *) &box);
	}
	return (double) found / POINTS;
}

/*
 * Find what a shape fills of a region.  For "box <@ shape", "size" gives the
 * sides of the boxes.
 */
void
spq_estimate_shape_fill(const SpqEstimateShape *shape, const double *low, const double *high,
						const double *size, SpqEstimateFill *fill)
{
	static const double point[SPQ_AXES] = {0};
	SpqBox3		box;

	memset(fill, 0, sizeof(*fill));
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		box.low[axis] = low[axis];
		box.high[axis] = high[axis];
	}
	fill->any = meets(shape, &box);
	if (!fill->any)
		return;
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		cut_box(shape, &box, axis, true);
		cut_box(shape, &box, axis, false);
	}
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		fill->low[axis] = box.low[axis];
		fill->high[axis] = box.high[axis];
	}
	if (spq_estimate_shape_is_line(shape))
		return;
	fill->volume = part_of(shape, &box, shape->holds ? size : point, -1);
	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		/* needles would be cut by what has no bounds */
		if (shape->type && shape->type->box == NULL)
			fill->shadow[axis] = pow(fill->volume, 2.0 / SPQ_AXES);
		else
			fill->shadow[axis] = shape->holds ? fill->volume : part_of(shape, &box, point, axis);
	}
}

/*
 * Return the fraction of boxes with these sides that meet the shape, among
 * those that meet its bounds.  For "box <@ shape", sides may be negative and
 * count as 0.
 */
double
spq_estimate_filled(const SpqEstimateFill *fill, const double *side)
{
	double		width[SPQ_AXES],
				s[SPQ_AXES],
				whole = 1,
				part;

	for (int axis = 0; axis < SPQ_AXES; axis++)
	{
		s[axis] = Max(side[axis], 0);
		width[axis] = fill->high[axis] - fill->low[axis];
		whole *= width[axis] + s[axis];
	}
	part = fill->volume * width[0] * width[1] * width[2] + s[0] * s[1] * s[2];
	for (int x = 0; x < SPQ_AXES; x++)
	{
		int			y = (x + 1) % SPQ_AXES,
					z = (x + 2) % SPQ_AXES;

		part += fill->shadow[x] * s[x] * width[y] * width[z] + width[x] * s[y] * s[z];
	}
	part /= whole;
	return part >= 0 && part <= 1 ? part : 1;
}
