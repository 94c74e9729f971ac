/*-------------------------------------------------------------------------
 *
 * plane.h
 *	  Common to the types of the plane.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_PLANE_PLANE_H
#define SPQ_TYPES_PLANE_PLANE_H

#include "utils/fmgroids.h"

#include "types/type.h"

#define EXACT	SPQ_TYPE_EXACT

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

/* An operator: of PostgreSQL, or of ours (src/shapes). */
#define ROW(function_, relation_, fraction_, left_, right_) \
	{.function = function_,.relation = relation_,.fraction = fraction_, \
	.left = &spq_type_##left_,.right = &spq_type_##right_}
#define BUILTIN(oid, relation, fraction, left, right) \
	ROW(SPQ_TYPE_BUILTIN(oid), relation, fraction, left, right)
#define OWN(symbol, relation, fraction, left, right) \
	ROW(SPQ_TYPE_OWN(symbol), relation, fraction, left, right)

/*
 * The operators of box, circle and polygon, whose functions PostgreSQL names
 * alike.  "others" is the fraction of ~= and of the directional ones.
 */
#define OPERATORS_OF(NAME, type, overlaps, contains, others) \
	BUILTIN(F_##NAME##_OVERLAP, SPQ_BOX_OVERLAPS, overlaps, type, type), \
	BUILTIN(F_##NAME##_CONTAIN, SPQ_BOX_CONTAINS, contains, type, type), \
	BUILTIN(F_##NAME##_CONTAINED, SPQ_BOX_CONTAINED, contains, type, type), \
	BUILTIN(F_##NAME##_SAME, SPQ_BOX_SAME, others, type, type), \
	BUILTIN(F_##NAME##_LEFT, SPQ_BOX_LEFT, others, type, type), \
	BUILTIN(F_##NAME##_OVERLEFT, SPQ_BOX_OVERLEFT, others, type, type), \
	BUILTIN(F_##NAME##_RIGHT, SPQ_BOX_RIGHT, others, type, type), \
	BUILTIN(F_##NAME##_OVERRIGHT, SPQ_BOX_OVERRIGHT, others, type, type), \
	BUILTIN(F_##NAME##_BELOW, SPQ_BOX_BELOW, others, type, type), \
	BUILTIN(F_##NAME##_OVERBELOW, SPQ_BOX_OVERBELOW, others, type, type), \
	BUILTIN(F_##NAME##_ABOVE, SPQ_BOX_ABOVE, others, type, type), \
	BUILTIN(F_##NAME##_OVERABOVE, SPQ_BOX_OVERABOVE, others, type, type)

/* edges.c */
extern void spq_type_points_bounds(const Point *points, int count, BOX *box);
extern void spq_type_cover_edges(BOX *box);

#endif							/* SPQ_TYPES_PLANE_PLANE_H */
