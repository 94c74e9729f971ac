/*-------------------------------------------------------------------------
 *
 * passed_values.c
 *	  The values that a query passes to a subquery of it.
 *
 * In a subquery that is run for each row of another relation, the columns of that
 * relation are parameters:
 *
 *		SELECT ... FROM o, LATERAL (SELECT ... FROM t WHERE t.b && o.b)
 *
 *		t.b && $0
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"

#include "spatial/extension/member.h"
#include "subquery/subquery.h"
#include "types/registry.h"

/*
 * Return what an ancestor passes as a parameter, a Var or PlaceHolderVar, and that
 * ancestor; or NULL, if the parameter is something else, such as the result of a
 * subquery that is run once.
 */
static Node *
find_passed(PlannerInfo *root, int param, PlannerInfo **ancestor)
{
	for (*ancestor = root->parent_root; *ancestor != NULL; *ancestor = (*ancestor)->parent_root)
	{
		ListCell   *lc;

		foreach(lc, (*ancestor)->plan_params)
		{
			PlannerParamItem *item = lfirst_node(PlannerParamItem, lc);

			if (item->paramId == param)
				return item->item;
		}
	}
	return NULL;
}

static bool
depends_walker(Node *node, void *root)
{
	PlannerInfo *ancestor;

	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
		return find_passed(root, ((Param *) node)->paramid, &ancestor) != NULL;
	if (IsA(node, SubPlan) || IsA(node, AlternativeSubPlan))
		return true;
	return expression_tree_walker(node, depends_walker, root);
}

bool
spq_subquery_depends(PlannerInfo *root, Node *node)
{
	return depends_walker(node, root);
}

/* Return whether a function raises no error, whatever its arguments are. */
static bool
is_safe_function(Oid function)
{
	switch (function)
	{
		case F_FLOAT8_INT2:
		case F_FLOAT8_INT4:
		case F_FLOAT8_INT8:
		case F_FLOAT8_FLOAT4:
			return true;
		default:
			return spq_type_is_harmless(function) || spq_spatial_is_harmless_member(function);
	}
}

bool
spq_subquery_is_safe(const Node *node)
{
	ListCell   *lc;

	switch (nodeTag(node))
	{
		case T_Const:
		case T_Param:
		case T_Var:
			return true;
		case T_RelabelType:
			return spq_subquery_is_safe((const Node *) ((const RelabelType *) node)->arg);
		case T_FuncExpr:
			if (!is_safe_function(((const FuncExpr *) node)->funcid))
				return false;
			foreach(lc, ((const FuncExpr *) node)->args)
			{
				if (!spq_subquery_is_safe(lfirst(lc)))
					return false;
			}
			return true;
		default:
			return false;
	}
}

typedef struct OuterRows
{
	PlannerInfo *root;
	double		rows;
} OuterRows;

/*
 * Return the rows of a relation, or 0 if they are not known.  Sizes are found in the
 * order of the range table, where the table of a subquery that was pulled up comes
 * late.  Then they are computed here, those of partitions one by one.
 */
static double
relation_rows(PlannerInfo *root, const RelOptInfo *rel)
{
	double		rows = 0;
	ListCell   *lc;

	if (rel->rows > 0)
		return rel->rows;
	if (!root->simple_rte_array[rel->relid]->inh)
		return rel->rtekind == RTE_RELATION && rel->tuples > 0 ?
			clamp_row_est(rel->tuples *
						  clauselist_selectivity(root, rel->baserestrictinfo, 0, JOIN_INNER, NULL)) : 0;
	foreach(lc, root->append_rel_list)
	{
		const AppendRelInfo *child = lfirst(lc);

		if (child->parent_relid == rel->relid &&
			root->simple_rel_array[child->child_relid] != NULL)
			rows += relation_rows(root, root->simple_rel_array[child->child_relid]);
	}
	return rows;
}

static bool
outer_rows_walker(Node *node, void *context)
{
	OuterRows  *outer = context;

	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
	{
		PlannerInfo *ancestor;
		Var		   *var = (Var *) find_passed(outer->root, ((Param *) node)->paramid, &ancestor);

		if (var != NULL && IsA(var, Var) && ancestor->simple_rel_array != NULL &&
			(int) var->varno < ancestor->simple_rel_array_size &&
			ancestor->simple_rel_array[var->varno] != NULL)
			outer->rows = Max(outer->rows,
							  relation_rows(ancestor, ancestor->simple_rel_array[var->varno]));
		return false;
	}
	return expression_tree_walker(node, outer_rows_walker, context);
}

/*
 * Return about how many values the parameters of an expression have: the rows of
 * the relation that they come from.  Return 0 if that is not known, as in a subquery
 * of a target list, which is planned before the relations are.
 */
double
spq_subquery_outer_rows(PlannerInfo *root, Node *node)
{
	OuterRows	outer = {root, 0};

	(void) outer_rows_walker(node, &outer);
	return outer.rows;
}
