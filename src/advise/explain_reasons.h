/*-------------------------------------------------------------------------
 *
 * explain_reasons.h
 *	  EXPLAIN (SPQTREE): why joins are run as they are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ADVISE_EXPLAIN_REASONS_H
#define SPQ_ADVISE_EXPLAIN_REASONS_H

#include "compat.h"

/* where the server has options of extensions */
#ifdef SPQ_EXPLAIN_OPTIONS

#include "commands/explain_state.h"
#include "nodes/plannodes.h"

extern void spq_advise_explain_init(void);
extern void spq_advise_explain_begin(ExplainState *es);
extern void spq_advise_explain_end(PlannedStmt *statement, ExplainState *es);

#endif

#endif							/* SPQ_ADVISE_EXPLAIN_REASONS_H */
