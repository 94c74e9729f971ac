/*-------------------------------------------------------------------------
 *
 * order_key.c
 *	  The distance by which a query orders its rows.  See order_key.h.
 *
 * In a subquery that is run for each row of another relation, the columns of that
 * relation are parameters:
 *
 *		SELECT ... FROM o, LATERAL (SELECT ... FROM t ORDER BY t.g <-> o.g LIMIT 3)
 *
 *		ORDER BY t.g <-> $0		one argument of t, the others of parameters
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"

#include "nearest_node/planner/order_key.h"

/* Return whether an expression depends on a parameter, or may. */
static bool
depends_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if ((IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC) ||
		IsA(node, SubPlan) || IsA(node, AlternativeSubPlan))
		return true;
	return expression_tree_walker(node, depends_walker, context);
}

bool
spq_nearest_node_depends(Node *node)
{
	return depends_walker(node, NULL);
}

/* Find the row's value among the arguments of a distance. */
static bool
find_argument(PlannerInfo *root, RelOptInfo *rel, SpqNearestKey *key)
{
	bool		depends = false;
	int			found = -1;

	for (int i = 0; i < list_length(key->distance.args); i++)
	{
		Node	   *arg = list_nth(key->distance.args, i);

		if (bms_is_empty(pull_varnos(root, arg)))
			depends |= spq_nearest_node_depends(arg);
		else if (i < 2 && found < 0 && !spq_nearest_node_depends(arg))
			found = i;
		else
			return false;
	}
	key->argument = found;
	return found >= 0 && depends;
}

/* Return whether the query's order begins with a distance of rows of a relation. */
bool
spq_nearest_node_key(PlannerInfo *root, RelOptInfo *rel, SpqNearestKey *key)
{
	SortGroupClause *first = linitial_node(SortGroupClause, root->parse->sortClause);

	if (first->sortop != Float8LessOperator || first->nulls_first)
		return false;
	key->expr = get_sortgroupclause_expr(first, root->processed_tlist);
	return spq_spatial_distance(key->expr, &key->distance) &&
		find_argument(root, rel, key) &&
		!contain_volatile_functions(key->expr) && !contain_subplans(key->expr);
}

/* Return the ancestor and the variable whose value is passed as a parameter. */
static Var *
find_variable(PlannerInfo *root, int param, PlannerInfo **ancestor)
{
	for (*ancestor = root->parent_root; *ancestor != NULL; *ancestor = (*ancestor)->parent_root)
	{
		ListCell   *lc;

		foreach(lc, (*ancestor)->plan_params)
		{
			PlannerParamItem *item = lfirst_node(PlannerParamItem, lc);

			if (item->paramId == param)
				return IsA(item->item, Var) ? (Var *) item->item : NULL;
		}
	}
	return NULL;
}

typedef struct OuterRows
{
	PlannerInfo *root;
	double		rows;
} OuterRows;

static bool
outer_rows_walker(Node *node, OuterRows *outer)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
	{
		PlannerInfo *ancestor;
		Var		   *var = find_variable(outer->root, ((Param *) node)->paramid, &ancestor);

		if (var != NULL && ancestor->simple_rel_array != NULL &&
			(int) var->varno < ancestor->simple_rel_array_size &&
			ancestor->simple_rel_array[var->varno] != NULL)
			outer->rows = Max(outer->rows, ancestor->simple_rel_array[var->varno]->rows);
		return false;
	}
	return expression_tree_walker(node, outer_rows_walker, outer);
}

/*
 * Return about how many values the parameters of an expression have: the rows of
 * the relation that they come from.  Return 0 if that is not known, as in a subquery
 * of a target list, which is planned before the relations are.
 */
double
spq_nearest_node_outer_rows(PlannerInfo *root, Node *node)
{
	OuterRows	outer = {root, 0};

	(void) outer_rows_walker(node, &outer);
	return outer.rows;
}
