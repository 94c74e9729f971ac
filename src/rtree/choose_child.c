/*-------------------------------------------------------------------------
 *
 * choose_child.c
 *	  The child that a new entry goes to.  See choose.h.
 *
 * The one whose measure (measure.h) grows least; of several of them, the one
 * that is smallest.  An empty child (bounds of nothing) comes before all others: so
 * it is filled again.
 *
 * An insertion looks at all entries of a page on each level, so this works on
 * columns, in loops without branches that a compiler can vectorize.  Therefore
 * numbers are not placed as measure.h does, but only scaled, and extents
 * limited, which takes care of infinities as well.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/choose.h"

/* The windows' extents, compared with the page's bounds. */
#define WINDOW	0.001

/* More than the extent of anything finite, which is at most 1. */
#define ENDLESS 3.0

/* "Measure" of a child without bounds, which makes its growth the least. */
#define EMPTY	1000.0

/* One number for each entry of a group. */
typedef struct Lanes
{
	float8		lane[SPQ_RTREE_GROUP];
} Lanes;

#define FOR_LANES(i) for (int i = 0; i < SPQ_RTREE_GROUP; i++)

/*
 * Return the factor that scales an axis such that the finite ends of a page's
 * entries and of the new one are at most 1 apart.
 */
static float8
scale_of_axis(Page page, int axis, float8 new_low, float8 new_high)
{
	const float8 infinity = get_float8_infinity();
	int			groups = spq_rtree_groups(spq_rtree_count(page));
	Lanes		lows,
				highs;
	float8		low = infinity,
				high = -infinity,
				half;

	FOR_LANES(i)
	{
		lows.lane[i] = infinity;
		highs.lane[i] = -infinity;
	}

	/*
	 * Places behind the last entry are zero, so they may add the origin to the
	 * hull: of the last group, take the first entry's ends instead.
	 */
	for (int group = 0; group < groups; group++)
	{
		const SpqRtreeInnerGroup *entries = spq_rtree_inner_group(page, group);
		const float8 *entry_high = entries->ends[axis],
				   *entry_low = entries->ends[SPQ_DIM + axis];
		int			count = spq_rtree_count(page) - group * SPQ_RTREE_GROUP;
		Lanes		first_high,
					first_low;

		if (unlikely(count < SPQ_RTREE_GROUP))
		{
			FOR_LANES(i)
			{
				first_high.lane[i] = entry_high[i < count ? i : 0];
				first_low.lane[i] = entry_low[i < count ? i : 0];
			}
			entry_high = first_high.lane;
			entry_low = first_low.lane;
		}

		/* a low end of infinity, or a high end of -infinity, changes nothing */
		FOR_LANES(i)
		{
			float8		l = entry_low[i] > -infinity ? entry_low[i] : infinity;
			float8		h = entry_high[i] < infinity ? entry_high[i] : -infinity;

			lows.lane[i] = l < lows.lane[i] ? l : lows.lane[i];
			highs.lane[i] = h > highs.lane[i] ? h : highs.lane[i];
		}
	}
	FOR_LANES(i)
	{
		low = Min(low, lows.lane[i]);
		high = Max(high, highs.lane[i]);
	}
	if (!isinf(new_low))
		low = Min(low, new_low);
	if (!isinf(new_high))
		high = Max(high, new_high);

	/* halved, as the difference could overflow; neither zero nor with an infinite inverse */
	half = 0.5 * high - 0.5 * low;
	return half < infinity ? 0.5 / Max(half, 1e-300) : 1;
}

/* Limit an extent.  That of a box at infinity is NaN, which is not less. */
static inline float8
limited(float8 extent)
{
	return extent < ENDLESS ? extent : ENDLESS;
}

int
spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds)
{
	float8		scale[SPQ_DIM],
				new_low[SPQ_DIM],
				new_high[SPQ_DIM];
	int			count = spq_rtree_count(page),
				best = 0;
	Lanes		least_growth,
				least_measure;
	int64		best_group[SPQ_RTREE_GROUP] = {0};

	Assert(count > 0);
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		scale[axis] = scale_of_axis(page, axis, bounds->low[axis], bounds->high[axis]);
		new_low[axis] = bounds->low[axis];
		new_high[axis] = bounds->high[axis];
	}
	FOR_LANES(i)
		least_growth.lane[i] = least_measure.lane[i] = get_float8_infinity();

	for (int group = 0; group < spq_rtree_groups(count); group++)
	{
		const SpqRtreeInnerGroup *entries = spq_rtree_inner_group(page, group);
		Lanes		before,
					growth;

		FOR_LANES(i)
			before.lane[i] = growth.lane[i] = 1;
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			const float8 *high = entries->ends[axis],
					   *low = entries->ends[SPQ_DIM + axis];
			const float8 factor = scale[axis],
						h = new_high[axis],
						l = new_low[axis];

			FOR_LANES(i)
			{
				float8		wider_high = high[i] > h ? high[i] : h;
				float8		wider_low = low[i] < l ? low[i] : l;
				float8		extent = limited(high[i] * factor - low[i] * factor);
				float8		wider = limited(wider_high * factor - wider_low * factor);

				extent = extent >= 0 ? extent : EMPTY;
				before.lane[i] *= extent + WINDOW;
				growth.lane[i] *= wider + WINDOW;
			}
		}
		FOR_LANES(i)
			growth.lane[i] -= before.lane[i];
		for (int i = count - group * SPQ_RTREE_GROUP; i < SPQ_RTREE_GROUP; i++)
			growth.lane[i] = get_float8_nan();
		FOR_LANES(i)
		{
			bool		better = (growth.lane[i] < least_growth.lane[i]) |
				((growth.lane[i] == least_growth.lane[i]) &
				 (before.lane[i] < least_measure.lane[i]));

			least_growth.lane[i] = better ? growth.lane[i] : least_growth.lane[i];
			least_measure.lane[i] = better ? before.lane[i] : least_measure.lane[i];
			best_group[i] = better ? group : best_group[i];
		}
	}

	/* the best of the lanes, of which the first always has an entry */
	for (int i = 1; i < SPQ_RTREE_GROUP; i++)
		if (least_growth.lane[i] < least_growth.lane[best] ||
			(least_growth.lane[i] == least_growth.lane[best] &&
			 least_measure.lane[i] < least_measure.lane[best]))
			best = i;
	return best_group[best] * SPQ_RTREE_GROUP + best;
}
