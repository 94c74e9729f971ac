/*-------------------------------------------------------------------------
 *
 * dwithin_support.c
 *	  What the planner asks about spqtree_dwithin(a, b, distance).
 *
 * A condition on an indexed column becomes one that indexes know, besides the
 * function itself, which is evaluated for each row that they find:
 *
 *		box column		column && spqtree_expand(other, distance)
 *		point column	column <@ spqtree_expand(other, distance)
 *
 * The other argument and the distance are all that may vary: constants, and
 * columns of other relations.  A distance that is a column of the indexed
 * relation is no use to its index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/skey.h"
#include "catalog/namespace.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "spatial/distance_clause.h"

/* What PostgreSQL assumes of spatial conditions. */
#define DEFAULT_SELECTIVITY	0.005

PG_FUNCTION_INFO_V1(spq_dwithin_support);

/* Return the conditions for an index, or NIL. */
static List *
index_condition(SupportRequestIndexCondition *request)
{
	FuncExpr   *func = (FuncExpr *) request->node;
	Node	   *column,
			   *other,
			   *distance;
	Expr	   *window;
	Oid			opno;

	if (!IsA(func, FuncExpr) || list_length(func->args) != 3 || request->indexarg > 1)
		return NIL;
	column = list_nth(func->args, request->indexarg);
	other = list_nth(func->args, 1 - request->indexarg);
	distance = lthird(func->args);
	if (!is_pseudo_constant_for_index(request->root, other, request->index) ||
		!is_pseudo_constant_for_index(request->root, distance, request->index))
		return NIL;

	if (exprType(column) == BOXOID)
		opno = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("&&")),
								BOXOID, BOXOID);
	else if (exprType(column) == POINTOID)
		opno = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("<@")),
								POINTOID, BOXOID);
	else
		return NIL;
	window = spq_spatial_expand(func, other, distance);
	if (window == NULL || !op_in_opfamily(opno, request->opfamily))
		return NIL;
	window = (Expr *) eval_const_expressions(request->root, (Node *) window);
	request->lossy = true;
	return list_make1(make_opclause(opno, BOOLOID, false, (Expr *) column, window,
									InvalidOid, InvalidOid));
}

/*
 * spqtree_dwithin_support(internal) returns internal
 */
Datum
spq_dwithin_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestIndexCondition))
		PG_RETURN_POINTER(index_condition((SupportRequestIndexCondition *) request));
	if (IsA(request, SupportRequestSelectivity))
	{
		/* for lack of samples (src/estimate) */
		((SupportRequestSelectivity *) request)->selectivity = DEFAULT_SELECTIVITY;
		PG_RETURN_POINTER(request);
	}
	PG_RETURN_POINTER(NULL);
}
