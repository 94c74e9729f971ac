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
 * Ends must be in order (bounds, or rows of classes whose ends are in order),
 * and may be any numbers but NaN.  A bound that cannot be computed is 0.
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

#ifdef __SSE2__

/*
 * Round sums of squares down to the limits above; NaN, from infinities, to 0.
 */
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
	/* if an operand is NaN, maxpd returns the second one */
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
 * Set the squares of lower bounds of the distances between a query's box, given
 * by its ends, and the boxes of a page.  "margins" has the constant margin of
 * each axis; "relative" is the fraction of an entry's coordinates, or 0 for no
 * margin.
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
