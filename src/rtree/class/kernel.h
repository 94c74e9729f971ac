/*-------------------------------------------------------------------------
 *
 * kernel.h
 *	  Comparisons of eight entries at a time.
 *
 * The columns of a group make this a loop over neighbors.  It has no branches
 * that depend on the entries, because which of them match is unpredictable.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_KERNEL_H
#define SPQ_RTREE_CLASS_KERNEL_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "rtree/class/condition.h"
#include "rtree/page/page.h"

/*
 * Return which entries of a group satisfy all comparisons: bit i is for entry
 * i.  The bits of places after the last entry of a page are undefined.
 *
 * For an inner page, whose entries are bounds, the columns of the comparisons
 * are those that spq_rtree_bounding_end() returns.
 */
static pg_attribute_always_inline uint8
spq_rtree_match_group(const SpqRtreeColumn *ends,
					  const SpqRtreeComparison *comparisons, int ncomparisons)
{
#ifdef __SSE2__
	__m128d		m0,
				m1,
				m2,
				m3;
	__m128i		low,
				high;

	/* written out, so that the masks stay in registers */
	m0 = m1 = m2 = m3 = _mm_castsi128_pd(_mm_set1_epi32(-1));
	for (int c = 0; c < ncomparisons; c++)
	{
		const float8 *column = ends[comparisons[c].end];
		__m128d		number = _mm_set1_pd(comparisons[c].number);

		if (comparisons[c].at_most)
		{
			m0 = _mm_and_pd(m0, _mm_cmple_pd(_mm_loadu_pd(column), number));
			m1 = _mm_and_pd(m1, _mm_cmple_pd(_mm_loadu_pd(column + 2), number));
			m2 = _mm_and_pd(m2, _mm_cmple_pd(_mm_loadu_pd(column + 4), number));
			m3 = _mm_and_pd(m3, _mm_cmple_pd(_mm_loadu_pd(column + 6), number));
		}
		else
		{
			m0 = _mm_and_pd(m0, _mm_cmpge_pd(_mm_loadu_pd(column), number));
			m1 = _mm_and_pd(m1, _mm_cmpge_pd(_mm_loadu_pd(column + 2), number));
			m2 = _mm_and_pd(m2, _mm_cmpge_pd(_mm_loadu_pd(column + 4), number));
			m3 = _mm_and_pd(m3, _mm_cmpge_pd(_mm_loadu_pd(column + 6), number));
		}
	}

	/* shrink the eight masks from 64 bits to 32, 16, 8, and 1 */
	low = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(m0), _mm_castpd_ps(m1), 0x88));
	high = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(m2), _mm_castpd_ps(m3), 0x88));
	low = _mm_packs_epi32(low, high);
	return _mm_movemask_epi8(_mm_packs_epi16(low, low)) & 0xff;
#else
	uint8		match = 0xff;

	for (int c = 0; c < ncomparisons; c++)
	{
		const float8 *column = ends[comparisons[c].end];
		float8		number = comparisons[c].number;
		uint8		satisfied = 0;

		if (comparisons[c].at_most)
		{
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				satisfied |= (column[i] <= number) << i;
		}
		else
		{
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				satisfied |= (column[i] >= number) << i;
		}
		match &= satisfied;
	}
	return match;
#endif
}

/*
 * Return for which entries of a group a is less than b: bit i is for entry i.
 */
static inline uint8
spq_rtree_less(const float8 *a, const float8 *b)
{
	uint32		less = 0;

#ifdef __SSE2__
	for (int i = 0; i < SPQ_RTREE_GROUP; i += 2)
		less |= _mm_movemask_pd(_mm_cmplt_pd(_mm_loadu_pd(&a[i]), _mm_loadu_pd(&b[i]))) << i;
#else
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		less |= (a[i] < b[i]) << i;
#endif
	return less;
}

StaticAssertDecl(SPQ_RTREE_GROUP == 8, "a group has a bit in a byte for each entry");

#endif							/* SPQ_RTREE_CLASS_KERNEL_H */
