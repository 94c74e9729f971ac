/*-------------------------------------------------------------------------
 *
 * table_conditions.c
 *	  The conditions on a table of a subquery: those that depend on the values
 *	  passed to it, and those that hold for all of them.
 *
 * A condition that holds for all of them may raise an error, as 1 / t.x > 0 does for
 * a row whose x is 0.  If the planner's own path checks others before it, which depend
 * on a value, that row may fail these.  So such a condition is not checked when rows
 * are read, but after the others, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "custom_node.h"
#include "subquery/subquery.h"

bool
spq_subquery_is_table(PlannerInfo *root, RelOptInfo *rel)
{
	return root->parent_root != NULL &&
		rel->reloptkind == RELOPT_BASEREL && rel->rtekind == RTE_RELATION && !IS_DUMMY_REL(rel) &&
		bms_is_empty(rel->lateral_relids) && rel->fdwroutine == NULL &&
		planner_rt_fetch(rel->relid, root)->tablesample == NULL &&
		!spq_other_scan_is_wanted(root, rel);
}

static bool
is_not_leakproof(Oid function, void *context)
{
	return !get_func_leakproof(function);
}

/*
 * Return whether an expression may raise an error.  Leakproof functions raise none that
 * depends on their arguments.
 */
static bool
may_raise_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Const:
		case T_Param:
			return false;
		case T_List:
		case T_RestrictInfo:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RelabelType:
		case T_OpExpr:
		case T_FuncExpr:
		case T_DistinctExpr:
		case T_ScalarArrayOpExpr:
			return check_functions_in_node(node, is_not_leakproof, NULL) ||
				expression_tree_walker(node, may_raise_walker, context);
		default:
			return true;
	}
}

/* Return whether the planner's path checks one of these conditions before this one. */
static bool
comes_after(const List *ordered, const List *conditions, const RestrictInfo *rinfo)
{
	ListCell   *lc,
			   *other;

	foreach(lc, ordered)
	{
		if (lfirst(lc) == rinfo->clause)
			return false;
		foreach(other, conditions)
		{
			if (lfirst(lc) == lfirst_node(RestrictInfo, other)->clause)
				return true;
		}
	}
	return false;
}

/*
 * Divide the conditions on the table into those that the reading path checks, those
 * that depend on the value, and those that do not, but are to be checked with them.
 * Return false if that would change their order where it matters for security, or
 * there are others.
 */
bool
spq_subquery_divide_conditions(PlannerInfo *root, RelOptInfo *rel, List **for_all, List **for_value,
							   List **late)
{
	List	   *ordered = spq_ordered_quals(root, rel->baserestrictinfo),
			   *others = NIL;
	ListCell   *lc;

	*for_all = *for_value = *late = NIL;
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (rinfo->pseudoconstant || contain_volatile_functions((Node *) rinfo->clause) ||
			contain_subplans((Node *) rinfo->clause))
			return false;
		if (!spq_subquery_depends(root, (Node *) rinfo->clause))
			others = lappend(others, rinfo);
		else if (rinfo->security_level < root->qual_security_level)
			return false;
		else
			*for_value = lappend(*for_value, rinfo);
	}
	foreach(lc, others)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (!comes_after(ordered, *for_value, rinfo) ||
			!may_raise_walker((Node *) rinfo->clause, NULL))
			*for_all = lappend(*for_all, rinfo);
		else if (rinfo->security_level < root->qual_security_level)
			return false;
		else
			*late = lappend(*late, rinfo);
	}
	return true;
}
