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

#include "box/lanes.h"
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
	const SpqDoublesMask all = {-1, -1};
	SpqDoublesMask m0,
				m1,
				m2,
				m3;

	/* written out, so that the masks stay in registers */
	m0 = m1 = m2 = m3 = all;
	for (int c = 0; c < ncomparisons; c++)
	{
		const float8 *column = ends[comparisons[c].end];
		SpqDoubles	number = spq_doubles_set(comparisons[c].number);

		if (comparisons[c].at_most)
		{
			m0 &= spq_doubles_load(column) <= number;
			m1 &= spq_doubles_load(column + 2) <= number;
			m2 &= spq_doubles_load(column + 4) <= number;
			m3 &= spq_doubles_load(column + 6) <= number;
		}
		else
		{
			m0 &= spq_doubles_load(column) >= number;
			m1 &= spq_doubles_load(column + 2) >= number;
			m2 &= spq_doubles_load(column + 4) >= number;
			m3 &= spq_doubles_load(column + 6) >= number;
		}
	}
	return spq_doubles_bits_of_four(m0, m1, m2, m3);
}

/* The same for a group of a leaf of floats. */
static pg_attribute_always_inline uint8
spq_rtree_match_floats(const SpqRtreeFloatColumn *ends,
					   const SpqRtreeComparison *comparisons, int ncomparisons)
{
	const SpqFloatsMask all = {-1, -1, -1, -1};
	SpqFloatsMask m0 = all,
				m1 = all;

	for (int c = 0; c < ncomparisons; c++)
	{
		const float4 *column = ends[comparisons[c].end];
		SpqFloats	number = spq_floats_set(comparisons[c].rounded);

		if (comparisons[c].at_most)
		{
			m0 &= spq_floats_load(column) <= number;
			m1 &= spq_floats_load(column + 4) <= number;
		}
		else
		{
			m0 &= spq_floats_load(column) >= number;
			m1 &= spq_floats_load(column + 4) >= number;
		}
	}
	return spq_floats_bits(m0) | spq_floats_bits(m1) << 4;
}

/*
 * Return for which entries of a group a is less than b: bit i is for entry i.
 */
static inline uint8
spq_rtree_less(const float8 *a, const float8 *b)
{
	uint32		less = 0;

	for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
		less |= spq_doubles_bits(spq_doubles_load(&a[i]) < spq_doubles_load(&b[i])) << i;
	return less;
}

StaticAssertDecl(SPQ_RTREE_GROUP == 8, "a group has a bit in a byte for each entry");

#endif							/* SPQ_RTREE_CLASS_KERNEL_H */
