/*-------------------------------------------------------------------------
 *
 * nearest_explain.h
 *	  Nearest rows in EXPLAIN.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXPLAIN_H
#define SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXPLAIN_H

#include "commands/explain.h"
#include "nodes/execnodes.h"

extern void spq_nearest_node_explain(CustomScanState *css, List *ancestors, ExplainState *es);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXPLAIN_H */
