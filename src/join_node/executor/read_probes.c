/*-------------------------------------------------------------------------
 *
 * read_probes.c
 *	  Reads the probe side, and passes its rows to the engine.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"

#include "join_node/executor/join_executor.h"

/*
 * Return true if the probe side is empty, so that the build side need not be
 * read.  To find out, fetch the first probe, but only if that is likely to be
 * cheaper than reading the build side.
 */
bool
spq_node_no_probes(SpqNodeState *node)
{
	PlanState  *probe = node->side[SPQ_NODE_PROBE].plan,
			   *build = node->side[SPQ_NODE_BUILD].plan;

	if (node->indexes || (node->kind & SPQ_NODE_EMIT_BUILDS) || node->parallel != NULL ||
		probe->plan->startup_cost >= build->plan->total_cost)
		return false;
	node->first_probe = ExecProcNode(probe);
	return TupIsNull(node->first_probe);
}

/*
 * Pass as many probes to the engine as it has room for.  If a probe matches
 * nothing and the join preserves it, load it and return true.
 */
bool
spq_node_give_probes(SpqNodeState *node)
{
	SpqNodeSide *side = &node->side[SPQ_NODE_PROBE];
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;

	while (node->engine->room(node->join) > 0)
	{
		TupleTableSlot *slot;
		float8		box[SPQ_TYPE_NUMBERS];
		uint32		hash;

		CHECK_FOR_INTERRUPTS();
		slot = node->first_probe;
		node->first_probe = NULL;
		if (slot == NULL)
			slot = ExecProcNode(side->plan);
		if (TupIsNull(slot))
		{
			node->engine->probes_done(node->join);
			break;
		}
		if (spq_node_side_key(side, slot, box, &hash) &&
			spq_node_give_row(node, side, slot, box, hash, node->engine->probe))
			continue;
		if (node->kind & SPQ_NODE_EMIT_PROBES)
		{
			spq_node_load_slot(side, scan, slot);
			spq_node_load_nulls(&node->side[SPQ_NODE_BUILD], scan);
			return true;
		}
	}
	return false;
}
