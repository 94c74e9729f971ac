/*-------------------------------------------------------------------------
 *
 * locate.c
 *	  Whether a point is in a polygon, by its edges, as far as that is certain.
 *
 * The winding number of a ring: edges that cross the ray from the point to the
 * right count 1 upward and -1 downward (Dan Sunday, Inclusion of a Point in a
 * Polygon, 2001).  Each end of an edge is in one of two states: above the
 * point, or not.  A crossing edge changes the state.  If a whole chain of
 * edges is to the right of the point, their sum is the difference of the
 * states at its ends.  So runs and groups can be counted without their edges;
 * and those above, below and to the left count nothing.
 *
 *		   +---+			 chain to the right, up and down: 0
 *		p  |   +--+
 *		 --+------+-->
 *
 * PostGIS and GEOS count differently if rings overlap or are entered more than
 * once.  Then the result is uncertain.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "geometry/edges.h"
#include "geometry/locate.h"
#include "geometry/walk.h"

typedef struct Winding
{
	const SpqGisPoint *p;
	float8		pad;			/* rounding may move p by this much */
	int			number;
	bool		unsure;
} Winding;

/*
 * Count a chain of edges by its box, if possible.  Return false if an edge may
 * go through the point, or the box does not decide.
 */
static inline bool
count_chain(Winding *winding, const SpqGisBox *box, const SpqGisPoint *first,
			const SpqGisPoint *last)
{
	const SpqGisPoint *p = winding->p;

	float8		pad = winding->pad;

	if (box->ymax < p->y - pad || box->ymin > p->y + pad || box->xmax < p->x - pad)
		return true;
	if (box->xmin <= p->x + pad)
		return false;
	winding->number += (last->y > p->y) - (first->y > p->y);
	return true;
}

/* Return whether the point is in the box of an edge, or near it. */
static inline bool
is_near_box(const Winding *winding, const SpqGisPoint *a, const SpqGisPoint *b)
{
	const SpqGisPoint *p = winding->p;
	float8		pad = winding->pad;

	return p->x >= Min(a->x, b->x) - pad && p->x <= Max(a->x, b->x) + pad &&
		p->y >= Min(a->y, b->y) - pad && p->y <= Max(a->y, b->y) + pad;
}

/* Count an edge from a to b. */
static inline void
count_edge(Winding *winding, const SpqGisPoint *a, const SpqGisPoint *b)
{
	const SpqGisPoint *p = winding->p;
	bool		above_a = a->y > p->y,
				above_b = b->y > p->y;
	int			side;

	if (above_a == above_b)
	{
		/* the point may be an end, or on a horizontal edge */
		winding->unsure |= is_near_box(winding, a, b) && spq_gis_side(a, b, p) == 0;
		return;
	}
	if (a->x < p->x - winding->pad && b->x < p->x - winding->pad)
		return;
	if (a->x > p->x + winding->pad && b->x > p->x + winding->pad)
	{
		/* as a chain to the right */
		winding->number += above_b - above_a;
		return;
	}
	side = spq_gis_side(a, b, p);
	if (side == 0)
		winding->unsure = true;
	else if (above_b && side > 0)
		winding->number++;
	else if (above_a && side < 0)
		winding->number--;
}

/*
 * Count the edges of a run.  Few of them change between above and below the
 * point.  The others count nothing, and are uncertain only if an end is nearly
 * as high as the point.  There is no branch for each edge, since which of them
 * change is unpredictable.
 */
static void
count_edges(Winding *winding, const SpqGisPoint *points, int first, int last)
{
	const SpqGisPoint *run = &points[first];
	float8		y = winding->p->y,
				near_y = 2 * winding->pad;
	int			nedges = last - first;
	uint32		above = 0,
				edges;
	bool		near = false;

	Assert(nedges <= SPQ_GIS_RUN_EDGES);
	for (int i = 0; i <= nedges; i++)
	{
		above |= (uint32) (run[i].y > y) << i;
		near |= fabs(run[i].y - y) <= near_y;
	}
	edges = (near ? ~(uint32) 0 : above ^ (above >> 1)) & (((uint32) 1 << nedges) - 1);
	for (; edges != 0; edges &= edges - 1)
	{
		int			i = pg_rightmost_one_pos32(edges);

		count_edge(winding, &run[i], &run[i + 1]);
	}
}

static inline void
count_run(Winding *winding, const SpqGisPoint *points, const SpqGisRun *run)
{
	if (!count_chain(winding, &run->box, &points[run->first], &points[run->last]))
		count_edges(winding, points, run->first, run->last);
}

/*
 * Return the winding number of a ring around a point.  A chain of runs counts by its
 * box, if that decides and the chain does not go on into the next ring.
 */
static int
winding_number(const SpqGisShape *shape, const SpqGisPart *ring, const SpqGisPoint *p,
			   float8 pad, bool *unsure)
{
	Winding		winding = {p, pad, 0, false};
	const SpqGisPoint *points = shape->points;
	SpqGisWalk	walk;

	if (shape->nlevels == 0)
	{
		for (int i = ring->first_run; i < ring->end_run; i++)
			count_run(&winding, points, &shape->runs[i]);
		*unsure |= winding.unsure;
		return winding.number;
	}
	spq_gis_walk_start(&walk, shape, ring->first_run);
	while (walk.run < ring->end_run)
	{
		const SpqGisBox *box = spq_gis_walk_chain(&walk);
		const SpqGisRun *run = &shape->runs[walk.run];

		if (walk.level == 0)
			count_run(&winding, points, run);
		else if (walk.end > ring->end_run ||
				 !count_chain(&winding, box, &points[run->first],
							  &points[shape->runs[walk.end - 1].last]))
		{
			spq_gis_walk_descend(&walk);
			continue;
		}
		spq_gis_walk_skip(&walk);
	}
	*unsure |= winding.unsure;
	return winding.number;
}

/* Return by how much rounding may move a point, relative to a polygon. */
static inline float8
padding(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	const SpqGisBox *box = &polygon->box;

	return SPQ_GIS_ROUNDING *
		(fabs(p->x) + fabs(p->y) + (box->xmax - box->xmin) + (box->ymax - box->ymin));
}

/* Return where a point is relative to a polygon. */
SpqGisPlace
spq_gis_locate_by_edges(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	int			outer = 0,
				holes = 0;
	const SpqGisBox *box = &polygon->box;
	float8		pad = padding(polygon, p);
	bool		unsure = false,
				in_shell = false;

	if (box->ymax < p->y - pad || box->ymin > p->y + pad ||
		box->xmax < p->x - pad || box->xmin > p->x + pad)
		return SPQ_GIS_OUTSIDE;
	for (int i = 0; i < polygon->nparts; i++)
	{
		int			number = winding_number(polygon, &polygon->parts[i], p, pad,
											&unsure);

		if (number < -1 || number > 1)
			unsure = true;
		if (!polygon->parts[i].hole)
		{
			in_shell = number != 0;
			outer += in_shell;
		}
		else if (number != 0)
		{
			/* a hole of another polygon's shell does not count */
			unsure |= !in_shell;
			holes++;
		}
	}
	if (unsure || outer > 1 || holes > outer)
		return SPQ_GIS_PLACE_UNSURE;
	return outer > holes ? SPQ_GIS_INSIDE : SPQ_GIS_OUTSIDE;
}

/* Return whether a point may be in a hole, or on its boundary. */
static bool
may_be_in_hole(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	float8		pad = padding(polygon, p);

	for (int i = 0; i < polygon->nparts; i++)
	{
		bool		unsure = false;

		if (polygon->parts[i].hole &&
			(winding_number(polygon, &polygon->parts[i], p, pad, &unsure) != 0 || unsure))
			return true;
	}
	return false;
}

/*
 * Return whether a point is a vertex of a polygon's first ring, and in no hole.  Then
 * every version of PostGIS finds it on the boundary: it looks at that ring first, and
 * computes exactly 0 for the side of an edge on which the edge's first point is.
 * (A shape has no edges without length, which PostGIS skips.)  If the polygon is
 * invalid and a hole is around the point, that decides in the first call with the
 * polygon, but not in later ones.
 */
bool
spq_gis_is_vertex(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	int			end = polygon->parts[0].end_run;
	const SpqGisBox box = {p->x, p->x, p->y, p->y};
	const SpqGisRun *run;
	SpqGisWalk	walk;

	spq_gis_walk_start(&walk, polygon, 0);
	while ((run = spq_gis_walk_to(&walk, &box)) != NULL && run < &polygon->runs[end])
	{
		for (int j = run->first; j < run->last; j++)
			if (spq_gis_same_point(&polygon->points[j], p))
				return !may_be_in_hole(polygon, p);
	}
	return false;
}
