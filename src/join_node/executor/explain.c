/*-------------------------------------------------------------------------
 *
 * explain.c
 *	  A spatial hash join in EXPLAIN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "compat.h"
#include "custom_node.h"
#include "join_node/executor/join_executor.h"

static const char *
join_type(int kind)
{
	bool		builds = (kind & SPQ_NODE_EMIT_BUILDS) != 0;

	if (!(kind & SPQ_NODE_EMIT_PAIRS))
		return builds ? "Right Anti" : "Anti";
	if (kind & SPQ_NODE_EMIT_PROBES)
		return builds ? "Full" : "Left";
	if (builds)
		return "Right";
	if (kind & SPQ_NODE_SEMI)
		return (kind & SPQ_NODE_ONE_PER_BUILD) ? "Right Semi" : "Semi";
	return "Inner";
}

static double
ratio(uint64 part, uint64 whole)
{
	return whole > 0 ? (double) part / whole : 0;
}

static uint64
kilobytes(Size bytes)
{
	return (bytes + 1023) / 1024;
}

/* Return the number of decimals that shows six significant digits. */
static int
significant_digits(double number)
{
	if (!(number > 0 && number <= DBL_MAX))
		return 0;
	return (int) Min(Max(5 - floor(log10(number)), 0), 300);
}

/* Append the leaves that were read, and for how many batches of rows or leaves of the other side. */
static void
append_leaves(const SpqJoinStats *stats, ExplainState *es)
{
	appendStringInfo(es->str, "Leaves: " UINT64_FORMAT, stats->leaves);
	if (stats->batches > 0)
		appendStringInfo(es->str, "  Batches: %u", stats->batches);
	else
		appendStringInfo(es->str, "  Pairs of Leaves: " UINT64_FORMAT, stats->leaf_pairs);
}

static void
show_index_stats(const SpqJoinStats *stats, ExplainState *es)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		append_leaves(stats, es);
		appendStringInfo(es->str, "  Memory Usage: " UINT64_FORMAT "kB\n", kilobytes(stats->memory));
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Candidates: " UINT64_FORMAT "  Heap Fetches: " UINT64_FORMAT "\n",
						 stats->candidates, stats->fetches);
		return;
	}
	ExplainPropertyUInteger("Leaves", NULL, stats->leaves, es);
	ExplainPropertyUInteger("Pairs of Leaves", NULL, stats->leaf_pairs, es);
	ExplainPropertyInteger("Batches", NULL, stats->batches, es);
	ExplainPropertyUInteger("Memory Usage", "kB", kilobytes(stats->memory), es);
	ExplainPropertyUInteger("Candidates", NULL, stats->candidates, es);
	ExplainPropertyUInteger("Matches", NULL, stats->matches, es);
	ExplainPropertyUInteger("Heap Fetches", NULL, stats->fetches, es);
}

static void
show_stats(const SpqJoinStats *stats, ExplainState *es)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Cell Size: %g (%d %s)\n",
						 stats->tile_size, stats->size_classes,
						 stats->size_classes == 1 ? "level" : "levels");
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Batches: %u", stats->batches);
		if (stats->batches > 1)
			appendStringInfo(es->str, "  Probe Copies: %.2f",
							 ratio(stats->probe_copies, stats->probe_rows));
		appendStringInfo(es->str, "  Memory Usage: " UINT64_FORMAT "kB\n",
						 kilobytes(stats->memory));
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Candidates: " UINT64_FORMAT, stats->candidates);
		if (stats->matches > 0)
			appendStringInfo(es->str, " (%.1f per match)",
							 ratio(stats->candidates, stats->matches));
		appendStringInfoChar(es->str, '\n');
		return;
	}
	ExplainPropertyFloat("Cell Size", NULL, stats->tile_size,
						 significant_digits(stats->tile_size), es);
	ExplainPropertyInteger("Levels", NULL, stats->size_classes, es);
	ExplainPropertyFloat("Probe Copies", NULL,
						 ratio(stats->probe_copies, stats->probe_rows), 2, es);
	ExplainPropertyInteger("Batches", NULL, stats->batches, es);
	ExplainPropertyUInteger("Memory Usage", "kB", kilobytes(stats->memory), es);
	ExplainPropertyUInteger("Candidates", NULL, stats->candidates, es);
	ExplainPropertyUInteger("Matches", NULL, stats->matches, es);
}

/* Show the counts of each process of a parallel plan. */
static void
show_participants(SpqNodeState *node, ExplainState *es)
{
	ExplainOpenGroup("Join Processes", "Join Processes", false, es);
	for (int i = 0; i < node->nparticipants; i++)
	{
		const SpqNodeProcess *process = &node->participant[i];
		const SpqJoinStats *stats = &process->stats;
		char		name[32];

		if (!process->took_part)
			continue;
		if (i == 0)
			strlcpy(name, "Leader", sizeof(name));
		else
			snprintf(name, sizeof(name), "Worker %d", i - 1);
		if (es->format == EXPLAIN_FORMAT_TEXT && node->indexes)
		{
			appendStringInfoSpaces(es->str, es->indent * 2);
			appendStringInfo(es->str, "%s:  ", name);
			append_leaves(stats, es);
			appendStringInfo(es->str, "  Candidates: " UINT64_FORMAT "  Heap Fetches: " UINT64_FORMAT "\n",
							 stats->candidates, stats->fetches);
			continue;
		}
		if (es->format == EXPLAIN_FORMAT_TEXT)
		{
			appendStringInfoSpaces(es->str, es->indent * 2);
			appendStringInfo(es->str, "%s:  Build Rows: " UINT64_FORMAT
							 "  Probe Rows: " UINT64_FORMAT
							 "  Batches: %u  Memory Usage: " UINT64_FORMAT
							 "kB  Candidates: " UINT64_FORMAT "\n",
							 name, stats->build_rows, stats->probe_rows,
							 stats->batches, kilobytes(stats->memory),
							 stats->candidates);
			continue;
		}
		ExplainOpenGroup("Join Process", NULL, true, es);
		ExplainPropertyText("Process", name, es);
		if (node->indexes)
		{
			ExplainPropertyUInteger("Leaves", NULL, stats->leaves, es);
			ExplainPropertyUInteger("Pairs of Leaves", NULL, stats->leaf_pairs, es);
			ExplainPropertyInteger("Batches", NULL, stats->batches, es);
			ExplainPropertyUInteger("Candidates", NULL, stats->candidates, es);
			ExplainPropertyUInteger("Heap Fetches", NULL, stats->fetches, es);
			ExplainCloseGroup("Join Process", NULL, true, es);
			continue;
		}
		ExplainPropertyUInteger("Build Rows", NULL, stats->build_rows, es);
		ExplainPropertyUInteger("Probe Rows", NULL, stats->probe_rows, es);
		ExplainPropertyInteger("Batches", NULL, stats->batches, es);
		ExplainPropertyUInteger("Memory Usage", "kB", kilobytes(stats->memory), es);
		ExplainPropertyUInteger("Candidates", NULL, stats->candidates, es);
		ExplainCloseGroup("Join Process", NULL, true, es);
	}
	ExplainCloseGroup("Join Processes", "Join Processes", false, es);
}

/* Show the number of rows removed per loop.  Text format omits zero counts. */
static void
show_removed(const char *label, double rows, SpqNodeState *node, ExplainState *es)
{
	double		loops = node->css.ss.ps.instrument ?
		node->css.ss.ps.instrument->nloops : 0;

	if (rows > 0 || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyFloat(label, NULL, loops > 0 ? rows / loops : 0, 0, es);
}

static double
removed_by_recheck(SpqNodeState *node)
{
	double		removed = 0;

	if (node->participant == NULL)
		return node->removed;
	for (int i = 0; i < node->nparticipants; i++)
		removed += node->participant[i].removed;
	return removed;
}

/* Show that rows are counted, and their number per loop. */
static void
show_counted(SpqNodeState *node, ExplainState *es)
{
	double		counted = node->counted;

	ExplainPropertyText("Counted", node->counts.by_probe ? "By Probe Row" :
						node->counts.by_build ? "By Build Row" : "In All", es);
	if (!es->analyze || node->css.ss.ps.instrument == NULL)
		return;
	if (node->participant)
		counted = 0;
	for (int i = 0; i < node->nparticipants; i++)
		counted += node->participant[i].counted;
	ExplainPropertyFloat("Rows Counted", NULL,
						 counted / Max(node->css.ss.ps.instrument->nloops, 1), 0, es);
}

static void
show_analysis(SpqNodeState *node, ExplainState *es)
{
	SpqJoinStats sum = node->stats;

	if (node->participant)
	{
		Size		memory = 0;

		memset(&sum, 0, sizeof(sum));
		for (int i = 0; i < node->nparticipants; i++)
		{
			if (!node->participant[i].took_part)
				continue;
			spq_node_add_stats(&sum, &node->participant[i].stats);
			memory += node->participant[i].stats.memory;
		}
		if (node->shared)
			sum.memory = memory + sum.shared_memory;
	}
	else if (node->join)
		spq_node_add_stats(&sum, node->engine->stats(node->join));

	if (node->indexes)
		show_index_stats(&sum, es);
	else
		show_stats(&sum, es);
	if (node->participant)
		show_participants(node, es);
}

void
spq_node_explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	SpqNodeState *node = (SpqNodeState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;

	ExplainPropertyText("Join Type", join_type(node->kind), es);
	spq_show_quals("Join Cond", list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_COND),
				   css, ancestors, es);
	spq_show_quals("Join Filter", list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_JOIN_FILTER),
				   css, ancestors, es);
	if (es->analyze && (node->recheck || node->partitioning))
		show_removed(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_JOIN_FILTER) ?
					 "Rows Removed by Join Filter" : "Rows Removed by Recheck",
					 removed_by_recheck(node), node, es);
	spq_show_quals("Filter", list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_FILTER),
				   css, ancestors, es);
	if (es->analyze && node->filter && css->ss.ps.instrument)
		show_removed("Rows Removed by Filter", css->ss.ps.instrument->nfiltered2,
					 node, es);
	if (node->counts.ncounts > 0)
		show_counted(node, es);
	if (!node->indexes && (node->side[SPQ_NODE_PROBE].has_line || es->format != EXPLAIN_FORMAT_TEXT))
		ExplainPropertyBool("Along Lines", node->side[SPQ_NODE_PROBE].has_line, es);
	if (!node->indexes && (node->shared || es->format != EXPLAIN_FORMAT_TEXT))
		ExplainPropertyBool("Shared Build", node->shared, es);
	if (es->analyze && css->ss.ps.instrument && css->ss.ps.instrument->nloops > 0)
		show_analysis(node, es);
}
