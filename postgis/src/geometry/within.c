/*-------------------------------------------------------------------------
 *
 * within.c
 *	  Whether two shapes are within a distance, as far as that is certain.
 *
 * PostGIS' computation of distances rounds differently from ours, and differs
 * between its versions.  Each errs by some units in the last place of
 * differences of coordinates.  So there are two limits, slightly below and
 * above the distance in question.  Below the first limit the answer is yes,
 * above the second no, and in between PostGIS decides.
 *
 *		  yes	  ( ask )		no
 *		----------|--+--|--------------> distance of the shapes
 *					asked
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "geometry/edges.h"
#include "geometry/walk.h"
#include "geometry/within.h"

/*
 * Half of the width of the uncertain range, relative to the extent of both
 * shapes and the distance.  Some units in the last place of coordinates are
 * added, since PostGIS computes the nearest point of an edge and rounds it.
 */
#define MARGIN	1e-12

typedef struct Search
{
	const SpqGisShape *a;
	const SpqGisShape *b;
	float8		reach;			/* above this, the answer is no */
	float8		reach_square;
	float8		sure_square;	/* up to this, the answer is yes; negative:
								 * never */
	bool		unsure;
} Search;

static inline float8
gap(float8 amin, float8 amax, float8 bmin, float8 bmax)
{
	return amin > bmax ? amin - bmax : bmin > amax ? bmin - amax : 0;
}

/* Return a number that no coordinate of a box exceeds. */
static inline float8
largest(const SpqGisBox *box)
{
	return Max(Max(fabs(box->xmin), fabs(box->xmax)), Max(fabs(box->ymin), fabs(box->ymax)));
}

/* Return whether two boxes are farther apart than the reach. */
static inline bool
out_of_reach(const Search *search, const SpqGisBox *a, const SpqGisBox *b)
{
	float8		dx = gap(a->xmin, a->xmax, b->xmin, b->xmax),
				dy = gap(a->ymin, a->ymax, b->ymin, b->ymax);

	return dx * dx + dy * dy > search->reach_square;
}

static inline float8
point_to_point(const SpqGisPoint *p, const SpqGisPoint *q)
{
	float8		dx = p->x - q->x,
				dy = p->y - q->y;

	return dx * dx + dy * dy;
}

/* Return the square of the distance between a point and an edge. */
static inline float8
point_to_edge(const SpqGisPoint *p, const SpqGisPoint *q)
{
	float8		x = p->x - q[0].x,
				y = p->y - q[0].y,
				dx = q[1].x - q[0].x,
				dy = q[1].y - q[0].y,
				t = (x * dx + y * dy) / (dx * dx + dy * dy);

	/*
	 * if the squares underflow to 0, t is NaN or infinite, which gives one
	 * end
	 */
	t = t > 0 ? t : 0;
	t = t < 1 ? t : 1;
	x -= t * dx;
	y -= t * dy;
	return x * x + y * y;
}

static inline float8
edge_to_edge(const SpqGisPoint *p, const SpqGisPoint *q)
{
	float8		least;

	if (spq_gis_side(&p[0], &p[1], &q[0]) * spq_gis_side(&p[0], &p[1], &q[1]) < 0 &&
		spq_gis_side(&q[0], &q[1], &p[0]) * spq_gis_side(&q[0], &q[1], &p[1]) < 0)
		return 0;
	least = Min(point_to_edge(&p[0], q), point_to_edge(&p[1], q));
	least = Min(least, point_to_edge(&q[0], p));
	return Min(least, point_to_edge(&q[1], p));
}

/*
 * Take the square of a distance into account.  Return true if the answer is
 * yes.
 */
static inline bool
note(Search *search, float8 square)
{
	if (square <= search->sure_square)
		return true;
	search->unsure |= !(square > search->reach_square);
	return false;
}

static bool
points_and_points(Search *search)
{
	for (int i = 0; i < search->a->npoints; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < search->b->npoints; j++)
			if (note(search, point_to_point(&search->a->points[i], &search->b->points[j])))
				return true;
	}
	return false;
}

static bool
point_and_run(Search *search, const SpqGisPoint *p, const SpqGisRun *run)
{
	for (int i = run->first; i < run->last; i++)
		if (note(search, point_to_edge(p, &search->b->points[i])))
			return true;
	return false;
}

static bool
two_runs(Search *search, const SpqGisRun *ra, const SpqGisRun *rb)
{
	for (int i = ra->first; i < ra->last; i++)
	{
		const SpqGisPoint *p = &search->a->points[i];
		SpqGisBox	box = {
			Min(p[0].x, p[1].x), Max(p[0].x, p[1].x), Min(p[0].y, p[1].y), Max(p[0].y, p[1].y)
		};

		if (out_of_reach(search, &box, &rb->box))
			continue;
		for (int j = rb->first; j < rb->last; j++)
			if (note(search, edge_to_edge(p, &search->b->points[j])))
				return true;
	}
	return false;
}

/*
 * Compare a point of a, or one of its runs, with all edges of b.  Return true
 * if the answer is yes.
 */
static bool
with_edges(Search *search, const SpqGisBox *box, const SpqGisPoint *p, const SpqGisRun *run)
{
	const SpqGisBox *chain;
	SpqGisWalk	walk;

	CHECK_FOR_INTERRUPTS();
	spq_gis_walk_start(&walk, search->b, 0);
	while ((chain = spq_gis_walk_chain(&walk)) != NULL)
	{
		bool		reached = !out_of_reach(search, box, chain);
		const SpqGisRun *other = &search->b->runs[walk.run];

		if (reached && walk.level > 0)
		{
			spq_gis_walk_descend(&walk);
			continue;
		}
		if (reached && (p ? point_and_run(search, p, other) : two_runs(search, run, other)))
			return true;
		spq_gis_walk_skip(&walk);
	}
	return false;
}

/*
 * Search for two edges, or a point and an edge, that are certainly within the
 * distance.
 */
static bool
search_edges(Search *search)
{
	const SpqGisShape *a = search->a;

	if (search->b->dimension == 0)
		return points_and_points(search);
	for (int i = 0; a->dimension == 0 && i < a->npoints; i++)
	{
		const SpqGisPoint *p = &a->points[i];
		SpqGisBox	box = {p->x, p->x, p->y, p->y};

		if (with_edges(search, &box, p, NULL))
			return true;
	}
	for (int i = 0; i < a->nruns; i++)
		if (!out_of_reach(search, &a->runs[i].box, &search->b->box) &&
			with_edges(search, &a->runs[i].box, NULL, &a->runs[i]))
			return true;
	return false;
}

/*
 * Return whether two shapes are within a distance of each other.  Points in a
 * polygon have the distance 0 from it.
 */
SpqGisAnswer
spq_gis_within(const SpqGisShape *a, const SpqGisShape *b, float8 distance)
{
	Search		search = {a, b, 0, 0, -1, false};
	float8		extent,
				margin;
	SpqGisAnswer inside;

	if (a->dimension > b->dimension)
		return spq_gis_within(b, a, distance);
	if (!(distance >= 0 && distance < 1e150))
		return SPQ_GIS_ASK;
	extent = Max(a->box.xmax, b->box.xmax) - Min(a->box.xmin, b->box.xmin) +
		Max(a->box.ymax, b->box.ymax) - Min(a->box.ymin, b->box.ymin);
	if (!(extent < 1e150))
		return SPQ_GIS_ASK;
	margin = (extent + distance) * MARGIN + 1e-150 +
		(largest(&a->box) + largest(&b->box)) * SPQ_GIS_ROUNDING;
	search.reach = distance + margin;
	search.reach_square = search.reach * search.reach;
	if (distance > margin)
		search.sure_square = (distance - margin) * (distance - margin);

	if (out_of_reach(&search, &a->box, &b->box))
		return SPQ_GIS_NO;
	if (search_edges(&search))
		return SPQ_GIS_YES;
	if (b->dimension == 2)
	{
		/* if edges meet, a yes is right, and no is not certain already */
		inside = spq_gis_some_inside(a, b);
		if (inside == SPQ_GIS_YES)
			return distance > margin ? SPQ_GIS_YES : SPQ_GIS_ASK;
		search.unsure |= inside == SPQ_GIS_ASK;
	}
	return search.unsure ? SPQ_GIS_ASK : SPQ_GIS_NO;
}
