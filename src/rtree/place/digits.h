/*-------------------------------------------------------------------------
 *
 * digits.h
 *	  Axes that are the digits of one number, as addresses of IPv6 have them.
 *
 * Such rows are intervals of numbers, and pages should be as well.  If the axes
 * counted alike, pages would be cubes:
 *
 *		y |-+--+--+-|-+--+--+-|
 *		  | |  |  | | |  |	| |		numbers with one first digit, x, are
 *		  |-+--+--+-|-+--+--+-|		on a line of all y, and so in many
 *		  +---------+---------+ x	cubes
 *
 * So the decisions of this folder get intervals on one axis in place of boxes.  An
 * end of an interval is its rank among all ends that a decision compares, which
 * is exact.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_DIGITS_H
#define SPQ_RTREE_PLACE_DIGITS_H

#include "rtree/page/bounds.h"

/* Compare two numbers, given their digits. */
static inline int
spq_rtree_compare_digits(const float8 *a, const float8 *b)
{
	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
		if (a[axis] != b[axis])
			return a[axis] < b[axis] ? -1 : 1;
	return 0;
}

/*
 * Return a number less another one, given the digits of both.  It is rounded, so
 * numbers far from the other one may become the same.
 */
static inline float8
spq_rtree_difference_of_digits(const float8 *digits, const float8 *other, float8 base)
{
	float8		number = 0;

	for (int axis = 0; axis < SPQ_RTREE_AXES; axis++)
		number = number * base + (digits[axis] - other[axis]);
	return number;
}

/*
 * Replace bounds by intervals of ranks on the first axis.  They are this many bytes
 * apart.  Empty ones stay empty.
 */
extern void spq_rtree_rank_digits(SpqRtreeBounds *bounds, Size distance, int count);

#endif							/* SPQ_RTREE_PLACE_DIGITS_H */
