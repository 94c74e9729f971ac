/*-------------------------------------------------------------------------
 *
 * grown_value.c
 *	  Conditions on values that another extension's function has grown by a distance.
 *
 *		ST_Intersects(ST_Buffer(a, d), b)		implies		ST_DWithin(a, b, d)
 *
 * which needs no buffer for each row, neither for the key of a join nor to search an
 * index of b, and lets an index of a be searched.  The condition itself is evaluated for
 * all pairs that are found.
 *
 * A function f(a, ...) whose result is near a is known by a function in SQL beside the
 * type, spqtree_f_within(the same arguments, other): it says what is true of all values
 * that have a point in common with f(a, ...), and the planner puts its body there.  If that
 * is no function, such as where a buffer has an unusual style, nothing is known.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "spatial/clauses/beside_type.h"
#include "spatial/clauses/foreign_clause.h"
#include "spatial/clauses/grown_value.h"

/* Return what f(a, ...) meeting another value implies, or NULL. */
static Node *
meets(PlannerInfo *root, Node *grown, Node *other)
{
	FuncExpr   *func = (FuncExpr *) grown;
	Oid		   *types,
				within;
	int			nargs;
	char	   *name;
	Node	   *body;

	if (!IsA(grown, FuncExpr) || func->funcid < FirstNormalObjectId || func->funcretset ||
		list_length(func->args) < 2 || exprType(grown) != exprType(other) ||
		get_func_signature(func->funcid, &types, &nargs) != exprType(other) ||
		types[0] != exprType(other) || nargs != list_length(func->args) ||
		(name = get_func_name(func->funcid)) == NULL)
		return NULL;
	within = spq_spatial_sql_function(name, nargs, types, exprType(other));
	if (!OidIsValid(within) || !spq_spatial_is_beside_type(func->funcid, types[0]))
		return NULL;
	body = (Node *) makeFuncExpr(within, BOOLOID, lappend(list_copy(func->args), other),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	body = eval_const_expressions(root, body);
	return IsA(body, FuncExpr) && ((FuncExpr *) body)->funcid != within ? body : NULL;
}

/*
 * If a condition says that a value that was grown has a point in common with another one,
 * return what that implies of the value itself: a function of the extension; else NULL.
 */
Node *
spq_spatial_grown_within(PlannerInfo *root, Node *clause)
{
	FuncExpr   *func = (FuncExpr *) clause;

	if (!IsA(clause, FuncExpr) || list_length(func->args) != 2)
		return NULL;
	for (int side = 0; side < 2; side++)
	{
		Node	   *within,
				   *grown = list_nth(func->args, side);

		/* cheap to find out, unlike what the function implies */
		if (!IsA(grown, FuncExpr))
			continue;
		within = meets(root, grown, list_nth(func->args, 1 - side));
		if (within && spq_spatial_foreign_meets(root, clause))
			return within;
	}
	return NULL;
}
