/*-------------------------------------------------------------------------
 *
 * edges.h
 *	  An edge and a box; the part of a box that matters for a test.
 *
 * An edge *touches* a box unless a line separates them: a line parallel to an
 * axis, or the edge's own.
 *
 *		+------+   /		all corners on one side of
 *		| box  |  /			the edge's line
 *		+------+ /
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHAPES_GEOMETRY_EDGES_H
#define SPQ_SHAPES_GEOMETRY_EDGES_H

#include "box/box.h"

/* Products of differences of coordinates scaled by this do not overflow. */
#define SPQ_EDGE_DOWN	0x1p-540

/* Return twice the signed area of a triangle: above 0 if c is left of ab. */
static inline float8
spq_edge_side_of(Point a, Point b, Point c)
{
	float8		area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

	if (unlikely(!isfinite(area)))
		area = (b.x * SPQ_EDGE_DOWN - a.x * SPQ_EDGE_DOWN) * (c.y * SPQ_EDGE_DOWN - a.y * SPQ_EDGE_DOWN) -
			(b.y * SPQ_EDGE_DOWN - a.y * SPQ_EDGE_DOWN) * (c.x * SPQ_EDGE_DOWN - a.x * SPQ_EDGE_DOWN);
	return area;
}

/* Return whether all corners of a box are on one side of an edge's line. */
static inline bool
spq_edge_separates(Point p, Point q, const BOX *box, bool is_open)
{
	/* the two corners that are farthest apart across the edge's line */
	bool		rising = (q.x >= p.x) == (q.y >= p.y);
	Point		first = {box->low.x, rising ? box->high.y : box->low.y},
				last = {box->high.x, rising ? box->low.y : box->high.y};
	float8		a = spq_edge_side_of(p, q, first),
				b = spq_edge_side_of(p, q, last);

	if (is_open)
		return (a >= 0 && b >= 0) || (a <= 0 && b <= 0);
	return (a > 0 && b > 0) || (a < 0 && b < 0);
}

/* Return whether an edge touches a box, borders included. */
static inline bool
spq_edge_touches(Point p, Point q, const BOX *box)
{
	return Max(p.x, q.x) >= box->low.x && Min(p.x, q.x) <= box->high.x &&
		Max(p.y, q.y) >= box->low.y && Min(p.y, q.y) <= box->high.y &&
		!spq_edge_separates(p, q, box, false);
}

/* Return whether an edge touches the interior of a box. */
static inline bool
spq_edge_enters(Point p, Point q, const BOX *box)
{
	return Max(p.x, q.x) > box->low.x && Min(p.x, q.x) < box->high.x &&
		Max(p.y, q.y) > box->low.y && Min(p.y, q.y) < box->high.y &&
		!spq_edge_separates(p, q, box, true);
}

/*
 * Return the distance of a point from a segment.  Divide by the length before
 * multiplying, so that squares do not overflow.
 */
static inline float8
spq_edge_distance(Point p, Point q, Point point)
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
 * Reduce an interval to its part in [low, high], or, if there is none, to its
 * end nearest to that.  Parts farther away make no difference to the tests,
 * and may be infinite.
 */
static inline void
spq_edge_clip(float8 *from, float8 *to, float8 low, float8 high)
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
 * Return the part of a box in the bounds (see spq_edge_clip).  First put the
 * corners of the box in order, and enlarge it by "grow" on each side; a
 * negative "grow" shrinks it, but not beyond its middle.
 */
static inline BOX
spq_edge_part_in_bounds(const BOX *box, float8 grow, const BOX *bounds)
{
	BOX			part = {
		{Max(box->low.x, box->high.x) + grow, Max(box->low.y, box->high.y) + grow},
		{Min(box->low.x, box->high.x) - grow, Min(box->low.y, box->high.y) - grow}
	};

	/* a shrunk box at most EPSILON wide becomes a line */
	if (grow < 0 && !(part.high.x - part.low.x > EPSILON))
		part.low.x = part.high.x = spq_box_middle(part.low.x, part.high.x);
	if (grow < 0 && !(part.high.y - part.low.y > EPSILON))
		part.low.y = part.high.y = spq_box_middle(part.low.y, part.high.y);
	spq_edge_clip(&part.low.x, &part.high.x, bounds->low.x, bounds->high.x);
	spq_edge_clip(&part.low.y, &part.high.y, bounds->low.y, bounds->high.y);
	return part;
}

/* Return the largest absolute value of a coordinate. */
static inline float8
spq_edge_magnitude(const BOX *box)
{
	return Max(Max(fabs(box->low.x), fabs(box->high.x)),
			   Max(fabs(box->low.y), fabs(box->high.y)));
}

#endif							/* SPQ_SHAPES_GEOMETRY_EDGES_H */
