/*-------------------------------------------------------------------------
 *
 * choose_child.c
 *	  The child that a new entry goes to.  See choose.h.
 *
 * This is the child whose measure (measure.h) grows least; of several such
 * children, the smallest.  An empty child comes before all others, so it is
 * filled again if rows still reach its parent.  In an index with scalar columns
 * codes decide first (by_code.c); only the best children by code are then
 * considered.
 *
 * An insertion compares all entries of a page on each level, so this works on
 * columns, without branches except for the rare better child.  Therefore
 * numbers are not placed as in measure.h, but only scaled, and extents are
 * limited, which takes care of infinities as well.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/lanes.h"
#include "rtree/place/choose.h"

/* The extents of windows, as a fraction of the page's bounds. */
#define WINDOW	0.001

/* The extent of infinite bounds; the extents of finite ones are at most 1. */
#define ENDLESS 3.0

/* The "extent" of an empty child, which makes its growth the least. */
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
scale_of_axis(Page page, int axes, int axis, float8 new_low, float8 new_high)
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
	 * Places after the last entry are zero, which could add the origin to the
	 * hull.  In the last group, the first entry's ends replace them.
	 */
	for (int group = 0; group < groups; group++)
	{
		const SpqRtreeColumn *ends = spq_rtree_group_columns(page, group);
		const float8 *entry_high = ends[axis],
				   *entry_low = ends[axes + axis];
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

		/* infinite ends change nothing */
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

	/*
	 * halved, because the difference could overflow; limited, so that its
	 * inverse is finite
	 */
	half = 0.5 * high - 0.5 * low;
	return half < infinity ? 0.5 / Max(half, 1e-300) : 1;
}

/*
 * Multiply the measures of a group's children, without and with the new entry,
 * by their extents along an axis.  The extent of a box at infinity is NaN, and
 * counts as endless.
 */
static inline void
multiply_extents(Lanes *before, Lanes *after, const float8 *high, const float8 *low,
				 float8 factor, float8 new_high, float8 new_low)
{
	const SpqDoubles factors = spq_doubles_set(factor),
				highs = spq_doubles_set(new_high),
				lows = spq_doubles_set(new_low),
				window = spq_doubles_set(WINDOW),
				endless = spq_doubles_set(ENDLESS),
				empty = spq_doubles_set(EMPTY);

	for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
	{
		SpqDoubles	h = spq_doubles_load(high + i) * factors,
					l = spq_doubles_load(low + i) * factors,
					extent,
					wider;

		/* the minimum of NaN and a number is the second operand */
		extent = spq_doubles_min(h - l, endless);
		h = spq_doubles_max(h, highs * factors);
		l = spq_doubles_min(l, lows * factors);
		wider = spq_doubles_min(h - l, endless);
		extent = spq_doubles_choose(extent < spq_doubles_set(0), empty, extent);
		spq_doubles_store(before->lane + i,
						  spq_doubles_load(before->lane + i) * (extent + window));
		spq_doubles_store(after->lane + i,
						  spq_doubles_load(after->lane + i) * (wider + window));
	}
}

int
spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds)
{
	float8		scale[SPQ_RTREE_AXES];
	int			axes = spq_rtree_page_axes(page),
				count = spq_rtree_count(page),
				best = 0;
	float8		least_growth = get_float8_infinity(),
				least_measure = get_float8_infinity();

	uint8		candidates[SPQ_RTREE_INNER_MAX / SPQ_RTREE_GROUP];
	bool		keyed = spq_rtree_is_keyed(page);

	Assert(count > 0);
	if (keyed)
		spq_rtree_choose_by_code(page, bounds, candidates);
	for (int axis = 0; axis < axes; axis++)
		scale[axis] = scale_of_axis(page, axes, axis, bounds->low[axis], bounds->high[axis]);

	for (int first = 0; first < count; first += SPQ_RTREE_GROUP)
	{
		const SpqRtreeColumn *ends = spq_rtree_group_columns(page, first / SPQ_RTREE_GROUP);
		Lanes		before,
					growth;
		bool		any = false;

		if (keyed && candidates[first / SPQ_RTREE_GROUP] == 0)
			continue;
		FOR_LANES(i)
			before.lane[i] = growth.lane[i] = 1;
		for (int axis = 0; axis < axes; axis++)
			multiply_extents(&before, &growth, ends[axis], ends[axes + axis],
							 scale[axis], bounds->high[axis], bounds->low[axis]);
		FOR_LANES(i)
			growth.lane[i] -= before.lane[i];

		/* a group rarely has a better child */
		FOR_LANES(i)
			any |= growth.lane[i] <= least_growth;
		if (likely(!any))
			continue;
		for (int i = 0; i < Min(SPQ_RTREE_GROUP, count - first); i++)
		{
			if (keyed && !(candidates[first / SPQ_RTREE_GROUP] & (1 << i)))
				continue;
			if (growth.lane[i] < least_growth ||
				(growth.lane[i] == least_growth && before.lane[i] < least_measure))
			{
				least_growth = growth.lane[i];
				least_measure = before.lane[i];
				best = first + i;
			}
		}
	}
	return best;
}
