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
 * Bounds are placed as in measure.h.  So among bounds without an end, those that
 * begin later are smaller: if rows arrive in the order in which they begin, as
 * versions of rows do, they go to the newest page, not to the first one.
 *
 * An insertion compares all entries of a page on each level, so this works on
 * columns, without branches except for the rare better child.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/lanes.h"
#include "rtree/place/choose.h"
#include "rtree/place/measure.h"

/* The extents of windows, as a fraction of the page's bounds. */
#define WINDOW	0.001

/* The "extent" of an empty child, which makes its growth the least. */
#define EMPTY	1000.0

/* One number for each entry of a group. */
typedef struct Lanes
{
	float8		lane[SPQ_RTREE_GROUP];
} Lanes;

#define FOR_LANES(i) for (int i = 0; i < SPQ_RTREE_GROUP; i++)

/*
 * Widen a hull by the finite ends of a page's entries on an axis.
 */
static void
add_entries(SpqRtreeBounds *hull, Page page, int axes, int axis)
{
	const float8 infinity = get_float8_infinity();
	int			groups = spq_rtree_groups(spq_rtree_count(page));
	Lanes		lows,
				highs;

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

		/* the other end takes the place of an infinite one */
		FOR_LANES(i)
		{
			float8		l = entry_low[i] > -infinity ? entry_low[i] : entry_high[i];
			float8		h = entry_high[i] < infinity ? entry_high[i] : entry_low[i];

			l = l > -infinity ? l : infinity;
			h = h < infinity ? h : -infinity;
			lows.lane[i] = l < lows.lane[i] ? l : lows.lane[i];
			highs.lane[i] = h > highs.lane[i] ? h : highs.lane[i];
		}
	}
	FOR_LANES(i)
	{
		hull->low[axis] = Min(hull->low[axis], lows.lane[i]);
		hull->high[axis] = Max(hull->high[axis], highs.lane[i]);
	}
}

/* Place two numbers, as spq_rtree_place_number() does. */
static pg_attribute_always_inline SpqDoubles
place_numbers(const float8 *numbers, SpqDoubles origin, SpqDoubles factor)
{
	SpqDoubles	placed = (spq_doubles_load(numbers) * spq_doubles_set(0.5) - origin) * factor;

	placed = spq_doubles_min(placed, spq_doubles_set(SPQ_RTREE_PLACED_MAX));
	return spq_doubles_max(placed, spq_doubles_set(SPQ_RTREE_PLACED_MIN));
}

/*
 * Multiply the measures of a group's children, without and with the new entry,
 * by their extents along an axis.  The new entry's ends are placed.
 */
static inline void
multiply_extents(Lanes *before, Lanes *after, const float8 *high, const float8 *low,
				 float8 origin, float8 factor, float8 new_high, float8 new_low)
{
	const SpqDoubles origins = spq_doubles_set(origin),
				factors = spq_doubles_set(factor),
				highs = spq_doubles_set(new_high),
				lows = spq_doubles_set(new_low),
				window = spq_doubles_set(WINDOW),
				empty = spq_doubles_set(EMPTY);

	for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
	{
		SpqDoubles	h = place_numbers(high + i, origins, factors),
					l = place_numbers(low + i, origins, factors),
					extent = h - l,
					wider = spq_doubles_max(h, highs) - spq_doubles_min(l, lows);

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
	SpqRtreeBounds hull = spq_rtree_bounds_nothing(),
				placed;
	SpqRtreeFrame frame;
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
		add_entries(&hull, page, axes, axis);
	spq_rtree_hull_add_finite(&hull, bounds);
	frame = spq_rtree_frame(&hull);
	placed = spq_rtree_place(&frame, bounds);

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
							 frame.origin[axis], frame.factor[axis],
							 placed.high[axis], placed.low[axis]);
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
