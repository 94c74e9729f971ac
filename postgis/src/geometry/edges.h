/*-------------------------------------------------------------------------
 *
 * edges.h
 *	  Where the edges of two shapes meet, as far as that is certain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_EDGES_H
#define SPQ_GIS_EDGES_H

#include <math.h>

#include "geometry/shape.h"

/* What was found.  Each is certain, except for the last. */
#define SPQ_GIS_CROSSING	0x01	/* two edges cross within both */
#define SPQ_GIS_THROUGH		0x02	/* ... where one of both is a polygon that
									 * has no other edge; if searched for */
#define SPQ_GIS_SHARED		0x04	/* both have a vertex */
#define SPQ_GIS_INTERIOR	0x08	/* of lines: a shared vertex in the
									 * interior of both */
#define SPQ_GIS_BOUNDARY	0x10	/* of lines: a shared vertex in the
									 * boundary of one */
#define SPQ_GIS_OVERLAP		0x20	/* both have an edge */
#define SPQ_GIS_UNSURE		0x40	/* there may be more of these */

/*
 * Bound on the effect of rounding, relative to the coordinates: 16 e, with e =
 * 2^-53.
 */
#define SPQ_GIS_ROUNDING	1.8e-15

/*
 * Return the side of the line from a to b on which c is: 1 for left, -1 for
 * right, 0 if that is uncertain.
 *
 * The error of the computed determinant is at most a few e times the square of
 * the sum of the differences (Shewchuk, Adaptive Precision Floating-Point
 * Arithmetic and Fast Robust Geometric Predicates, 1997), plus the error of
 * underflow.  A larger margin is needed: PostGIS locates points with another
 * formula, and GEOS rounds the points where edges cross, so these may become
 * vertices that are not on the other edge.  So the side is uncertain if moving
 * c by some units in the last place of its coordinates changes it.
 */
static inline int
spq_gis_side(const SpqGisPoint *a, const SpqGisPoint *b, const SpqGisPoint *c)
{
	float8		ax = a->x - c->x,
				ay = a->y - c->y,
				bx = b->x - c->x,
				by = b->y - c->y,
				determinant = ax * by - ay * bx,
				sum = fabs(ax) + fabs(ay) + fabs(bx) + fabs(by),
				error = sum * (sum + fabs(c->x) + fabs(c->y)) * SPQ_GIS_ROUNDING + 1e-300;

	return determinant > error ? 1 : determinant < -error ? -1 : 0;
}

static inline bool
spq_gis_same_point(const SpqGisPoint *a, const SpqGisPoint *b)
{
	return a->x == b->x && a->y == b->y;
}

extern bool spq_gis_crosses_itself(const SpqGisShape *shape);
extern int	spq_gis_edges(const SpqGisShape *a, const SpqGisShape *b, int until);

#endif							/* SPQ_GIS_EDGES_H */
