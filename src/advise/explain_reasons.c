/*-------------------------------------------------------------------------
 *
 * explain_reasons.c
 *	  EXPLAIN (SPQTREE): why joins are run as they are.
 *
 * EXPLAIN plans its query between the check of its options and the output.  A query
 * that it does not plan itself, as EXPLAIN EXECUTE, has no reasons.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "advise/explain_reasons.h"

#ifdef SPQ_EXPLAIN_OPTIONS

#include "advise/advise.h"
#include "inspect/explain_option.h"

static int	extension_id;

void
spq_advise_explain_init(void)
{
	extension_id = GetExplainExtensionId("spqtree reasons");
}

/* Ask for the reasons of the query, if the option is chosen. */
void
spq_advise_explain_begin(ExplainState *es)
{
	if (spq_inspect_option_is_chosen(es))
		SetExplainExtensionState(es, extension_id, spq_reasons_want());
}

/* Show the reasons below the plan. */
void
spq_advise_explain_end(PlannedStmt *statement, ExplainState *es)
{
	const SpqReasons *reasons = GetExplainExtensionState(es, extension_id);
	ListCell   *lc;

	if (reasons == NULL || reasons->statement != statement)
		return;
	ExplainOpenGroup("Spqtree Reasons", "Spqtree Reasons", false, es);
	foreach(lc, reasons->lines)
	{
		const SpqAdviseLine *line = lfirst(lc);

		if (line->object == NULL)
			continue;
		if (es->format == EXPLAIN_FORMAT_TEXT)
		{
			ExplainIndentText(es);
			appendStringInfo(es->str, "Spqtree: %s: %s\n", line->object, line->finding);
			continue;
		}
		ExplainOpenGroup("Spqtree Reason", NULL, true, es);
		ExplainPropertyText("Object", line->object, es);
		ExplainPropertyText("Finding", line->finding, es);
		if (line->advice)
			ExplainPropertyText("Advice", line->advice, es);
		ExplainCloseGroup("Spqtree Reason", NULL, true, es);
	}
	ExplainCloseGroup("Spqtree Reasons", "Spqtree Reasons", false, es);
}

#endif							/* SPQ_EXPLAIN_OPTIONS */
