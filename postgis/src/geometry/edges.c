/*-------------------------------------------------------------------------
 *
 * edges.c
 *	  Where the edges of two shapes meet, as far as that is certain.
 *
 * Pairs of edges are found by the boxes of groups, runs and edges.  Two edges
 * without a common vertex
 *
 *		cross			if the ends of each are on different sides of the other
 *		do not meet		if both ends of one are on the same side of the other
 *		are uncertain	otherwise: an end may be on the other edge
 *
 * Two edges with a common vertex may lie on each other:
 *
 *		   b			   a b
 *		  /			  v-----+--			uncertain, unless a and b are the same
 *		 v-----a
 *
 * On one side of a polygon's edge is its interior, on the other its exterior,
 * except where another ring touches the edge, such as that of a hole.  There, a
 * line that crosses the edge may stay outside, or inside:
 *
 *			 in				   in  \ out /  in
 *		------------ f		----------*---------- f
 *			 out					 out
 *
 * So there are two kinds of crossings, SPQ_GIS_CROSSING and SPQ_GIS_THROUGH;
 * relate.c has what follows from each.  Rings of a valid polygon do not cross,
 * and have no part of an edge in common.  So a ring that touches f within f has
 * a vertex there.  It is certain that none does where two edges cross if no
 * vertex is on both, or may be.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "geometry/edges.h"
#include "geometry/walk.h"

/* The boundary of a line with more parts is not computed. */
#define MAX_BOUNDARY_PARTS	64

typedef struct Meeting
{
	const SpqGisShape *a;
	const SpqGisShape *b;		/* may be the same shape: of one value used
								 * twice, or if "itself" */
	bool		itself;			/* compare each edge of a with the later ones
								 * of a, not each with each */
	int			found;
	int			until;
} Meeting;

/* Whether the edges of a shape meet each other (SpqGisShape.itself). */
enum
{
	NOT_KNOWN,
	SIMPLE,
	MAY_CROSS
};

/*
 * Return whether a vertex is in the boundary of a line, which it is if it is
 * an end of an odd number of parts (the "mod-2 rule" of OGC Simple Features).
 */
static bool
is_boundary(const SpqGisShape *line, const SpqGisPoint *v)
{
	bool		odd = false;

	for (int i = 0; i < line->nparts; i++)
	{
		const SpqGisPoint *first = &line->points[line->parts[i].first];

		odd ^= spq_gis_same_point(first, v);
		odd ^= spq_gis_same_point(first + line->parts[i].count - 1, v);
	}
	return odd;
}

/* Return what a vertex shared by both shapes means. */
static int
shared_vertex(const Meeting *meeting, const SpqGisPoint *v)
{
	const SpqGisShape *a = meeting->a,
			   *b = meeting->b;

	if (a->dimension != 1 || b->dimension != 1 || (meeting->until & SPQ_GIS_SHARED))
		return SPQ_GIS_SHARED;
	if (a->nparts > MAX_BOUNDARY_PARTS || b->nparts > MAX_BOUNDARY_PARTS)
		return SPQ_GIS_SHARED | SPQ_GIS_UNSURE;
	return SPQ_GIS_SHARED | (is_boundary(a, v) || is_boundary(b, v) ?
							 SPQ_GIS_BOUNDARY : SPQ_GIS_INTERIOR);
}

/* Compare the edges from v to a, and from v to b. */
static int
edges_from(const Meeting *meeting, const SpqGisPoint *v, const SpqGisPoint *a,
		   const SpqGisPoint *b)
{
	int			found = shared_vertex(meeting, v);
	float8		x,
				y;

	if (spq_gis_same_point(a, b))
		return found | shared_vertex(meeting, a) | SPQ_GIS_OVERLAP;
	if (spq_gis_side(v, a, b) != 0)
		return found;
	x = (a->x - v->x) * (b->x - v->x);
	y = (a->y - v->y) * (b->y - v->y);

	/* opposite directions: the signs of differences and products are exact */
	if (x <= 0 && y <= 0 && x + y < 0)
		return found;
	return found | SPQ_GIS_UNSURE;
}

/* Return whether no vertex of a polygon is where two edges cross, or may be. */
static bool
has_no_vertex(const SpqGisShape *polygon, const SpqGisPoint *p, const SpqGisPoint *q)
{
	float8		pad = SPQ_GIS_ROUNDING * (fabs(p[0].x) + fabs(p[0].y) + fabs(p[1].x) + fabs(p[1].y));
	SpqGisBox	box = {
		Max(Min(p[0].x, p[1].x), Min(q[0].x, q[1].x)) - pad,
		Min(Max(p[0].x, p[1].x), Max(q[0].x, q[1].x)) + pad,
		Max(Min(p[0].y, p[1].y), Min(q[0].y, q[1].y)) - pad,
		Min(Max(p[0].y, p[1].y), Max(q[0].y, q[1].y)) + pad
	};

	const SpqGisRun *run;
	SpqGisWalk	walk;

	spq_gis_walk_start(&walk, polygon, 0);
	while ((run = spq_gis_walk_to(&walk, &box)) != NULL)
	{
		for (int j = run->first; j < run->last; j++)
		{
			const SpqGisPoint *v = &polygon->points[j];

			if (spq_gis_box_has(&box, v) &&
				spq_gis_side(&p[0], &p[1], v) == 0 && spq_gis_side(&q[0], &q[1], v) == 0)
				return false;
		}
	}
	return true;
}

/* Return what two edges that cross mean.  This is not in the way of those that do not. */
static pg_noinline int
crossing(const Meeting *meeting, const SpqGisPoint *p, const SpqGisPoint *q)
{
	const SpqGisShape *shapes[] = {meeting->a, meeting->b};

	for (int i = 0; (meeting->until & SPQ_GIS_THROUGH) && i < 2; i++)
		if (shapes[i]->dimension == 2 && (shapes[i]->nparts == 1 || has_no_vertex(shapes[i], p, q)))
			return SPQ_GIS_CROSSING | SPQ_GIS_THROUGH;
	return SPQ_GIS_CROSSING;
}

static int
two_edges(const Meeting *meeting, const SpqGisPoint *p, const SpqGisPoint *q)
{
	int			p0,
				p1,
				q0,
				q1;

	if (spq_gis_same_point(&p[0], &q[0]))
		return edges_from(meeting, &p[0], &p[1], &q[1]);
	if (spq_gis_same_point(&p[0], &q[1]))
		return edges_from(meeting, &p[0], &p[1], &q[0]);
	if (spq_gis_same_point(&p[1], &q[0]))
		return edges_from(meeting, &p[1], &p[0], &q[1]);
	if (spq_gis_same_point(&p[1], &q[1]))
		return edges_from(meeting, &p[1], &p[0], &q[0]);

	q0 = spq_gis_side(&p[0], &p[1], &q[0]);
	q1 = spq_gis_side(&p[0], &p[1], &q[1]);
	if (q0 * q1 > 0)
		return 0;
	p0 = spq_gis_side(&q[0], &q[1], &p[0]);
	p1 = spq_gis_side(&q[0], &q[1], &p[1]);
	if (p0 * p1 > 0)
		return 0;
	return p0 * p1 < 0 && q0 * q1 < 0 ? crossing(meeting, p, q) : SPQ_GIS_UNSURE;
}

/* Compare the edges of two runs.  Return true if one of "until" was found. */
static bool
two_runs(Meeting *meeting, const SpqGisRun *ra, const SpqGisRun *rb)
{
	for (int i = ra->first; i < ra->last; i++)
	{
		const SpqGisPoint *p = &meeting->a->points[i];
		SpqGisBox	box = {
			Min(p[0].x, p[1].x), Max(p[0].x, p[1].x), Min(p[0].y, p[1].y), Max(p[0].y, p[1].y)
		};

		if (!spq_gis_boxes_meet(&box, &rb->box))
			continue;
		for (int j = meeting->itself ? Max(i + 1, rb->first) : rb->first; j < rb->last; j++)
		{
			const SpqGisPoint *q = &meeting->b->points[j];

			if (Min(q[0].x, q[1].x) > box.xmax || Max(q[0].x, q[1].x) < box.xmin ||
				Min(q[0].y, q[1].y) > box.ymax || Max(q[0].y, q[1].y) < box.ymin)
				continue;
			meeting->found |= two_edges(meeting, p, q);
			if (meeting->found & meeting->until)
				return true;
		}
	}
	return false;
}

/*
 * Compare a run of a with all of b.  Return true if one of "until" was found.
 */
static bool
run_with_shape(Meeting *meeting, const SpqGisRun *run)
{
	const SpqGisRun *other;
	SpqGisWalk	walk;

	CHECK_FOR_INTERRUPTS();
	spq_gis_walk_start(&walk, meeting->b, 0);
	while ((other = spq_gis_walk_to(&walk, &run->box)) != NULL)
		if (two_runs(meeting, run, other))
			return true;
	return false;
}

/* Compare all edges, until one of "until" is found.  Return what was found. */
static int
compare(Meeting *meeting)
{
	const SpqGisRun *run;
	SpqGisWalk	walk;

	spq_gis_walk_start(&walk, meeting->a, 0);
	while ((run = spq_gis_walk_to(&walk, &meeting->b->box)) != NULL)
		if (run_with_shape(meeting, run))
			break;
	return meeting->found;
}

/*
 * Return how the edges of two shapes meet.  The search stops when one of
 * "until" is found, so others may be missing then.
 */
int
spq_gis_edges(const SpqGisShape *a, const SpqGisShape *b, int until)
{
	Meeting		meeting = {.a = a,.b = b,.until = until};

	return compare(&meeting);
}

/*
 * Return whether edges of a shape cross or lie on each other, or may do so.
 * The result is kept in the shape.
 */
bool
spq_gis_crosses_itself(const SpqGisShape *shape)
{
	if (shape->itself == NOT_KNOWN)
	{
		const int	more = SPQ_GIS_CROSSING | SPQ_GIS_OVERLAP | SPQ_GIS_UNSURE;
		Meeting		meeting = {.a = shape,.b = shape,.itself = true,.until = more};

		unconstify(SpqGisShape *, shape)->itself = compare(&meeting) & more ? MAY_CROSS : SIMPLE;
	}
	return shape->itself == MAY_CROSS;
}
