/*-------------------------------------------------------------------------
 *
 * grown_value.c
 *	  Conditions on values that another extension's function has enlarged by a
 *	  distance.
 *
 *		ST_Intersects(ST_Buffer(a, d), b)		implies		ST_DWithin(a, b, d)
 *
 * The implied condition needs no buffer for each row, neither for the key of a
 * join nor to search an index of b, and an index of a can be searched for it,
 * too.  The original condition is evaluated for all pairs found.
 *
 * A function f(a, ...) has a result near a if the type's descriptor names a
 * function in SQL for it (the same arguments, other).  That returns a condition that is true for all values that have a point in common with f(a,
 * ...), and the planner inlines its body.  If the body is not a function call,
 * for example because a buffer has an unusual style, nothing is implied.
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

#include "spatial/distance/grown_value.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/extension/member.h"

/*
 * Return the condition that is implied if f(a, ...) has a point in common with
 * another value, or NULL.
 */
static Node *
meets(PlannerInfo *root, Node *grown, Node *other)
{
	FuncExpr   *func = (FuncExpr *) grown;
	Oid		   *types,
				within;
	int			nargs;
	Node	   *body;

	if (!IsA(grown, FuncExpr) || func->funcid < FirstNormalObjectId || func->funcretset ||
		list_length(func->args) < 2 || exprType(grown) != exprType(other) ||
		get_func_signature(func->funcid, &types, &nargs) != exprType(other) ||
		types[0] != exprType(other) || nargs != list_length(func->args) ||
		!OidIsValid(within = spq_spatial_implied(func->funcid)))
		return NULL;
	body = (Node *) makeFuncExpr(within, BOOLOID, lappend(list_copy(func->args), other),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	body = eval_const_expressions(root, body);
	return IsA(body, FuncExpr) && ((FuncExpr *) body)->funcid != within ? body : NULL;
}

/*
 * If a condition is true only if an enlarged value has a point in common with
 * another one, return the condition on the original value that it implies, a
 * function of the extension.  Otherwise return NULL.
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

		/* test this first: it is cheap */
		if (!IsA(grown, FuncExpr))
			continue;
		within = meets(root, grown, list_nth(func->args, 1 - side));
		if (within && spq_spatial_extension_meets(root, clause))
			return within;
	}
	return NULL;
}
