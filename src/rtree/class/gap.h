/*-------------------------------------------------------------------------
 *
 * gap.h
 *	  Lower bounds of distances: the gap between a query's box and the boxes of
 *	  eight entries.
 *
 *			+-------+
 *			| query |  dx		On each axis the gap is what lies between the
 *			+-------+---+		two intervals, or 0; two points of the boxes are
 *					dy	|		at least the hypotenuse of the gaps apart.
 *						+-------+
 *						| entry |
 *						+-------+
 *
 * Its square is computed here: roots keep the order, so a root is needed only
 * for the one entry that is chosen from many.
 *
 * Rounding is monotonic, so a computed gap is at most the computed difference
 * of any two coordinates in the intervals.  The factor of spq_rtree_root()
 * covers the roundings of squares, sum and root, here and in the operator.
 * Squares that may have lost bits to underflow are rounded down to 0, and those
 * that may overflow to a limit.
 *
 * If an operator is fuzzy, computes with radii, or accepts the foot of a
 * perpendicular as a point of an edge, each gap is reduced by a margin: a
 * constant that the caller chooses for the query, and a fraction of the entry's
 * coordinates.
 *
 * Ends are in order, except those of boxes, and never NaN.  The bound is 0 if it cannot
 * be computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_GAP_H
#define SPQ_RTREE_CLASS_GAP_H

#include <float.h>
#include <math.h>

#include "box/lanes.h"
#include "rtree/class/class.h"

/* A sum of squares below this may have lost bits to underflow ... */
#define SPQ_RTREE_LEAST_SQUARE	1e-280

/* ... and one below this has not overflowed. */
#define SPQ_RTREE_MOST_SQUARE	1e300

/* Return the root of a squared distance, rounded down. */
static inline float8
spq_rtree_root(float8 square)
{
	return sqrt(square) * (1.0 - 8.0 * DBL_EPSILON);
}

/*
 * Round sums of squares down to the limits above; NaN, from infinities, to 0.
 */
static pg_attribute_always_inline SpqDoubles
spq_rtree_sure_squares(SpqDoubles squares)
{
	SpqDoublesMask whole = squares >= spq_doubles_set(SPQ_RTREE_LEAST_SQUARE);

	return spq_doubles_min(spq_doubles_keep(whole, squares),
						   spq_doubles_set(SPQ_RTREE_MOST_SQUARE));
}

/* A query's interval along an axis, and its margin. */
typedef struct SpqRtreeInterval
{
	SpqDoubles	high;
	SpqDoubles	low;
	SpqDoubles	margin;
} SpqRtreeInterval;

/*
 * Set the squares of lower bounds of the distances between a query's box (as ends) and
 * the boxes of a page.  "margins" are for each axis; "relative" is 0 for none at all.
 *
 * "of_boxes" is for operators of boxes, with margins: corners may be the wrong way
 * round, and a box with an infinite end may be at any distance.
 */
static pg_attribute_always_inline void
spq_rtree_least_squares(const SpqRtreeColumns *columns, const float8 *query,
						const float8 *margins, float8 relative, bool of_boxes, float8 *squares)
{
	const char *group = columns->first;
	SpqRtreeInterval intervals[SPQ_DIM];

	Assert(relative > 0 || !of_boxes);
	/* these stay in registers */
	spq_each_axis(axis)
	{
		intervals[axis].high = spq_doubles_set(query[axis]);
		intervals[axis].low = spq_doubles_set(query[SPQ_DIM + axis]);
		intervals[axis].margin = spq_doubles_set(margins[axis]);
	}

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
				   *lows = highs + columns->low;

		for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
		{
			SpqDoubles	sum = spq_doubles_set(0),
						sizes = spq_doubles_set(0);

			spq_each_axis(axis)
			{
				const SpqRtreeInterval *interval = &intervals[axis];
				SpqDoubles	some = spq_doubles_load(&highs[axis][i]),
							others = spq_doubles_load(&lows[axis][i]),
							high = of_boxes ? spq_doubles_max(some, others) : some,
							low = of_boxes ? spq_doubles_min(some, others) : others,
							gap = spq_doubles_max(low - interval->high, interval->low - high);

				if (relative > 0)
				{
					SpqDoubles	size = spq_doubles_max(spq_doubles_abs(low), spq_doubles_abs(high));

					gap -= interval->margin + spq_doubles_set(relative) * size;
					sizes = axis == 0 ? size : sizes + size;
				}
				/* NaN becomes 0 */
				gap = spq_doubles_max(gap, spq_doubles_set(0));
				sum = axis == 0 ? gap * gap : sum + gap * gap;
			}
			sum = spq_rtree_sure_squares(sum);
			if (of_boxes)
				sum = spq_doubles_keep(sizes <= spq_doubles_set(DBL_MAX), sum);
			spq_doubles_store(&squares[i], sum);
		}
	}
}

/*
 * The same for points, which have one column for each axis; without margins.
 */
static inline void
spq_rtree_point_squares(const SpqRtreeColumns *columns, const float8 *query, float8 *squares)
{
	const char *group = columns->first;

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *ends = (const SpqRtreeColumn *) group;

		for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
		{
			SpqDoubles	sum = spq_doubles_set(0);

			spq_each_axis(axis)
			{
				SpqDoubles	gap = spq_doubles_load(&ends[axis][i]) - spq_doubles_set(query[axis]);

				sum = axis == 0 ? gap * gap : sum + gap * gap;
			}
			spq_doubles_store(&squares[i], spq_rtree_sure_squares(sum));
		}
	}
}

/*
 * Return a lower bound of the distance of a single row of a class whose ends
 * are only bounds: the index does not contain what its distance is computed
 * from.
 */
static inline float8
spq_rtree_bound_of_row(const SpqRtreeOrder *order, const float8 *ends)
{
	SpqRtreeColumn group[2 * SPQ_DIM] = {{0}};
	SpqRtreeColumns columns = {(const char *) group, sizeof(group), 1, SPQ_DIM, true, NULL};
	float8		squares[SPQ_RTREE_GROUP];

	for (int end = 0; end < 2 * SPQ_DIM; end++)
		group[end][0] = ends[end];
	order->least(order, &columns, squares);
	return spq_rtree_root(squares[0]);
}

#endif							/* SPQ_RTREE_CLASS_GAP_H */
