/*-------------------------------------------------------------------------
 *
 * solid_condition.h
 *	  Conditions on boxes and points of three dimensions with other shapes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS3_SOLID_CONDITION_H
#define SPQ_RTREE_CLASS3_SOLID_CONDITION_H

#include "solid/geometry/shapes3.h"

#include "access/skey.h"

#include "rtree/class/condition.h"

/*
 * Strategies of the classes for box3 and point3, besides those of src/box/strategy.h:
 * "b && shape", and "b <@ shape", for both types.
 */
#define SPQ_SOLID_OVERLAPS_SPHERE_STRATEGY	51
#define SPQ_SOLID_IN_SPHERE_STRATEGY		52
#define SPQ_SOLID_OVERLAPS_RAY_STRATEGY		53
#define SPQ_SOLID_OVERLAPS_SEGMENT_STRATEGY	54
#define SPQ_SOLID_OVERLAPS_FRUSTUM_STRATEGY 55
#define SPQ_SOLID_IN_FRUSTUM_STRATEGY		56

/* point3 <@ box3 */
#define SPQ_SOLID_IN_BOX_STRATEGY			57

/* ORDER BY box3 <-> ray3 */
#define SPQ_SOLID_RAY_DISTANCE_STRATEGY		18

/*
 * Set the condition of a key with one of these shapes; otherwise return false.
 */
extern bool spq_rtree_solid_condition(const ScanKeyData *key, SpqRtreeCondition *condition);

#endif							/* SPQ_RTREE_CLASS3_SOLID_CONDITION_H */
