/*-------------------------------------------------------------------------
 *
 * array.h
 *	  Conditions with any element of an array: column = ANY (array), IN.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_ARRAY_H
#define SPQ_RTREE_SCAN_ARRAY_H

#include "rtree/scan/scan_state.h"

extern bool spq_rtree_parse_set(SpqRtreeConditions *conditions, SpqRtreeArgument *argument,
								ScanKey key);
extern bool spq_rtree_parse_choice(SpqRtreeConditions *conditions, ScanKey key);
extern bool spq_rtree_codes_between(const SpqRtreeConditions *conditions, float8 low,
									float8 high);
extern bool spq_rtree_in_sets(const SpqRtreeConditions *conditions, Page page, int entry);
extern void spq_rtree_near_choices(const SpqRtreeConditions *conditions, Page page);
extern uint8 spq_rtree_choose_of_bounds(const SpqRtreeConditions *conditions,
										const SpqRtreeColumn *columns, uint8 mask);
extern uint8 spq_rtree_choose_of_rows(SpqRtreeConditions *conditions,
									  const SpqRtreeColumn *columns, bool has_nan, uint8 mask);

#endif							/* SPQ_RTREE_SCAN_ARRAY_H */
