/*-------------------------------------------------------------------------
 *
 * digits.c
 *	  Axes that are the digits of one number.  See digits.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "rtree/place/digits.h"

typedef struct DigitsEnd
{
	float8	   *digits;
} DigitsEnd;

#define ST_SORT sort_ends
#define ST_ELEMENT_TYPE DigitsEnd
#define ST_COMPARE(a, b) spq_rtree_compare_digits((a)->digits, (b)->digits)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

void
spq_rtree_rank_digits(SpqRtreeBounds *bounds, Size distance, int count)
{
	DigitsEnd  *ends = MemoryContextAllocHuge(CurrentMemoryContext,
											  2 * count * sizeof(DigitsEnd));
	int			n = 0;
	float8		rank = 0;

	for (int i = 0; i < count; i++)
	{
		SpqRtreeBounds *of_entry = (SpqRtreeBounds *) ((char *) bounds + i * distance);

		if (spq_rtree_bounds_are_nothing(of_entry))
			continue;
		ends[n++].digits = of_entry->high;
		ends[n++].digits = of_entry->low;
	}
	sort_ends(ends, n);
	for (int i = 0; i < n; i++)
	{
		float8	   *digits = ends[i].digits;
		bool		is_last = i + 1 == n ||
			spq_rtree_compare_digits(digits, ends[i + 1].digits) != 0;

		digits[0] = rank;
		for (int axis = 1; axis < SPQ_RTREE_AXES; axis++)
			digits[axis] = 0;
		rank += is_last;
	}
	pfree(ends);
}
