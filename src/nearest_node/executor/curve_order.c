/*-------------------------------------------------------------------------
 *
 * curve_order.c
 *	  Returns rows in the order of a Hilbert curve through the centers of their
 *	  boxes.
 *
 * It is enough that most consecutive rows are near each other.  So if the rows
 * do not fit into work_mem, they are ordered in batches:
 *
 *		child --> batch --> order --> rows, and again
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "compat.h"
#include "custom_node.h"
#include "nearest_join/order.h"
#include "nearest_node/executor/plan_format.h"
#include "nearest_node/executor/state.h"
#include "prefetch.h"
#include "types/registry.h"
#include "types/value_box.h"

#define FIRST_SIZE	1024

/* Rows ahead of the one that is returned. */
#define AHEAD		8

/* The most rows of a batch: places have numbers of 31 bits. */
#define MOST_ROWS	(PG_INT32_MAX / 2)

typedef struct CurveState
{
	CustomScanState css;
	PlanState  *child;
	ExprContext *econtext;		/* for the child's rows */
	ExprState  *value;
	SpqTypeBoxOf bounds;
	int			axes;

	MemoryContext context;		/* of the batch */
	MinimalTuple *rows;
	float8	   *boxes;
	SpqNearestPlace *places;
	uint32		size;			/* of the arrays */
	uint32		nrows;
	uint32		nreturned;
	bool		done;			/* the child has no more rows */

	/* EXPLAIN ANALYZE */
	uint64		batches;
	Size		memory;
} CurveState;

/* Make room for more rows. */
static void
resize(CurveState *node, uint32 size)
{
	node->size = size;
	node->rows = repalloc_huge(node->rows, size * sizeof(MinimalTuple));
	node->boxes = repalloc_huge(node->boxes, (Size) size * 2 * node->axes * sizeof(float8));
}

/* Set the box of a row.  One without a box has one somewhere. */
static void
box_of(CurveState *node, TupleTableSlot *slot, float8 *box)
{
	Datum		value;
	bool		isnull;

	ResetExprContext(node->econtext);
	node->econtext->ecxt_outertuple = slot;
	value = ExecEvalExprSwitchContext(node->value, node->econtext, &isnull);
	if (isnull)
		memset(box, 0, 2 * node->axes * sizeof(float8));
	else
		spq_type_box_of(&node->bounds, value, box);
}

/* Read a batch of rows. */
static void
read_batch(CurveState *node)
{
	MemoryContext tuples;
	Size		bytes = 0,
				row_bytes = 2 * node->axes * sizeof(float8) + sizeof(MinimalTuple) +
		2 * sizeof(SpqNearestPlace),
				most = work_mem * (Size) 1024;

	MemoryContextReset(node->context);
	tuples = GenerationContextCreate(node->context, "rows", ALLOCSET_DEFAULT_SIZES);
	node->rows = MemoryContextAlloc(node->context, FIRST_SIZE * sizeof(MinimalTuple));
	node->boxes = MemoryContextAlloc(node->context, FIRST_SIZE * 2 * node->axes * sizeof(float8));
	node->size = FIRST_SIZE;
	node->nrows = node->nreturned = 0;
	while (bytes < most && node->nrows < MOST_ROWS)
	{
		TupleTableSlot *slot;
		MinimalTuple row;
		MemoryContext old;

		CHECK_FOR_INTERRUPTS();
		slot = ExecProcNode(node->child);
		if (TupIsNull(slot))
		{
			node->done = true;
			break;
		}
		if (node->nrows == node->size)
			resize(node, 2 * node->size);
		box_of(node, slot, node->boxes + (Size) node->nrows * 2 * node->axes);
		old = MemoryContextSwitchTo(tuples);
		row = ExecCopySlotMinimalTuple(slot);
		MemoryContextSwitchTo(old);
		node->rows[node->nrows++] = row;
		bytes += row->t_len + row_bytes;
	}
	node->places = MemoryContextAllocHuge(node->context,
										  2 * (Size) node->nrows * sizeof(SpqNearestPlace));
	spq_nearest_order(node->boxes, node->nrows, node->axes, node->places);
	node->batches++;
	node->memory = Max(node->memory, MemoryContextMemAllocated(node->context, true));
}

/* Return the row at a place in the order. */
static inline MinimalTuple
row_at(const CurveState *node, uint32 place)
{
	return node->rows[spq_nearest_place_index(node->places[place])];
}

static TupleTableSlot *
exec_scan(CustomScanState *css)
{
	CurveState *node = (CurveState *) css;
	TupleTableSlot *scan = css->ss.ss_ScanTupleSlot;
	MinimalTuple row;

	CHECK_FOR_INTERRUPTS();
	if (node->nreturned == node->nrows)
	{
		if (!node->done)
			read_batch(node);
		if (node->nreturned == node->nrows)
			return NULL;
	}
	if (node->nreturned + AHEAD < node->nrows)
		spq_prefetch(row_at(node, node->nreturned + AHEAD));
	row = row_at(node, node->nreturned++);
	spq_nearest_load_row(row, scan->tts_tupleDescriptor, scan);
	if (css->ss.ps.ps_ProjInfo == NULL)
		return scan;
	ResetExprContext(css->ss.ps.ps_ExprContext);
	css->ss.ps.ps_ExprContext->ecxt_scantuple = scan;
	return ExecProject(css->ss.ps.ps_ProjInfo);
}

static void
rescan(CustomScanState *css)
{
	CurveState *node = (CurveState *) css;

	if (css->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(node->child, css->ss.ps.chgParam);
	if (node->child->chgParam == NULL)
		ExecReScan(node->child);
	node->nrows = node->nreturned = 0;
	node->done = false;
}

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	CurveState *node = (CurveState *) css;
	CustomScan *cscan = (CustomScan *) css->ss.ps.plan;
	SpqTypeOperand operand = {.type = spq_type_numbered(linitial_int(cscan->custom_private))};

	Assert(!(eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)));
	node->child = ExecInitNode(linitial(cscan->custom_plans), estate, eflags);
	css->custom_ps = list_make1(node->child);
	node->econtext = CreateExprContext(estate);
	node->value = ExecInitExpr(linitial(spq_child_references(cscan->custom_exprs, NIL)), &css->ss.ps);
	spq_type_box_init(&node->bounds, &operand, false, InvalidOid);
	node->axes = operand.type->axes;
	node->context = AllocSetContextCreate(CurrentMemoryContext, "spqtree curve order",
										  ALLOCSET_DEFAULT_SIZES);
}

static void
end_scan(CustomScanState *css)
{
	CurveState *node = (CurveState *) css;

	MemoryContextDelete(node->context);
	ExecEndNode(node->child);
}

static void
explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	CurveState *node = (CurveState *) css;

	if (!es->analyze || node->batches == 0)
		return;
	ExplainPropertyUInteger("Batches", NULL, node->batches, es);
	ExplainPropertyUInteger("Memory Usage", "kB", (node->memory + 1023) / 1024, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SPQ_NEAREST_CURVE_NAME,
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = explain,
};

Node *
spq_nearest_curve_create_state(CustomScan *cscan)
{
	CurveState *node = (CurveState *) newNode(sizeof(CurveState), T_CustomScanState);

	node->css.methods = &exec_methods;
	return (Node *) node;
}
