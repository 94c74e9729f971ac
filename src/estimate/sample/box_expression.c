/*-------------------------------------------------------------------------
 *
 * box_expression.c
 *	  Which expressions may be evaluated on rows during planning.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/appendinfo.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"

#include "estimate/sample/computed.h"
#include "estimate/sample/sample.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/member.h"
#include "spatial/lines/line_box.h"
#include "types/registry.h"

/* Return whether a function that makes a box, or a value of a type, raises no error. */
static bool
is_harmless(Oid function)
{
	return spq_type_is_harmless(function) ||
		(function >= FirstNormalObjectId &&
		 (spq_spatial_is_expand(function) || spq_spatial_is_reach(function) ||
		  spq_spatial_is_bounds(function) || spq_spatial_is_harmless_member(function) ||
		  spq_spatial_is_range_box(function)));
}

typedef struct NormalForm
{
	Index		varno;			/* of the Vars seen so far; 0: none */
	bool		fit;
	int			new_varno;		/* of the copy; 0: unchanged */
	const AppendRelInfo *up;	/* replace columns of the child by the
								 * parent's */
	List	   *targetlist;		/* replace columns of a subquery by their
								 * expressions, in the form "below" */
	struct NormalForm *below;
} NormalForm;

static Node *normal_form(Node *node, NormalForm *form);
static Node *normal_mutator(Node *node, void *form);
static Node *normal_end(Node *node, void *context);

/* "is_end": as an argument of a function that returns a box on a line, or of a comparison. */
static Node *
normal_var(const Var *var, NormalForm *form, bool is_end)
{
	AttrNumber	attno = var->varattno;

	if (var->varlevelsup != 0 || attno <= 0 ||
		(form->varno != 0 && form->varno != (Index) var->varno))
		form->fit = false;
	form->varno = var->varno;
	if (form->below && form->fit)
	{
		const TargetEntry *target = get_tle_by_resno(form->targetlist, attno);

		if (target && !target->resjunk)
			return is_end ? normal_end((Node *) target->expr, form->below) :
				normal_form((Node *) target->expr, form->below);
		form->fit = false;
	}
	if (form->up && form->fit)
	{
		attno = attno <= form->up->num_child_cols ?
			form->up->parent_colnos[attno - 1] : 0;
		if (attno <= 0)
			form->fit = false;
	}
	return (Node *) makeVar(form->new_varno ? form->new_varno : (int) var->varno,
							attno, var->vartype, var->vartypmod,
							var->varcollid, 0);
}

static bool
is_bounds_call(const Node *node)
{
	return IsA(node, FuncExpr) && spq_spatial_is_bounds(((FuncExpr *) node)->funcid);
}

static List *
normal_forms(List *nodes, NormalForm *form)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, nodes)
		result = lappend(result, normal_form(lfirst(lc), form));
	return result;
}

/* Return the expression below what changes the value little or not. */
static Node *
without_wrapping(Node *node)
{
	for (;;)
	{
		if (node && IsA(node, PlaceHolderVar))
			node = (Node *) ((PlaceHolderVar *) node)->phexpr;
		else if (node && IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (node && IsA(node, CoalesceExpr) && is_bounds_call(linitial(((CoalesceExpr *) node)->args)))
			node = linitial(((CoalesceExpr *) node)->args); /* made by or_absent() */
		else
			return node;
	}
}

/*
 * Return a copy of an argument of a function that returns a box on a line, or of a
 * comparison.  computed.c evaluates what might raise an error.
 */
static Node *
normal_end(Node *node, void *context)
{
	NormalForm *form = context;

	check_stack_depth();
	node = without_wrapping(node);
	if (node && IsA(node, List))
		return expression_tree_mutator(node, normal_end, form);
	if (spq_estimate_is_computed(node) || spq_estimate_is_constructor(node))
	{
		node = expression_tree_mutator(node, normal_end, form);

		/* without relabeling it may be something else, which could fail */
		form->fit &= spq_estimate_is_computed(node) || spq_estimate_is_constructor(node);
		return node;
	}
	if (node && IsA(node, Var))
		return normal_var((Var *) node, form, true);
	return normal_form(node, form);
}

/*
 * Return a copy without what changes the value little or not: names of join
 * columns, outer joins that may set it to null, relabeling, positions in the
 * text.  The bounds of another extension's function call are replaced by a
 * function of ours that does not call it, and functions by those that raise no error.  Clear form->fit if the expression
 * may not be evaluated.
 */
static Node *
normal_form(Node *node, NormalForm *form)
{
	node = without_wrapping(node);
	if (node && IsA(node, Var))
		return normal_var((Var *) node, form, false);
	if (node && IsA(node, Const))
		return copyObject(node);
	if (node && IsA(node, FuncExpr))
	{
		const FuncExpr *func = (FuncExpr *) node;
		Oid			tried = spq_spatial_tried(func->funcid);

		if (OidIsValid(tried) && spq_spatial_is_harmless_member(tried))
			return (Node *) makeFuncExpr(tried, func->funcresulttype, normal_forms(func->args, form),
										 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
		if (is_harmless(func->funcid))
		{
			const FuncExpr *without_call = spq_spatial_bounds_without_call(func);
			List	   *args;

			if (without_call)
				func = without_call;
			args = spq_spatial_is_range_box(func->funcid) ?
				(List *) normal_end((Node *) func->args, form) : normal_forms(func->args, form);
			return (Node *) makeFuncExpr(func->funcid, func->funcresulttype, args,
										 InvalidOid, InvalidOid,
										 COERCE_EXPLICIT_CALL);
		}
	}
	if (node && IsA(node, MinMaxExpr) && ((MinMaxExpr *) node)->minmaxtype == FLOAT8OID)
	{
		MinMaxExpr *copy = makeNode(MinMaxExpr);

		memcpy(copy, node, sizeof(MinMaxExpr));
		copy->args = normal_forms(copy->args, form);
		copy->location = -1;
		return (Node *) copy;
	}
	if (node && IsA(node, FieldSelect))
	{
		FieldSelect *copy = makeNode(FieldSelect);

		/* a part of a composite value */
		memcpy(copy, node, sizeof(FieldSelect));
		copy->arg = (Expr *) normal_form((Node *) copy->arg, form);
		form->fit &= exprType((Node *) copy->arg) != RECORDOID;
		return (Node *) copy;
	}
	if (node && IsA(node, CoalesceExpr))
	{
		CoalesceExpr *copy = makeNode(CoalesceExpr);

		memcpy(copy, node, sizeof(CoalesceExpr));
		copy->args = normal_forms(copy->args, form);
		copy->location = -1;
		return (Node *) copy;
	}
	if (spq_estimate_is_comparison(node))
	{
		node = expression_tree_mutator(node, normal_end, form);
		form->fit &= spq_estimate_is_comparison(node);
		return node;
	}
	if (node && spq_estimate_is_condition_node(node))
		return expression_tree_mutator(node, normal_mutator, form);
	form->fit = false;
	return node;
}

static Node *
normal_mutator(Node *node, void *form)
{
	return normal_form(node, form);
}

/*
 * Return whether values of this expression can be sampled, and set its normal
 * form.  Compress functions of operator classes are not called, so an operand
 * that needs one cannot be sampled.
 */
static bool
find_expression(Node *node, const SpqTypeOperand *operand, SpqEstimateExpression *result)
{
	NormalForm	form = {.fit = true};

	if (OidIsValid(operand->function))
		return false;
	result->operand = *operand;
	/* a polygon yields the same box without being detoasted completely */
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == F_BOX_POLYGON)
	{
		node = linitial(((FuncExpr *) node)->args);
		result->operand.type = &spq_type_polygon;
	}
	result->expr = normal_form(node, &form);
	result->varno = form.varno;
	return form.fit && form.varno != 0;
}

/* Return whether boxes of this expression can be sampled, and set its normal form. */
bool
spq_estimate_expression(Node *node, const SpqTypeOperand *operand,
						SpqEstimateExpression *result)
{
	return operand->type->box != NULL && find_expression(node, operand, result);
}

/* The same for shapes whose values the sample keeps. */
bool
spq_estimate_shape_expression(Node *node, const SpqTypeOperand *operand,
							  SpqEstimateExpression *result)
{
	return spq_estimate_keeps_values(operand->type) && find_expression(node, operand, result);
}

/*
 * Change a partition's expression into one of the partitioned table, so that
 * all partitions share a sample.
 */
void
spq_estimate_expression_of_parent(PlannerInfo *root, SpqEstimateExpression *expression)
{
	while (root->append_rel_array && root->append_rel_array[expression->varno])
	{
		AppendRelInfo *appinfo = root->append_rel_array[expression->varno];
		NormalForm	form = {.fit = true,.new_varno = appinfo->parent_relid,.up = appinfo};
		Node	   *expr;

		if (!OidIsValid(appinfo->parent_reloid))
			break;				/* an arm of UNION ALL */
		expr = normal_form(expression->expr, &form);
		if (!form.fit)
			break;
		expression->expr = expr;
		expression->varno = appinfo->parent_relid;
	}
}

/*
 * Change an expression over a subquery's columns into one over the relation
 * below it, or into a constant (then "varno" is 0).  Return false if that
 * cannot be sampled.
 */
bool
spq_estimate_expression_of_subquery(List *targetlist, SpqEstimateExpression *expression)
{
	NormalForm	below = {.fit = true};
	NormalForm	form = {.fit = true,.targetlist = targetlist,.below = &below};

	expression->expr = normal_form(expression->expr, &form);
	expression->varno = below.varno;
	return form.fit && below.fit;
}

/*
 * Return a table's expression as one of a partition or an arm of UNION ALL, or
 * NULL if that cannot be sampled.
 */
Node *
spq_estimate_expression_of_child(PlannerInfo *root, Node *expr, AppendRelInfo *appinfo)
{
	NormalForm	form = {.fit = true};

	expr = normal_form(adjust_appendrel_attrs(root, expr, 1, &appinfo), &form);
	return form.fit && form.varno == appinfo->child_relid ? expr : NULL;
}

/* Return the expression as if its relation were the first of the query. */
Node *
spq_estimate_expression_key(Node *expr)
{
	NormalForm	form = {.fit = true,.new_varno = 1};

	return normal_form(expr, &form);
}
