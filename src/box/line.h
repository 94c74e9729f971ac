/*-------------------------------------------------------------------------
 *
 * line.h
 *	  The straight line on which a ray or a segment lies.
 *
 * A line excludes boxes that the bounding box of a long segment does not:
 *
 *		+-----------+ q
 *		| #		   /|		the boxes # are in the bounds of p and q, but not
 *		|	   /	|		near the line
 *		|/	   #	|
 *	  p +-----------+
 *
 * In the plane, PostgreSQL's operators accept points beside a segment, and
 * beside an edge of a box, so "near" has a width.  In space they are exact.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_LINE_H
#define SPQ_BOX_LINE_H

#include <float.h>
#include <math.h>

#include "utils/geo_decls.h"

#define SPQ_LINE_AXES	3		/* in the plane, the third is 0 */

/*
 * A point of the line, and its direction.  Numbers are such that products of a
 * few of them neither overflow nor underflow; if those of a value are not, all
 * are NaN, and the line excludes nothing.
 */
typedef struct SpqLine
{
	float8		at[SPQ_LINE_AXES],
				along[SPQ_LINE_AXES],
				reach;			/* points this far away may count, too */
} SpqLine;

/* Bounds of the numbers of a line: of all, and of ratios of directions. */
#define SPQ_LINE_MOST	1e100

/*
 * Return how far a point can be from an edge of this length if PostgreSQL
 * accepts it as a point of the edge.
 *
 * A point P is on an edge from A to B if the sum of its distances from A and B
 * equals the edge's length L, within EPSILON:
 *
 *			____________P__________
 *		A _/_______________________\_ B		|PA| + |PB| <= L + e
 *		   \_______________________/
 *
 * This is an ellipse.  Its points are at most sqrt(2 L e + e e) / 2, half of
 * the minor axis, away from the edge, and at most e beyond its ends.  So all
 * of it is within sqrt(L e / 2) + 2 e.  e is EPSILON and the rounding of three
 * hypotenuses and two sums.
 */
static inline float8
spq_line_reach(float8 length)
{
	float8		e = EPSILON + (EPSILON + length) * (64 * DBL_EPSILON);

	return sqrt(length * e / 2) + 2 * e;
}

#endif							/* SPQ_BOX_LINE_H */
