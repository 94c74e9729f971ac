/*-------------------------------------------------------------------------
 *
 * explain.h
 *	  A spatial hash join in EXPLAIN.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_EXPLAIN_H
#define SPQ_JOIN_NODE_EXECUTOR_EXPLAIN_H

#include "commands/explain.h"
#include "nodes/execnodes.h"

extern void spq_node_explain(CustomScanState *css, List *ancestors,
							 ExplainState *es);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_EXPLAIN_H */
