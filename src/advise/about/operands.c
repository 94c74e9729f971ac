/*-------------------------------------------------------------------------
 *
 * operands.c
 *	  The operand of a condition or an order, and the indexes that have it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/amapi.h"
#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

#include "advise/about/lines.h"
#include "spatial/distance/compared_distance.h"

/* A table with fewer rows is read faster than an index of it. */
#define FEW_ROWS 1000

/*
 * Find the operand of a condition that an index could have, the one of two that has
 * columns.  Return false if no argument
 * has columns, or two have.
 */
bool
spq_advise_operand(Node *clause, SpqAdviseOperand *operand)
{
	List	   *args;
	int			found = -1;

	if (IsA(clause, OpExpr) && list_length(((OpExpr *) clause)->args) == 2)
		args = ((OpExpr *) clause)->args;
	else if (IsA(clause, FuncExpr))
		args = ((FuncExpr *) clause)->args;
	else
		return false;
	for (int i = 0; i < list_length(args); i++)
	{
		if (!contain_var_clause(list_nth(args, i)))
			continue;
		if (found >= 0)
			return false;
		found = i;
	}
	if (found < 0)
		return false;
	operand->expr = list_nth(args, found);
	while (IsA(operand->expr, RelabelType))
		operand->expr = (Node *) ((RelabelType *) operand->expr)->arg;
	operand->operator = operand->function = InvalidOid;
	operand->purpose = AMOP_SEARCH;
	operand->only_ours = operand->if_known = false;
	if (IsA(clause, FuncExpr))
		operand->function = ((FuncExpr *) clause)->funcid;
	else if (found == 0)
		operand->operator = ((OpExpr *) clause)->opno;
	else
		operand->operator = get_commutator(((OpExpr *) clause)->opno);
	return true;
}

/* Replace numbers that are parameters by a constant. */
static Node *
with_numbers(Node *node, void *context)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXTERN &&
		((Param *) node)->paramtype == FLOAT8OID)
		return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(1), false,
								  FLOAT8PASSBYVAL);
	return expression_tree_mutator(node, with_numbers, context);
}

/*
 * Find the operand of what an index is searched for: of a condition that this one
 * implies, as a <-> b < d does, or of the condition itself.
 */
bool
spq_advise_searched(PlannerInfo *root, Node *clause, SpqAdviseOperand *operand)
{
	bool		any_index,
				if_known = false;
	List	   *conditions = spq_spatial_compared_conditions(root, clause, &any_index);
	ListCell   *lc;

	if (conditions == NIL)
	{
		if_known = true;
		conditions = spq_spatial_compared_conditions(root, with_numbers(clause, NULL), &any_index);
	}
	foreach(lc, conditions)
	{
		if (!spq_advise_operand(lfirst(lc), operand) ||
			(IsA(operand->expr, FuncExpr) &&
			 spq_spatial_is_reach(((FuncExpr *) operand->expr)->funcid)))
			continue;			/* its operand is the other side */
		operand->only_ours = !any_index;
		operand->if_known = if_known;
		return true;
	}
	return spq_advise_operand(clause, operand);
}

/* Return whether a column of an index has this expression. */
static bool
has_column(const IndexOptInfo *index, int column, const Node *expr)
{
	int			place = 0;

	if (index->indexkeys[column] != 0)
		return IsA(expr, Var) && ((const Var *) expr)->varattno == index->indexkeys[column];
	for (int i = 0; i < column; i++)
		place += index->indexkeys[i] == 0;
	return equal(list_nth(index->indexprs, place), expr);
}

/* Return whether a family can be searched for a condition, or has an order. */
static bool
family_has(Oid family, const SpqAdviseOperand *operand)
{
	return OidIsValid(operand->operator) ?
		SearchSysCacheExists3(AMOPOPID, ObjectIdGetDatum(operand->operator),
							  CharGetDatum(operand->purpose), ObjectIdGetDatum(family)) :
		OidIsValid(get_func_support(operand->function));
}

/* Return an index of the expression; *usable says whether it has the operator. */
const IndexOptInfo *
spq_advise_find_index(RelOptInfo *rel, const SpqAdviseOperand *operand, bool *usable)
{
	const IndexOptInfo *found = NULL;
	ListCell   *lc;

	*usable = false;
	foreach(lc, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst(lc);

		for (int i = 0; i < index->nkeycolumns; i++)
		{
			if (!has_column(index, i, operand->expr) ||
				(index->indpred != NIL && !index->predOK))
				continue;
			if (found == NULL)
				found = index;
			if (!family_has(index->opfamily[i], operand) ||
				(operand->only_ours && index->opfamily[i] < FirstNormalObjectId))
				continue;
			*usable = true;
			return index;
		}
	}
	return found;
}

static char *
name_of(Oid relid)
{
	return DatumGetCString(DirectFunctionCall1(regclassout, ObjectIdGetDatum(relid)));
}

/* Find what no column of an index can have in it. */
static bool
find_foreign_to_index(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
			return ((Var *) node)->varattno < 0;	/* a system column */
		case T_Param:
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_Aggref:
		case T_GroupingFunc:
		case T_WindowFunc:
		case T_PlaceHolderVar:
			return true;
		default:
			return expression_tree_walker(node, find_foreign_to_index, context);
	}
}

/* Return whether an index could have this expression as a column. */
bool
spq_advise_can_be_indexed(Node *expr)
{
	return !find_foreign_to_index(expr, NULL) && !contain_mutable_functions(expr) &&
		!expression_returns_set(expr);
}

/* Return whether a user can make an index of a table. */
bool
spq_advise_has_indexes(Oid relid)
{
	char		kind = get_rel_relkind(relid);

	return relid >= FirstNormalObjectId &&
		(kind == RELKIND_RELATION || kind == RELKIND_MATVIEW || kind == RELKIND_PARTITIONED_TABLE);
}

/*
 * Return a column or an expression as CREATE INDEX expects it, with implicit casts:
 * without them it may have another type.
 */
static const char *
column_text(PlannerInfo *root, Oid relid, Node *expr)
{
	if (IsA(expr, Var))
		return quote_identifier(get_attname(relid, ((Var *) expr)->varattno, false));
	expr = copyObject(expr);
	ChangeVarNodes(expr, bms_singleton_member(pull_varnos(root, expr)), 1, 0);
	return psprintf("(%s)", deparse_expression(expr, deparse_context_for(get_rel_name(relid), relid),
											   false, true));
}

/* Return the beginning of a statement that makes an index. */
static char *
create_index_on(Oid relid)
{
	return psprintf("CREATE INDEX %sON %s",
					get_rel_relkind(relid) == RELKIND_PARTITIONED_TABLE ? "" : "CONCURRENTLY ",
					name_of(relid));
}

/*
 * Return the columns of a table whose equality the query also asks for, as the first ones
 * of an index of ours.
 */
static char *
scalar_columns(const RelOptInfo *rel, Oid relid, Oid am)
{
	StringInfoData text;
	Bitmapset  *columns = NULL;
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, rel->baserestrictinfo)
	{
		SpqAdviseOperand operand;
		Oid			class;
		int			column;

		if (!spq_advise_operand((Node *) lfirst_node(RestrictInfo, lc)->clause, &operand) ||
			!IsA(operand.expr, Var) || !OidIsValid(operand.operator) ||
			spq_advise_is_spatial(operand.expr))
			continue;
		column = ((Var *) operand.expr)->varattno;
		class = GetDefaultOpClass(getBaseType(exprType(operand.expr)), am);
		if (column <= 0 || bms_is_member(column, columns) || !OidIsValid(class) ||
			!family_has(get_opclass_family(class), &operand))
			continue;
		columns = bms_add_member(columns, column);
		appendStringInfo(&text, "%s, ", quote_identifier(get_attname(relid, column, false)));
	}
	return text.data;
}

/* Return the statement that makes an index for a condition on a table, or NULL. */
char *
spq_advise_index_for(PlannerInfo *root, const RelOptInfo *rel, const SpqAdviseOperand *operand)
{
	Oid			relid = planner_rt_fetch(rel->relid, root)->relid,
				am = get_am_oid("spqtree", true),
				class = OidIsValid(am) ?
		GetDefaultOpClass(getBaseType(exprType(operand->expr)), am) : InvalidOid;

	if (!OidIsValid(class) || !family_has(get_opclass_family(class), operand) ||
		!spq_advise_has_indexes(relid) || !spq_advise_can_be_indexed(operand->expr))
		return NULL;
	return psprintf("%s USING spqtree (%s%s)", create_index_on(relid), scalar_columns(rel, relid, am),
					column_text(root, relid, operand->expr));
}

/* Find a parameter, or a constant with extent, on which an expression depends. */
static bool
find_value(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) || (IsA(node, Const) && spq_advise_is_spatial(node)))
		return true;
	return expression_tree_walker(node, find_value, context);
}

/*
 * Return the statement that makes an index of an expression for a comparison, or NULL.
 * An index of the distance from one place is of no use for another.
 */
char *
spq_advise_btree_for(PlannerInfo *root, const RelOptInfo *rel, const SpqAdviseOperand *operand)
{
	Oid			relid = planner_rt_fetch(rel->relid, root)->relid,
				class = GetDefaultOpClass(getBaseType(exprType(operand->expr)), BTREE_AM_OID);

	if (IsA(operand->expr, Var) || !OidIsValid(class) || !OidIsValid(operand->operator) ||
		!op_in_opfamily(operand->operator, get_opclass_family(class)) ||
		!spq_advise_has_indexes(relid) || !spq_advise_can_be_indexed(operand->expr) ||
		find_value(operand->expr, NULL))
		return NULL;
	return psprintf("%s (%s)", create_index_on(relid), column_text(root, relid, operand->expr));
}

/* Take back the advice to make an index, if the table has few rows. */
void
spq_advise_unless_small(double rows, char **finding, char **advice)
{
	if (rows >= FEW_ROWS || *advice == NULL)
		return;
	*finding = psprintf("the table has %.0f rows, which are read faster than an index", rows);
	*advice = NULL;
}

/* Return whether a relation is a partition or child of a table, and the plan reads it. */
bool
spq_advise_is_child(PlannerInfo *root, const RelOptInfo *parent, RelOptInfo *rel)
{
	return rel != NULL && rel->reloptkind == RELOPT_OTHER_MEMBER_REL &&
		bms_equal(rel->top_parent_relids, parent->relids) &&
		!planner_rt_fetch(rel->relid, root)->inh && !IS_DUMMY_REL(rel);
}

/* A partitioned table, and one of its partitions. */
typedef struct Family
{
	int			parent;
	int			child;
	Oid			parent_table;
	Oid			child_table;
} Family;

/*
 * Replace the columns of a partitioned table by those of a partition, by name: the
 * planner has dropped its own translation of them when it returns.
 */
static Node *
replace_columns(Node *node, void *context)
{
	const Family *family = context;
	Var		   *var;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var) || ((Var *) node)->varno != family->parent ||
		((Var *) node)->varattno <= 0)
		return expression_tree_mutator(node, replace_columns, context);
	var = copyObject((Var *) node);
	var->varno = family->child;
	var->varattno = get_attnum(family->child_table,
							   get_attname(family->parent_table, var->varattno, false));
	return (Node *) var;
}

/* Return an expression of a table as one of its partition or child. */
Node *
spq_advise_of_child(PlannerInfo *root, const RelOptInfo *parent, const RelOptInfo *child,
					Node *expr)
{
	Family		family = {(int) parent->relid, (int) child->relid,
	planner_rt_fetch(parent->relid, root)->relid, planner_rt_fetch(child->relid, root)->relid};

	return replace_columns(expr, &family);
}
