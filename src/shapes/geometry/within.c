/*-------------------------------------------------------------------------
 *
 * within.c
 *	  Test whether two shapes in the plane are at most a distance apart.
 *
 * There are five kinds of shapes, but only three tests: a circle is a center
 * with a radius, and a polygon is its edges and its interior.  The later of
 * the two kinds, in the order of SpqShapeKind, determines the test:
 *
 *		point, circle, box		the gap of two boxes, less the radii
 *		lseg					the other shape and a segment
 *		polygon					the other shape and each edge; or one shape
 *								holds a point of the other
 *
 * The first comparison is whether the bounds of each shape meet the window of
 * the other.  So indexes and joins that compare bounds find all answers,
 * whatever is rounded later (src/shapes/README.md).
 *
 * A distance up to EPSILON is 0, as in PostgreSQL's operators.  PostgreSQL's
 * functions of polygons are not used.  They compare products of coordinates
 * with EPSILON: for a polygon in degrees, a few hundred meters in size, they
 * find all of its bounds to be inside.  And they raise errors if products
 * overflow.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "box/distance.h"
#include "box/relation.h"
#include "shapes/geometry/edges.h"
#include "shapes/geometry/within.h"

/*
 * Set the window of everything within a distance of a shape.  Return false if
 * nothing is.
 */
bool
spq_shape_window(const SpqShape *shape, float8 distance, BOX *window)
{
	/* a radius may be a little below 0: see spq_shape_circle_window() */
	return distance >= 0 && FPle(0, shape->radius) &&
		spq_shape_grown(&shape->core, distance + Max(shape->radius, 0), window);
}

/* Return whether the bounds of b meet the window of a. */
static bool
window_meets(const SpqShape *a, const SpqShape *b, float8 distance)
{
	BOX			window,
				bounds = b->core;

	return spq_shape_window(a, distance, &window) &&
		(b->kind != SPQ_SHAPE_CIRCLE || spq_shape_window(b, 0, &bounds)) &&
		spq_shape_meets_window(&bounds, &window);
}

/*
 * Return whether a gap, less a radius, is at most a distance, or 0 with
 * EPSILON.
 */
static bool
in_reach(float8 gap, float8 radius, float8 distance)
{
	return gap - radius <= distance || FPle(gap, radius);
}

/* Test points, circles and boxes. */
static bool
gap_within(const SpqShape *a, const SpqShape *b, float8 distance)
{
	static const Point zero = {0, 0};
	Point		gap;

	if (a->kind != SPQ_SHAPE_CIRCLE && b->kind != SPQ_SHAPE_CIRCLE)
		return spq_shape_within_of_box(&a->core, &b->core, distance);
	gap.x = spq_box_gap(a->core.low.x, a->core.high.x, b->core.low.x, b->core.high.x);
	gap.y = spq_box_gap(a->core.low.y, a->core.high.y, b->core.low.y, b->core.high.y);
	/* rounded as in PostgreSQL's operators, or as in our box && circle */
	return in_reach(spq_point_distance(&gap, &zero), a->radius + b->radius, distance) ||
		(b->kind == SPQ_SHAPE_BOX && FPle(hypot(gap.x, gap.y), a->radius));
}

/* Test a point or a circle and a segment. */
static bool
center_near_edge(const SpqShape *shape, const LSEG *edge, float8 distance)
{
	return in_reach(spq_edge_distance(edge->p[0], edge->p[1], shape->core.low),
					shape->radius, distance);
}

static bool
box_near_edge(const SpqShape *shape, const LSEG *edge, float8 distance)
{
	return spq_shape_within_of_segment(&shape->core, edge, distance);
}

/* Return whether both ends of e are on one side of the line of f. */
static bool
on_one_side(const LSEG *e, const LSEG *f)
{
	float8		a = spq_edge_side_of(f->p[0], f->p[1], e->p[0]),
				b = spq_edge_side_of(f->p[0], f->p[1], e->p[1]);

	return (a > 0 && b > 0) || (a < 0 && b < 0);
}

/*
 * Test two segments: they meet, or an end of one of them is closest to the
 * other.
 */
static bool
edges_near(const LSEG *e, const LSEG *f, float8 distance)
{
	BOX			e_bounds = spq_shape_segment_bounds(e),
				f_bounds = spq_shape_segment_bounds(f);
	float8		dx = spq_box_gap(e_bounds.low.x, e_bounds.high.x, f_bounds.low.x, f_bounds.high.x),
				dy = spq_box_gap(e_bounds.low.y, e_bounds.high.y, f_bounds.low.y, f_bounds.high.y);

	distance = Max(distance, EPSILON);
	if (dx > distance || dy > distance)
		return false;
	if (dx == 0 && dy == 0 && !on_one_side(e, f) && !on_one_side(f, e))
		return true;
	for (int i = 0; i < 2; i++)
		if (spq_edge_distance(f->p[0], f->p[1], e->p[i]) <= distance ||
			spq_edge_distance(e->p[0], e->p[1], f->p[i]) <= distance)
			return true;
	return false;
}

static bool
segment_near_edge(const SpqShape *shape, const LSEG *edge, float8 distance)
{
	return edges_near(shape->segment, edge, distance);
}

/* Return the edge of a polygon that ends in corner i. */
static LSEG
polygon_edge(const POLYGON *polygon, int i)
{
	LSEG		edge;

	edge.p[0] = polygon->p[i > 0 ? i - 1 : polygon->npts - 1];
	edge.p[1] = polygon->p[i];
	return edge;
}

static bool
polygon_near_edge(const SpqShape *shape, const LSEG *edge, float8 distance)
{
	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < shape->polygon->npts; i++)
	{
		LSEG		other = polygon_edge(shape->polygon, i);

		if (edges_near(&other, edge, distance))
			return true;
	}
	return false;
}

typedef bool (*NearEdge) (const SpqShape *shape, const LSEG *edge, float8 distance);

static const NearEdge near_edge[] = {
	[SPQ_SHAPE_POINT] = center_near_edge,
	[SPQ_SHAPE_CIRCLE] = center_near_edge,
	[SPQ_SHAPE_BOX] = box_near_edge,
	[SPQ_SHAPE_LSEG] = segment_near_edge,
	[SPQ_SHAPE_POLYGON] = polygon_near_edge,
};

/*
 * Return whether a polygon holds a point.  For a point on an edge, the result
 * may be either.
 */
static bool
holds_point(const POLYGON *polygon, Point point)
{
	const BOX  *bounds = &polygon->boundbox;

	return point.x >= bounds->low.x && point.x <= bounds->high.x &&
		point.y >= bounds->low.y && point.y <= bounds->high.y &&
		spq_shape_winds_around(polygon, point);
}

/*
 * Return whether one of two shapes holds the other, provided that no edge of
 * the polygon meets the shape.  A circle around the polygon does not count:
 * its center is near an edge.
 */
static bool
is_inside(const SpqShape *shape, const POLYGON *polygon)
{
	switch (shape->kind)
	{
		case SPQ_SHAPE_POINT:
		case SPQ_SHAPE_CIRCLE:
			return holds_point(polygon, shape->core.low);
		case SPQ_SHAPE_BOX:
			return spq_shape_overlaps_polygon(&shape->core, polygon);
		case SPQ_SHAPE_LSEG:
			return holds_point(polygon, shape->segment->p[0]);
		case SPQ_SHAPE_POLYGON:
			return holds_point(polygon, shape->polygon->p[0]) ||
				holds_point(shape->polygon, polygon->p[0]);
	}
	return false;
}

static bool
within_of_polygon(const SpqShape *shape, const POLYGON *polygon, float8 distance)
{
	BOX			window;

	if (is_inside(shape, polygon))
		return true;
	if (!spq_shape_window(shape, distance, &window))
		return false;
	for (int i = 0; i < polygon->npts; i++)
	{
		LSEG		edge = polygon_edge(polygon, i);
		BOX			bounds = spq_shape_segment_bounds(&edge);

		if (spq_shape_meets_window(&bounds, &window) &&
			near_edge[shape->kind] (shape, &edge, distance))
			return true;
	}
	return false;
}

/*
 * Return whether two shapes are at most a distance apart.  Return false for a
 * NaN, a distance below 0, a radius below -EPSILON, and polygons and segments
 * with an infinite corner.
 */
bool
spq_shape_within(const SpqShape *a, const SpqShape *b, float8 distance)
{
	if (a->kind > b->kind)
	{
		const SpqShape *swap = a;

		a = b;
		b = swap;
	}
	if ((a->kind >= SPQ_SHAPE_LSEG && !spq_box_is_finite(&a->core)) ||
		(b->kind >= SPQ_SHAPE_LSEG && !spq_box_is_finite(&b->core)) ||
		!window_meets(a, b, distance) || !window_meets(b, a, distance))
		return false;
	if (isinf(distance) || isinf(a->radius) || isinf(b->radius))
		return true;
	if (b->kind == SPQ_SHAPE_POLYGON)
		return within_of_polygon(a, b->polygon, distance);
	if (b->kind == SPQ_SHAPE_LSEG)
		return near_edge[a->kind] (a, b->segment, distance);
	return gap_within(a, b, distance);
}
