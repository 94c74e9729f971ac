/*-------------------------------------------------------------------------
 *
 * subquery_value.c
 *	  The value of an expression that uses the result of a subquery.
 *
 * A window may come from a subquery, which runs first; its result is unknown
 * to the planner:
 *
 *		b && (SELECT box '...')						a constant
 *		b && (SELECT w FROM cte)					as the CTE's column
 *		b && (SELECT area FROM towns WHERE ...)		as the areas of all towns
 *
 * The subquery is not run.  Its result is replaced by the expression that it
 * selects.  The whole is then a constant, or an expression over the relations
 * of the subquery, which can be sampled.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "estimate/scan/scan.h"

typedef struct Replacement
{
	PlannerInfo *root;			/* of the expression */
	PlannerInfo *below;			/* of the subquery whose expression was used;
								 * or NULL */
	bool		fit;
} Replacement;

/* Return the PlannerInfo of the subquery that yields a parameter, or NULL. */
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

/*
 * Return the expression that a subquery selects, or NULL if that is not one
 * expression on each row.
 */
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
 * Return the value of an expression without columns: a constant, if the
 * planner can estimate one, or an expression over the relations of a subquery,
 * whose PlannerInfo is set in *below.  Otherwise return NULL.
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
		/* the selected expression may use the result of another subquery */
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
