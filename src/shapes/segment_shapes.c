/*-------------------------------------------------------------------------
 *
 * segment_shapes.c
 *	  Boxes and segments.  See shapes.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "box/relation.h"
#include "shapes/edges.h"
#include "shapes/shapes.h"

/* Return the smallest box around a segment; one with NaN has a NaN. */
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
 * Return how far a point can be from an edge of this length that PostgreSQL takes
 * for a point of it (see spq_spatial_cover_edges).
 */
static float8
edge_reach(float8 length)
{
	float8		e = EPSILON + (EPSILON + length) * (64 * DBL_EPSILON);

	return sqrt(length * e / 2) + 2 * e;
}

/*
 * Return whether a segment may meet boxes within bounds, as PostgreSQL has it: an
 * end of it is in the box, or there is a point that is taken for one of the segment
 * and of an edge of the box, which is no longer than the longer side of the bounds.
 */
bool
spq_shape_segment_reaches(const LSEG *segment, const BOX *bounds)
{
	const Point *p = &segment->p[0],
			   *q = &segment->p[1];
	BOX			around = spq_shape_segment_bounds(segment),
				larger;
	float8		side = Max(bounds->high.x - bounds->low.x, bounds->high.y - bounds->low.y);

	return !spq_shape_with_margin(bounds, edge_reach(hypot(q->x - p->x, q->y - p->y)) +
								  edge_reach(Max(side, 0)), spq_edge_magnitude(&around), &larger) ||
		spq_edge_touches(*p, *q, &larger);
}

/*
 * Set the corners of a polygon around a segment that all boxes within a distance of
 * it overlap: the rectangle along the segment,
 *
 *		3 +---------------------------+ 2
 *		  |	  p ----------------- q	  |		margin on each side
 *		0 +---------------------------+ 1
 *
 * The margin is larger than the distance by 4 EPSILON and 1e-12 of the largest
 * number: of a box that is within the distance, larger by EPSILON as either condition
 * has it, a point is inside by far more than all that is rounded, here and there.  The
 * bounds of the rectangle hold the segment's, larger by the margin.  Return false
 * where that would not be so: next to infinity, or if no box is within the distance.
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
 * The segment touches the box, with EPSILON, or is no farther from it than the
 * distance.  Between two convex shapes that do not touch, a corner of one of them
 * is closest to the other.
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
