/*-------------------------------------------------------------------------
 *
 * box3.h
 *	  Boxes made from others, and the distance of two boxes.
 *
 * These functions need no server and raise no errors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_GEOMETRY_BOX3_H
#define SPQ_SOLID_GEOMETRY_BOX3_H

#include "solid/geometry/solid.h"

#include "box/relation.h"

extern void spq_box3_of_corners(const float8 *a, const float8 *b, SpqBox3 *result);
extern void spq_box3_bounds(const SpqBox3 *a, const SpqBox3 *b, SpqBox3 *result);
extern bool spq_box3_intersection(const SpqBox3 *a, const SpqBox3 *b, SpqBox3 *result);
extern bool spq_box3_expanded(SpqBoxCorners box, float8 distance, SpqBox3 *result);
extern bool spq_box3_expanded_by_axis(SpqBoxCorners box, const float8 *distances, SpqBox3 *result);
extern float8 spq_box3_distance(SpqBoxCorners a, SpqBoxCorners b);

#endif							/* SPQ_SOLID_GEOMETRY_BOX3_H */
