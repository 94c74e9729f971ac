/*-------------------------------------------------------------------------
 *
 * repeated_execute.c
 *	  Repeated searches in execution.
 *
 *		search 1 .. n			the planner's own path
 *		search n + 1			read all rows, keep them, search
 *		search n + 2 ..			search
 *
 * If the rows do not fit into memory, the planner's own path does the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/execnodes.h"

#include "compat.h"
#include "join_node/join_node.h"
#include "repeated_node/repeated_node.h"

typedef struct RepeatedState
{
	CustomScanState css;		/* must be first */
	PlanState  *once;			/* the planner's own path */
	PlanState  *kept;			/* the join that keeps all rows */
	int			first;			/* searches before that */
	bool		too_many;		/* rows for memory */
	PlanState  *current;		/* of the two, or NULL before a search */

	/* for EXPLAIN */
	double		searches;
	double		by_once;
} RepeatedState;

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	RepeatedState *node = (RepeatedState *) css;
	const CustomScan *cscan = (const CustomScan *) css->ss.ps.plan;

	node->once = ExecInitNode(linitial(cscan->custom_plans), estate, eflags);
	node->kept = ExecInitNode(lsecond(cscan->custom_plans), estate, eflags);
	css->custom_ps = list_make2(node->once, node->kept);
	node->first = linitial_int(cscan->custom_private);
}

/* Begin a search. */
static void
begin_search(RepeatedState *node)
{
	bool		once = node->too_many || node->searches < node->first;

	node->current = once ? node->once : node->kept;
	node->searches++;
	node->by_once += once;
}

static TupleTableSlot *
exec_scan(CustomScanState *css)
{
	RepeatedState *node = (RepeatedState *) css;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot,
			   *slot;

	if (node->current == NULL)
		begin_search(node);
	slot = ExecProcNode(node->current);
	if (TupIsNull(slot))
		return NULL;

	/* the children return slots of different kinds */
	slot_getallattrs(slot);
	ExecClearTuple(scan);
	memcpy(scan->tts_values, slot->tts_values, scan->tts_tupleDescriptor->natts * sizeof(Datum));
	memcpy(scan->tts_isnull, slot->tts_isnull, scan->tts_tupleDescriptor->natts * sizeof(bool));
	ExecStoreVirtualTuple(scan);
	if (css->ss.ps.ps_ProjInfo == NULL)
		return scan;
	ResetExprContext(css->ss.ps.ps_ExprContext);
	css->ss.ps.ps_ExprContext->ecxt_scantuple = scan;
	return ExecProject(css->ss.ps.ps_ProjInfo);
}

static void
rescan(CustomScanState *css)
{
	RepeatedState *node = (RepeatedState *) css;
	PlanState  *children[] = {node->once, node->kept};

	if (node->current == node->kept && !spq_node_keeps_build(node->kept))
		node->too_many = true;
	node->current = NULL;
	for (int i = 0; i < (int) lengthof(children); i++)
	{
		if (css->ss.ps.chgParam != NULL)
			UpdateChangedParamSet(children[i], css->ss.ps.chgParam);
		if (children[i]->chgParam == NULL)
			ExecReScan(children[i]);
	}
}

static void
end_scan(CustomScanState *css)
{
	RepeatedState *node = (RepeatedState *) css;

	ExecEndNode(node->once);
	ExecEndNode(node->kept);
}

static void
explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	const RepeatedState *node = (const RepeatedState *) css;

	if (!es->analyze)
		return;
	ExplainPropertyFloat("Searches", NULL, node->searches, 0, es);
	ExplainPropertyFloat("Searches by the First Plan", NULL, node->by_once, 0, es);
	if (node->too_many || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyBool("Too Many Rows", node->too_many, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SPQ_REPEATED_NODE_NAME,
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = explain,
};

Node *
spq_repeated_create_state(CustomScan *cscan)
{
	RepeatedState *node = (RepeatedState *) newNode(sizeof(RepeatedState), T_CustomScanState);

	node->css.methods = &exec_methods;
	return (Node *) node;
}
