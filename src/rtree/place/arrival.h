/*-------------------------------------------------------------------------
 *
 * arrival.h
 *	  Whether the entries of a page arrived in order.
 *
 * Rows that arrive sorted, as times do, leave behind pages that get no more
 * rows.  A split recognizes such a page by the order of its entries, as pages
 * keep the order of arrival, and leaves it nearly full.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_ARRIVAL_H
#define SPQ_RTREE_PLACE_ARRIVAL_H

#include "rtree/page/bounds.h"

/* At least these parts of the entries stay on the page behind, and go to the new one. */
#define SPQ_RTREE_LEAST_KEPT	0.8
#define SPQ_RTREE_LEAST_NEW		0.1

/* The axis of codes. */
#define SPQ_RTREE_CODE_AXIS		SPQ_RTREE_AXES

/*
 * Return whether entries arrived in ascending order along an axis (1), in
 * descending order (-1), or in neither (0): of the later half, nearly all have to
 * be beyond all that came before them.  Of codes, which many rows have in common,
 * the same one as before is enough.
 */
static inline int
spq_rtree_order_of_arrival(const SpqRtreeBounds *bounds, int count, int axis)
{
	const int	least = 20;		/* fewer have no order */
	bool		of_codes = axis == SPQ_RTREE_CODE_AXIS;
	float8		highest = -get_float8_infinity(),
				lowest = get_float8_infinity();
	int			ascents = 0,
				descents = 0;

	if (count < least)
		return 0;
	for (int i = 0; i < count; i++)
	{
		float8		low = of_codes ? bounds[i].low_code : bounds[i].low[axis],
					high = of_codes ? bounds[i].high_code : bounds[i].high[axis];

		if (low > highest || (of_codes && low == highest))
		{
			highest = low;
			ascents += i >= count / 2;
		}
		if (high < lowest || (of_codes && high == lowest))
		{
			lowest = high;
			descents += i >= count / 2;
		}
	}
	return ascents >= 0.4 * count ? 1 : descents >= 0.4 * count ? -1 : 0;
}

#endif							/* SPQ_RTREE_PLACE_ARRIVAL_H */
