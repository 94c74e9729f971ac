/*-------------------------------------------------------------------------
 *
 * read_build.c
 *	  The engine's join in a spatial hash join, from reading the build side to
 *	  the end.
 *
 *		build child --> key, payload --> engine			(src/join)
 *								\
 *								 +-----> unmatchable	rows that match nothing
 *
 * The engine does not accept rows with a null in their key, or boxes with a
 * NaN if such boxes match nothing.  If the join preserves the build side,
 * these rows go into a tuplestore, and are returned at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"

#include "join_node/executor/join_executor.h"
#include "join_node/indexes/index_join.h"
#include "join_node/join_node.h"

/*
 * Return whether the engine has to consider what conditions keep of build rows.  The
 * rows of another join of this kind come in parts of space, so that few values are in
 * use at a time, and perhaps those that the other join uses.
 */
static bool
keeps_values(const SpqNodeState *node)
{
	const PlanState *probe = node->side[SPQ_NODE_PROBE].plan;

	return node->side[SPQ_NODE_BUILD].in_recheck != NULL &&
		!(IsA(probe, CustomScanState) &&
		  ((const CustomScanState *) probe)->methods == node->css.methods);
}

/*
 * Start the engine's join in this process.  Set *wants_build to false if the
 * build side is shared and other processes have read all of it.
 */
static SpqJoin *
start_engine(SpqNodeState *node, bool *wants_build)
{
	SpqJoinSpec spec = {
		.predicate = node->predicate,
		.memory = get_hash_memory_limit(),
		.build_payload = spq_node_has_payload(&node->side[SPQ_NODE_BUILD]),
		.probe_payload = spq_node_has_payload(&node->side[SPQ_NODE_PROBE]),
		.unmatched_build = (node->kind & SPQ_NODE_EMIT_BUILDS) != 0,
		.unmatched_probes = (node->kind & SPQ_NODE_EMIT_PROBES) != 0,
		.first_of_probe = (node->kind & SPQ_NODE_ONE_PER_PROBE) != 0,
		.first_of_build = (node->kind & SPQ_NODE_ONE_PER_BUILD) != 0,
		.count_build = node->counts.by_build,
		.accept_all = node->counts.by_build && node->counts.skip_pairs,
		.hashed = node->side[SPQ_NODE_BUILD].nhash > 0,
		.probe_lines = node->side[SPQ_NODE_PROBE].has_line,
		.kept = keeps_values(node) ? spq_node_kept_bytes : NULL,
		.kept_argument = &node->side[SPQ_NODE_BUILD],
	};
	SpqJoin    *join;

	*wants_build = true;
	if (node->shared_build == NULL)
	{
		/* some more: an estimate is often a little too low */
		spec.expected_build = node->side[SPQ_NODE_BUILD].plan->plan->plan_rows * 1.02;
		return node->engine->begin(&spec);
	}
	spec.expected_probes = node->side[SPQ_NODE_PROBE].plan->plan->plan_rows;
	join = node->sharing->begin(&spec, node->shared_build,
								node->css.ss.ps.state->es_query_dsa,
								ParallelWorkerNumber + 1);
	*wants_build = node->sharing->wants_build(join);
	return join;
}

/* Store a build row that matches nothing. */
static void
keep_unmatchable(SpqNodeState *node, TupleTableSlot *slot)
{
	if (node->unmatchable == NULL)
		node->unmatchable = tuplestore_begin_heap(false, false, work_mem);
	tuplestore_puttupleslot(node->unmatchable, slot);
}

/* Start a join, and read the build side. */
void
spq_node_begin_join(SpqNodeState *node)
{
	SpqNodeSide *build = &node->side[SPQ_NODE_BUILD];
	bool		preserved = (node->kind & SPQ_NODE_EMIT_BUILDS) != 0;
	MemoryContext old =
		MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
	bool		wants_build;

	if (node->indexes)
	{
		node->join = node->indexes == SPQ_NODE_BOTH_INDEXES ? spq_node_begin_index_join(node) :
			spq_node_begin_window_join(node);
		MemoryContextSwitchTo(old);
		return;
	}
	node->join = start_engine(node, &wants_build);
	while (wants_build)
	{
		TupleTableSlot *slot = ExecProcNode(build->plan);
		float8		box[SPQ_TYPE_NUMBERS];
		uint32		hash;

		if (TupIsNull(slot))
			break;
		CHECK_FOR_INTERRUPTS();
		if (!(spq_node_side_key(build, slot, box, &hash) &&
			  spq_node_give_row(node, build, slot, box, hash, node->engine->build)) &&
			preserved)
			keep_unmatchable(node, slot);
	}
	node->engine->build_done(node->join);
	MemoryContextSwitchTo(old);
}

/* Fetch the next build row that matches nothing.  Return false at the end. */
bool
spq_node_next_unmatchable(SpqNodeState *node)
{
	return node->unmatchable != NULL &&
		tuplestore_gettupleslot(node->unmatchable, true, false, node->unmatchable_slot);
}

/*
 * Prepare to join other probes with the same build side.  Return false if the
 * build side must be read again.
 */
bool
spq_node_restart_join(SpqNodeState *node)
{
	if (!node->engine->restart(node->join))
		return false;
	if (node->unmatchable)
		tuplestore_rescan(node->unmatchable);
	return true;
}

/* A build side in batches on disk must be read again. */
bool
spq_node_keeps_build(const PlanState *state)
{
	const SpqNodeState *node = (const SpqNodeState *) state;

	return node->join == NULL || node->engine->stats(node->join)->batches <= 1;
}

/* Add the counts of a join to a sum. */
void
spq_node_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats)
{
	sum->build_rows += stats->build_rows;
	sum->probe_rows += stats->probe_rows;
	sum->probe_copies += stats->probe_copies;
	sum->candidates += stats->candidates;
	sum->matches += stats->matches;

	/*
	 * each loop of a hash join has the same batches; those that search an
	 * index add up
	 */
	sum->batches = stats->leaves > 0 ? sum->batches + stats->batches : Max(sum->batches, stats->batches);
	sum->bins = Max(sum->bins, stats->bins);
	sum->size_classes = Max(sum->size_classes, stats->size_classes);
	if (sum->tile_size == 0)
		sum->tile_size = stats->tile_size;
	sum->memory = Max(sum->memory, stats->memory);
	sum->shared_memory = Max(sum->shared_memory, stats->shared_memory);
	sum->leaves += stats->leaves;
	sum->leaf_pairs += stats->leaf_pairs;
	sum->fetches += stats->fetches;
}

void
spq_node_end_join(SpqNodeState *node)
{
	if (node->join)
	{
		spq_node_add_stats(&node->stats, node->engine->stats(node->join));
		node->engine->end(node->join);
	}
	node->join = NULL;
	if (node->unmatchable)
		tuplestore_end(node->unmatchable);
	node->unmatchable = NULL;
}
