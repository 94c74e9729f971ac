/*-------------------------------------------------------------------------
 *
 * gap.h
 *	  Lower bounds of distances from bounds: the gap between a query's box and those
 *	  of eight entries.
 *
 *			+-------+
 *			| query |  dx		On each axis the gap is what lies between the two
 *			+-------+---+		intervals, or 0; the distance of two points of the
 *					dy	|		boxes is at least the hypotenuse of the gaps.
 *						+-------+
 *						| entry |
 *						+-------+
 *
 * What is computed is its square: roots keep the order, so they can wait until one of
 * many entries has been chosen.
 *
 * Rounding is monotonic, so a computed gap is at most the computed difference of
 * any two coordinates in the intervals.  The factor behind the root is for the
 * roundings of squares, sum and root, here and in the operator.  Squares that have lost
 * bits to underflow, or may overflow, are rounded down, to 0 and to a limit.
 *
 * Where an operator is fuzzy, or computes with radii, or takes a foot of a perpendicular
 * for a point of an edge, each gap is made smaller by a margin: constant, which
 * the caller chooses for the query, and a part of the entry's coordinates.
 *
 * For ends in order (bounds, or of leaves of classes whose ends are in order), of
 * any numbers but NaN.  The bound is 0 if it cannot be computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_GAP_H
#define SPQ_RTREE_CLASS_GAP_H

#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "rtree/class/class.h"

/* A sum of squares below this may have lost bits, ... */
#define SPQ_RTREE_LEAST_SQUARE	1e-280

/* ... and one below this has not overflowed. */
#define SPQ_RTREE_MOST_SQUARE	1e300

/* Return the lower bound of a distance of which the square is this. */
static inline float8
spq_rtree_root(float8 square)
{
	return sqrt(square) * (1.0 - 8.0 * DBL_EPSILON);
}

#ifdef __SSE2__

/* Round sums of squares down to what they are worth; NaN, of infinite numbers, to 0. */
static inline __m128d
spq_rtree_two_squares(__m128d squares)
{
	return _mm_and_pd(_mm_min_pd(squares, _mm_set1_pd(SPQ_RTREE_MOST_SQUARE)),
					  _mm_cmpge_pd(squares, _mm_set1_pd(SPQ_RTREE_LEAST_SQUARE)));
}

#else

static inline float8
spq_rtree_one_square(float8 square)
{
	return square >= SPQ_RTREE_LEAST_SQUARE ? Min(square, SPQ_RTREE_MOST_SQUARE) : 0.0;
}
#endif

#ifdef __SSE2__

/* A query's interval along an axis, and margins. */
typedef struct SpqRtreeTwoIntervals
{
	__m128d		high;
	__m128d		low;
	__m128d		margin;
	__m128d		relative;
} SpqRtreeTwoIntervals;

static pg_attribute_always_inline __m128d
spq_rtree_two_gaps(const SpqRtreeColumn *highs, const SpqRtreeColumn *lows, int axis, int i,
				   const SpqRtreeTwoIntervals *query, bool has_margin)
{
	__m128d		high = _mm_loadu_pd(&highs[axis][i]),
				low = _mm_loadu_pd(&lows[axis][i]),
				gap = _mm_max_pd(_mm_sub_pd(low, query->high), _mm_sub_pd(query->low, high));

	if (has_margin)
	{
		__m128d		sign = _mm_set1_pd(-0.0),
					size = _mm_max_pd(_mm_andnot_pd(sign, low), _mm_andnot_pd(sign, high));

		gap = _mm_sub_pd(gap, _mm_add_pd(query->margin, _mm_mul_pd(query->relative, size)));
	}
	/* of the two operands maxpd returns the second if one is NaN */
	return _mm_max_pd(gap, _mm_setzero_pd());
}

#else

static inline float8
spq_rtree_one_gap(const SpqRtreeColumn *highs, const SpqRtreeColumn *lows, int axis, int i,
				  const float8 *query, float8 margin, float8 relative)
{
	float8		high = highs[axis][i],
				low = lows[axis][i],
				gap = Max(low - query[axis], query[SPQ_DIM + axis] - high);

	if (relative > 0)
		gap -= margin + relative * Max(fabs(low), fabs(high));
	return gap > 0 ? gap : 0;
}
#endif

/*
 * Set the squares of lower bounds of the distances between a query's box (as ends) and
 * the boxes of a page.  "margins" are for each axis; "relative" is 0 for none at all.
 */
static pg_attribute_always_inline void
spq_rtree_least_squares(const SpqRtreeColumns *columns, const float8 *query,
						const float8 *margins, float8 relative, float8 *squares)
{
	const char *group = columns->first;
#ifdef __SSE2__
	SpqRtreeTwoIntervals intervals[SPQ_DIM];

	/* these stay in registers */
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		intervals[axis].high = _mm_set1_pd(query[axis]);
		intervals[axis].low = _mm_set1_pd(query[SPQ_DIM + axis]);
		intervals[axis].margin = _mm_set1_pd(margins[axis]);
		intervals[axis].relative = _mm_set1_pd(relative);
	}
#endif

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
				   *lows = highs + columns->low;

#ifdef __SSE2__
		for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
		{
			__m128d		sum = _mm_setzero_pd();

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				__m128d		gap = spq_rtree_two_gaps(highs, lows, axis, i, &intervals[axis],
													 relative > 0);

				sum = _mm_add_pd(sum, _mm_mul_pd(gap, gap));
			}
			_mm_storeu_pd(&squares[i], spq_rtree_two_squares(sum));
		}
#else
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		sum = 0;

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				float8		gap = spq_rtree_one_gap(highs, lows, axis, i, query, margins[axis], relative);

				sum += gap * gap;
			}
			squares[i] = spq_rtree_one_square(sum);
		}
#endif
	}
}

/* The same between points, with only the first half of their ends. */
static inline void
spq_rtree_point_squares(const SpqRtreeColumns *columns, const float8 *query, float8 *squares)
{
	const char *group = columns->first;

	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *ends = (const SpqRtreeColumn *) group;

#ifdef __SSE2__
		for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
		{
			__m128d		sum = _mm_setzero_pd();

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				__m128d		gap = _mm_sub_pd(_mm_loadu_pd(&ends[axis][i]),
											 _mm_set1_pd(query[axis]));

				sum = _mm_add_pd(sum, _mm_mul_pd(gap, gap));
			}
			_mm_storeu_pd(&squares[i], spq_rtree_two_squares(sum));
		}
#else
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		sum = 0;

			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				float8		gap = ends[axis][i] - query[axis];

				sum += gap * gap;
			}
			squares[i] = spq_rtree_one_square(sum);
		}
#endif
	}
}

/*
 * Return the lower bound of the distance of a single row, of a class whose ends are bounds
 * only: its distance is not to be had from the index.
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
