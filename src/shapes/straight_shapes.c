/*-------------------------------------------------------------------------
 *
 * straight_shapes.c
 *	  Boxes and shapes with straight edges: polygons, segments.  See shapes.h.
 *
 * Two tests decide.  An edge *touches* a box unless a line separates them: one
 * along an axis, or the edge's own.
 *
 *		+------+   /		all corners on one side of
 *		| box  |  /			the edge's line
 *		+------+ /
 *
 * And a point is inside of a polygon if the polygon winds around it, as in
 * PostgreSQL (point_inside): what it winds around twice is inside, too.
 *
 *		box && polygon		an edge touches the box; or, if none does, a corner is
 *							inside
 *		box <@ polygon		no edge touches the interior of the box, and the middle
 *							is inside
 *
 * EPSILON: for the first the box is larger, for the second smaller, by that much
 * on each side.  So for a polygon that is a rectangle both equal the operators
 * of two boxes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "miscadmin.h"

#include "box/relation.h"
#include "shapes/shapes.h"

/* Differences of coordinates times this, and their products, do not overflow. */
#define DOWN	0x1p-540

/* Return twice the signed area of a triangle: above 0 if c is left of ab. */
static inline float8
side_of(Point a, Point b, Point c)
{
	float8		area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

	if (unlikely(!isfinite(area)))
		area = (b.x * DOWN - a.x * DOWN) * (c.y * DOWN - a.y * DOWN) -
			(b.y * DOWN - a.y * DOWN) * (c.x * DOWN - a.x * DOWN);
	return area;
}

/* Return whether all corners of a box are on one side of an edge's line. */
static inline bool
separates(Point p, Point q, const BOX *box, bool is_open)
{
	/* of the four corners, the two that are farthest from each other across */
	bool		rising = (q.x >= p.x) == (q.y >= p.y);
	Point		first = {box->low.x, rising ? box->high.y : box->low.y},
				last = {box->high.x, rising ? box->low.y : box->high.y};
	float8		a = side_of(p, q, first),
				b = side_of(p, q, last);

	if (is_open)
		return (a >= 0 && b >= 0) || (a <= 0 && b <= 0);
	return (a > 0 && b > 0) || (a < 0 && b < 0);
}

/* Return whether an edge touches a box, borders included. */
static inline bool
touches(Point p, Point q, const BOX *box)
{
	return Max(p.x, q.x) >= box->low.x && Min(p.x, q.x) <= box->high.x &&
		Max(p.y, q.y) >= box->low.y && Min(p.y, q.y) <= box->high.y &&
		!separates(p, q, box, false);
}

/* Return whether an edge touches the interior of a box. */
static inline bool
enters(Point p, Point q, const BOX *box)
{
	return Max(p.x, q.x) > box->low.x && Min(p.x, q.x) < box->high.x &&
		Max(p.y, q.y) > box->low.y && Min(p.y, q.y) < box->high.y &&
		!separates(p, q, box, true);
}

/*
 * Return the distance of a point from a segment.  Divided by the length first, as
 * squares overflow.
 */
static float8
segment_distance(Point p, Point q, Point point)
{
	float8		length = hypot(q.x - p.x, q.y - p.y),
				along;

	if (length == 0)
		return hypot(point.x - p.x, point.y - p.y);
	along = (point.x - p.x) * ((q.x - p.x) / length) +
		(point.y - p.y) * ((q.y - p.y) / length);
	if (along <= 0)
		return hypot(point.x - p.x, point.y - p.y);
	if (along >= length)
		return hypot(point.x - q.x, point.y - q.y);
	return fabs((point.x - p.x) * ((q.y - p.y) / length) -
				(point.y - p.y) * ((q.x - p.x) / length));
}

/*
 * Return whether a point is in a polygon: wound around, or no farther from an
 * edge than "tolerance".
 */
static bool
is_inside(Point point, const POLYGON *polygon, float8 tolerance)
{
	int			winding = 0;
	Point		p = polygon->p[polygon->npts - 1];

	for (int i = 0; i < polygon->npts; i++)
	{
		Point		q = polygon->p[i];

		/* an edge counts if it goes up or down past the point, right of it */
		if (p.y <= point.y)
			winding += q.y > point.y && side_of(p, q, point) > 0;
		else
			winding -= q.y <= point.y && side_of(p, q, point) < 0;
		p = q;
	}
	if (winding != 0)
		return true;
	for (int i = 0; i < polygon->npts; i++)
	{
		Point		q = polygon->p[i];

		if (Max(p.x, q.x) >= point.x - tolerance && Min(p.x, q.x) <= point.x + tolerance &&
			Max(p.y, q.y) >= point.y - tolerance && Min(p.y, q.y) <= point.y + tolerance &&
			segment_distance(p, q, point) <= tolerance)
			return true;
		p = q;
	}
	return false;
}

/*
 * Reduce an interval to its part in [low, high], or if there is none, to its end
 * next to it.  What is farther away makes no difference to what is in there, and
 * may be infinite.
 */
static void
clip(float8 *from, float8 *to, float8 low, float8 high)
{
	if (*from > high)
		*to = *from;
	else if (*to < low)
		*from = *to;
	else
	{
		*from = Max(*from, low);
		*to = Min(*to, high);
	}
}

/*
 * Return the box with its corners the right way round, larger by "grow" on each
 * side (or smaller, but not beyond its middle), and without what is outside of
 * the bounds.
 */
static BOX
part_in_bounds(const BOX *box, float8 grow, const BOX *bounds)
{
	BOX			part = {
		{Max(box->low.x, box->high.x) + grow, Max(box->low.y, box->high.y) + grow},
		{Min(box->low.x, box->high.x) - grow, Min(box->low.y, box->high.y) - grow}
	};

	/* what is thinner than EPSILON then is a line */
	if (grow < 0 && !(part.high.x - part.low.x > EPSILON))
		part.low.x = part.high.x = spq_box_middle(part.low.x, part.high.x);
	if (grow < 0 && !(part.high.y - part.low.y > EPSILON))
		part.low.y = part.high.y = spq_box_middle(part.low.y, part.high.y);
	clip(&part.low.x, &part.high.x, bounds->low.x, bounds->high.x);
	clip(&part.low.y, &part.high.y, bounds->low.y, bounds->high.y);
	return part;
}

/* As above; what is next to the bounds, no farther than EPSILON, counts as in. */
static BOX
part_at_bounds(const BOX *box, float8 grow, const BOX *bounds)
{
	BOX			part = part_in_bounds(box, grow, bounds);

	part.low.x = Max(Min(part.low.x, bounds->high.x), bounds->low.x);
	part.low.y = Max(Min(part.low.y, bounds->high.y), bounds->low.y);
	part.high.x = Max(Min(part.high.x, bounds->high.x), bounds->low.x);
	part.high.y = Max(Min(part.high.y, bounds->high.y), bounds->low.y);
	return part;
}

static bool
is_finite(const BOX *box)
{
	return isfinite(box->low.x) && isfinite(box->low.y) &&
		isfinite(box->high.x) && isfinite(box->high.y);
}

/*
 * Set the window of the boxes that overlap a polygon, or are in it.  None do if
 * one of its corners is at infinity or has a NaN.
 */
bool
spq_shape_polygon_window(const POLYGON *polygon, BOX *window)
{
	return polygon->npts > 0 && is_finite(&polygon->boundbox) &&
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
		if (touches(p, polygon->p[i], &part))
			return true;
		p = polygon->p[i];
	}
	return is_inside(part.low, polygon, 0);
}

static float8
magnitude_of(const BOX *box)
{
	return Max(Max(fabs(box->low.x), fabs(box->high.x)),
			   Max(fabs(box->low.y), fabs(box->high.y)));
}

/*
 * Return whether a polygon may have points in common with boxes within bounds.  The
 * margin is larger than any rounding: an edge that touches a box does not miss
 * the bounds, and one that is outside has their corners and the box's on the same
 * side.
 */
bool
spq_shape_polygon_reaches(const POLYGON *polygon, const BOX *bounds)
{
	BOX			larger;

	return !spq_shape_with_margin(bounds, 4 * EPSILON, magnitude_of(&polygon->boundbox),
								  &larger) ||
		spq_shape_overlaps_polygon(&larger, polygon);
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
								  edge_reach(Max(side, 0)), magnitude_of(&around), &larger) ||
		touches(*p, *q, &larger);
}

/*
 * Return whether a horizontal segment is in a polygon; or with "down" a vertical
 * one.  Edges divide it into pieces, and each is inside if its middle is.
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

	if (!spq_shape_polygon_window(polygon, &window) ||
		!spq_shape_is_in_window(box, &window) ||
		!spq_box_contains(&polygon->boundbox, box))
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
		if (enters(p, polygon->p[i], &part))
			return false;
		p = polygon->p[i];
	}
	return is_inside(middle, polygon, 0);
}

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

	if (!is_finite(&bounds) || !spq_shape_grown(&bounds, distance, &window) ||
		!spq_shape_meets_window(box, &window))
		return false;
	if (isinf(distance))
		return true;
	part = part_in_bounds(box, EPSILON, &bounds);
	if (touches(*p, *q, &part))
		return true;

	part = part_in_bounds(box, 0, &bounds);
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
		if (segment_distance(*p, *q, corner[i]) <= distance)
			return true;
	return false;
}
