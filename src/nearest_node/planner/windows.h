/*-------------------------------------------------------------------------
 *
 * windows.h
 *	  Windows outside of which rows fail a filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_WINDOWS_H
#define SPQ_NEAREST_NODE_PLANNER_WINDOWS_H

#include "nearest_node/planner/order_key.h"

extern List *spq_nearest_node_windows(PlannerInfo *root, const SpqNearestKey *key, List *filter,
									  List **kinds);

#endif							/* SPQ_NEAREST_NODE_PLANNER_WINDOWS_H */
