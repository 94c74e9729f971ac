/*-------------------------------------------------------------------------
 *
 * bounds_place.h
 *	  Where bounds lie in a page.
 *
 * A page stores bounds in two ways.  Its promise is in the special space, number
 * after number; the bounds of a downlink are spread over the columns of a group:
 *
 *		promise		high.x high.y low.x low.y						stride 1
 *		downlink	high.x . . . . . . . high.y . . . . . . . ...	stride 8
 *
 * Code that reads, writes or logs bounds takes a place and serves both.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_BOUNDS_PLACE_H
#define SPQ_RTREE_PAGE_BOUNDS_PLACE_H

#include "rtree/page/bounds.h"

typedef struct SpqRtreeBoundsPlace
{
	float8	   *high;			/* of the first axis */
	float8	   *low;
	float8	   *high_code;		/* NULL: the page has no codes */
	float8	   *low_code;
	int			axes;
	int			stride;			/* from one axis to the next, in numbers */
} SpqRtreeBoundsPlace;

static inline SpqRtreeBounds
spq_rtree_get_bounds(const SpqRtreeBoundsPlace *place)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	for (int axis = 0; axis < place->axes; axis++)
	{
		bounds.high[axis] = place->high[axis * place->stride];
		bounds.low[axis] = place->low[axis * place->stride];
	}
	if (place->high_code)
	{
		bounds.high_code = *place->high_code;
		bounds.low_code = *place->low_code;
	}
	return bounds;
}

static inline void
spq_rtree_put_bounds(const SpqRtreeBoundsPlace *place, const SpqRtreeBounds *bounds)
{
	for (int axis = 0; axis < place->axes; axis++)
	{
		place->high[axis * place->stride] = bounds->high[axis];
		place->low[axis * place->stride] = bounds->low[axis];
	}
	if (place->high_code)
	{
		*place->high_code = bounds->high_code;
		*place->low_code = bounds->low_code;
	}
}

#endif							/* SPQ_RTREE_PAGE_BOUNDS_PLACE_H */
