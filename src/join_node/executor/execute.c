/*-------------------------------------------------------------------------
 *
 * execute.c
 *	  Runs a spatial hash join: rows of two children in, joined rows out.
 *
 *		build child (read_build.c)	  probe child
 *				  |						  |
 *		  key and payload (sides.c)	  key and payload
 *				  |						  |
 *				  +------> engine <-------+			(src/join)
 *							  |
 *				 pair, or an unmatched row
 *							  |
 *			   recheck, filter, target list --> row
 *
 * The engine does not accept rows with a null in their key, or boxes with a
 * NaN if such boxes match nothing.  If the join preserves the probe side,
 * these rows are returned as soon as they are read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "join_node/executor/next_row.h"
#include "join_node/indexes/index_join.h"
#include "types/registry.h"

/*
 * Make the result row from the scan tuple.  Return NULL if a filter rejects
 * it.
 */
static inline TupleTableSlot *
result_row(SpqNodeState *node)
{
	PlanState  *ps = &node->css.ss.ps;

	if (!ExecQual(node->filter, ps->ps_ExprContext))
	{
		InstrCountFiltered2(node, 1);
		return NULL;
	}
	if (node->nresult >= 0)
		return spq_node_copied_row(node);
	if (ps->ps_ProjInfo)
		return ExecProject(ps->ps_ProjInfo);
	return node->css.ss.ss_ScanTupleSlot;
}

/* Prepare for the first row, or for the next one.  Return false at the end. */
static bool
prepare_row(SpqNodeState *node)
{
	CustomScanState *css = &node->css;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot;

	if (node->done)
		return false;
	if (node->join == NULL)
	{
		if (spq_node_no_probes(node))
		{
			node->done = true;
			return false;
		}
		spq_node_begin_join(node);
	}

	/*
	 * The scan tuple is virtual: write its columns directly.  If it was the
	 * last result, the caller may have copied values into its slot.
	 */
	if (css->ss.ps.ps_ProjInfo == NULL)
	{
		ExecClearTuple(scan);
		node->loaded = NULL;
	}
	if (TTS_EMPTY(scan))
		ExecStoreVirtualTuple(scan);
	css->ss.ps.ps_ExprContext->ecxt_scantuple = scan;
	return true;
}

static TupleTableSlot *
exec_scan(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;
	const SpqJoinPair *pair;

	/* most rows of most joins */
	if (node->plain && node->next_pair < node->npairs)
	{
		spq_node_load_result(node, &node->pair[node->next_pair++]);
		return spq_node_copied_row(node);
	}
	if (!prepare_row(node))
		return NULL;
	if (node->counts.ncounts > 0)
		return spq_node_count_rows(node);
	while (spq_node_next_row(node, &pair) != SPQ_JOIN_END)
	{
		TupleTableSlot *result = result_row(node);

		if (result)
			return result;
	}
	node->done = true;
	return NULL;
}

/*
 * Prepare to run again, possibly with other parameters.  Keep the build side
 * if all of it is in memory of this process, and nothing that it depends on
 * has changed.
 */
static void
rescan(CustomScanState *css)
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
		bool		keep = build->chgParam == NULL && !node->shared &&
			!(changed != NULL && node->side[SPQ_NODE_BUILD].param_key);

		if (!keep || !spq_node_restart_join(node))
		{
			spq_node_end_join(node);
			if (build->chgParam == NULL)
				ExecReScan(build);
		}
	}
	if (probe->chgParam == NULL)
		ExecReScan(probe);
	node->first_probe = NULL;
	node->npairs = node->next_pair = 0;
	node->counts.running = node->counts.row_waits = false;
	node->done = false;
}

/*
 * Check the EXECUTE privilege on the function of the key's operator, as
 * evaluation of the operator would.  The engine may decide in place of the
 * operator.
 */
static void
check_key_privilege(const OpExpr *key)
{
	AclResult	result = spq_function_aclcheck(key->opfuncid, GetUserId());

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(key->opfuncid));
	InvokeFunctionExecuteHook(key->opfuncid);
}

/*
 * Find out whether the result has only columns of the scan tuple.  Copying them
 * takes less time than a projection.
 */
static void
find_result_columns(SpqNodeState *node)
{
	List	   *targets = node->css.ss.ps.plan->targetlist;
	ListCell   *lc;

	node->nresult = -1;
	node->result_column = palloc(list_length(targets) * sizeof(int));
	if (node->css.ss.ps.ps_ProjInfo == NULL)
		return;
	foreach(lc, targets)
	{
		Expr	   *expr = lfirst_node(TargetEntry, lc)->expr;

		if (!IsA(expr, Var))
			return;
		Assert(((Var *) expr)->varno == INDEX_VAR);
		node->result_column[foreach_current_index(lc)] = ((Var *) expr)->varattno - 1;
	}
	node->nresult = list_length(targets);
}

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	SpqNodeState *node = (SpqNodeState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot;
	List	   *partitioning;

	Assert(!(eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)));
	check_key_privilege(linitial(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_COND)));
	memset(scan->tts_isnull, true, scan->tts_tupleDescriptor->natts * sizeof(bool));
	partitioning = list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_PARTITIONING);
	if (partitioning != NIL)
		node->partitioning = (const SpqPartTree *)
			PG_DETOAST_DATUM(linitial_node(Const, partitioning)->constvalue);
	for (int i = 0; i < SPQ_NODE_SIDES; i++)
	{
		node->side[i].plan = ExecInitNode(list_nth(cscan->custom_plans, i),
										  estate, eflags);
		css->custom_ps = lappend(css->custom_ps, node->side[i].plan);
		spq_node_side_init(node, i);
	}

	/*
	 * initialize the join filter to check the privileges on all functions,
	 * also those that the node does not call
	 */
	(void) ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_JOIN_FILTER), &css->ss.ps);
	node->recheck = ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK),
								 &css->ss.ps);
	node->recheck_clear = ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK_CLEAR),
									   &css->ss.ps);
	node->filter = ExecInitQual(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_FILTER),
								&css->ss.ps);
	node->distances = ExecInitExprList(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_DISTANCES),
									   &css->ss.ps);
	spq_node_count_init(node);
	find_result_columns(node);
	node->accepts = (node->kind & ~SPQ_NODE_EMIT_PAIRS) != 0 || node->counts.by_build;
	node->returns_pairs = (node->kind & SPQ_NODE_EMIT_PAIRS) != 0 && !node->counts.by_build;
	node->takes_more = !node->accepts && !node->counts.skip_pairs;
	node->plain = node->counts.ncounts == 0 && node->recheck == NULL && node->filter == NULL && node->partitioning == NULL &&
		node->nresult >= 0;
	if (!spq_node_can_join_indexes(estate))
		node->indexes = SPQ_NODE_NO_INDEX;
	if (node->indexes == SPQ_NODE_BOTH_INDEXES)
		node->engine = &spq_node_index_engine;
	else if (node->indexes == SPQ_NODE_BUILD_INDEX)
		node->engine = &spq_node_window_engine;
	if (node->kind & SPQ_NODE_EMIT_BUILDS)
		node->unmatchable_slot =
			ExecInitExtraTupleSlot(estate, ExecGetResultType(node->side[SPQ_NODE_BUILD].plan),
								   &TTSOpsMinimalTuple);
}

static void
end_scan(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;

	spq_node_end_join(node);
	for (int i = 0; i < SPQ_NODE_SIDES; i++)
		ExecEndNode(node->side[i].plan);
}

#define EXEC_METHODS(name) \
	{ \
		.CustomName = (name), \
		.BeginCustomScan = begin_scan, \
		.ExecCustomScan = exec_scan, \
		.EndCustomScan = end_scan, \
		.ReScanCustomScan = rescan, \
		.EstimateDSMCustomScan = spq_node_estimate_dsm, \
		.InitializeDSMCustomScan = spq_node_initialize_dsm, \
		.ReInitializeDSMCustomScan = spq_node_reinitialize_dsm, \
		.InitializeWorkerCustomScan = spq_node_initialize_worker, \
		.ShutdownCustomScan = spq_node_shutdown, \
		.ExplainCustomScan = spq_node_explain, \
	}

static const CustomExecMethods exec_methods = EXEC_METHODS(SPQ_NODE_NAME);
static const CustomExecMethods index_exec_methods = EXEC_METHODS(SPQ_NODE_INDEX_NAME);

Node *
spq_node_create_state(CustomScan *cscan)
{
	SpqNodeState *node = (SpqNodeState *) newNode(sizeof(SpqNodeState),
												  T_CustomScanState);
	List	   *numbers = list_nth(cscan->custom_private, SPQ_NODE_PLAN_NUMBERS);
	int			axes;

	node->indexes = list_nth_int(numbers, SPQ_NODE_NUMBER_INDEXES);
	node->css.methods = node->indexes ? &index_exec_methods : &exec_methods;
	node->kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND);
	node->predicate = list_nth_int(numbers, SPQ_NODE_NUMBER_PREDICATE);
	node->exact = list_nth_int(numbers, SPQ_NODE_NUMBER_EXACT);
	node->shared = list_nth_int(numbers, SPQ_NODE_NUMBER_SHARED);
	node->clear_axes = list_nth_int(numbers, SPQ_NODE_NUMBER_CLEAR_AXES);
	axes = node->axes = spq_type_numbered(list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE))->axes;
	node->engine = spq_join_engine(axes);
	node->sharing = spq_shared_engine(axes);
	return (Node *) node;
}
