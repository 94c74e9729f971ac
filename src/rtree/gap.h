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
 * Rounding is monotonic, so a computed gap is at most the computed difference of
 * any two coordinates in the intervals.  The last factor is for the
 * roundings of squares, sum and root, here and in the operator.
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
#ifndef SPQ_RTREE_GAP_H
#define SPQ_RTREE_GAP_H

#include <float.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "rtree/page.h"

/* A sum of squares below this has not overflowed. */
#define SPQ_RTREE_MAX_SQUARES	1e300

#ifdef __SSE2__

static pg_attribute_always_inline __m128d
spq_rtree_two_gaps(const float8 (*ends)[SPQ_RTREE_GROUP], int axis, int i,
				   const float8 *query, float8 margin, float8 relative)
{
	__m128d		high = _mm_loadu_pd(&ends[axis][i]),
				low = _mm_loadu_pd(&ends[SPQ_DIM + axis][i]),
				gap = _mm_max_pd(_mm_sub_pd(low, _mm_set1_pd(query[axis])),
								 _mm_sub_pd(_mm_set1_pd(query[SPQ_DIM + axis]), high));

	if (relative > 0)
	{
		__m128d		sign = _mm_set1_pd(-0.0),
					size = _mm_max_pd(_mm_andnot_pd(sign, low), _mm_andnot_pd(sign, high));

		gap = _mm_sub_pd(gap, _mm_add_pd(_mm_set1_pd(margin),
										 _mm_mul_pd(_mm_set1_pd(relative), size)));
	}
	/* of the two operands maxpd returns the second if one is NaN */
	return _mm_max_pd(gap, _mm_setzero_pd());
}

#else

static inline float8
spq_rtree_one_gap(const float8 (*ends)[SPQ_RTREE_GROUP], int axis, int i,
				  const float8 *query, float8 margin, float8 relative)
{
	float8		high = ends[axis][i],
				low = ends[SPQ_DIM + axis][i],
				gap = Max(low - query[axis], query[SPQ_DIM + axis] - high);

	if (relative > 0)
		gap -= margin + relative * Max(fabs(low), fabs(high));
	return gap > 0 ? gap : 0;
}
#endif

/*
 * Set lower bounds of the distances between a query's box (as ends) and the boxes
 * of a group.  "margins" are for each axis; "relative" is 0 for none at all.
 */
static pg_attribute_always_inline void
spq_rtree_least_gaps(const float8 (*ends)[SPQ_RTREE_GROUP], const float8 *query,
					 const float8 *margins, float8 relative, float8 *least)
{
	const float8 shorter = 1.0 - 8.0 * DBL_EPSILON;

	StaticAssertStmt(SPQ_DIM == 2, "these loops are written for two axes");
#ifdef __SSE2__
	for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
	{
		__m128d		dx = spq_rtree_two_gaps(ends, 0, i, query, margins[0], relative),
					dy = spq_rtree_two_gaps(ends, 1, i, query, margins[1], relative),
					squares = _mm_add_pd(_mm_mul_pd(dx, dx), _mm_mul_pd(dy, dy)),
					small = _mm_cmplt_pd(squares, _mm_set1_pd(SPQ_RTREE_MAX_SQUARES)),
					distance = _mm_mul_pd(_mm_sqrt_pd(squares), _mm_set1_pd(shorter));

		_mm_storeu_pd(&least[i], _mm_or_pd(_mm_and_pd(small, distance),
										   _mm_andnot_pd(small, _mm_max_pd(dx, dy))));
	}
#else
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		float8		dx = spq_rtree_one_gap(ends, 0, i, query, margins[0], relative),
					dy = spq_rtree_one_gap(ends, 1, i, query, margins[1], relative),
					squares = dx * dx + dy * dy;

		least[i] = squares < SPQ_RTREE_MAX_SQUARES ? sqrt(squares) * shorter : Max(dx, dy);
	}
#endif
}

#endif							/* SPQ_RTREE_GAP_H */
