/*-------------------------------------------------------------------------
 *
 * equivalent_plan.c
 *	  Equivalents of functions (equivalent.c) in the conditions of whole plans.
 *
 * The join node calls equivalents by itself.  Two other parts of a plan
 * compare many values with the same one: a scan with a constant, and the inner
 * side of a nested loop:
 *
 *		Index Scan using roads_geom on roads
 *		  Index Cond: (geom && $1)
 *		  Filter: st_intersects(geom, $1)
 *										-> spqtree_st_intersects(geom, $1)
 *
 * Functions are replaced after planning, so the plan is otherwise the same,
 * and EXPLAIN shows the functions that are called.  The plan depends on the
 * role, which must have EXECUTE on the function that the query names, and on
 * both functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/syscache.h"

#include "compat.h"
#include "spatial/extension/equivalent.h"

/*
 * Make the plan depend on a function, so that it is made again if that
 * changes.
 */
static void
depend_on_function(PlannedStmt *statement, Oid function)
{
	PlanInvalItem *item = makeNode(PlanInvalItem);

	item->cacheId = PROCOID;
	item->hashValue = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(function));
	statement->invalItems = lappend(statement->invalItems, item);
}

static bool
replace_functions(Node *node, void *statement)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr))
	{
		FuncExpr   *func = (FuncExpr *) node;
		Oid			equivalent = spq_spatial_equivalent(func->funcid);

		if (OidIsValid(equivalent))
		{
			depend_on_function(statement, equivalent);
			func->funcid = equivalent;
			((PlannedStmt *) statement)->dependsOnRole = true;
		}
	}
	return expression_tree_walker(node, replace_functions, statement);
}

static void visit_plan(Plan *plan, PlannedStmt *statement);

static void
visit_plans(List *plans, PlannedStmt *statement)
{
	ListCell   *lc;

	foreach(lc, plans)
		visit_plan(lfirst(lc), statement);
}

/* Replace functions in the conditions of a plan. */
static void
visit_plan(Plan *plan, PlannedStmt *statement)
{
	if (plan == NULL)
		return;
	check_stack_depth();
	replace_functions((Node *) plan->qual, statement);
	switch (nodeTag(plan))
	{
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			replace_functions((Node *) ((Join *) plan)->joinqual, statement);
			break;
		case T_Append:
			visit_plans(((Append *) plan)->appendplans, statement);
			break;
		case T_MergeAppend:
			visit_plans(((MergeAppend *) plan)->mergeplans, statement);
			break;
		case T_SubqueryScan:
			visit_plan(((SubqueryScan *) plan)->subplan, statement);
			break;
		case T_CustomScan:
			visit_plans(((CustomScan *) plan)->custom_plans, statement);
			break;
		default:
			break;
	}
	visit_plan(plan->lefttree, statement);
	visit_plan(plan->righttree, statement);
}

/* Replace functions in the conditions of a statement's plan. */
void
spq_spatial_replace_functions(PlannedStmt *statement)
{
	visit_plan(statement->planTree, statement);
	visit_plans(statement->subplans, statement);
}
