/*-------------------------------------------------------------------------
 *
 * custom_node.c
 *	  What the plans of our custom nodes have in common.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "custom_node.h"

/*
 * A condition, with the properties that determine the order of evaluation.  As
 * in PostgreSQL, conditions of lower security levels come first, so that no
 * function sees rows that these reject; then those of lower cost.  A cheap
 * leakproof condition counts as one of the lowest level.
 */
typedef struct QualOrder
{
	Index		security_level;
	Cost		cost;
	int			position;
	Expr	   *clause;
} QualOrder;

static int
compare_quals(const void *a, const void *b)
{
	const QualOrder *x = a,
			   *y = b;

	if (x->security_level != y->security_level)
		return x->security_level < y->security_level ? -1 : 1;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->position - y->position;
}

/*
 * Return the clauses in order of evaluation, without pseudoconstants.  Follows
 * order_qual_clauses() (copies.list).
 */
List *
spq_ordered_quals(PlannerInfo *root, List *rinfos)
{
	QualOrder  *order = palloc(list_length(rinfos) * sizeof(QualOrder));
	List	   *quals = NIL;
	int			n = 0;
	ListCell   *lc;

	foreach(lc, rinfos)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		QualCost	cost;

		if (rinfo->pseudoconstant)
			continue;
		cost_qual_eval_node(&cost, (Node *) rinfo, root);
		order[n].security_level = rinfo->security_level;
		if (rinfo->leakproof && cost.per_tuple < 10 * cpu_operator_cost)
			order[n].security_level = 0;
		order[n].cost = cost.per_tuple;
		order[n].position = n;
		order[n].clause = rinfo->clause;
		n++;
	}
	qsort(order, n, sizeof(QualOrder), compare_quals);
	for (int i = 0; i < n; i++)
		quals = lappend(quals, order[i].clause);
	pfree(order);
	return quals;
}

static Node *
child_references(Node *expr, void *columns)
{
	if (expr == NULL)
		return NULL;
	if (IsA(expr, Var) && ((Var *) expr)->varno == INDEX_VAR)
	{
		Var		   *var = copyObject((Var *) expr);

		var->varno = OUTER_VAR;
		if (columns != NIL)
			var->varattno = list_nth_int((List *) columns, var->varattno - 1);
		return (Node *) var;
	}
	return expression_tree_mutator(expr, child_references, columns);
}

/*
 * Turn references to the scan tuple into references to a row of a child, in which
 * columns have these numbers, or with NIL the same.
 */
List *
spq_child_references(List *exprs, List *columns)
{
	return (List *) child_references((Node *) exprs, columns);
}

/* Show conditions, or a list with an expression, in EXPLAIN. */
void
spq_show_quals(const char *label, List *quals, CustomScanState *css, List *ancestors,
			   ExplainState *es)
{
	List	   *context;

	if (quals == NIL)
		return;
	context = set_deparse_context_plan(es->deparse_cxt, css->ss.ps.plan, ancestors);
	ExplainPropertyText(label,
						deparse_expression((Node *) make_ands_explicit(quals), context,
										   es->verbose || list_length(es->rtable) > 1, false),
						es);
}
