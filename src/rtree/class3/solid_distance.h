/*-------------------------------------------------------------------------
 *
 * solid_distance.h
 *	  Distances of boxes and points of three dimensions, as orders of a scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS3_SOLID_DISTANCE_H
#define SPQ_RTREE_CLASS3_SOLID_DISTANCE_H

#include "solid/geometry/solid.h"

#include "access/skey.h"

#include "rtree/class/class.h"

/* ORDER BY box3 <-> ray3 */
#define SPQ_SOLID_RAY_DISTANCE_STRATEGY		18

/* Set the order by the distance from a point, from a box or along a ray. */
extern void spq_rtree_solid_order(const ScanKeyData *key, SpqRtreeOrder *order);

/* The prefilter of "b && ray" (condition.h). */
extern void spq_rtree_prefilter_by_ray(const void *ray, const SpqRtreeColumns *columns,
									   uint8 *matches, uint8 *sure);

#endif							/* SPQ_RTREE_CLASS3_SOLID_DISTANCE_H */
