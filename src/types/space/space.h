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

#include "types/type.h"

#define EXACT	SPQ_TYPE_EXACT

/* The part of its box that a ball fills, like pi / 4 for circles. */
#define ROUND	(M_PI / 6)

/*
 * A guess: segments and rays are diagonals of their boxes more often than
 * edges.
 */
#define LINE_IN_BOX	0.5

#define OPERATOR(symbol_, relation_, fraction_, left_, right_) \
	{.function = SPQ_TYPE_OWN(symbol_),.relation = relation_,.fraction = fraction_, \
	.left = &spq_type_##left_,.right = &spq_type_##right_}

/* Set a box that overlaps no other. */
static inline void
set_nowhere(float8 *numbers)
{
	for (int i = 0; i < 2 * SPQ_AXES; i++)
		numbers[i] = get_float8_nan();
}

#endif							/* SPQ_TYPES_SPACE_SPACE_H */
