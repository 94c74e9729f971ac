/*-------------------------------------------------------------------------
 *
 * execute.c
 *	  Runs a spatial hash join: rows of two children in, joined rows out.
 *
 *			  build child				 probe child
 *				  |							  |
 *		  key and payload (sides.c)	  key and payload
 *				  |							  |
 *				  +------> engine <-----------+		(src/join)
 *							  |
 *				 pair, or a row without a match
 *							  |
 *			   recheck, filter, target list --> row
 *
 * Rows with a null in their key match nothing, and the engine does not take
 * them; nor does it take a box with NaN where that matches nothing.  If the
 * join keeps rows without a match, such a probe is given out when it comes by,
 * such a build row at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "join_node/state.h"

/*
 * Is there no probe at all, so that the build side need not be read?  It is
 * asked first if that is likely to be the cheaper question.
 */
static bool
no_probes(SpqNodeState *node)
{
	PlanState  *probe = node->side[SPQ_NODE_PROBE].plan,
			   *build = node->side[SPQ_NODE_BUILD].plan;

	if ((node->kind & SPQ_NODE_EMIT_BUILDS) || node->parallel != NULL ||
		probe->plan->startup_cost >= build->plan->total_cost)
		return false;
	node->first_probe = ExecProcNode(probe);
	return TupIsNull(node->first_probe);
}

/* Starts a join, and reads the build side. */
static void
begin_join(SpqNodeState *node)
{
	SpqNodeSide *build = &node->side[SPQ_NODE_BUILD],
			   *probe = &node->side[SPQ_NODE_PROBE];
	EState	   *estate = node->css.ss.ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	SpqJoinSpec spec = {
		.predicate = node->predicate,
		.memory = get_hash_memory_limit(),
		.build_payload = build->ncolumns > 0,
		.probe_payload = probe->ncolumns > 0,
		.unmatched_build = (node->kind & SPQ_NODE_EMIT_BUILDS) != 0,
		.unmatched_probes = (node->kind & SPQ_NODE_EMIT_PROBES) != 0,
		.first_of_probe = (node->kind & SPQ_NODE_ONE_PER_PROBE) != 0,
		.first_of_build = (node->kind & SPQ_NODE_ONE_PER_BUILD) != 0,
		.keyed = build->nhash > 0,
	};
	bool		wants_build;

	node->join = spq_node_begin_join(node, &spec, &wants_build);
	while (wants_build)
	{
		TupleTableSlot *slot = ExecProcNode(build->plan);
		BOX			box;
		uint32		hash;
		MinimalTuple payload = NULL;
		bool		taken;

		if (TupIsNull(slot))
			break;
		CHECK_FOR_INTERRUPTS();
		taken = spq_node_side_key(build, slot, &box, &hash);
		if (build->ncolumns > 0 && (taken || (node->kind & SPQ_NODE_EMIT_BUILDS)))
			payload = spq_node_side_payload(build, slot);
		if (taken)
			taken = spq_join_build(node->join, &box, hash, 0, payload,
								   payload ? payload->t_len : 0);
		if (!taken && (node->kind & SPQ_NODE_EMIT_BUILDS))
		{
			if (node->unmatchable == NULL)
				node->unmatchable = tuplestore_begin_heap(false, false, work_mem);
			if (payload == NULL)
				payload = node->no_columns;
			ExecForceStoreMinimalTuple(payload, node->unmatchable_slot, false);
			tuplestore_puttupleslot(node->unmatchable, node->unmatchable_slot);
		}
	}
	spq_join_build_done(node->join);
	MemoryContextSwitchTo(old);
}

void
spq_node_end_join(SpqNodeState *node)
{
	if (node->join)
	{
		spq_node_add_stats(&node->stats, spq_join_stats(node->join));
		spq_join_end(node->join);
	}
	node->join = NULL;
	if (node->unmatchable)
		tuplestore_end(node->unmatchable);
	node->unmatchable = NULL;
}

/* The scan tuple is filled: the result row, or NULL if a filter rejects it. */
static inline TupleTableSlot *
result_row(SpqNodeState *node)
{
	PlanState  *ps = &node->css.ss.ps;

	if (!ExecQual(node->filter, ps->ps_ExprContext))
	{
		InstrCountFiltered2(node, 1);
		return NULL;
	}
	if (ps->ps_ProjInfo)
		return ExecProject(ps->ps_ProjInfo);
	return node->css.ss.ss_ScanTupleSlot;
}

/*
 * Gives the engine probes, as many as it has room for.  Returns a row if a probe
 * comes out at once: one that matches nothing.
 */
static TupleTableSlot *
give_probes(SpqNodeState *node)
{
	SpqNodeSide *side = &node->side[SPQ_NODE_PROBE];
	TupleTableSlot *scan = node->css.ss.ss_ScanTupleSlot;

	while (spq_join_room(node->join) > 0)
	{
		TupleTableSlot *slot;
		BOX			box;
		uint32		hash;

		CHECK_FOR_INTERRUPTS();
		slot = node->first_probe;
		node->first_probe = NULL;
		if (slot == NULL)
			slot = ExecProcNode(side->plan);
		if (TupIsNull(slot))
		{
			spq_join_probes_done(node->join);
			break;
		}
		if (spq_node_side_key(side, slot, &box, &hash))
		{
			MinimalTuple payload = side->ncolumns > 0 ?
				spq_node_side_payload(side, slot) : NULL;

			if (spq_join_probe(node->join, &box, hash, 0, payload,
							   payload ? payload->t_len : 0))
				continue;
		}
		if (node->kind & SPQ_NODE_EMIT_PROBES)
		{
			TupleTableSlot *result;

			ResetExprContext(node->css.ss.ps.ps_ExprContext);
			spq_node_side_load_slot(side, scan, slot);
			spq_node_side_load_nulls(&node->side[SPQ_NODE_BUILD], scan);
			result = result_row(node);
			if (result)
				return result;
		}
	}
	return NULL;
}

/* The next build row that the engine did not take.  False if there is none. */
static bool
next_unmatchable(SpqNodeState *node)
{
	return node->unmatchable != NULL &&
		tuplestore_gettupleslot(node->unmatchable, true, false,
								node->unmatchable_slot);
}

static TupleTableSlot *
spq_exec_join(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot;
	ExprContext *econtext = css->ss.ps.ps_ExprContext;
	SpqNodeSide *probe = &node->side[SPQ_NODE_PROBE],
			   *build = &node->side[SPQ_NODE_BUILD];

	if (node->done)
		return NULL;
	if (node->join == NULL)
	{
		if (no_probes(node))
		{
			node->done = true;
			return NULL;
		}
		begin_join(node);
	}

	/* a virtual tuple, whose columns are stored without further ado */
	ExecClearTuple(scan);
	ExecStoreVirtualTuple(scan);
	econtext->ecxt_scantuple = scan;

	for (;;)
	{
		SpqJoinPair pair;
		TupleTableSlot *result;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		switch (spq_join_next(node->join, &pair))
		{
			case SPQ_JOIN_PAIR:
				spq_node_side_load(probe, scan, pair.probe);
				spq_node_side_load(build, scan, pair.build);
				if (!ExecQual(node->recheck, econtext))
				{
					node->removed++;
					continue;
				}
				if (node->kind & ~SPQ_NODE_EMIT_PAIRS)
					spq_join_accept(node->join);
				if (!(node->kind & SPQ_NODE_EMIT_PAIRS))
					continue;
				break;

			case SPQ_JOIN_UNMATCHED_PROBE:
				spq_node_side_load(probe, scan, pair.probe);
				spq_node_side_load_nulls(build, scan);
				break;

			case SPQ_JOIN_UNMATCHED_BUILD:
				spq_node_side_load_nulls(probe, scan);
				spq_node_side_load(build, scan, pair.build);
				break;

			case SPQ_JOIN_WANTS_PROBES:
				result = give_probes(node);
				if (result)
					return result;
				continue;

			case SPQ_JOIN_END:
				if (!next_unmatchable(node))
				{
					node->done = true;
					return NULL;
				}
				spq_node_side_load_nulls(probe, scan);
				spq_node_side_load(build, scan,
								   (uint64) (uintptr_t)
								   ExecFetchSlotMinimalTuple(node->unmatchable_slot, NULL));
				break;
		}
		result = result_row(node);
		if (result)
			return result;
	}
}

/*
 * Again, perhaps with other parameters.  The build side stays if nothing that it
 * depends on has changed, and if all of it is in memory.
 */
static void
spq_rescan_join(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;
	PlanState  *probe = node->side[SPQ_NODE_PROBE].plan,
			   *build = node->side[SPQ_NODE_BUILD].plan;
	Bitmapset  *changed = css->ss.ps.chgParam;

	if (changed != NULL)
	{
		UpdateChangedParamSet(probe, changed);
		UpdateChangedParamSet(build, changed);
	}

	if (node->join)
	{
		if (build->chgParam == NULL &&
			!node->shared &&
			!(changed != NULL && node->side[SPQ_NODE_BUILD].param_key) &&
			spq_join_restart(node->join))
		{
			if (node->unmatchable)
				tuplestore_rescan(node->unmatchable);
		}
		else
		{
			spq_node_end_join(node);
			if (build->chgParam == NULL)
				ExecReScan(build);
		}
	}
	if (probe->chgParam == NULL)
		ExecReScan(probe);
	node->first_probe = NULL;
	node->done = false;
}

/*
 * The engine may decide in place of the operator; who must not call the operator's
 * function must not use the join either.
 */
static void
check_key_privilege(const OpExpr *key)
{
	AclResult	result = spq_function_aclcheck(key->opfuncid, GetUserId());

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(key->opfuncid));
	InvokeFunctionExecuteHook(key->opfuncid);
}

static void
spq_begin_join(CustomScanState *css, EState *estate, int eflags)
{
	SpqNodeState *node = (SpqNodeState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot;

	Assert(!(eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)));
	check_key_privilege(linitial(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_COND)));
	memset(scan->tts_isnull, true, scan->tts_tupleDescriptor->natts * sizeof(bool));
	for (int i = 0; i < SPQ_NODE_SIDES; i++)
	{
		node->side[i].plan = ExecInitNode(list_nth(cscan->custom_plans, i),
										  estate, eflags);
		css->custom_ps = lappend(css->custom_ps, node->side[i].plan);
		spq_node_side_init(node, i);
	}
	node->recheck = ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK),
								 &css->ss.ps);
	node->filter = ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_FILTER),
								&css->ss.ps);
	if (node->kind & SPQ_NODE_EMIT_BUILDS)
	{
		SpqNodeSide *build = &node->side[SPQ_NODE_BUILD];

		node->unmatchable_slot = ExecInitExtraTupleSlot(estate, build->desc,
														&TTSOpsMinimalTuple);
		if (build->ncolumns == 0)
			node->no_columns = spq_form_minimal_tuple(build->desc, NULL, NULL);
	}
}

static void
spq_end_join(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;

	spq_node_end_join(node);
	for (int i = 0; i < SPQ_NODE_SIDES; i++)
		ExecEndNode(node->side[i].plan);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SPQ_NODE_NAME,
	.BeginCustomScan = spq_begin_join,
	.ExecCustomScan = spq_exec_join,
	.EndCustomScan = spq_end_join,
	.ReScanCustomScan = spq_rescan_join,
	.EstimateDSMCustomScan = spq_node_estimate_dsm,
	.InitializeDSMCustomScan = spq_node_initialize_dsm,
	.ReInitializeDSMCustomScan = spq_node_reinitialize_dsm,
	.InitializeWorkerCustomScan = spq_node_initialize_worker,
	.ShutdownCustomScan = spq_node_shutdown,
	.ExplainCustomScan = spq_node_explain,
};

Node *
spq_node_create_state(CustomScan *cscan)
{
	SpqNodeState *node = (SpqNodeState *) newNode(sizeof(SpqNodeState),
												  T_CustomScanState);
	List	   *numbers = list_nth(cscan->custom_private, SPQ_NODE_PLAN_NUMBERS);

	node->css.methods = &exec_methods;
	node->kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND);
	node->predicate = list_nth_int(numbers, SPQ_NODE_NUMBER_PREDICATE);
	node->shared = list_nth_int(numbers, SPQ_NODE_NUMBER_SHARED);
	return (Node *) node;
}
