/*-------------------------------------------------------------------------
 *
 * cube_box.h
 *	  Boxes in space: of a cube, and around everything within a distance of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CUBE_CUBE_BOX_H
#define SPQ_CUBE_CUBE_BOX_H

#include "solid/geometry/box3.h"

#include "cube/ndbox.h"

extern void spq_cube_box(const SpqCube *cube, SpqBox3 *box);
extern float8 spq_cube_reach(float8 distance);
extern float8 spq_cube_chord(float8 arc, float8 radius);
extern void spq_cube_box_within(const SpqCube *cube, float8 reach, SpqBox3 *box);

#endif							/* SPQ_CUBE_CUBE_BOX_H */
