/*-------------------------------------------------------------------------
 *
 * segment_shapes.c
 *	  Boxes and segments.  See shapes.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "box/line.h"
#include "box/relation.h"
#include "shapes/geometry/edges.h"
#include "shapes/geometry/shapes.h"

/* Return the smallest box around a segment.  A NaN of the segment is in it. */
BOX
spq_shape_segment_bounds(const LSEG *segment)
{
	const Point *p = &segment->p[0],
			   *q = &segment->p[1];
	BOX			bounds = {{float8_max(p->x, q->x), float8_max(p->y, q->y)},
	{float8_min(p->x, q->x), float8_min(p->y, q->y)}};

	return bounds;
}

/*
 * Return whether a segment may meet boxes within bounds, as defined by
 * PostgreSQL's operator: an end of the segment is in the box, or some point is
 * accepted both as a point of the segment and as a point of an edge of the
 * box.  That edge is at most as long as the longer side of the bounds.
 */
bool
spq_shape_segment_reaches(const LSEG *segment, const BOX *bounds)
{
	const Point *p = &segment->p[0],
			   *q = &segment->p[1];
	BOX			around = spq_shape_segment_bounds(segment),
				larger;
	float8		side = Max(bounds->high.x - bounds->low.x, bounds->high.y - bounds->low.y);

	return !spq_shape_with_margin(bounds, spq_line_reach(hypot(q->x - p->x, q->y - p->y)) +
								  spq_line_reach(Max(side, 0)), spq_edge_magnitude(&around), &larger) ||
		spq_edge_touches(*p, *q, &larger);
}

/*
 * Set the corners of a polygon that overlaps all boxes within a distance of a
 * segment: the rectangle along the segment,
 *
 *		3 +---------------------------+ 2
 *		  |	  p ----------------- q	  |		margin on each side
 *		0 +---------------------------+ 1
 *
 * The margin is the distance, 4 EPSILON and 1e-12 of the largest number.  So
 * for each box within the distance, which both conditions enlarge by EPSILON,
 * a point is so deep inside the rectangle that rounding errors do not matter.
 * The bounds of the rectangle hold those of the segment, enlarged by the
 * margin.
 *
 * Return false if numbers are so large that squares may overflow, or if no box
 * is within the distance.
 */
bool
spq_shape_around_segment(const LSEG *segment, float8 distance, Point *corner)
{
	const Point *p = &segment->p[0],
			   *q = &segment->p[1];
	BOX			bounds = spq_shape_segment_bounds(segment);
	float8		magnitude = spq_edge_magnitude(&bounds) + distance,
				margin = distance + 4 * EPSILON + 1e-12 * magnitude,
				length = hypot(q->x - p->x, q->y - p->y),
				dx = margin,	/* along the segment */
				dy = 0;

	if (!(distance >= 0) || !(magnitude < 1e150))
		return false;
	if (length > 0)
	{
		dx = (q->x - p->x) / length * margin;
		dy = (q->y - p->y) / length * margin;
	}
	corner[0].x = p->x - dx + dy;
	corner[0].y = p->y - dy - dx;
	corner[1].x = q->x + dx + dy;
	corner[1].y = q->y + dy - dx;
	corner[2].x = q->x + dx - dy;
	corner[2].y = q->y + dy + dx;
	corner[3].x = p->x - dx - dy;
	corner[3].y = p->y - dy + dx;
	return true;
}

/*
 * Return whether a segment touches a box, with EPSILON, or is at most a
 * distance away.  If two convex shapes do not touch, a corner of one of them
 * is a closest point to the other.
 */
bool
spq_shape_within_of_segment(const BOX *box, const LSEG *segment, float8 distance)
{
	const Point *p = &segment->p[0],
			   *q = &segment->p[1];
	BOX			bounds = spq_shape_segment_bounds(segment),
				window,
				part;
	Point		corner[4];

	if (!spq_box_is_finite(&bounds) || !spq_shape_grown(&bounds, distance, &window) ||
		!spq_shape_meets_window(box, &window))
		return false;
	if (isinf(distance))
		return true;
	part = spq_edge_part_in_bounds(box, EPSILON, &bounds);
	if (spq_edge_touches(*p, *q, &part))
		return true;

	part = spq_edge_part_in_bounds(box, 0, &bounds);
	for (int i = 0; i < 2; i++)
	{
		const Point *end = &segment->p[i];

		if (hypot(spq_box_gap(part.low.x, part.high.x, end->x, end->x),
				  spq_box_gap(part.low.y, part.high.y, end->y, end->y)) <= distance)
			return true;
	}
	corner[0] = part.low;
	corner[1] = part.high;
	corner[2].x = part.low.x;
	corner[2].y = part.high.y;
	corner[3].x = part.high.x;
	corner[3].y = part.low.y;
	for (int i = 0; i < 4; i++)
		if (spq_edge_distance(*p, *q, corner[i]) <= distance)
			return true;
	return false;
}
