/*-------------------------------------------------------------------------
 *
 * next_row.h
 *	  The next row of the join: a pair that satisfies the conditions, or an
 *	  unmatched row, loaded into the scan tuple.
 *
 * In line, since most of a join's time may be spent here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_NEXT_ROW_H
#define SPQ_JOIN_NODE_EXECUTOR_NEXT_ROW_H

#include <float.h>

#include "executor/executor.h"
#include "miscadmin.h"

#include "join_node/executor/join_executor.h"

/*
 * Move one end of a box toward the inside of the box by more than ends are
 * rounded: up for a low end ("sign" 1), down for a high end (-1).
 */
static inline float8
move_inward(float8 end, float8 sign)
{
	return end * (1 + (end > 0 ? sign : -sign) * 8 * DBL_EPSILON) + sign * DBL_MIN;
}

/*
 * Return whether the boxes of a pair overlap so far on these axes that the values from
 * which they were made certainly do.
 */
static inline bool
clearly_overlap(const SpqJoinPair *pair, int axes)
{
	const BOX  *a = (const BOX *) pair->probe_box,
			   *b = (const BOX *) pair->build_box;

	return move_inward(a->low.x, 1) < move_inward(b->high.x, -1) &&
		move_inward(b->low.x, 1) < move_inward(a->high.x, -1) &&
		(axes == 1 || (move_inward(a->low.y, 1) < move_inward(b->high.y, -1) &&
					   move_inward(b->low.y, 1) < move_inward(a->high.y, -1)));
}

/*
 * Load the columns that the result has of a pair that needs no recheck.
 */
static inline void
spq_node_load_result(SpqNodeState *node, const SpqJoinPair *pair)
{
	SpqNodeSide *probe = &node->side[SPQ_NODE_PROBE],
			   *build = &node->side[SPQ_NODE_BUILD];
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;

	node->loaded = NULL;
	if (probe->in_result)
		spq_node_load(probe, scan, pair->probe);
	if (build->in_result)
		spq_node_load(build, scan, pair->build);
}

/* Return whether a pair satisfies the join conditions, and load it. */
static inline bool
spq_node_accept_pair(SpqNodeState *node, const SpqJoinPair *pair)
{
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;
	bool		clear = node->clear_axes > 0 && clearly_overlap(pair, node->clear_axes);
	ExprState  *recheck = clear ? node->recheck_clear : node->recheck;

	if (recheck == NULL)
	{
		spq_node_load_result(node, pair);
		return true;
	}
	/* pairs of a probe often come one after the other */
	if (node->loaded == NULL || node->loaded->probe != pair->probe)
		spq_node_load(&node->side[SPQ_NODE_PROBE], scan, pair->probe);
	spq_node_load(&node->side[SPQ_NODE_BUILD], scan, pair->build);
	node->loaded = pair;
	return ExecQual(recheck, node->css.ss.ps.ps_ExprContext);
}

/*
 * Return the engine's next event, with a pair or an unmatched row.  If pairs are
 * neither accepted nor skipped, take several of them at a time.
 */
static inline SpqJoinEvent
spq_node_next_event(SpqNodeState *node, const SpqJoinPair **pair)
{
	SpqJoinEvent event;

	if (node->next_pair < node->npairs)
	{
		*pair = &node->pair[node->next_pair++];
		return SPQ_JOIN_PAIR;
	}
	node->loaded = NULL;
	event = node->engine->next(node->join, &node->pair[0]);
	*pair = &node->pair[0];
	if (event == SPQ_JOIN_PAIR && node->takes_more)
	{
		node->npairs = 1 + node->engine->more(node->join, &node->pair[1], SPQ_NODE_PAIRS - 1);
		node->next_pair = 1;
	}
	return event;
}

/*
 * Go on to the next row of the join, and load it into the scan tuple.  Return
 * SPQ_JOIN_END after the last one.
 */
static inline SpqJoinEvent
spq_node_next_row(SpqNodeState *node, const SpqJoinPair **pair)
{
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;
	SpqNodeSide *probe = &node->side[SPQ_NODE_PROBE],
			   *build = &node->side[SPQ_NODE_BUILD];

	for (;;)
	{
		SpqJoinEvent event;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(node->css.ss.ps.ps_ExprContext);
		event = spq_node_next_event(node, pair);
		switch (event)
		{
			case SPQ_JOIN_PAIR:
				if ((node->partitioning != NULL && !spq_node_pair_owned(node, *pair)) ||
					!spq_node_accept_pair(node, *pair))
				{
					node->removed++;
					continue;
				}
				if (node->accepts)
					node->engine->accept(node->join);
				if (!node->returns_pairs)
					continue;
				return event;

			case SPQ_JOIN_UNMATCHED_PROBE:
				spq_node_load(probe, scan, (*pair)->probe);
				spq_node_load_nulls(build, scan);
				return event;

			case SPQ_JOIN_COUNTED_BUILD:
			case SPQ_JOIN_UNMATCHED_BUILD:
				spq_node_load_nulls(probe, scan);
				spq_node_load(build, scan, (*pair)->build);
				return event;

			case SPQ_JOIN_WANTS_PROBES:
				if (spq_node_give_probes(node))
					return SPQ_JOIN_UNMATCHED_PROBE;
				continue;

			case SPQ_JOIN_END:
				if (!spq_node_next_unmatchable(node))
					return SPQ_JOIN_END;
				spq_node_load_nulls(probe, scan);
				spq_node_load_slot(build, scan, node->unmatchable_slot);
				return SPQ_JOIN_UNMATCHED_BUILD;
		}
	}
}

/* Make a result row that has only columns of the scan tuple. */
static inline TupleTableSlot *
spq_node_copied_row(SpqNodeState *node)
{
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot,
			   *result = node->css.ss.ps.ps_ResultTupleSlot;

	/* a row without columns, as for count(*), stays */
	if (node->nresult == 0 && !TTS_EMPTY(result))
		return result;
	ExecClearTuple(result);
	for (int i = 0; i < node->nresult; i++)
	{
		result->tts_values[i] = scan->tts_values[node->result_column[i]];
		result->tts_isnull[i] = scan->tts_isnull[node->result_column[i]];
	}
	return ExecStoreVirtualTuple(result);
}

#endif							/* SPQ_JOIN_NODE_EXECUTOR_NEXT_ROW_H */
