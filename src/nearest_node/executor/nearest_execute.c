/*-------------------------------------------------------------------------
 *
 * nearest_execute.c
 *	  Runs a node that returns rows in order of their distance from a value,
 *	  again and again for other values.
 *
 *		value 1, 2, ...		   ordered plan --> rows			an index scan, or a sort
 *		value i, ...		   rows in memory --> rows			neighbors.c
 *							   reading plan, once
 *
 * For the first values, the ordered plan returns the rows, until it has cost
 * as much as it would to read all rows.  So a query with few values is at most
 * about twice as slow as before, if the planner did not expect many.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/sysattr.h"
#include "catalog/pg_type_d.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "custom_node.h"
#include "nearest_node/executor/plan_format.h"
#include "nearest_node/executor/state.h"
#include "types/registry.h"

/* Return whether the rows are in memory, or can be. */
static bool
use_memory(SpqNearestState *node)
{
	const EState *estate = node->css.ss.ps.state;

	if (node->context)
		return true;
	if (node->too_many || node->plan_searches < node->searches_worth)
		return false;

	/* rows that are checked again come from the ordered plan */
	if (node->reads_leaves && (estate->es_epq_active != NULL || !IsMVCCSnapshot(estate->es_snapshot)))
		return false;
	return spq_nearest_node_read_rows(node);
}

/* Return the next row of the ordered plan. */
static TupleTableSlot *
row_of_plan(SpqNearestState *node)
{
	TupleTableSlot *slot = ExecProcNode(node->child[SPQ_NEAREST_ORDERED]),
			   *result = node->result;
	int			natts = result->tts_tupleDescriptor->natts;

	if (TupIsNull(slot))
		return NULL;
	slot_getsomeattrs(slot, natts);
	ExecClearTuple(result);
	memcpy(result->tts_values, slot->tts_values, natts * sizeof(Datum));
	memcpy(result->tts_isnull, slot->tts_isnull, natts * sizeof(bool));
	return ExecStoreVirtualTuple(result);
}

/* Set the distance in the scan tuple. */
static void
store_distance(SpqNearestState *node, const SpqNearestHit *hit, TupleTableSlot *scan)
{
	bool		isnull = hit == NULL;
	float8		distance = isnull ? 0 : hit->distance;

	/* the function decides what it is, or raises an error */
	if (unlikely(isinf(distance)))
		distance = spq_nearest_node_call(node, spq_nearest_node_value(node, (uint32) hit->id), &isnull);
	scan->tts_values[node->distance_column - 1] = Float8GetDatum(distance);
	scan->tts_isnull[node->distance_column - 1] = isnull;
}

/* Return the next row in memory that satisfies the filter. */
static TupleTableSlot *
row_of_memory(SpqNearestState *node)
{
	PlanState  *ps = &node->css.ss.ps;
	const SpqNearestHit *hit;

	do
	{
		CHECK_FOR_INTERRUPTS();
		if (!spq_nearest_node_next(node, &hit))
			return NULL;

		/* the search has evaluated the filter for rows with a distance */
	} while (hit == NULL && !spq_nearest_node_accepts(node));
	if (node->distance_column > 0)
		store_distance(node, hit, ps->ps_ExprContext->ecxt_scantuple);
	return ps->ps_ProjInfo ? ExecProject(ps->ps_ProjInfo) : ps->ps_ExprContext->ecxt_scantuple;
}

static TupleTableSlot *
exec_scan(CustomScanState *css)
{
	SpqNearestState *node = (SpqNearestState *) css;

	if (node->source == SPQ_NEAREST_NOT_STARTED)
	{
		if (use_memory(node))
		{
			spq_nearest_node_begin_search(node);
			node->source = SPQ_NEAREST_FROM_MEMORY;
		}
		else
		{
			node->plan_searches++;
			if (node->bounded)
				ExecSetTupleBound(spq_nearest_node_wanted(node), node->child[SPQ_NEAREST_ORDERED]);
			node->source = SPQ_NEAREST_FROM_PLAN;
		}
	}
	return node->source == SPQ_NEAREST_FROM_PLAN ? row_of_plan(node) : row_of_memory(node);
}

/*
 * Prepare to run for another value.  The rows in memory stay, unless the reading
 * plan depends on a parameter that has changed.
 */
static void
rescan(CustomScanState *css)
{
	SpqNearestState *node = (SpqNearestState *) css;
	PlanState  *ordered = node->child[SPQ_NEAREST_ORDERED],
			   *reading = node->child[SPQ_NEAREST_READING];

	if (css->ss.ps.chgParam != NULL)
	{
		UpdateChangedParamSet(ordered, css->ss.ps.chgParam);
		UpdateChangedParamSet(reading, css->ss.ps.chgParam);
	}
	if (reading->chgParam != NULL)
	{
		spq_nearest_node_forget_rows(node);
		node->too_many = false;
		node->plan_searches = 0;
	}
	if (node->source == SPQ_NEAREST_FROM_PLAN && ordered->chgParam == NULL)
	{
		/* a sort with the same rows keeps them, if there were enough */
		if (node->bounded)
			ExecSetTupleBound(spq_nearest_node_wanted(node), ordered);
		ExecReScan(ordered);
	}
	node->source = SPQ_NEAREST_NOT_STARTED;
}

/* Prepare the row's value, and its bounds. */
static void
init_inner(SpqNearestState *node, List *exprs, const SpqType *type)
{
	SpqTypeOperand operand = {.type = type};
	Node	   *value;

	exprs = spq_child_references(exprs, NIL);
	value = linitial(exprs);
	node->inner_econtext = CreateExprContext(node->css.ss.ps.state);
	node->outer_econtext = CreateExprContext(node->css.ss.ps.state);
	node->inner_length = get_typlen(exprType(value));
	node->inner_column = castNode(Var, value)->varattno;
	if (!equal(value, lsecond(exprs)))
		node->inner_bounds = ExecInitExpr(lsecond(exprs), &node->css.ss.ps);
	spq_type_box_init(&node->inner_box, &operand, false, InvalidOid);
	node->axes = type->axes;
}

/* Return whether a column of the scan tuple is in the result. */
static bool
is_used(CustomScan *cscan, AttrNumber column)
{
	Bitmapset  *used = NULL;

	pull_varattnos((Node *) cscan->scan.plan.targetlist, INDEX_VAR, &used);
	return bms_is_member(column - FirstLowInvalidHeapAttributeNumber, used);
}

typedef struct Calls
{
	AttrNumber	column;			/* the distance in the scan tuple */
	FuncExpr   *call;			/* to compute it */
} Calls;

/* Replace references to the distance by calls. */
static Node *
as_calls(Node *node, void *context)
{
	const Calls *calls = context;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varno == INDEX_VAR &&
		((Var *) node)->varattno == calls->column)
		return copyObject((Node *) calls->call);
	return expression_tree_mutator(node, as_calls, context);
}

/*
 * Return the filter in a form that can be evaluated before the distance is in the
 * scan tuple.
 */
static List *
filter_without_distance(CustomScan *cscan, List *numbers)
{
	List	   *args = list_copy_tail(list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_OUTER), 1);
	TargetEntry *distance = llast_node(TargetEntry, cscan->custom_scan_tlist);
	Calls		calls = {.column = distance->resno};
	Oid			collation = (Oid) list_nth_int(numbers, SPQ_NEAREST_NUMBER_COLLATION);

	args = list_insert_nth(args, list_nth_int(numbers, SPQ_NEAREST_NUMBER_ARGUMENT),
						   linitial(list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_INNER)));
	calls.call = makeFuncExpr((Oid) list_nth_int(numbers, SPQ_NEAREST_NUMBER_FUNCTION), FLOAT8OID,
							  args, InvalidOid, collation, COERCE_EXPLICIT_CALL);
	return (List *) as_calls(list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_FILTER), &calls);
}

/* Prepare the distance and its other arguments. */
static void
init_distance(SpqNearestState *node, List *exprs, List *numbers)
{
	CustomScan *cscan = (CustomScan *) node->css.ss.ps.plan;
	TargetEntry *distance = llast_node(TargetEntry, cscan->custom_scan_tlist);
	SpqTypeOperand operand = {
		.type = spq_type_numbered(list_nth_int(numbers, SPQ_NEAREST_NUMBER_OUTER_KIND))
	};

	node->outer_bounds = ExecInitExpr(linitial(exprs), &node->css.ss.ps);
	spq_type_box_init(&node->outer_box, &operand, false, InvalidOid);
	node->nothers = list_length(exprs) - 1;
	node->others = palloc(node->nothers * sizeof(ExprState *));
	node->is_varlena = palloc(node->nothers * sizeof(bool));
	for (int i = 0; i < node->nothers; i++)
	{
		node->others[i] = ExecInitExpr(list_nth(exprs, i + 1), &node->css.ss.ps);
		node->is_varlena[i] = get_typlen(exprType(list_nth(exprs, i + 1))) == -1;
	}
	node->argument = list_nth_int(numbers, SPQ_NEAREST_NUMBER_ARGUMENT);
	fmgr_info((Oid) list_nth_int(numbers, SPQ_NEAREST_NUMBER_FUNCTION), &node->function);
	fmgr_info_set_expr((Node *) distance->expr, &node->function);
	node->quick = spq_nearest_node_quick(node->function.fn_oid);
	node->distance_column = is_used(cscan, distance->resno) ? distance->resno : 0;
	node->values.measure = spq_nearest_node_measure;
	node->values.argument = node;
	node->call = palloc0(SizeForFunctionCallInfo(node->nothers + 1));
	InitFunctionCallInfoData(*node->call, &node->function, node->nothers + 1,
							 (Oid) list_nth_int(numbers, SPQ_NEAREST_NUMBER_COLLATION), NULL, NULL);
	node->call_context = AllocSetContextCreate(CurrentMemoryContext, "spqtree distance",
											   ALLOCSET_SMALL_SIZES);
}

static void
init_windows(SpqNearestState *node, List *exprs, List *kinds)
{
	node->nwindows = list_length(exprs);
	node->windows = palloc(node->nwindows * sizeof(SpqNearestWindow));
	for (int i = 0; i < node->nwindows; i++)
	{
		SpqTypeOperand operand = {
			.type = spq_type_numbered(list_nth_int(kinds, 2 * i)),
			.function = (Oid) list_nth_int(kinds, 2 * i + 1)
		};

		node->windows[i].expr = ExecInitExpr(list_nth(exprs, i), &node->css.ss.ps);
		spq_type_box_init(&node->windows[i].bounds, &operand, false, InvalidOid);
	}
}

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	SpqNearestState *node = (SpqNearestState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	List	   *numbers = list_nth(cscan->custom_private, SPQ_NEAREST_PRIVATE_NUMBERS),
			   *floats = list_nth(cscan->custom_private, SPQ_NEAREST_PRIVATE_FLOATS);

	Assert(!(eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)));
	for (int i = 0; i < SPQ_NEAREST_CHILDREN; i++)
	{
		node->child[i] = ExecInitNode(list_nth(cscan->custom_plans, i), estate, eflags);
		css->custom_ps = lappend(css->custom_ps, node->child[i]);
	}
	node->result = ExecInitExtraTupleSlot(estate, css->ss.ps.ps_ResultTupleDesc, &TTSOpsVirtual);
	node->null_slot = ExecInitExtraTupleSlot(estate,
											 ExecGetResultType(node->child[SPQ_NEAREST_READING]),
											 &TTSOpsMinimalTuple);
	node->values.unit = floatVal(list_nth(floats, SPQ_NEAREST_FLOAT_UNIT));
	node->margin = floatVal(list_nth(floats, SPQ_NEAREST_FLOAT_MARGIN));
	node->factor = floatVal(list_nth(floats, SPQ_NEAREST_FLOAT_FACTOR));
	node->searches_worth = floatVal(list_nth(floats, SPQ_NEAREST_FLOAT_SEARCHES));
	init_inner(node, list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_INNER),
			   spq_type_numbered(list_nth_int(numbers, SPQ_NEAREST_NUMBER_INNER_KIND)));
	init_distance(node, list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_OUTER), numbers);
	init_windows(node, list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_WINDOWS),
				 list_nth(cscan->custom_private, SPQ_NEAREST_PRIVATE_WINDOWS));
	node->filter = ExecInitQual(filter_without_distance(cscan, numbers), &css->ss.ps);
	node->bounded = list_nth_int(numbers, SPQ_NEAREST_NUMBER_BOUNDED);
	node->reads_leaves = list_nth_int(numbers, SPQ_NEAREST_NUMBER_LEAVES);
	node->count = ExecInitExprList(list_nth(cscan->custom_exprs, SPQ_NEAREST_EXPRS_COUNT),
								   &css->ss.ps);
}

static void
end_scan(CustomScanState *css)
{
	SpqNearestState *node = (SpqNearestState *) css;

	spq_nearest_node_forget_rows(node);
	for (int i = 0; i < SPQ_NEAREST_CHILDREN; i++)
		ExecEndNode(node->child[i]);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SPQ_NEAREST_NODE_NAME,
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = spq_nearest_node_explain,
};

Node *
spq_nearest_node_create_state(CustomScan *cscan)
{
	SpqNearestState *node = (SpqNearestState *) newNode(sizeof(SpqNearestState),
														T_CustomScanState);

	node->css.methods = &exec_methods;
	return (Node *) node;
}
