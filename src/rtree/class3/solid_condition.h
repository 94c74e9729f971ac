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
 * Strategies of the classes for box3 and point3, besides those of src/box/strategy.h.
 * From the first one on, except for those below, they are "b && shape" and "b <@
 * shape"; the type of the shape has their numbers (types/type.h).
 */
#define SPQ_SOLID_FIRST_SHAPE_STRATEGY		51

/* point3 <@ box3 */
#define SPQ_SOLID_IN_BOX_STRATEGY			57

/* ORDER BY box3 <-> ray3 */
#define SPQ_SOLID_RAY_DISTANCE_STRATEGY		18

/*
 * Set the condition of a key with one of these shapes; otherwise return false.
 */
extern bool spq_rtree_solid_condition(const ScanKeyData *key, SpqRtreeCondition *condition);

#endif							/* SPQ_RTREE_CLASS3_SOLID_CONDITION_H */
