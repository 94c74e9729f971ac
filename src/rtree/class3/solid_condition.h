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
#include "types/type.h"

/*
 * Set the condition of a key with a box, a point, or one of these shapes, in the
 * class of box3 or point3.
 */
extern void spq_rtree_solid_condition(const ScanKeyData *key, const SpqType *own,
									  SpqRtreeCondition *condition);

#endif							/* SPQ_RTREE_CLASS3_SOLID_CONDITION_H */
