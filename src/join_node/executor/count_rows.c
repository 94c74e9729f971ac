/*-------------------------------------------------------------------------
 *
 * count_rows.c
 *	  Rows of the join that are counted, not returned.
 *
 * If a query wants no more of the join's rows than how many there are, in all
 * or for each row of one side, the node returns partial counts, which a
 * Finalize Aggregate above it adds up (planner/count_paths.c):
 *
 *		pair (a1, b7)
 *		pair (a1, b9)			row (a1, count 2)
 *		pair (a2, b9)	  -->	row (a2, count 1)		-->	  sum for each a
 *		pair (a1, b4)			row (a1, count 1)
 *
 * Rows of the join in succession whose columns of the probe side are the same
 * make one partial count, a run.  Whether they are of the same row does not
 * matter, since they are in the same group.
 *
 * Pairs of a build row come in any order.  So the engine itself counts those that
 * the node accepts, or all, and returns each build row with its count.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "join_node/executor/next_row.h"

/*
 * Find the counts in the result, and whether the columns beside them can be
 * compared, so that a run can go on when the engine moves its rows.
 */
void
spq_node_count_init(SpqNodeState *node)
{
	CustomScan *cscan = (CustomScan *) node->css.ss.ps.plan;
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;
	SpqNodeCounts *counts = &node->counts;
	List	   *of_events = list_nth(cscan->custom_private, SPQ_NODE_PLAN_COUNTS);
	int			counted = list_nth_int(list_nth(cscan->custom_private, SPQ_NODE_PLAN_NUMBERS),
									   SPQ_NODE_NUMBER_COUNTED);
	int			ncolumns = scan->tts_tupleDescriptor->natts - list_length(of_events);
	ListCell   *lc;

	counts->ncounts = 0;
	counts->by_probe = counted == SPQ_NODE_COUNTED_BY_PROBE;
	counts->by_build = counted == SPQ_NODE_COUNTED_BY_BUILD;
	if (of_events == NIL)
		return;
	/* the result is a slot of its own, in which a run waits */
	if (node->css.ss.ps.ps_ProjInfo == NULL)
		ExecAssignProjectionInfo(&node->css.ss.ps, scan->tts_tupleDescriptor);
	counts->count = palloc(list_length(of_events) * sizeof(SpqNodeCount));
	counts->comparable = true;
	counts->skip_pairs = node->recheck == NULL && node->partitioning == NULL && node->filter == NULL &&
		(counts->by_build || (node->kind & ~(SPQ_NODE_EMIT_PAIRS | SPQ_NODE_EMIT_PROBES)) == 0);
	if (counts->by_build)
	{
		/* pairs are not returned; a filter is that of whole counts */
		node->side[SPQ_NODE_PROBE].in_result = node->side[SPQ_NODE_BUILD].in_result = false;
	}
	counts->in_probe_order = counts->by_probe || node->kind != SPQ_NODE_EMIT_PAIRS;
	foreach(lc, cscan->scan.plan.targetlist)
	{
		const Expr *expr = lfirst_node(TargetEntry, lc)->expr;
		const Var  *var = (const Var *) expr;

		if (!IsA(expr, Var))
			counts->comparable = false;
		else if (var->varattno > ncolumns)
		{
			SpqNodeCount *count = &counts->count[counts->ncounts++];

			Assert(var->vartype == INT8OID);
			count->events = list_nth_int(of_events, var->varattno - 1 - ncolumns);
			count->column = foreach_current_index(lc);
		}
		else if (!TupleDescAttr(scan->tts_tupleDescriptor, var->varattno - 1)->attbyval)
			counts->comparable = false;
	}
}

/* Return whether the row in the scan tuple has the columns of the current run. */
static inline bool
has_same_columns(const SpqNodeState *node)
{
	const TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot,
			   *result = node->css.ss.ps.ps_ResultTupleSlot;

	for (int i = 0, next = 0; i < node->nresult; i++)
	{
		int			column = node->result_column[i];

		if (next < node->counts.ncounts && node->counts.count[next].column == i)
			next++;
		else if (scan->tts_isnull[column] != result->tts_isnull[i] ||
				 (!scan->tts_isnull[column] && scan->tts_values[column] != result->tts_values[i]))
			return false;
	}
	return true;
}

/* Return whether a row of the join, which is in the scan tuple, belongs to the current run. */
static inline bool
belongs_to_run(const SpqNodeState *node, SpqJoinEvent event, const SpqJoinPair *pair)
{
	const SpqNodeCounts *counts = &node->counts;

	if (counts->by_build)
		return false;
	if (!counts->by_probe)
		return true;
	if (counts->comparable)
		return has_same_columns(node);
	/* the memory of a row may be used for another one later */
	return event == SPQ_JOIN_PAIR && counts->run_of == pair->probe && node->next_pair > 1;
}

/* Start a run with the row in the scan tuple. */
static void
start_run(SpqNodeState *node, SpqJoinEvent event, const SpqJoinPair *pair)
{
	SpqNodeCounts *counts = &node->counts;

	/* its values may go with the row before the run is returned */
	if ((counts->by_probe || counts->by_build) && !counts->comparable)
		ExecMaterializeSlot(ExecProject(node->css.ss.ps.ps_ProjInfo));
	else
		spq_node_copied_row(node);
	for (int i = 0; i < counts->ncounts; i++)
		counts->count[i].rows = 0;
	counts->run_of = event == SPQ_JOIN_PAIR ? pair->probe : 0;
	counts->running = true;
}

/* Return the current run. */
static TupleTableSlot *
finish_run(SpqNodeState *node)
{
	TupleTableSlot *result = node->css.ss.ps.ps_ResultTupleSlot;
	SpqNodeCounts *counts = &node->counts;

	for (int i = 0; i < counts->ncounts; i++)
	{
		result->tts_values[counts->count[i].column] = Int64GetDatum(counts->count[i].rows);
		result->tts_isnull[counts->count[i].column] = false;
	}
	counts->running = false;
	return result;
}

/* Return how many rows of the join an event of the engine is. */
static inline uint64
rows_of(SpqJoinEvent event, const SpqJoinPair *pair)
{
	return event == SPQ_JOIN_COUNTED_BUILD ? pair->probe : 1;
}

static inline void
count_row(SpqNodeState *node, SpqJoinEvent event, const SpqJoinPair *pair)
{
	SpqNodeCounts *counts = &node->counts;
	uint64		n = rows_of(event, pair);

	if (event == SPQ_JOIN_PAIR && counts->skip_pairs)
		n += node->engine->skip(node->join, counts->in_probe_order);
	for (int i = 0; i < counts->ncounts; i++)
	{
		if (counts->count[i].events & (1 << event))
			counts->count[i].rows += n;
	}
	node->counted += n;
}

/* Put the counts of a build row into the scan tuple. */
static void
put_counts(SpqNodeState *node, SpqJoinEvent event, const SpqJoinPair *pair)
{
	const List *of_events = list_nth(((CustomScan *) node->css.ss.ps.plan)->custom_private, SPQ_NODE_PLAN_COUNTS);
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;
	int			column = scan->tts_tupleDescriptor->natts - list_length(of_events);
	ListCell   *lc;

	foreach(lc, of_events)
	{
		bool		counts = (lfirst_int(lc) & (1 << event)) != 0;

		scan->tts_values[column] = Int64GetDatum(counts ? rows_of(event, pair) : 0);
		scan->tts_isnull[column++] = false;
	}
}

/*
 * Return whether a filter accepts the current row, which, if rows of the build side are counted, is one of
 * them, with its counts.
 */
static inline bool
is_wanted(SpqNodeState *node, SpqJoinEvent event, const SpqJoinPair *pair)
{
	if (node->filter == NULL)
		return true;
	if (node->counts.by_build)
		put_counts(node, event, pair);
	if (ExecQual(node->filter, node->css.ss.ps.ps_ExprContext))
		return true;
	InstrCountFiltered2(node, 1);
	if (node->counts.by_build)
		node->counted += rows_of(event, pair);
	return false;
}

/*
 * Return the next partial count, or NULL after the last one.  Without groups
 * there is one in any case.
 */
TupleTableSlot *
spq_node_count_rows(SpqNodeState *node)
{
	SpqNodeCounts *counts = &node->counts;
	const SpqJoinPair *pair;
	SpqJoinEvent event;

	if (counts->row_waits)
	{
		counts->row_waits = false;
		start_run(node, counts->event, counts->pair);
		count_row(node, counts->event, counts->pair);
	}
	while ((event = spq_node_next_row(node, &pair)) != SPQ_JOIN_END)
	{
		if (!is_wanted(node, event, pair))
			continue;
		if (counts->running && !belongs_to_run(node, event, pair))
		{
			/* it stays in the scan tuple */
			counts->row_waits = true;
			counts->event = event;
			counts->pair = pair;
			return finish_run(node);
		}
		if (!counts->running)
			start_run(node, event, pair);
		count_row(node, event, pair);
	}
	node->done = true;
	if (!counts->running && (counts->by_probe || counts->by_build))
		return NULL;
	if (!counts->running)
		start_run(node, SPQ_JOIN_END, NULL);
	return finish_run(node);
}
