/*-------------------------------------------------------------------------
 *
 * subquery_value.c
 *	  What an expression with the result of a subquery is.
 *
 * A window may come from a subquery, which the planner runs first and knows nothing of:
 *
 *		b && (SELECT box '...')						a constant
 *		b && (SELECT w FROM cte)					as the CTE's column
 *		b && (SELECT area FROM towns WHERE ...)		as the areas of all towns
 *
 * The subquery is not run.  In its place comes what it selects: the expression is then a
 * constant, or one over the relations of the subquery, of which a sample can be had.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "estimate/scan/subquery_value.h"

typedef struct Replacement
{
	PlannerInfo *root;			/* of the expression */
	PlannerInfo *below;			/* of the subquery that was put in; NULL: none */
	bool		fit;
} Replacement;

/* Return the planner's data of the subquery that yields a parameter, or NULL. */
static PlannerInfo *
root_of_param(PlannerInfo *root, int paramid)
{
	for (; root; root = root->parent_root)
	{
		ListCell   *lc;

		foreach(lc, root->init_plans)
		{
			const SubPlan *plan = lfirst_node(SubPlan, lc);

			if (plan->subLinkType == EXPR_SUBLINK && list_length(plan->setParam) == 1 &&
				linitial_int(plan->setParam) == paramid && plan->plan_id > 0 &&
				plan->plan_id <= list_length(root->glob->subroots))
				return list_nth(root->glob->subroots, plan->plan_id - 1);
		}
	}
	return NULL;
}

/* Return what a subquery selects, if that is one expression of each row; else NULL. */
static Node *
selected(const Query *query)
{
	const TargetEntry *target = query->targetList ? linitial(query->targetList) : NULL;

	if (!target || query->commandType != CMD_SELECT || query->setOperations || query->hasAggs ||
		query->hasWindowFuncs || query->hasTargetSRFs || query->groupClause ||
		query->groupingSets || query->havingQual)
		return NULL;
	return (Node *) target->expr;
}

static Node *
replace_params(Node *node, void *context)
{
	Replacement *r = context;

	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
	{
		PlannerInfo *below = root_of_param(r->root, ((Param *) node)->paramid);
		Node	   *value = below ? selected(below->parse) : NULL;

		if (value && !r->below && below != r->root)
		{
			r->below = below;
			return copyObject(value);
		}
		r->fit = false;
	}
	return expression_tree_mutator(node, replace_params, context);
}

/*
 * Return an expression without columns as a constant, if it is one for the planner, or as
 * one over the relations of a subquery, whose data are set in *below; else NULL.
 */
Node *
spq_estimate_value(PlannerInfo *root, Node *node, PlannerInfo **below)
{
	Replacement replacement = {.root = root,.fit = true};

	*below = NULL;
	if (IsA(node, Const))
		return node;
	node = estimate_expression_value(root, node);
	for (int depth = 0; depth < 4 && !IsA(node, Const); depth++)
	{
		PlannerInfo *outer = replacement.root;

		node = replace_params(node, &replacement);
		if (!replacement.fit || !replacement.below)
			break;
		/* what is selected may itself have the result of another subquery */
		replacement.root = replacement.below;
		replacement.below = NULL;
		*below = replacement.root;
		node = estimate_expression_value(*below, node);
		if (contain_var_clause(node) || replacement.root == outer)
			break;
	}
	if (IsA(node, Const))
		return node;
	return replacement.fit && *below && contain_var_clause(node) ? node : NULL;
}
