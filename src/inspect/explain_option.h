/*-------------------------------------------------------------------------
 *
 * explain_option.h
 *	  EXPLAIN (ANALYZE, SPQTREE).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_EXPLAIN_OPTION_H
#define SPQ_INSPECT_EXPLAIN_OPTION_H

#include "compat.h"

/* where the server has options of extensions */
#ifdef SPQ_EXPLAIN_OPTIONS

#include "commands/explain_state.h"
#include "nodes/execnodes.h"

extern void spq_inspect_option_init(void);
extern bool spq_inspect_option_is_chosen(ExplainState *es);
extern void spq_inspect_explain_node(PlanState *node, ExplainState *es);

#endif

#endif							/* SPQ_INSPECT_EXPLAIN_OPTION_H */
