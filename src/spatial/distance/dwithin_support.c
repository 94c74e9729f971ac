/*-------------------------------------------------------------------------
 *
 * dwithin_support.c
 *	  The planner support function of spqtree_dwithin(a, b, distance).
 *
 * It offers an index of a column a condition that the function implies.  For each
 * row that the index finds, the function is evaluated as well.  In the plane and
 * in space:
 *
 *		box column		column && spqtree_expand(other, distance)
 *		point column	column <@ spqtree_expand(other, distance)
 *
 * In the plane, with this expanded box as the window:
 *
 *		circle, polygon	column && window	if the class has the operator, as
 *											ours do; else
 *						column && _spqtree_..._around(window)
 *											a shape of the column's type,
 *											see around.c
 *
 * A long segment is far from most of its window.  So if the segment and the
 * distance are constants, and the class has the operator of src/shapes:
 *
 *		box column		column && a polygon around the segment
 *
 * The other argument and the distance may be constants or columns of other
 * relations, but not columns of the indexed relation.
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
#include "parser/parse_func.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "shapes/geometry/shapes.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/operators/rights.h"
#include "types/own_function.h"
#include "types/registry.h"

/* PostgreSQL's estimate for spatial conditions (areasel). */
#define DEFAULT_SELECTIVITY	0.005

PG_FUNCTION_INFO_V1(spq_dwithin_support);

/* Return a polygon with these corners, as a constant. */
static Const *
polygon_constant(const Point *corner, int count)
{
	int			size = offsetof(POLYGON, p) + count * sizeof(Point);
	POLYGON    *polygon = palloc0(size);

	SET_VARSIZE(polygon, size);
	polygon->npts = count;
	polygon->boundbox.low = polygon->boundbox.high = corner[0];
	for (int i = 0; i < count; i++)
	{
		polygon->p[i] = corner[i];
		polygon->boundbox.low.x = Min(polygon->boundbox.low.x, corner[i].x);
		polygon->boundbox.low.y = Min(polygon->boundbox.low.y, corner[i].y);
		polygon->boundbox.high.x = Max(polygon->boundbox.high.x, corner[i].x);
		polygon->boundbox.high.y = Max(polygon->boundbox.high.y, corner[i].y);
	}
	return makeConst(POLYGONOID, -1, InvalidOid, -1, PolygonPGetDatum(polygon), false, false);
}

/*
 * Return "column && polygon" for a box column, or NULL.  The other argument
 * must be a segment; it and the distance must be constants, and the index must
 * have the operator.
 */
static Expr *
near_segment(const SupportRequestIndexCondition *request, const FuncExpr *func,
			 Node *column, Node *other, Node *distance)
{
	char	   *schema = get_namespace_name(get_func_namespace(func->funcid));
	Point		corner[4];
	Oid			overlaps;

	if (exprType(column) != BOXOID || exprType(other) != LSEGOID || schema == NULL)
		return NULL;
	overlaps = OpernameGetOprid(list_make2(makeString(schema), makeString("&&")),
								BOXOID, POLYGONOID);
	if (!OidIsValid(overlaps) || !op_in_opfamily(overlaps, request->opfamily))
		return NULL;
	other = eval_const_expressions(request->root, other);
	distance = eval_const_expressions(request->root, distance);
	if (!IsA(other, Const) || ((Const *) other)->constisnull ||
		!IsA(distance, Const) || ((Const *) distance)->constisnull ||
		!spq_shape_around_segment(DatumGetLsegP(((Const *) other)->constvalue),
								  DatumGetFloat8(((Const *) distance)->constvalue), corner))
		return NULL;
	return make_opclause(overlaps, BOOLOID, false, (Expr *) column,
						 (Expr *) polygon_constant(corner, lengthof(corner)),
						 InvalidOid, InvalidOid);
}

/*
 * Return "column op value", with the operator of this name in the schema, or
 * NIL if there is none or the index does not have it.
 */
static List *
if_indexed(const SupportRequestIndexCondition *request, char *schema, const char *name,
		   Node *column, Expr *value)
{
	Oid			opno;

	if (schema == NULL)
		return NIL;
	opno = OpernameGetOprid(list_make2(makeString(schema), makeString(pstrdup(name))),
							exprType(column), exprType((Node *) value));
	if (!OidIsValid(opno) || !op_in_opfamily(opno, request->opfamily))
		return NIL;
	return list_make1(make_opclause(opno, BOOLOID, false, (Expr *) column, value,
									InvalidOid, InvalidOid));
}

/* Return a call of the function that makes a shape of a type around a window. */
static Expr *
shape_around(const SpqType *type, Expr *window)
{
	Oid			box = BOXOID,
				around = type->around == NULL ? InvalidOid :
		spq_own_function(psprintf("_spqtree_%s", type->around),
						 psprintf("spq_%s", type->around), 1, &box);

	if (!OidIsValid(around))
		return NULL;
	return (Expr *) makeFuncExpr(around, type->oid, list_make1(window), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* Return the index condition that a column meets a window, or NIL. */
static List *
in_window(const SupportRequestIndexCondition *request, const FuncExpr *func, Node *column,
		  Expr *window)
{
	char	   *native = pstrdup("pg_catalog"),
			   *own = get_namespace_name(get_func_namespace(func->funcid));
	const SpqType *type = spq_type_of(exprType(column));
	bool		in_plane = exprType((Node *) window) == BOXOID;
	List	   *condition;
	Expr	   *around;

	if (type == NULL || (type->axes == 2) != in_plane)
		return NIL;
	if (type->is_point)
		return if_indexed(request, in_plane ? native : own, "<@", column, window);
	if (!type->is_box && type->around == NULL)
		return NIL;
	condition = if_indexed(request, type->oid == BOXOID ? native : own, "&&", column, window);
	if (condition != NIL)
		return condition;
	around = shape_around(type, window);
	return around ? if_indexed(request, native, "&&", column, around) : NIL;
}

/* Return the condition for an index, or NIL. */
static List *
index_condition(SupportRequestIndexCondition *request)
{
	FuncExpr   *func = (FuncExpr *) request->node;
	Node	   *column,
			   *other,
			   *distance;
	Expr	   *window,
			   *near;

	if (!IsA(func, FuncExpr) || list_length(func->args) != 3 || request->indexarg > 1)
		return NIL;
	column = list_nth(func->args, request->indexarg);
	other = list_nth(func->args, 1 - request->indexarg);
	distance = lthird(func->args);
	if (!is_pseudo_constant_for_index(request->root, other, request->index) ||
		!is_pseudo_constant_for_index(request->root, distance, request->index))
		return NIL;
	request->lossy = true;
	near = near_segment(request, func, column, other, distance);
	if (near != NULL)
		return list_make1(near);

	window = spq_spatial_expand(func, other, distance);
	if (window == NULL)
		return NIL;
	return in_window(request, func, column,
					 (Expr *) eval_const_expressions(request->root, (Node *) window));
}

/*
 * _spqtree_dwithin_support(internal) returns internal
 */
Datum
spq_dwithin_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestIndexCondition))
	{
		PlannerInfo *root = ((SupportRequestIndexCondition *) request)->root;
		List	   *condition = index_condition((SupportRequestIndexCondition *) request);

		PG_RETURN_POINTER(condition != NIL && spq_spatial_may_execute(root, (Node *) condition) ?
						  condition : NIL);
	}
	if (IsA(request, SupportRequestSelectivity))
	{
		/* src/estimate replaces this if it has samples */
		((SupportRequestSelectivity *) request)->selectivity = DEFAULT_SELECTIVITY;
		PG_RETURN_POINTER(request);
	}
	PG_RETURN_POINTER(NULL);
}
