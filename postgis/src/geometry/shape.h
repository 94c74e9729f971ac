/*-------------------------------------------------------------------------
 *
 * shape.h
 *	  A geometry as arrays of points, for predicates that are evaluated many
 *	  times.
 *
 *		points		p0 p1 p2 p3 p4	p5 p6 p7 ...		x, y
 *		parts		[   a line	 ]	[ a line ...		rings, lines, points
 *		runs		[ 4 edges	 ]	[ 16 edges ][ ...	edges of a part, a box
 *		groups		[ 16 runs ...						a box
 *					[ 16 groups ...						and so on, until few are left
 *		cells		of large polygons, for many points (pure_cells.h)
 *
 * Repeated points are left out.  A shape has at least one part.  A line has at
 * least two points.  A ring has at least four, the last of which equals the
 * first, and no very short edges.  All coordinates are finite and smaller than
 * 1e100.  All other geometries have no shape, and PostGIS evaluates their
 * predicates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_SHAPE_H
#define SPQ_GIS_SHAPE_H

#include "geometry/gserialized.h"

typedef struct SpqGisPoint
{
	float8		x;
	float8		y;
} SpqGisPoint;

/* An exact box, unlike the one in a header. */
typedef struct SpqGisBox
{
	float8		xmin;
	float8		xmax;
	float8		ymin;
	float8		ymax;
} SpqGisBox;

typedef struct SpqGisPart
{
	int			first;			/* first point */
	int			count;			/* number of points */
	bool		hole;
	int			first_run;
	int			end_run;
} SpqGisPart;

#define SPQ_GIS_RUN_EDGES	16
#define SPQ_GIS_GROUP_BITS	4
#define SPQ_GIS_GROUP_RUNS	(1 << SPQ_GIS_GROUP_BITS)
#define SPQ_GIS_MOST_LEVELS	7	/* 16^8 runs are more than an int counts */

/* Edges from point "first" to point "last". */
typedef struct SpqGisRun
{
	int			first;
	int			last;
	SpqGisBox	box;
} SpqGisRun;

/* Cells of the box of a large polygon (pure_cells.c). */
typedef struct SpqGisCells
{
	int			side;			/* number of columns, and of rows */
	int			awaited;		/* points before the cells are made */
	bool		made;			/* the following members are set */
	float8		x_scale;		/* columns in a unit */
	float8		y_scale;
	float8		margin;			/* a cell that is nearer to an edge is not
								 * pure */
	uint8		places[FLEXIBLE_ARRAY_MEMBER];	/* SpqGisPlace, two bits each */
} SpqGisCells;

typedef struct SpqGisShape
{
	uint8		srid[3];
	int8		itself;			/* edges.c: whether its edges meet each other */
	int			dimension;		/* 0, 1, 2 */
	SpqGisBox	box;
	int			npoints;
	int			nparts;
	int			nruns;			/* 0 if the dimension is 0 */
	int			ngroups;		/* of the runs of all parts, in order */
	int			nlevels;		/* of groups; those of a level follow in
								 * "groups" */
	SpqGisPoint *points;
	SpqGisPart *parts;
	SpqGisRun  *runs;
	SpqGisBox  *groups;
	SpqGisCells *cells;			/* or NULL */
	Size		size;			/* of the shape with its arrays */
} SpqGisShape;

/* Maximum number of points of a shape that is made in memory of the caller. */
#define SPQ_GIS_SMALL_POINTS	17

/* Memory for a shape of one part and one run. */
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

/* Return the bytes for the places of this number of columns, and of rows. */
static inline Size
spq_gis_places_size(int side)
{
	return ((Size) side * side + 3) / 4;
}

extern bool spq_gis_is_small(const char *bytes, Size length);
extern SpqGisShape *spq_gis_small_shape(const char *bytes, Size length, SpqGisSmallShape *room);
extern SpqGisShape *spq_gis_make_shape(const char *bytes, Size length);

#endif							/* SPQ_GIS_SHAPE_H */
