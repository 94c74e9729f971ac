/*-------------------------------------------------------------------------
 *
 * shape.h
 *	  A geometry as arrays of points, for predicates that are asked many times.
 *
 *		points		p0 p1 p2 p3 p4	p5 p6 p7 ...		x, y
 *		parts		[   a line	 ]	[ a line ...		rings of polygons, lines, points
 *		runs		[ 4 edges	 ]	[ 16 edges ][ ...	consecutive edges of a part, a box
 *		groups		[ 16 runs ...						a box
 *
 * Repeated points are left out.  A shape has at least one part, a line at least two
 * points, a ring at least four, of which the last is the first, and no very short edges;
 * all coordinates are finite and less than 1e100.  Everything else has no shape, and its
 * predicates are PostGIS' own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_SHAPE_H
#define SPQ_GIS_SHAPE_H

#include "gserialized.h"

typedef struct SpqGisPoint
{
	float8		x;
	float8		y;
} SpqGisPoint;

/* An exact box, unlike those of headers. */
typedef struct SpqGisBox
{
	float8		xmin;
	float8		xmax;
	float8		ymin;
	float8		ymax;
} SpqGisBox;

typedef struct SpqGisPart
{
	int			first;			/* point */
	int			count;			/* of points */
	int			polygon;		/* number of the polygon that a ring is of */
	bool		hole;
	int			first_run;
	int			end_run;
} SpqGisPart;

#define SPQ_GIS_RUN_EDGES	16
#define SPQ_GIS_GROUP_RUNS	16

/* Edges from point "first" to point "last". */
typedef struct SpqGisRun
{
	int			first;
	int			last;
	SpqGisBox	box;
} SpqGisRun;

typedef struct SpqGisShape
{
	uint8		srid[3];
	int8		itself;			/* edges.c: whether its edges cross each other */
	int			dimension;		/* 0, 1, 2 */
	SpqGisBox	box;
	int			npoints;
	int			nparts;
	int			nruns;			/* none of points */
	int			ngroups;		/* of the runs of all parts, in order */
	SpqGisPoint *points;
	SpqGisPart *parts;
	SpqGisRun  *runs;
	SpqGisBox  *groups;
	Size		size;			/* of all this */
} SpqGisShape;

/* The most edges of a shape that can be made in memory of the caller. */
#define SPQ_GIS_SMALL_POINTS	17

/* Room for a shape of one part and a run. */
typedef struct SpqGisSmallShape
{
	SpqGisShape shape;
	SpqGisPart	part;
	SpqGisRun	run;
	SpqGisPoint points[SPQ_GIS_SMALL_POINTS];
} SpqGisSmallShape;

static inline bool
spq_gis_boxes_meet(const SpqGisBox *a, const SpqGisBox *b)
{
	return a->xmin <= b->xmax && b->xmin <= a->xmax &&
		a->ymin <= b->ymax && b->ymin <= a->ymax;
}

static inline bool
spq_gis_box_has(const SpqGisBox *box, const SpqGisPoint *p)
{
	return box->xmin <= p->x && p->x <= box->xmax && box->ymin <= p->y && p->y <= box->ymax;
}

extern bool spq_gis_is_small(const char *bytes, Size length);
extern SpqGisShape *spq_gis_small_shape(const char *bytes, Size length, SpqGisSmallShape *room);
extern SpqGisShape *spq_gis_make_shape(const char *bytes, Size length);

#endif							/* SPQ_GIS_SHAPE_H */
