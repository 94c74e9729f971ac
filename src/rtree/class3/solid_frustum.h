/*-------------------------------------------------------------------------
 *
 * solid_frustum.h
 *	  Frustums and many boxes at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS3_SOLID_FRUSTUM_H
#define SPQ_RTREE_CLASS3_SOLID_FRUSTUM_H

#include "rtree/class/class.h"

/* The prefilters of "b && frustum" and "b <@ frustum" (condition.h). */
extern void spq_rtree_prefilter_by_frustum(const void *frustum, const SpqRtreeColumns *columns,
										   uint8 *matches, uint8 *sure);
extern void spq_rtree_prefilter_in_frustum(const void *frustum, const SpqRtreeColumns *columns,
										   uint8 *matches, uint8 *sure);

#endif							/* SPQ_RTREE_CLASS3_SOLID_FRUSTUM_H */
