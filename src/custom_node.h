/*-------------------------------------------------------------------------
 *
 * custom_node.h
 *	  What the plans of our custom nodes have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CUSTOM_NODE_H
#define SPQ_CUSTOM_NODE_H

#include "commands/explain.h"
#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"

extern List *spq_ordered_quals(PlannerInfo *root, List *rinfos);
extern List *spq_child_references(List *exprs, List *columns);
extern void spq_show_quals(const char *label, List *quals, CustomScanState *css, List *ancestors,
						   struct ExplainState *es);

#endif							/* SPQ_CUSTOM_NODE_H */
