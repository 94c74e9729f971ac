/*-------------------------------------------------------------------------
 *
 * scans.c
 *	  Conditions on one table, and the indexes that could be searched for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_am.h"
#include "commands/defrem.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "advise/lines.h"

/* A table with fewer rows is read faster than an index of it. */
#define FEW_ROWS 1000

/* The operand of a condition that has columns of its table. */
typedef struct Operand
{
	Node	   *expr;
	Oid			operator;		/* with the operand on the left; InvalidOid: a
								 * function */
	Oid			function;
} Operand;

/*
 * Find the operand of a condition that an index could have, the one of two that has
 * columns.  Return false if there is none, or two.
 */
static bool
find_operand(Node *clause, Operand *operand)
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
	if (IsA(clause, FuncExpr))
		operand->function = ((FuncExpr *) clause)->funcid;
	else if (found == 0)
		operand->operator = ((OpExpr *) clause)->opno;
	else
		operand->operator = get_commutator(((OpExpr *) clause)->opno);
	return true;
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

/* Return whether a family can be searched for a condition. */
static bool
family_has(Oid family, const Operand *operand)
{
	return OidIsValid(operand->operator) ? op_in_opfamily(operand->operator, family) :
		OidIsValid(get_func_support(operand->function));
}

/* Return an index of the expression; *usable says whether it has the condition. */
static const IndexOptInfo *
find_index(RelOptInfo *rel, const Operand *operand, bool *usable)
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
			if (!family_has(index->opfamily[i], operand))
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

/* Return a column or an expression as CREATE INDEX expects it. */
static const char *
column_text(PlannerInfo *root, Oid relid, Node *expr)
{
	if (IsA(expr, Var))
		return quote_identifier(get_attname(relid, ((Var *) expr)->varattno, false));
	expr = copyObject(expr);
	ChangeVarNodes(expr, bms_singleton_member(pull_varnos(root, expr)), 1, 0);
	return psprintf("(%s)", deparse_expression(expr, deparse_context_for(get_rel_name(relid), relid),
											   false, false));
}

/* Return the statement that makes an index for a condition, or NULL. */
static char *
index_for(PlannerInfo *root, Oid relid, const Operand *operand)
{
	Oid			am = get_am_oid("spqtree", true),
				class = OidIsValid(am) ?
		GetDefaultOpClass(getBaseType(exprType(operand->expr)), am) : InvalidOid;

	if (!OidIsValid(class) || !family_has(get_opclass_family(class), operand))
		return NULL;
	return psprintf("CREATE INDEX ON %s USING spqtree (%s)", name_of(relid),
					column_text(root, relid, operand->expr));
}

/* Return the index that the plan searches for a clause, or for an arm of it, or NULL. */
static const IndexOptInfo *
index_used(List *uses, Node *clause)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);

		if (use->clause == clause ||
			(is_orclause(clause) && list_member(((BoolExpr *) clause)->args, use->clause)))
			return use->index;
	}
	return NULL;
}

static bool
is_condition_of(const RelOptInfo *rel, const Node *clause)
{
	ListCell   *lc;

	foreach(lc, rel->baserestrictinfo)
	{
		Node	   *of_rel = (Node *) lfirst_node(RestrictInfo, lc)->clause;

		if (of_rel == clause ||
			(is_orclause(of_rel) && list_member(((BoolExpr *) of_rel)->args, clause)))
			return true;
	}
	return false;
}

/*
 * Return the index that the plan searches for a condition that no clause of the query
 * is, but that this one implies, as a <-> b < d does; or NULL.
 */
static const IndexOptInfo *
index_of_implied(List *uses, RelOptInfo *rel, Node *clause)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);
		Bitmapset  *columns = NULL;

		if (use->index->rel != rel || is_condition_of(rel, use->clause))
			continue;
		pull_varattnos(clause, rel->relid, &columns);
		for (int i = 0; i < use->index->nkeycolumns; i++)
			if (bms_is_member(use->index->indexkeys[i] - FirstLowInvalidHeapAttributeNumber,
							  columns))
				return use->index;
	}
	return NULL;
}

/* Return the statement that makes an index of an expression for a comparison, or NULL. */
static char *
btree_for(PlannerInfo *root, Oid relid, const Operand *operand)
{
	Oid			class = GetDefaultOpClass(getBaseType(exprType(operand->expr)), BTREE_AM_OID);

	if (IsA(operand->expr, Var) || !OidIsValid(class) || !OidIsValid(operand->operator) ||
		!op_in_opfamily(operand->operator, get_opclass_family(class)) ||
		contain_mutable_functions(operand->expr))
		return NULL;
	return psprintf("CREATE INDEX ON %s (%s)", name_of(relid), column_text(root, relid, operand->expr));
}

/* Describe a condition on one table. */
static void
describe_condition(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel, RestrictInfo *rinfo,
				   List *uses)
{
	Node	   *clause = (Node *) rinfo->clause;
	const IndexOptInfo *index = index_used(uses, clause);
	Oid			relid = planner_rt_fetch(rel->relid, root)->relid;
	char	   *finding,
			   *advice = NULL,
			   *companion;
	Operand		operand;
	bool		usable;

	if (index)
		finding = psprintf("%s is searched for it", spq_advise_index(index));
	else if ((index = index_of_implied(uses, rel, clause)) != NULL)
		finding = psprintf("%s is searched for a condition that it implies", spq_advise_index(index));
	else if ((companion = spq_advise_companion(clause)) != NULL)
	{
		finding = psprintf("its types are indexed by %s, which is not in this database", companion);
		advice = psprintf("CREATE EXTENSION %s", companion);
	}
	else if (is_orclause(clause))
		finding = "an OR is searched by indexes if each of its arms has one";
	else if (!find_operand(clause, &operand))
		finding = "no index can be searched for it: it would take an operator of one column and a value";
	else if ((index = find_index(rel, &operand, &usable)) == NULL)
	{
		advice = index_for(root, relid, &operand);
		if (advice == NULL)
			advice = btree_for(root, relid, &operand);
		finding = advice ? "no index, so all rows are read" : "no class of an index has it";
	}
	else if (usable)
		finding = psprintf("%s could be searched for it, but the plan costs less",
						   spq_advise_index(index));
	else
	{
		finding = psprintf("%s does not have the operator", spq_advise_index(index));
		advice = index_for(root, relid, &operand);
	}
	if (rel->tuples < FEW_ROWS && advice)
	{
		finding = psprintf("the table has %.0f rows, which are read faster than an index", rel->tuples);
		advice = NULL;
	}
	spq_advise_add(reasons, relid, spq_advise_condition(reasons, root, clause), finding, advice);
}

/* Describe the conditions on each table of a query level. */
void
spq_advise_scans(SpqReasons *reasons, PlannerInfo *root, List *uses)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		ListCell   *lc;

		if (rel == NULL || rel->reloptkind != RELOPT_BASEREL || rel->rtekind != RTE_RELATION)
			continue;
		spq_advise_add(reasons, planner_rt_fetch(i, root)->relid, NULL, NULL, NULL);
		foreach(lc, rel->baserestrictinfo)
		{
			RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

			if (spq_advise_is_spatial((Node *) rinfo->clause) &&
				!spq_advise_loop(reasons, root, rel, rinfo) &&
				!planner_rt_fetch(i, root)->inh)
				describe_condition(reasons, root, rel, rinfo, uses);
		}
	}
}
