/*-------------------------------------------------------------------------
 *
 * plane.h
 *	  Common to the types of the plane.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_PLANE_PLANE_H
#define SPQ_TYPES_PLANE_PLANE_H

#include "types/rows.h"

/*
 * Two circles with radii r and s meet if the centers are in a circle of radius
 * r + s.  Their boxes meet if they are in a square of that half side: pi / 4.
 */
#define ROUND	(M_PI / 4)

/* Polygons, segments and paths may have any shape, so these are guesses. */
#define POLYGONS_OVERLAP 0.8
#define POLYGON_CONTAINS 0.6
#define SEGMENTS_CROSS	0.3
#define SEGMENT_IN_BOX	0.7
#define POINT_ON_SEGMENT	0.01

/* edges.c */
extern void spq_type_points_bounds(const Point *points, int count, BOX *box);
extern void spq_type_cover_edges(BOX *box);

#endif							/* SPQ_TYPES_PLANE_PLANE_H */
