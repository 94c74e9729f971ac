/*-------------------------------------------------------------------------
 *
 * relate.c
 *	  Predicates of two shapes, as far as they are certain.
 *
 * All predicates follow from where edges meet (edges.h) and, if no edges meet,
 * from where one vertex of each part is (pure_cells.h): a line or ring that
 * crosses no edge of a polygon is inside or outside as a whole.
 *
 * The answer is that of the definitions of OGC Simple Features for valid
 * geometries, computed without error, so GEOS returns the same.  PostGIS
 * decides if a point that may lie on an edge matters, if lines have an edge in
 * common and one of them crosses itself, and for collections.
 *
 * Two edges that cross in a point x decide most predicates.  With the interior
 * (I) and exterior (E) of a and b, it follows:
 *
 *		SPQ_GIS_CROSSING				x is a point of both
 *		... of two lines, and nothing
 *			unsure was found			x is in I of both
 *		SPQ_GIS_THROUGH
 *			of a line and a polygon		I of the line is in I and in E of the polygon
 *			of two polygons				I and E of a meet I and E of b, each with each
 *
 * Two lines: x is in the boundary of one if a part of it ends there.  That end is
 * on the other line's edge, which is unsure.  So spq_gis_crosses() and
 * spq_gis_touches() go on to search after a crossing.
 *
 * SPQ_GIS_THROUGH: x is within two edges, of which one, f, belongs to a polygon
 * with no other edge at x.  So around x, I of the polygon is on one side of f,
 * and E on the other.
 *
 *		  f					The other edge, e, has points as near to x as one
 *		I | E				likes on both sides of f.  If e is a line's, all of them
 *	  ----x---- e			but some ends of parts are in I of the line.  If e is a
 *		I | E				polygon's, I and E of this polygon are next to all of
 *							them but those where another ring touches e.
 *
 * If other rings touch f at x, a line may go from one hole or part to another, and
 * if rings touch both e and f there, two polygons need not have all that in common
 * around x.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "geometry/edges.h"
#include "geometry/pure_cells.h"
#include "geometry/relate.h"

/*
 * Where the parts of a shape are, if none of its edges meets an edge of a
 * polygon.
 */
#define SOME_INSIDE		0x01
#define SOME_OUTSIDE	0x02
#define SOME_UNSURE		0x04

/*
 * Locate one point of each part that is not a hole, until one of "until" is
 * found.
 */
static int
locate_parts(const SpqGisShape *polygon, const SpqGisShape *shape, int until)
{
	int			found = 0;

	for (int i = 0; i < shape->nparts && !(found & until); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (shape->parts[i].hole)
			continue;
		switch (spq_gis_locate(polygon, &shape->points[shape->parts[i].first]))
		{
			case SPQ_GIS_INSIDE:
				found |= SOME_INSIDE;
				break;
			case SPQ_GIS_OUTSIDE:
				found |= SOME_OUTSIDE;
				break;
			case SPQ_GIS_PLACE_UNSURE:
				found |= SOME_UNSURE;
				break;
		}
	}
	return found;
}

/*
 * Return whether a point of one shape is inside the other, provided that no
 * edges meet.
 */
SpqGisAnswer
spq_gis_some_inside(const SpqGisShape *a, const SpqGisShape *b)
{
	int			found = 0;

	if (b->dimension == 2)
		found |= locate_parts(b, a, SOME_INSIDE);
	if (a->dimension == 2 && !(found & SOME_INSIDE))
		found |= locate_parts(a, b, SOME_INSIDE);
	return found & SOME_INSIDE ? SPQ_GIS_YES : found & SOME_UNSURE ? SPQ_GIS_ASK : SPQ_GIS_NO;
}

/* Return SPQ_GIS_NO if no point is on a line, or SPQ_GIS_ASK if one may be. */
static SpqGisAnswer
points_meet_line(const SpqGisShape *points, const SpqGisShape *line)
{
	for (int i = 0; i < points->npoints; i++)
	{
		const SpqGisPoint *p = &points->points[i];

		CHECK_FOR_INTERRUPTS();
		for (int r = 0; r < line->nruns; r++)
		{
			const SpqGisRun *run = &line->runs[r];

			if (!spq_gis_box_has(&run->box, p))
				continue;
			for (int j = run->first; j < run->last; j++)
			{
				const SpqGisPoint *q = &line->points[j];

				if (p->x >= Min(q[0].x, q[1].x) && p->x <= Max(q[0].x, q[1].x) &&
					p->y >= Min(q[0].y, q[1].y) && p->y <= Max(q[0].y, q[1].y) &&
					spq_gis_side(&q[0], &q[1], p) == 0)
					return SPQ_GIS_ASK;
			}
		}
	}
	return SPQ_GIS_NO;
}

static SpqGisAnswer
points_meet_points(const SpqGisShape *a, const SpqGisShape *b)
{
	for (int i = 0; i < a->npoints; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < b->npoints; j++)
			if (spq_gis_same_point(&a->points[i], &b->points[j]))
				return SPQ_GIS_YES;
	}
	return SPQ_GIS_NO;
}

/* Return whether points and a polygon intersect. */
static SpqGisAnswer
points_meet_polygon(const SpqGisShape *points, const SpqGisShape *polygon)
{
	SpqGisAnswer answer = spq_gis_some_inside(points, polygon);

	/* points of a map are often vertices, as an entrance is of its building */
	for (int i = 0; answer == SPQ_GIS_ASK && i < points->npoints; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (spq_gis_is_vertex(polygon, &points->points[i]))
			answer = SPQ_GIS_YES;
	}
	return answer;
}

SpqGisAnswer
spq_gis_intersects(const SpqGisShape *a, const SpqGisShape *b)
{
	int			found;

	if (a->dimension > b->dimension)
		return spq_gis_intersects(b, a);
	if (a->dimension == 0 && b->dimension == 2)
		return points_meet_polygon(a, b);
	if (!spq_gis_boxes_meet(&a->box, &b->box))
		return SPQ_GIS_NO;
	if (a->dimension == 0)
		return b->dimension == 0 ? points_meet_points(a, b) : points_meet_line(a, b);
	found = spq_gis_edges(a, b, SPQ_GIS_CROSSING | SPQ_GIS_SHARED);
	if (found & (SPQ_GIS_CROSSING | SPQ_GIS_SHARED))
		return SPQ_GIS_YES;
	if (found & SPQ_GIS_UNSURE)
		return SPQ_GIS_ASK;
	return spq_gis_some_inside(a, b);
}

/*
 * Return whether one of two lines may cross or overlap itself.  Then GEOS does
 * not always find an edge that both have in common.
 */
static bool
cross_themselves(const SpqGisShape *a, const SpqGisShape *b)
{
	return spq_gis_crosses_itself(a) || spq_gis_crosses_itself(b);
}

SpqGisAnswer
spq_gis_crosses(const SpqGisShape *a, const SpqGisShape *b)
{
	int			found;

	if (!spq_gis_boxes_meet(&a->box, &b->box))
		return SPQ_GIS_NO;
	if (a->dimension == 0 || b->dimension == 0 || (a->dimension == 2 && b->dimension == 2))
		return SPQ_GIS_ASK;
	if (a->dimension == 1 && b->dimension == 1)
	{
		/* true if interiors have points in common, but no line */
		found = spq_gis_edges(a, b, SPQ_GIS_OVERLAP);
		if (found & SPQ_GIS_OVERLAP)
			return cross_themselves(a, b) ? SPQ_GIS_ASK : SPQ_GIS_NO;
		if (found & SPQ_GIS_UNSURE)
			return SPQ_GIS_ASK;
		return found & (SPQ_GIS_CROSSING | SPQ_GIS_INTERIOR) ? SPQ_GIS_YES : SPQ_GIS_NO;
	}

	/* true if the interior of the line is both inside and outside */
	found = spq_gis_edges(a, b, SPQ_GIS_THROUGH);
	if (found & SPQ_GIS_THROUGH)
		return SPQ_GIS_YES;
	if (found)
		return SPQ_GIS_ASK;
	found = a->dimension == 1 ? locate_parts(b, a, SOME_UNSURE) : locate_parts(a, b, SOME_UNSURE);
	if (found & SOME_UNSURE)
		return SPQ_GIS_ASK;
	return found == (SOME_INSIDE | SOME_OUTSIDE) ? SPQ_GIS_YES : SPQ_GIS_NO;
}

/* Return whether boundaries meet, but not interiors. */
SpqGisAnswer
spq_gis_touches(const SpqGisShape *a, const SpqGisShape *b)
{
	bool		lines = a->dimension == 1 && b->dimension == 1;
	int			within = lines ? SPQ_GIS_INTERIOR : SPQ_GIS_THROUGH,
				found;

	if (!spq_gis_boxes_meet(&a->box, &b->box))
		return SPQ_GIS_NO;
	if (a->dimension == 0 || b->dimension == 0)
	{
		const SpqGisShape *points = a->dimension == 0 ? a : b,
				   *other = a->dimension == 0 ? b : a;

		/* a point inside or outside a polygon is not on its boundary */
		if (other->dimension == 0)
			return SPQ_GIS_NO;
		if (other->dimension == 1)
			return points_meet_line(points, other);
		return locate_parts(other, points, SOME_UNSURE) & SOME_UNSURE ? SPQ_GIS_ASK : SPQ_GIS_NO;
	}
	found = spq_gis_edges(a, b, within);
	if (found == 0 || (found & within))
		return SPQ_GIS_NO;
	if (!lines)
		return SPQ_GIS_ASK;
	if (found & SPQ_GIS_OVERLAP)
		return cross_themselves(a, b) ? SPQ_GIS_ASK : SPQ_GIS_NO;

	/*
	 * a crossing may be where a line ends on itself, which is in its
	 * boundary; then that end is uncertain
	 */
	if (found & SPQ_GIS_UNSURE)
		return SPQ_GIS_ASK;
	return found & SPQ_GIS_CROSSING ? SPQ_GIS_NO : SPQ_GIS_YES;
}

/*
 * Return whether the interiors meet in a set of their dimension, and neither
 * shape is within the other.
 */
SpqGisAnswer
spq_gis_overlaps(const SpqGisShape *a, const SpqGisShape *b)
{
	int			found;

	if (!spq_gis_boxes_meet(&a->box, &b->box))
		return SPQ_GIS_NO;
	if (a->dimension == 0 || a->dimension != b->dimension)
		return SPQ_GIS_ASK;
	if (a->dimension == 1)
	{
		found = spq_gis_edges(a, b, SPQ_GIS_OVERLAP | SPQ_GIS_UNSURE);
		return found & (SPQ_GIS_OVERLAP | SPQ_GIS_UNSURE) ? SPQ_GIS_ASK : SPQ_GIS_NO;
	}
	found = spq_gis_edges(a, b, SPQ_GIS_THROUGH);
	if (found & SPQ_GIS_THROUGH)
		return SPQ_GIS_YES;
	if (found || a->nparts > 1 || b->nparts > 1)
		return SPQ_GIS_ASK;
	return SPQ_GIS_NO;
}

/*
 * Return whether b is within a, and not only in its boundary.  If no edges
 * meet, "covers" and "contains properly" are the same.
 */
SpqGisAnswer
spq_gis_contains(const SpqGisShape *a, const SpqGisShape *b)
{
	int			found;

	/* a point slightly outside a polygon's box is uncertain (locate.c) */
	if (!(a->dimension == 2 && b->dimension == 0) &&
		!(a->box.xmin <= b->box.xmin && b->box.xmax <= a->box.xmax &&
		  a->box.ymin <= b->box.ymin && b->box.ymax <= a->box.ymax))
		return SPQ_GIS_NO;
	if (a->dimension != 2)
		return SPQ_GIS_ASK;
	found = b->dimension > 0 ? spq_gis_edges(a, b, SPQ_GIS_THROUGH) : 0;
	if (found & SPQ_GIS_THROUGH)
		return SPQ_GIS_NO;
	if (found)
		return SPQ_GIS_ASK;
	found = locate_parts(a, b, SOME_OUTSIDE);
	if (found & SOME_OUTSIDE)
		return SPQ_GIS_NO;
	if (found & SOME_UNSURE)
		return SPQ_GIS_ASK;
	if (b->dimension < 2)
		return SPQ_GIS_YES;

	/* a hole of a, or another polygon of a, may be in b */
	for (int i = 0; i < a->nparts; i++)
	{
		const SpqGisPoint *p = &a->points[a->parts[i].first];

		if (spq_gis_locate(b, p) != SPQ_GIS_OUTSIDE)
			return a->parts[i].hole && spq_gis_locate(b, p) == SPQ_GIS_INSIDE ? SPQ_GIS_NO :
				SPQ_GIS_ASK;
	}
	return SPQ_GIS_YES;
}
