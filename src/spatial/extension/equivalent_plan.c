/*-------------------------------------------------------------------------
 *
 * equivalent_plan.c
 *	  Equivalents of functions (member.c) in the conditions of plans.
 *
 * Conditions that compare many values with the same one are in a scan with a
 * constant, on the inner side of a nested loop, and in our own nodes:
 *
 *		Index Scan using roads_geom on roads
 *		  Index Cond: (geom && $1)
 *		  Filter: st_intersects(geom, $1)
 *										-> _spqtree_st_intersects(geom, $1)
 *
 * Functions are replaced after planning, so the plan is otherwise the same,
 * and EXPLAIN shows the functions that are called.  The plan depends on the
 * role, which must have EXECUTE on the function that the query names, and on
 * both functions.
 *
 * Window functions are replaced where they are, in the target list of their node.
 *
 * The planner does not see this, so it is told the cost of the equivalents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "utils/syscache.h"

#include "compat.h"
#include "settings.h"
#include "spatial/extension/equivalent_plan.h"
#include "spatial/extension/member.h"

/* What is replaced in a plan. */
typedef struct Replacement
{
	PlannedStmt *statement;
	bool		(*is_ours) (const CustomScan *scan);
} Replacement;

/*
 * Make a plan depend on a function, so that it is made again if that changes.
 */
static void
depend_on_function(PlannedStmt *statement, Oid function)
{
	PlanInvalItem *item = makeNode(PlanInvalItem);

	item->cacheId = PROCOID;
	item->hashValue = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(function));
	statement->invalItems = lappend(statement->invalItems, item);
}

/* Replace a function.  "statement" may be NULL. */
static void
replace_function(Oid *function, PlannedStmt *statement)
{
	Oid			equivalent = spq_spatial_equivalent(*function);

	if (!OidIsValid(equivalent))
		return;
	*function = equivalent;
	if (statement)
	{
		depend_on_function(statement, equivalent);
		statement->dependsOnRole = true;
	}
}

/* Replace functions in expressions of a plan; or without one, if "statement" is NULL. */
static bool
replace_functions(Node *node, void *statement)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr))
		replace_function(&((FuncExpr *) node)->funcid, statement);
	return expression_tree_walker(node, replace_functions, statement);
}

/* Replace window functions. */
static bool
replace_window_functions(Node *node, void *statement)
{
	if (node == NULL)
		return false;
	if (IsA(node, WindowFunc))
		replace_function(&((WindowFunc *) node)->winfnoid, statement);
	return expression_tree_walker(node, replace_window_functions, statement);
}

static bool
has_equivalent(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && OidIsValid(spq_spatial_equivalent(((FuncExpr *) node)->funcid)))
		return true;
	return expression_tree_walker(node, has_equivalent, context);
}

static void visit_plan(Plan *plan, const Replacement *replacement);

static void
visit_plans(List *plans, const Replacement *replacement)
{
	ListCell   *lc;

	foreach(lc, plans)
		visit_plan(lfirst(lc), replacement);
}

/* Replace functions in the conditions of a plan. */
static void
visit_plan(Plan *plan, const Replacement *replacement)
{
	PlannedStmt *statement = replacement->statement;

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
		case T_WindowAgg:
			replace_window_functions((Node *) plan->targetlist, statement);
			break;
		case T_Append:
			visit_plans(((Append *) plan)->appendplans, replacement);
			break;
		case T_MergeAppend:
			visit_plans(((MergeAppend *) plan)->mergeplans, replacement);
			break;
		case T_SubqueryScan:
			visit_plan(((SubqueryScan *) plan)->subplan, replacement);
			break;
		case T_CustomScan:
			if (replacement->is_ours((CustomScan *) plan))
				replace_functions((Node *) ((CustomScan *) plan)->custom_exprs, statement);
			visit_plans(((CustomScan *) plan)->custom_plans, replacement);
			break;
		default:
			break;
	}
	visit_plan(plan->lefttree, replacement);
	visit_plan(plan->righttree, replacement);
}

/*
 * Replace functions in the conditions of a statement's plan, and in all
 * expressions of the nodes that are ours.
 */
void
spq_spatial_replace_functions(PlannedStmt *statement, bool (*is_ours) (const CustomScan *scan))
{
	Replacement replacement = {statement, is_ours};

	if (!spq_enable_equivalents)
		return;
	visit_plan(statement->planTree, &replacement);
	visit_plans(statement->subplans, &replacement);
}

/* Compute the cost of conditions with their equivalents. */
void
spq_spatial_cost_conditions(QualCost *cost, List *clauses, PlannerInfo *root)
{
	if (spq_enable_equivalents && has_equivalent((Node *) clauses, NULL))
	{
		clauses = copyObject(clauses);
		replace_functions((Node *) clauses, NULL);
	}
	cost_qual_eval(cost, clauses, root);
}
