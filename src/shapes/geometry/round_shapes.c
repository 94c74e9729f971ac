/*-------------------------------------------------------------------------
 *
 * round_shapes.c
 *	  Boxes and circles; boxes within a distance of each other.  See shapes.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "box/relation.h"
#include "shapes/geometry/shapes.h"

/*
 * Return a bound moved outward by a distance, by 2 EPSILON, and by more than
 * the rounding errors.
 */
float8
spq_shape_outward(float8 end, float8 distance, float8 sign)
{
	float8		room = distance * (1 + 8 * DBL_EPSILON) + 2 * EPSILON;

	if (isinf(room))
		return sign * room;
	if (isinf(end))
		return end;
	return end + sign * (room + (fabs(end) + room) * (8 * DBL_EPSILON));
}

/*
 * Set the window of all boxes within a distance of a box.  Return false if
 * there are none: the distance is below 0, or there is a NaN.
 */
bool
spq_shape_grown(const BOX *box, float8 distance, BOX *window)
{
	if (!(distance >= 0) || spq_box_has_nan(box))
		return false;
	/* if the corners are swapped, those of the window may be, too */
	window->low.x = spq_shape_outward(box->low.x, distance, -1);
	window->low.y = spq_shape_outward(box->low.y, distance, -1);
	window->high.x = spq_shape_outward(box->high.x, distance, 1);
	window->high.y = spq_shape_outward(box->high.y, distance, 1);
	return true;
}

/*
 * Set the window of the boxes that overlap a circle, or are in it.  Return
 * false if there are none: the radius is below -EPSILON, or there is a NaN.
 * (Input rejects a negative radius, circle(point, float8) does not.)
 */
bool
spq_shape_circle_window(const CIRCLE *circle, BOX *window)
{
	BOX			center = {circle->center, circle->center};

	return FPle(0, circle->radius) &&
		spq_shape_grown(&center, Max(circle->radius, 0), window);
}

/*
 * Enlarge bounds by a margin, and by far more than the rounding errors of
 * coordinates up to "magnitude".  Return false if numbers are so large that
 * squares may overflow.
 */
bool
spq_shape_with_margin(const BOX *bounds, float8 margin, float8 magnitude, BOX *larger)
{
	magnitude = Max(magnitude, Max(Max(fabs(bounds->low.x), fabs(bounds->high.x)),
								   Max(fabs(bounds->low.y), fabs(bounds->high.y))));
	if (!(magnitude < 1e150))
		return false;
	margin += 1e-12 * magnitude;
	*larger = *bounds;
	larger->low.x -= margin;
	larger->low.y -= margin;
	larger->high.x += margin;
	larger->high.y += margin;
	return true;
}

/* Return whether a circle may meet boxes within bounds. */
bool
spq_shape_circle_reaches(const CIRCLE *circle, const BOX *bounds)
{
	BOX			larger;

	return !spq_shape_with_margin(bounds, 4 * EPSILON,
								  Max(fabs(circle->radius),
									  Max(fabs(circle->center.x), fabs(circle->center.y))),
								  &larger) ||
		spq_shape_overlaps_circle(&larger, circle);
}

/* Return the distance of two coordinates, 0 for the same infinity. */
static float8
coordinate_distance(float8 a, float8 b)
{
	return a == b ? 0 : fabs(a - b);
}

/* box && circle: the closest point of the box is in the circle */
bool
spq_shape_overlaps_circle(const BOX *box, const CIRCLE *circle)
{
	const Point *center = &circle->center;
	BOX			window;

	return spq_shape_circle_window(circle, &window) &&
		spq_shape_meets_window(box, &window) &&
		FPle(hypot(spq_box_gap(box->low.x, box->high.x, center->x, center->x),
				   spq_box_gap(box->low.y, box->high.y, center->y, center->y)),
			 circle->radius);
}

/* box <@ circle: the farthest corner of the box is in the circle */
bool
spq_shape_is_in_circle(const BOX *box, const CIRCLE *circle)
{
	const Point *center = &circle->center;
	BOX			window;

	return spq_shape_circle_window(circle, &window) &&
		spq_shape_is_in_window(box, &window) &&
		FPle(hypot(Max(coordinate_distance(box->low.x, center->x),
					   coordinate_distance(box->high.x, center->x)),
				   Max(coordinate_distance(box->low.y, center->y),
					   coordinate_distance(box->high.y, center->y))),
			 circle->radius);
}

/* box && other, or at most the distance apart */
bool
spq_shape_within_of_box(const BOX *box, const BOX *other, float8 distance)
{
	BOX			window;

	return spq_shape_grown(other, distance, &window) &&
		spq_shape_meets_window(box, &window) &&
		spq_box_related(SPQ_BOX_WITHIN, distance, box, other);
}
