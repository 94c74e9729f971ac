/*-------------------------------------------------------------------------
 *
 * polygon_shapes.c
 *	  Boxes and polygons.  See shapes.h.
 *
 * There are two tests: whether an edge touches a box (edges.h), and whether a
 * point is inside the polygon.  As in PostgreSQL (point_inside), a point is
 * inside if the polygon winds around it, once or more often.
 *
 *		box && polygon		an edge touches the box; or, if none does, a
 *							corner of the box is inside
 *		box <@ polygon		no edge touches the interior of the box, and the
 *							middle of the box is inside
 *
 * For && the box is enlarged, for <@ shrunk, by EPSILON on each side.  So for
 * a polygon that is a rectangle both agree with the operators of two boxes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "miscadmin.h"

#include "box/relation.h"
#include "shapes/geometry/edges.h"
#include "shapes/geometry/shapes.h"

/*
 * Return whether a polygon winds around a point.  For a point on or next to an
 * edge, the result may be either.
 */
bool
spq_shape_winds_around(const POLYGON *polygon, Point point)
{
	int			winding = 0;
	Point		p = polygon->p[polygon->npts - 1];

	for (int i = 0; i < polygon->npts; i++)
	{
		Point		q = polygon->p[i];

		/* an edge counts if it passes right of the point, up or down */
		if (p.y <= point.y)
			winding += q.y > point.y && spq_edge_side_of(p, q, point) > 0;
		else
			winding -= q.y <= point.y && spq_edge_side_of(p, q, point) < 0;
		p = q;
	}
	return winding != 0;
}

/*
 * Return whether a point is in a polygon: the polygon winds around it, or an
 * edge is at most "tolerance" away.
 */
static bool
is_inside(Point point, const POLYGON *polygon, float8 tolerance)
{
	Point		p = polygon->p[polygon->npts - 1];

	if (spq_shape_winds_around(polygon, point))
		return true;
	for (int i = 0; i < polygon->npts; i++)
	{
		Point		q = polygon->p[i];

		if (Max(p.x, q.x) >= point.x - tolerance && Min(p.x, q.x) <= point.x + tolerance &&
			Max(p.y, q.y) >= point.y - tolerance && Min(p.y, q.y) <= point.y + tolerance &&
			spq_edge_distance(p, q, point) <= tolerance)
			return true;
		p = q;
	}
	return false;
}

/*
 * Return the part of a box in the bounds, as spq_edge_part_in_bounds().  Move
 * a part that is outside, by EPSILON at most, to the border.
 */
static BOX
part_at_bounds(const BOX *box, float8 grow, const BOX *bounds)
{
	BOX			part = spq_edge_part_in_bounds(box, grow, bounds);

	part.low.x = Max(Min(part.low.x, bounds->high.x), bounds->low.x);
	part.low.y = Max(Min(part.low.y, bounds->high.y), bounds->low.y);
	part.high.x = Max(Min(part.high.x, bounds->high.x), bounds->low.x);
	part.high.y = Max(Min(part.high.y, bounds->high.y), bounds->low.y);
	return part;
}

/*
 * Set the window of the boxes that overlap a polygon, or are in it.  Return
 * false if there are none: the polygon has an infinite corner or a NaN.
 */
bool
spq_shape_polygon_window(const POLYGON *polygon, BOX *window)
{
	return polygon->npts > 0 && spq_box_is_finite(&polygon->boundbox) &&
		spq_shape_grown(&polygon->boundbox, 0, window);
}

/* box && polygon */
bool
spq_shape_overlaps_polygon(const BOX *box, const POLYGON *polygon)
{
	BOX			window,
				part;
	Point		p;

	if (!spq_shape_polygon_window(polygon, &window) ||
		!spq_shape_meets_window(box, &window) ||
		!spq_box_overlaps(box, &polygon->boundbox))
		return false;
	part = part_at_bounds(box, EPSILON, &polygon->boundbox);
	p = polygon->p[polygon->npts - 1];
	for (int i = 0; i < polygon->npts; i++)
	{
		if (spq_edge_touches(p, polygon->p[i], &part))
			return true;
		p = polygon->p[i];
	}
	return is_inside(part.low, polygon, 0);
}

/*
 * Return whether a polygon may have points in common with boxes within bounds.
 *
 * The margin exceeds all rounding errors, so an edge that touches such a box
 * touches the enlarged bounds, too.  If no edge touches these, the corners of
 * the bounds and of the box are on the same side of each edge; then either all
 * are inside the polygon or none.
 */
bool
spq_shape_polygon_reaches(const POLYGON *polygon, const BOX *bounds)
{
	BOX			larger;

	return !spq_shape_with_margin(bounds, 4 * EPSILON, spq_edge_magnitude(&polygon->boundbox),
								  &larger) ||
		spq_shape_overlaps_polygon(&larger, polygon);
}

/*
 * Return whether a horizontal segment, or with "down" a vertical one, is in a
 * polygon.  Edges divide it into pieces, and a piece is inside if its middle
 * is.
 */
static bool
line_is_in_polygon(const BOX *line, bool down, const POLYGON *polygon)
{
	float8		level = down ? line->low.x : line->low.y,
				from = down ? line->low.y : line->low.x,
				end = down ? line->high.y : line->high.x;

	while (from < end)
	{
		float8		to = end,
					middle;
		Point		p = polygon->p[polygon->npts - 1];

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < polygon->npts; i++)
		{
			Point		q = polygon->p[i];
			float8		u = down ? p.y : p.x,	/* along the segment, */
						v = down ? p.x : p.y,	/* and across */
						next_u = down ? q.y : q.x,
						next_v = down ? q.x : q.y,
						cut;

			p = q;
			if (Max(v, next_v) < level - EPSILON || Min(v, next_v) > level + EPSILON)
				continue;
			if (u > from && u < to && fabs(v - level) <= EPSILON)
				to = u;
			if (next_u > from && next_u < to && fabs(next_v - level) <= EPSILON)
				to = next_u;
			if ((v < level) == (next_v < level))
				continue;
			cut = u + (level - v) / (next_v - v) * (next_u - u);
			if (cut > from && cut < to)
				to = cut;
		}
		middle = spq_box_middle(from, to);
		p.x = down ? level : middle;
		p.y = down ? middle : level;
		if (!is_inside(p, polygon, EPSILON))
			return false;
		from = to;
	}
	return true;
}

/* box <@ polygon */
bool
spq_shape_is_in_polygon(const BOX *box, const POLYGON *polygon)
{
	BOX			window,
				part;
	Point		middle,
				p;
	bool		no_width,
				no_height;

	/* the last condition is implied unless corners are swapped */
	if (!spq_shape_polygon_window(polygon, &window) ||
		!spq_shape_is_in_window(box, &window) ||
		!spq_box_contains(&polygon->boundbox, box) ||
		!spq_box_overlaps(box, &polygon->boundbox))
		return false;
	part = part_at_bounds(box, -EPSILON, &polygon->boundbox);
	no_width = !(part.low.x < part.high.x);
	no_height = !(part.low.y < part.high.y);
	middle.x = spq_box_middle(part.low.x, part.high.x);
	middle.y = spq_box_middle(part.low.y, part.high.y);
	if (no_width && no_height)
		return is_inside(middle, polygon, EPSILON);
	if (no_width || no_height)
		return line_is_in_polygon(&part, no_width, polygon);

	p = polygon->p[polygon->npts - 1];
	for (int i = 0; i < polygon->npts; i++)
	{
		if (spq_edge_enters(p, polygon->p[i], &part))
			return false;
		p = polygon->p[i];
	}
	return is_inside(middle, polygon, 0);
}
