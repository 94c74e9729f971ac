/*-------------------------------------------------------------------------
 *
 * arcs.h
 *	  A geography as points on a sphere of radius 1, and arcs between them.
 *
 *		points	p0 p1 p2 p3 p4	p5 p6 p7 ...	x, y, z
 *		runs	[ 4 arcs	 ]	[ 16 arcs ][	arcs of a part, a box
 *
 * A run of points has no arcs: each is an element by itself.  The box of a run
 * is that of its points.  It holds the chords, while an arc leaves it by up to
 * the rise between arc and chord.
 *
 * Only points, lines, polygons and their multi-types of WGS 84 have arcs, none
 * empty, and only if they are far from the poles and not very large.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_ARCS_H
#define SPQ_GIS_ARCS_H

#include "geometry/gserialized.h"

typedef struct SpqGisVector
{
	float8		x;
	float8		y;
	float8		z;
} SpqGisVector;

typedef struct SpqGisSpace
{
	SpqGisVector low;
	SpqGisVector high;
} SpqGisSpace;

#define SPQ_GIS_ARC_RUN		16

/* Elements from number "first" up to but not including "end". */
typedef struct SpqGisArcRun
{
	int			first;
	int			end;
	SpqGisSpace box;
} SpqGisArcRun;

typedef struct SpqGisArcs
{
	int			dimension;		/* 0, 1, 2 */
	int			step;			/* from the first to the last point of an
								 * element: 0 for points, 1 for arcs */
	int			npoints;
	int			nruns;
	int			nparts;
	int			nelements;
	bool		has_tiny;		/* an arc is shorter than SPQ_GIS_TINY_ARC */
	bool		has_single;		/* one of several parts is a single arc */
	float8		longest;		/* length of the longest chord */
	SpqGisSpace box;
	SpqGisVector *points;
	SpqGisArcRun *runs;
	Size		size;			/* of all this */
} SpqGisArcs;

/* Memory for a point. */
typedef struct SpqGisPointArcs
{
	SpqGisArcs	arcs;
	SpqGisVector point;
	SpqGisArcRun run;
} SpqGisPointArcs;

/* PostGIS computes with the directions of arcs, which short ones do not have. */
#define SPQ_GIS_TINY_ARC	1e-10

/* No pair of geographies that is larger is compared: 0.2 are 1,270 km. */
#define SPQ_GIS_LARGEST_ARCS	0.2

static inline SpqGisVector
spq_gis_difference(const SpqGisVector *a, const SpqGisVector *b)
{
	SpqGisVector result = {a->x - b->x, a->y - b->y, a->z - b->z};

	return result;
}

static inline float8
spq_gis_dot(const SpqGisVector *a, const SpqGisVector *b)
{
	return a->x * b->x + a->y * b->y + a->z * b->z;
}

static inline void
spq_gis_start_space(SpqGisSpace *box, const SpqGisVector *p)
{
	box->low = box->high = *p;
}

static inline void
spq_gis_add_to_space(SpqGisSpace *box, const SpqGisVector *low, const SpqGisVector *high)
{
	box->low.x = Min(box->low.x, low->x);
	box->low.y = Min(box->low.y, low->y);
	box->low.z = Min(box->low.z, low->z);
	box->high.x = Max(box->high.x, high->x);
	box->high.y = Max(box->high.y, high->y);
	box->high.z = Max(box->high.z, high->z);
}

/* Return the square of the diagonal of a box. */
static inline float8
spq_gis_space_square(const SpqGisSpace *box)
{
	SpqGisVector diagonal = spq_gis_difference(&box->high, &box->low);

	return spq_gis_dot(&diagonal, &diagonal);
}

extern SpqGisArcs *spq_gis_point_arcs(const char *bytes, Size length, SpqGisPointArcs *room);
extern SpqGisArcs *spq_gis_make_arcs(const char *bytes, Size length);

#endif							/* SPQ_GIS_ARCS_H */
