/*-------------------------------------------------------------------------
 *
 * conditions.h
 *	  What a scan asks for: its keys, as comparisons and orders.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_CONDITIONS_H
#define SPQ_RTREE_CONDITIONS_CONDITIONS_H

#include "rtree/conditions/filters.h"

extern void spq_rtree_parse_conditions(IndexScanDesc scan, SpqRtreeConditions *conditions);
extern void spq_rtree_add_condition(SpqRtreeConditions *conditions, ScanKey key,
									const SpqRtreeCondition *condition);
extern void spq_rtree_parse_orders(IndexScanDesc scan, SpqRtreeConditions *conditions,
								   SpqRtreeOrder *orders);

#endif							/* SPQ_RTREE_CONDITIONS_CONDITIONS_H */
