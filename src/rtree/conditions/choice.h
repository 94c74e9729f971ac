/*-------------------------------------------------------------------------
 *
 * choice.h
 *	  Conditions of the spatial column with any element of an array.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_CHOICE_H
#define SPQ_RTREE_CONDITIONS_CHOICE_H

#include "rtree/conditions/filters.h"

extern bool spq_rtree_parse_choice(SpqRtreeConditions *conditions, ScanKey key);
extern void spq_rtree_near_choices(const SpqRtreeConditions *conditions, Page page);
extern uint8 spq_rtree_choose_of_bounds(const SpqRtreeConditions *conditions,
										const SpqRtreeColumn *columns, uint8 mask);
extern uint8 spq_rtree_choose_of_rows(SpqRtreeConditions *conditions,
									  const SpqRtreeColumn *columns, bool has_nan, uint8 mask);

#endif							/* SPQ_RTREE_CONDITIONS_CHOICE_H */
