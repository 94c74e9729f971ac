/*-------------------------------------------------------------------------
 *
 * repeated_node.h
 *	  Repeated searches in plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_REPEATED_NODE_REPEATED_NODE_H
#define SPQ_REPEATED_NODE_REPEATED_NODE_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

extern const CustomScanMethods spq_repeated_node_scan_methods;

extern void spq_repeated_add_paths(PlannerInfo *root, RelOptInfo *rel);
extern bool spq_repeated_is_path(const Path *path);

/* repeated_execute.c */
extern Node *spq_repeated_create_state(CustomScan *cscan);

#define SPQ_REPEATED_NODE_NAME "Spqtree Repeated Search"

#endif							/* SPQ_REPEATED_NODE_REPEATED_NODE_H */
