/*-------------------------------------------------------------------------
 *
 * space.h
 *	  Common to the types of space.
 *
 * Operators in space are exact, so boxes contain the value without a margin.  A
 * value with a NaN gets a box with a NaN: operators are false for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TYPES_SPACE_SPACE_H
#define SPQ_TYPES_SPACE_SPACE_H

#include "solid/geometry/box3.h"
#include "solid/geometry/shapes3.h"

#include "types/rows.h"

/* The part of its box that a ball fills, like pi / 4 for circles. */
#define ROUND	(M_PI / 6)

/*
 * A guess: segments and rays are diagonals of their boxes more often than
 * edges.
 */
#define LINE_IN_BOX	0.5

/* Set a box that overlaps no other. */
static inline void
set_nowhere(float8 *numbers)
{
	for (int i = 0; i < 2 * SPQ_AXES; i++)
		numbers[i] = get_float8_nan();
}

#endif							/* SPQ_TYPES_SPACE_SPACE_H */
