/*-------------------------------------------------------------------------
 *
 * nearest_cost.h
 *	  The cost of nearest rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_NEAREST_COST_H
#define SPQ_NEAREST_NODE_PLANNER_NEAREST_COST_H

#include "nodes/pathnodes.h"

#include "nearest_node/planner/order_key.h"

extern Cost spq_nearest_node_cost_of_rows(const Path *path, double rows);
extern double spq_nearest_node_cost(PlannerInfo *root, CustomPath *path, const SpqNearestKey *key,
									List *filter, bool windows, double wanted, bool *on_disk);

#endif							/* SPQ_NEAREST_NODE_PLANNER_NEAREST_COST_H */
