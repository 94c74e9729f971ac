/*-------------------------------------------------------------------------
 *
 * kernel.h
 *	  Comparisons of eight entries at a time.
 *
 * The columns of a group make this a loop over neighbors.  Without branches
 * that depend on the entries: which of them match is as good as random.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_KERNEL_H
#define SPQ_RTREE_KERNEL_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "rtree/condition.h"
#include "rtree/page.h"

/*
 * Return which entries of a group satisfy all comparisons: bit i is for entry i.
 * Places behind the last entry of a page have bits, too, which mean nothing.
 *
 * Of an inner page the caller asks about bounds, and so passes comparisons that
 * are made with spq_rtree_bounding_end().
 */
static pg_attribute_always_inline uint8
spq_rtree_match_group(const float8 (*ends)[SPQ_RTREE_GROUP],
					  const SpqRtreeComparison *comparisons, int ncomparisons)
{
#ifdef __SSE2__
	__m128d		match[SPQ_RTREE_GROUP / 2];
	__m128i		low,
				high;

	for (int i = 0; i < SPQ_RTREE_GROUP / 2; i++)
		match[i] = _mm_castsi128_pd(_mm_set1_epi32(-1));
	for (int c = 0; c < ncomparisons; c++)
	{
		const float8 *column = ends[comparisons[c].end];
		__m128d		number = _mm_set1_pd(comparisons[c].number);

		if (comparisons[c].at_most)
		{
			for (int i = 0; i < SPQ_RTREE_GROUP / 2; i++)
				match[i] = _mm_and_pd(match[i],
									  _mm_cmple_pd(_mm_loadu_pd(column + 2 * i), number));
		}
		else
		{
			for (int i = 0; i < SPQ_RTREE_GROUP / 2; i++)
				match[i] = _mm_and_pd(match[i],
									  _mm_cmpge_pd(_mm_loadu_pd(column + 2 * i), number));
		}
	}

	/* eight masks of 64 bits, of 32, 16, 8, 1 */
	low = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(match[0]),
										  _mm_castpd_ps(match[1]), 0x88));
	high = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(match[2]),
										   _mm_castpd_ps(match[3]), 0x88));
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

StaticAssertDecl(SPQ_RTREE_GROUP == 8, "a group has a bit in a byte for each entry");

#endif							/* SPQ_RTREE_KERNEL_H */
