/*-------------------------------------------------------------------------
 *
 * within.h
 *	  Two shapes in the plane and a distance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHAPES_GEOMETRY_WITHIN_H
#define SPQ_SHAPES_GEOMETRY_WITHIN_H

#include "shapes/geometry/shapes.h"

/* Simple kinds first: see within.c. */
typedef enum SpqShapeKind
{
	SPQ_SHAPE_POINT,
	SPQ_SHAPE_CIRCLE,
	SPQ_SHAPE_BOX,
	SPQ_SHAPE_LSEG,
	SPQ_SHAPE_POLYGON
} SpqShapeKind;

typedef struct SpqShape
{
	SpqShapeKind kind;
	BOX			core;			/* the bounds; of a circle, its center */
	float8		radius;			/* of a circle, else 0 */
	const LSEG *segment;		/* of that kind */
	const POLYGON *polygon;		/* of that kind */
} SpqShape;

extern bool spq_shape_window(const SpqShape *shape, float8 distance, BOX *window);
extern bool spq_shape_within(const SpqShape *a, const SpqShape *b, float8 distance);

#endif							/* SPQ_SHAPES_GEOMETRY_WITHIN_H */
