/*-------------------------------------------------------------------------
 *
 * sides.c
 *	  The rows of one side of a spatial hash join: box, hash and payload of a
 *	  row, and loading payloads into the scan tuple.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "compat.h"
#include "join_node/executor/sides.h"

/* Turn references to the scan tuple into references to the child's columns. */
static Node *
child_references(Node *expr, void *columns)
{
	if (expr == NULL)
		return NULL;
	if (IsA(expr, Var) && ((Var *) expr)->varno == INDEX_VAR)
	{
		Var		   *var = copyObject((Var *) expr);

		var->varno = OUTER_VAR;
		var->varattno = list_nth_int((List *) columns, var->varattno - 1);
		return (Node *) var;
	}
	return expression_tree_mutator(expr, child_references, columns);
}

static bool
has_param(Node *expr, void *context)
{
	if (expr == NULL)
		return false;
	if (IsA(expr, Param) && ((Param *) expr)->paramkind == PARAM_EXEC)
		return true;
	return expression_tree_walker(expr, has_param, context);
}

/* Return expressions of the plan, with references to the child's columns. */
static List *
child_exprs(CustomScan *cscan, int slot)
{
	return (List *) child_references(list_nth(cscan->custom_exprs, slot),
									 list_nth(cscan->custom_private, SPQ_NODE_PLAN_COLUMNS));
}

static void
init_key(SpqNodeState *node, int which)
{
	SpqNodeSide *side = &node->side[which];
	CustomScan *cscan = (CustomScan *) node->css.ss.ps.plan;
	List	   *exprs = child_exprs(cscan, SPQ_NODE_EXPRS_PROBE + which),
			   *numbers = list_nth(cscan->custom_private, SPQ_NODE_PLAN_NUMBERS),
			   *hash = list_nth(cscan->custom_private, SPQ_NODE_PLAN_HASH);
	SpqSpatialOperand operand;
	bool		as_is;

	side->param_key = has_param((Node *) exprs, NULL);
	if (IsA(linitial(exprs), Var))
		side->box_column = linitial_node(Var, exprs)->varattno;
	else
		side->box_expr = ExecInitExpr(linitial(exprs), &node->css.ss.ps);

	operand.kind = list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE + which);
	operand.function = list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE_FUNCTION + which);

	/*
	 * with conditions on parts, do not enlarge boxes: the function that
	 * computes the owner uses them as they are, and if only enlarged boxes
	 * overlap, perhaps no part has copies of both
	 */
	as_is = list_nth_int(numbers, SPQ_NODE_NUMBER_EXACT) ||
		list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_PARTITIONING) != NIL;
	spq_spatial_box_init(&side->bounds, &operand, as_is,
						 list_nth_int(numbers, SPQ_NODE_NUMBER_COLLATION));

	side->nhash = list_length(exprs) - 1;
	side->hash = palloc0(side->nhash * sizeof(SpqNodeHash));
	for (int i = 0; i < side->nhash; i++)
	{
		side->hash[i].expr = ExecInitExpr(list_nth(exprs, i + 1),
										  &node->css.ss.ps);
		fmgr_info(list_nth_oid(hash, 3 * i + which), &side->hash[i].function);
		side->hash[i].collation = list_nth_oid(hash, 3 * i + SPQ_NODE_SIDES);
	}
}

static void
init_parts(SpqNodeState *node, int which)
{
	SpqNodeSide *side = &node->side[which];
	List	   *exprs = child_exprs((CustomScan *) node->css.ss.ps.plan,
									SPQ_NODE_EXPRS_PROBE_PARTS + which);

	side->part = palloc(list_length(exprs) * sizeof(ExprState *));
	for (; side->nparts < list_length(exprs); side->nparts++)
		side->part[side->nparts] = ExecInitExpr(list_nth(exprs, side->nparts),
												&node->css.ss.ps);
}

/* Return the columns of the scan tuple to which target list and filter refer. */
static Bitmapset *
result_columns(CustomScan *cscan)
{
	Bitmapset  *needed = NULL;

	pull_varattnos((Node *) cscan->scan.plan.targetlist, INDEX_VAR, &needed);
	pull_varattnos(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_FILTER), INDEX_VAR,
				   &needed);
	return needed;
}

/* Return the columns of the scan tuple to which expressions refer. */
static Bitmapset *
needed_columns(CustomScan *cscan)
{
	Bitmapset  *needed = result_columns(cscan);

	pull_varattnos(list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_RECHECK), INDEX_VAR,
				   &needed);
	return needed;
}

static void
init_payload(SpqNodeState *node, int which)
{
	SpqNodeSide *side = &node->side[which];
	CustomScan *cscan = (CustomScan *) node->css.ss.ps.plan;
	TupleDesc	scan = node->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor;
	List	   *sides = list_nth(cscan->custom_private, SPQ_NODE_PLAN_COLUMN_SIDES),
			   *columns = list_nth(cscan->custom_private, SPQ_NODE_PLAN_COLUMNS);
	Bitmapset  *needed = needed_columns(cscan),
			   *in_result = result_columns(cscan);

	side->child_column = palloc(scan->natts * sizeof(AttrNumber));
	side->to = palloc(scan->natts * sizeof(int));
	for (int i = 0; i < scan->natts; i++)
	{
		AttrNumber	column = list_nth_int(columns, i);

		if (list_nth_int(sides, i) != which ||
			!bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, needed))
			continue;
		side->in_result |= bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, in_result);
		side->child_column[side->ncolumns] = column;
		side->to[side->ncolumns++] = i;
		side->last_column = Max(side->last_column, column);
	}

	side->desc = CreateTemplateTupleDesc(side->ncolumns);
	for (int i = 0; i < side->ncolumns; i++)
		TupleDescCopyEntry(side->desc, i + 1, scan, side->to[i] + 1);
	spq_finalize_descriptor(side->desc);
	side->values = palloc(side->ncolumns * sizeof(Datum));
	side->isnull = palloc(side->ncolumns * sizeof(bool));
	bms_free(needed);
}

/* Initialize a side.  Its child plan must have been initialized. */
void
spq_node_side_init(SpqNodeState *node, int which)
{
	node->side[which].econtext = CreateExprContext(node->css.ss.ps.state);
	init_key(node, which);
	init_parts(node, which);
	init_payload(node, which);
}

/*
 * Get the numbers of a row's box, and its hash.  Return false if a value of
 * the key is null: such a row matches nothing, because all operators of the
 * key are strict.
 */
bool
spq_node_side_key(SpqNodeSide *side, TupleTableSlot *slot, float8 *box, uint32 *hash)
{
	ExprContext *econtext = side->econtext;
	MemoryContext old;
	bool		isnull = false;
	Datum		value;

	ResetExprContext(econtext);
	econtext->ecxt_outertuple = slot;
	old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	*hash = 0;
	for (int i = 0; i < side->nhash && !isnull; i++)
	{
		SpqNodeHash *key = &side->hash[i];

		value = ExecEvalExpr(key->expr, econtext, &isnull);
		if (!isnull)
			*hash = hash_combine(*hash,
								 DatumGetUInt32(FunctionCall1Coll(&key->function,
																  key->collation,
																  value)));
	}
	if (!isnull)
	{
		if (side->box_expr)
			value = ExecEvalExpr(side->box_expr, econtext, &isnull);
		else
			value = slot_getattr(slot, side->box_column, &isnull);
		if (!isnull)
			spq_spatial_numbers_of(&side->bounds, value, box);
	}
	MemoryContextSwitchTo(old);
	return !isnull;
}

static void
read_columns(SpqNodeSide *side, TupleTableSlot *slot)
{
	slot_getsomeattrs(slot, side->last_column);
	for (int i = 0; i < side->ncolumns; i++)
	{
		side->values[i] = slot->tts_values[side->child_column[i] - 1];
		side->isnull[i] = slot->tts_isnull[side->child_column[i] - 1];
	}
}

/*
 * Return the payload of a row.  It is valid until the next
 * spq_node_side_key().
 */
MinimalTuple
spq_node_side_payload(SpqNodeSide *side, TupleTableSlot *slot)
{
	MemoryContext old =
		MemoryContextSwitchTo(side->econtext->ecxt_per_tuple_memory);
	MinimalTuple tuple;

	read_columns(side, slot);
	tuple = spq_form_minimal_tuple(side->desc, side->values, side->isnull);
	MemoryContextSwitchTo(old);
	return tuple;
}

static void
store_columns(SpqNodeSide *side, TupleTableSlot *scan)
{
	for (int i = 0; i < side->ncolumns; i++)
	{
		scan->tts_values[side->to[i]] = side->values[i];
		scan->tts_isnull[side->to[i]] = side->isnull[i];
	}
}

/* Load a payload into the scan tuple. */
void
spq_node_side_load(SpqNodeSide *side, TupleTableSlot *scan, uint64 payload)
{
	MinimalTuple tuple = (MinimalTuple) (uintptr_t) payload;
	HeapTupleData heap_tuple;

	if (side->ncolumns == 0)
		return;
	heap_tuple.t_len = tuple->t_len + MINIMAL_TUPLE_OFFSET;
	heap_tuple.t_data = (HeapTupleHeader) ((char *) tuple - MINIMAL_TUPLE_OFFSET);
	heap_deform_tuple(&heap_tuple, side->desc, side->values, side->isnull);
	store_columns(side, scan);
}

/* Load a row that is still in its child's slot into the scan tuple. */
void
spq_node_side_load_slot(SpqNodeSide *side, TupleTableSlot *scan, TupleTableSlot *slot)
{
	if (side->ncolumns == 0)
		return;
	read_columns(side, slot);
	store_columns(side, scan);
}

/* Set this side of the scan tuple to nulls. */
void
spq_node_side_load_nulls(SpqNodeSide *side, TupleTableSlot *scan)
{
	for (int i = 0; i < side->ncolumns; i++)
		scan->tts_isnull[side->to[i]] = true;
}
