/*-------------------------------------------------------------------------
 *
 * sides.c
 *	  The key of a row of one side of a spatial hash join: its box and its hash.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "custom_node.h"
#include "join_node/rows/state.h"
#include "types/registry.h"

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
	return spq_child_references(list_nth(cscan->custom_exprs, slot),
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
	SpqTypeOperand operand;
	bool		as_is;

	side->param_key = has_param((Node *) exprs, NULL);
	if (IsA(linitial(exprs), Var))
		side->box_column = linitial_node(Var, exprs)->varattno;
	else
		side->box_expr = ExecInitExpr(linitial(exprs), &node->css.ss.ps);

	operand.type = spq_type_numbered(list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE + which));
	operand.function = list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE_FUNCTION + which);

	/*
	 * with conditions on parts, do not enlarge boxes: the function that
	 * computes the owner uses them as they are, and if only enlarged boxes
	 * overlap, perhaps no part has copies of both
	 */
	as_is = list_nth_int(numbers, SPQ_NODE_NUMBER_EXACT) ||
		list_nth(cscan->custom_exprs, SPQ_NODE_EXPRS_PARTITIONING) != NIL;
	spq_type_box_init(&side->bounds, &operand, as_is,
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

/* Initialize a side.  Its child plan must have been initialized. */
void
spq_node_side_init(SpqNodeState *node, int which)
{
	node->side[which].econtext = CreateExprContext(node->css.ss.ps.state);
	init_key(node, which);
	init_parts(node, which);
	spq_node_payload_init(node, which);
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
			spq_type_box_of(&side->bounds, value, box);
		if (!isnull && side->has_line)
			side->bounds.type->line(value, &side->line);
	}
	MemoryContextSwitchTo(old);
	return !isnull;
}
