/*-------------------------------------------------------------------------
 *
 * windows.c
 *	  Windows outside of which rows fail a filter.
 *
 * A condition such as ST_DWithin(t.g, $0, 100) implies that the box of t.g overlaps
 * a box made of parameters, the window.  Without it, a search for k rows that
 * satisfy the condition would go on to the last row if there are fewer of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/float.h"

#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/extension/member.h"
#include "spatial/operators/rights.h"
#include "types/registry.h"

/*
 * Return whether one side of a condition is the row's value, or its box without a
 * distance.
 */
static bool
is_box_of_value(Node *side, Node *value)
{
	List	   *args;

	if (equal(side, value))
		return true;
	if (!IsA(side, FuncExpr))
		return false;
	args = ((FuncExpr *) side)->args;
	if (!equal(linitial(args), value))
		return false;
	if (list_length(args) == 1)
		return spq_spatial_is_bounds(((FuncExpr *) side)->funcid);
	return list_length(args) == 2 && IsA(lsecond(args), Const) &&
		!((Const *) lsecond(args))->constisnull &&
		((Const *) lsecond(args))->consttype == FLOAT8OID &&
		DatumGetFloat8(((Const *) lsecond(args))->constvalue) == 0 &&
		(spq_spatial_is_reach(((FuncExpr *) side)->funcid) ||
		 spq_spatial_is_expand(((FuncExpr *) side)->funcid));
}

/*
 * Return whether a condition's arguments are safe, or those of a distance that it
 * compares: the window is evaluated even if no row would need it.
 */
static bool
has_safe_arguments(Node *clause, const SpqNearestKey *key)
{
	List	   *args;
	ListCell   *lc;

	if (IsA(clause, OpExpr))
		args = ((OpExpr *) clause)->args;
	else if (IsA(clause, FuncExpr))
		args = ((FuncExpr *) clause)->args;
	else
		return false;
	foreach(lc, args)
	{
		Node	   *arg = lfirst(lc);

		if (equal(arg, list_nth(key->distance.args, key->argument)) || spq_subquery_is_safe(arg))
			continue;
		if (equal(arg, key->expr))
		{
			if (!has_safe_arguments(arg, key))
				return false;
			continue;
		}
		return false;
	}
	return true;
}

/* Return the condition on boxes that a clause implies, or NULL. */
static OpExpr *
implied_overlap(PlannerInfo *root, Node *clause, SpqSpatialOperator *op)
{
	OpExpr	   *implied;

	if (IsA(clause, OpExpr) && list_length(((OpExpr *) clause)->args) == 2 &&
		spq_spatial_operator(((OpExpr *) clause)->opno, op))
		return (OpExpr *) clause;
	implied = spq_spatial_within_clause(root, clause, NULL, op);
	if (implied == NULL)
		implied = spq_spatial_compared_clause(root, clause, NULL, op);
	if (implied == NULL)
		implied = spq_spatial_extension_clause(root, clause, NULL, op);
	return implied;
}

/*
 * Return the windows of filter clauses, and set *kinds to how each yields its box:
 * the number of a type, and a function.
 */
List *
spq_nearest_node_windows(PlannerInfo *root, const SpqNearestKey *key, List *filter, List **kinds)
{
	List	   *windows = NIL;
	ListCell   *lc;

	*kinds = NIL;
	foreach(lc, filter)
	{
		SpqSpatialOperator op = {0};
		OpExpr	   *implied = has_safe_arguments(lfirst(lc), key) ?
			implied_overlap(root, lfirst(lc), &op) : NULL;

		if (implied == NULL || op.predicate != SPQ_BOX_OVERLAPS || op.axes != key->distance.axes ||
			contain_volatile_functions((Node *) implied) ||
			!spq_spatial_may_execute(root, (Node *) implied))
			continue;
		for (int side = 0; side < 2; side++)
		{
			Node	   *window = list_nth(implied->args, 1 - side);
			const SpqTypeOperand *operand = side == 0 ? &op.right : &op.left;

			if (!bms_is_empty(pull_varnos(root, window)) ||
				!is_box_of_value(list_nth(implied->args, side),
								 list_nth(key->distance.args, key->argument)))
				continue;
			windows = lappend(windows, window);
			*kinds = lappend_int(lappend_int(*kinds, spq_type_number(operand->type, operand->oid)),
								 (int) operand->function);
			break;
		}
	}
	return windows;
}
