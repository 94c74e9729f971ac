/*-------------------------------------------------------------------------
 *
 * distance_clause.c
 *	  Conditions spqtree_dwithin(a, b, distance), as conditions on boxes.
 *
 * Joins and estimates need an operator with two sides, but this is a function.
 * It implies an operator of two boxes:
 *
 *		spqtree_dwithin(a, b, d)	implies		spqtree_expand(a, d) && b
 *											and a && spqtree_expand(b, d)
 *
 * The distance enlarges the side from which it is computed, so that each side
 * of the operator belongs to one relation.  If it is a sum, such as that of
 * two radii, each summand enlarges its own side.  A distance that uses columns
 * of both sides in another way belongs to neither, and the condition remains a
 * filter.  A side consists of all relations that are joined before
 * (operators/sides.h), so the distance may come from another relation than the
 * shape.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "spatial/distance/distance_clause.h"
#include "types/own_function.h"

/*
 * The fraction of the pairs within the distance, among those of which one
 * side, enlarged by the distance, overlaps the other.  It is pi / 4 for
 * points, and more for larger values.  A guess.
 */
#define WITHIN_FRACTION 0.9

/* The names of the C functions, for all types, begin with these. */
#define DWITHIN_PREFIX "spq_dwithin_"
#define EXPAND_PREFIX "spq_expand_"

/* Return whether a function is spqtree_dwithin(), for any types. */
bool
spq_spatial_is_dwithin(Oid function)
{
	return spq_own_prefix(function, DWITHIN_PREFIX);
}

/* Return whether a function is spqtree_expand(), for any type. */
bool
spq_spatial_is_expand(Oid function)
{
	return spq_own_prefix(function, EXPAND_PREFIX);
}

/*
 * Return spqtree_expand(shape, distance), looked up in the schema of the
 * function dwithin; NULL if it is not there.
 */
Expr *
spq_spatial_expand(const FuncExpr *dwithin, Node *shape, Node *distance)
{
	char	   *schema = get_namespace_name(get_func_namespace(dwithin->funcid));
	Oid			types[] = {exprType(shape), FLOAT8OID};
	Oid			function;

	if (schema == NULL)
		return NULL;
	function = LookupFuncName(list_make2(makeString(schema), makeString("spqtree_expand")),
							  lengthof(types), types, true);
	if (!OidIsValid(function) || !spq_spatial_is_expand(function))
		return NULL;
	return (Expr *) makeFuncExpr(function, get_func_rettype(function),
								 list_make2(shape, distance), InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/*
 * Return the operator of this name that compares a type with the result of
 * spqtree_expand(): box or box3.  Operators of box3 are looked up in the
 * schema of the function dwithin.  Return InvalidOid if there is none.
 */
Oid
spq_spatial_window_operator(const FuncExpr *dwithin, const char *name, Oid left, Oid window)
{
	char	   *schema = window == BOXOID ? pstrdup("pg_catalog") :
		get_namespace_name(get_func_namespace(dwithin->funcid));

	if (schema == NULL)
		return InvalidOid;
	return OpernameGetOprid(list_make2(makeString(schema), makeString(pstrdup(name))),
							left, window);
}

static Node *
zero(void)
{
	return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(0),
							  false, FLOAT8PASSBYVAL);
}

/*
 * Return a shape as a box of the type of the enlarged side: itself if it has
 * this type, else spqtree_expand(shape, 0), which may be NULL.
 */
static Node *
as_box(const FuncExpr *dwithin, Node *shape, Node *window)
{
	if (window == NULL || exprType(shape) == exprType(window))
		return shape;
	return (Node *) spq_spatial_expand(dwithin, shape, zero());
}

/* Return the larger of a distance and 0. */
static Node *
not_below_zero(Node *distance)
{
	MinMaxExpr *greatest = makeNode(MinMaxExpr);

	greatest->minmaxtype = FLOAT8OID;
	greatest->op = IS_GREATEST;
	greatest->args = list_make2(distance, zero());
	greatest->location = -1;
	return (Node *) greatest;
}

/*
 * If a distance is the sum of a number from the left side and one from the
 * right, set the number by which to enlarge each side.
 *
 * A summand may be negative: then the other one alone exceeds the sum.  The
 * rounding of the sum is far less than the margin of spqtree_expand().
 */
static bool
split_sum(PlannerInfo *root, Node *distance, const Bitmapset *of_left,
		  const Bitmapset *of_right, Node **left_part, Node **right_part)
{
	OpExpr	   *sum = (OpExpr *) distance;
	Node	   *first,
			   *second;

	if (!IsA(sum, OpExpr) || get_opcode(sum->opno) != F_FLOAT8PL)
		return false;
	first = linitial(sum->args);
	second = lsecond(sum->args);
	if (!bms_is_subset(pull_varnos(root, first), of_left))
	{
		first = lsecond(sum->args);
		second = linitial(sum->args);
	}
	*left_part = not_below_zero(first);
	*right_part = not_below_zero(second);
	return bms_is_subset(pull_varnos(root, first), of_left) &&
		bms_is_subset(pull_varnos(root, second), of_right);
}

/*
 * Find the side of a condition to which a distance belongs: the one from which
 * it is computed, or for a sum each summand's own side.  A constant belongs to
 * the left side if that is constant, too, else to the right one.  Set the
 * distance by which to enlarge each side, or NULL for a side that stays as it
 * is.  Return false if the distance belongs to neither side.  "sides" are those
 * of the join, or NULL if that is not known.
 */
bool
spq_spatial_share_distance(PlannerInfo *root, Node *distance, Node *left, Node *right,
						   const SpqSpatialSides *sides,
						   Node **left_part, Node **right_part)
{
	const Bitmapset *of_left = spq_spatial_side_of(sides, pull_varnos(root, left)),
			   *of_right = spq_spatial_side_of(sides, pull_varnos(root, right)),
			   *of_distance = pull_varnos(root, distance);

	*left_part = *right_part = NULL;
	if (bms_is_empty(of_distance) ? bms_is_empty(of_left) :
		bms_is_subset(of_distance, of_left))
		*left_part = distance;
	else if (bms_is_subset(of_distance, of_right))
		*right_part = distance;
	else
		return split_sum(root, distance, of_left, of_right, left_part, right_part);
	return true;
}

/*
 * If a clause is spqtree_dwithin(a, b, distance), return "a && b" with one or
 * both sides enlarged by the distance, and describe that operator.  Otherwise
 * return NULL.
 */
OpExpr *
spq_spatial_within_clause(PlannerInfo *root, Node *clause, const SpqSpatialSides *sides,
						  SpqSpatialOperator *op)
{
	FuncExpr   *func = (FuncExpr *) clause;
	Node	   *left,
			   *right,
			   *left_part,
			   *right_part;
	Oid			overlaps;

	if (!IsA(func, FuncExpr) || func->funcid < FirstNormalObjectId ||
		list_length(func->args) != 3 ||
		!spq_spatial_is_dwithin(func->funcid))
		return NULL;
	left = linitial(func->args);
	right = lsecond(func->args);
	if (!spq_spatial_share_distance(root, lthird(func->args), left, right, sides,
									&left_part, &right_part))
		return NULL;
	if (left_part)
		left = (Node *) spq_spatial_expand(func, left, left_part);
	if (right_part)
		right = (Node *) spq_spatial_expand(func, right, right_part);
	if (left_part == NULL)
		left = as_box(func, left, right);
	if (right_part == NULL)
		right = as_box(func, right, left);
	if (left == NULL || right == NULL)
		return NULL;
	overlaps = spq_spatial_window_operator(func, "&&", exprType(left), exprType(right));
	if (!OidIsValid(overlaps) || !spq_spatial_operator(overlaps, op))
		return NULL;
	op->exact = false;
	op->fraction = WITHIN_FRACTION;
	clause = (Node *) make_opclause(overlaps, BOOLOID, false, (Expr *) left, (Expr *) right,
									InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return (OpExpr *) clause;
}
