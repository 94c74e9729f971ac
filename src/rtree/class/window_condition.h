/*-------------------------------------------------------------------------
 *
 * window_condition.h
 *	  Conditions on a box and another shape, as comparisons with a window.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_WINDOW_CONDITION_H
#define SPQ_RTREE_CLASS_WINDOW_CONDITION_H

#include "access/skey.h"

#include "rtree/class/condition.h"

extern bool spq_rtree_window_condition(const ScanKeyData *key, SpqRtreeCondition *condition);

#endif							/* SPQ_RTREE_CLASS_WINDOW_CONDITION_H */
