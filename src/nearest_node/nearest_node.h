/*-------------------------------------------------------------------------
 *
 * nearest_node.h
 *	  Nearest rows in plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_NEAREST_NODE_H
#define SPQ_NEAREST_NODE_NEAREST_NODE_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

extern const CustomScanMethods spq_nearest_node_scan_methods;
extern const CustomScanMethods spq_nearest_curve_scan_methods;

/* Return whether a subquery orders its rows by a distance from passed values. */
extern bool spq_nearest_orders_rows(PlannerInfo *root);

extern void spq_nearest_add_paths(PlannerInfo *root, RelOptInfo *rel, RelOptInfo *ordered_rel);
extern void spq_nearest_add_curve_paths(RelOptInfo *joinrel, RelOptInfo *innerrel);

#endif							/* SPQ_NEAREST_NODE_NEAREST_NODE_H */
