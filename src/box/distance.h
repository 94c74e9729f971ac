/*-------------------------------------------------------------------------
 *
 * distance.h
 *	  The distances that nearest-neighbour scans order by.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DISTANCE_H
#define SPQ_DISTANCE_H

#include "lattice/bounds.h"

/* Are two points the same, as for the operator ~= of points? */
static inline bool
spq_same_point(const Point *a, const Point *b)
{
	if (unlikely(isnan(a->x) || isnan(a->y) || isnan(b->x) || isnan(b->y)))
		return float8_eq(a->x, b->x) && float8_eq(a->y, b->y);
	return FPeq(a->x, b->x) && FPeq(a->y, b->y);
}

extern float8 spq_point_distance(const BOX *box, const Point *point);
extern float8 spq_centre_distance(const BOX *box, const BOX *query);
extern float8 spq_least_distance(const SpqBounds *bounds, const Point *point);
extern Point spq_box_centre(const BOX *box);

#endif							/* SPQ_DISTANCE_H */
