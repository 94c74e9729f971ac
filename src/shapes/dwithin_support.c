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
 * in the plane and in space; and with that window
 *
 *		circle, polygon	column && window			if the class has it, as ours do
 *						column && spqtree_..._around(window)	else
 *
 * where what is around it is a shape of the column's type: around.c.
 *
 * A segment is far from most of its window, if it is long.  So if it and the
 * distance are constants, and the index knows the operator of src/shapes:
 *
 *		box column		column && a polygon around the segment
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
#include "parser/parse_func.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "shapes/shapes.h"
#include "spatial/clauses/distance_clause.h"

/* What PostgreSQL assumes of spatial conditions. */
#define DEFAULT_SELECTIVITY	0.005

PG_FUNCTION_INFO_V1(spq_dwithin_support);

/* Return a constant of a polygon. */
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
 * Return "column && polygon" if the other argument is a segment of which that is
 * known, and the index has the operator; else NULL.
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

/* Return "column op value" if the index has the operator, which is in a schema; else NIL. */
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

/* Return what is around a window, of a column's type; NULL if there is no such thing. */
static Expr *
shape_around(char *schema, Oid type, Expr *window)
{
	Oid			box = BOXOID,
				around;

	if (schema == NULL || exprType((Node *) window) != BOXOID ||
		(type != CIRCLEOID && type != POLYGONOID))
		return NULL;
	around = LookupFuncName(list_make2(makeString(schema),
									   makeString(pstrdup(type == CIRCLEOID ? "spqtree_circle_around" :
														  "spqtree_polygon_around"))),
							1, &box, true);
	if (!OidIsValid(around) || get_func_rettype(around) != type)
		return NULL;
	return (Expr *) makeFuncExpr(around, type, list_make1(window), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* Return whether a type is that of points, of as many dimensions as a type of boxes. */
static bool
is_point(Oid type, Oid box)
{
	/* half of a box, as no other type is */
	return box == BOXOID ? type == POINTOID : get_typlen(type) * 2 == get_typlen(box);
}

/* Return the condition of a column whose bounds meet a window, or NIL. */
static List *
in_window(const SupportRequestIndexCondition *request, const FuncExpr *func, Node *column,
		  Expr *window)
{
	char	   *native = pstrdup("pg_catalog"),
			   *own = get_namespace_name(get_func_namespace(func->funcid));
	Oid			type = exprType(column),
				box = exprType((Node *) window);
	List	   *condition;
	Expr	   *around;

	if (type == box || type == CIRCLEOID || type == POLYGONOID)
	{
		condition = if_indexed(request, type == BOXOID ? native : own, "&&", column, window);
		around = condition == NIL ? shape_around(own, type, window) : NULL;
		return around ? if_indexed(request, native, "&&", column, around) : condition;
	}
	if (!is_point(type, box))
		return NIL;
	return if_indexed(request, box == BOXOID ? native : own, "<@", column, window);
}

/* Return the conditions for an index, or NIL. */
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
