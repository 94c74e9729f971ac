/*-------------------------------------------------------------------------
 *
 * nearest_explain.c
 *	  Nearest rows in EXPLAIN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "custom_node.h"
#include "nearest_node/executor/state.h"

static void
show_analysis(SpqNearestState *node, ExplainState *es)
{
	double		candidates = node->candidates,
				nleaves = node->nleaves,
				fetches = node->fetches,
				memory;
	int64		of_leaves;

	if (node->context)
		node->memory = Max(node->memory, MemoryContextMemAllocated(node->context, true));
	memory = (node->memory + 1023) / 1024;
	if (node->search)
		candidates += spq_nearest_search_candidates(node->search);
	if (node->searches > 0)
		candidates /= node->searches;
	if (node->leaves)
	{
		nleaves += spq_nearest_leaves_count(node->leaves, &of_leaves);
		fetches += of_leaves;
	}
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Searches: %.0f  Candidates: %.1f per Search  Memory Usage: %.0fkB",
						 node->searches, candidates, memory);
		if (node->file_size > 0)
			appendStringInfo(es->str, "  Disk: " UINT64_FORMAT "kB", (node->file_size + 1023) / 1024);
		appendStringInfoChar(es->str, '\n');
		if (node->reads_leaves)
		{
			appendStringInfoSpaces(es->str, es->indent * 2);
			appendStringInfo(es->str, "Leaves: %.0f  Heap Fetches: %.0f\n", nleaves, fetches);
		}
		if (node->plan_searches > 0)
		{
			appendStringInfoSpaces(es->str, es->indent * 2);
			appendStringInfo(es->str, "Searches by the Ordered Plan: %.0f%s\n", node->plan_searches,
							 node->too_many ? "  (there are too many rows)" : "");
		}
		return;
	}
	ExplainPropertyFloat("Searches", NULL, node->searches, 0, es);
	ExplainPropertyFloat("Candidates per Search", NULL, candidates, 1, es);
	ExplainPropertyFloat("Memory Usage", "kB", memory, 0, es);
	ExplainPropertyFloat("Searches by the Ordered Plan", NULL, node->plan_searches, 0, es);
	ExplainPropertyUInteger("Disk Usage", "kB", (node->file_size + 1023) / 1024, es);
	ExplainPropertyBool("Too Many Rows", node->too_many, es);
	if (node->reads_leaves)
	{
		ExplainPropertyFloat("Leaves", NULL, nleaves, 0, es);
		ExplainPropertyFloat("Heap Fetches", NULL, fetches, 0, es);
	}
}

void
spq_nearest_node_explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	SpqNearestState *node = (SpqNearestState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;

	spq_show_quals("Order By", list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_ORDER), css, ancestors,
				   es);
	spq_show_quals("Filter", list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_FILTER), css, ancestors,
				   es);
	if (es->analyze && css->ss.ps.instrument && css->ss.ps.instrument->nloops > 0)
		show_analysis(node, es);
}
