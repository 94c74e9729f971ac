/*-------------------------------------------------------------------------
 *
 * explain.c
 *	  What EXPLAIN shows of a spatial hash join.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif
#include "nodes/makefuncs.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "join_node/state.h"

void
spq_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats)
{
	sum->build_rows += stats->build_rows;
	sum->probe_rows += stats->probe_rows;
	sum->probe_copies += stats->probe_copies;
	sum->candidates += stats->candidates;
	sum->matches += stats->matches;
	sum->batches = Max(sum->batches, stats->batches);
	sum->parts = Max(sum->parts, stats->parts);
	sum->levels = Max(sum->levels, stats->levels);
	if (sum->cell_size == 0)
		sum->cell_size = stats->cell_size;
	sum->memory = Max(sum->memory, stats->memory);
}

static const char *
join_type(int kind)
{
	bool		builds = (kind & SPQ_EMIT_BUILDS) != 0;

	if (!(kind & SPQ_EMIT_PAIRS))
		return builds ? "Right Anti" : "Anti";
	if (kind & SPQ_EMIT_PROBES)
		return builds ? "Full" : "Left";
	if (builds)
		return "Right";
	if (kind & SPQ_ONE_PER_BUILD)
		return "Right Semi";
	return "Inner";
}

static void
show_quals(const char *label, List *quals, SpqJoinNode *node, List *ancestors,
		   ExplainState *es)
{
	List	   *context;
	char	   *text;

	if (quals == NIL)
		return;
	context = set_deparse_context_plan(es->deparse_cxt, node->css.ss.ps.plan,
									   ancestors);
	text = deparse_expression((Node *) make_ands_explicit(quals), context,
							  es->verbose || list_length(es->rtable) > 1, false);
	ExplainPropertyText(label, text, es);
}

/* How often a row was needed on average. */
static double
ratio(uint64 part, uint64 whole)
{
	return whole > 0 ? (double) part / whole : 0;
}

static void
show_stats(SpqJoinNode *node, ExplainState *es)
{
	SpqJoinStats stats = node->stats;

	if (node->join)
		spq_add_stats(&stats, spq_join_stats(node->join));
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Cell Size: %g (%d %s)  Copies: %.2f build, %.2f probe\n",
						 stats.cell_size, stats.levels,
						 stats.levels == 1 ? "level" : "levels",
						 stats.build_rows > 0 ? 1.0 : 0.0,
						 ratio(stats.probe_copies, stats.probe_rows));
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Batches: %u  Memory Usage: " UINT64_FORMAT "kB\n",
						 stats.batches, (uint64) (stats.memory + 1023) / 1024);
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Candidates: " UINT64_FORMAT, stats.candidates);
		if (stats.matches > 0)
			appendStringInfo(es->str, " (%.1f per match)",
							 ratio(stats.candidates, stats.matches));
		appendStringInfoChar(es->str, '\n');
		return;
	}
	ExplainPropertyFloat("Cell Size", NULL, stats.cell_size, 6, es);
	ExplainPropertyInteger("Levels", NULL, stats.levels, es);
	ExplainPropertyFloat("Build Copies", NULL, stats.build_rows > 0 ? 1 : 0, 2, es);
	ExplainPropertyFloat("Probe Copies", NULL,
						 ratio(stats.probe_copies, stats.probe_rows), 2, es);
	ExplainPropertyInteger("Batches", NULL, stats.batches, es);
	ExplainPropertyInteger("Memory Usage", "kB", (stats.memory + 1023) / 1024, es);
	ExplainPropertyUInteger("Candidates", NULL, stats.candidates, es);
	ExplainPropertyUInteger("Matches", NULL, stats.matches, es);
}

void
spq_explain_join(CustomScanState *css, List *ancestors, ExplainState *es)
{
	SpqJoinNode *node = (SpqJoinNode *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	List	   *filter = list_nth(cscan->custom_exprs, SPQ_EXPRS_FILTER);

	ExplainPropertyText("Join Type", join_type(node->kind), es);
	show_quals("Join Cond", list_nth(cscan->custom_exprs, SPQ_EXPRS_COND),
			   node, ancestors, es);
	show_quals("Join Filter", filter, node, ancestors, es);
	if (es->analyze)
	{
		if (node->recheck != NULL)
			ExplainPropertyFloat("Rows Removed by Join Filter", NULL,
								 (double) node->filtered, 0, es);
		show_stats(node, es);
	}
}
