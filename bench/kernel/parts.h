/*-------------------------------------------------------------------------
 *
 * parts.h
 *	  A join of two arrays of boxes in plain C, in parts and lanes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BENCH_PARTS_H
#define SPQ_BENCH_PARTS_H

#include <stdint.h>

#include "shapes.h"

#define PARTS_EPSILON 1e-6		/* PostgreSQL's EPSILON */

/* Places of two boxes in their arrays. */
typedef struct Pair
{
	uint32_t	left,
				right;
} Pair;

typedef void (*TakePairs) (void *argument, const Pair *pairs, uint32_t count);

/*
 * Give all pairs of left and right boxes that satisfy PostgreSQL's &&, each
 * once and a few thousand at a time.
 */
extern void join_in_parts(Rects left, Rects right, TakePairs take, void *argument);

#endif							/* SPQ_BENCH_PARTS_H */
