/*-------------------------------------------------------------------------
 *
 * compared_distance.c
 *	  Conditions such as a <-> b < d, as conditions on boxes.
 *
 * PostgreSQL sees a comparison of a distance with a number as a condition on
 * two numbers, not as a spatial one.  For joins and estimates, it implies
 *
 *		a <-> b < d				_spqtree_reach(a, d) && _spqtree_reach(b, 0)
 *
 * The distance enlarges the side from which it is computed, as that of
 * spqtree_dwithin() does (distance_clause.c).  For an index on either side, it
 * implies
 *
 *		box a					a && _spqtree_reach(b, d)
 *		point a					a <@ _spqtree_reach(b, d)
 *		circle a				a && _spqtree_circle_around(_spqtree_reach(b, d))
 *
 * The comparison itself is evaluated for all rows found.
 *
 * The descriptor of a type of another extension (types/type.h) names functions f
 * that return distances, and a function in SQL for each (the same arguments, d).
 * It returns a condition that is true for all values with f(...) <= d, and the
 * planner inlines its body:
 *
 *		ST_Distance(a, b) < d	ST_DWithin(a, b, something more than d)
 *
 * which is treated as any other condition (extension/extension_clause.c).  Distances are
 * rounded, and the boxes of other extensions' indexes do not allow for that,
 * so d is slightly increased for an index.
 *
 * An index condition must be true for every row that satisfies the comparison.
 * With a distance of infinity or NaN, rows with a NaN coordinate satisfy the
 * comparison but no condition on boxes.  So the distance must be known to be
 * finite: a constant, or an integer.  And the distance between a point and a
 * box with a NaN in one corner may be finite, so an index of boxes is not
 * searched for boxes near a point.  (In joins, such boxes overlap all others.)
 * For the same reason PostgreSQL's own GiST and SP-GiST classes are not
 * searched: an index into which a NaN was inserted may miss other rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_bound.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/distance/grown_value.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/extension/member.h"
#include "types/own_function.h"

/*
 * Fractions of the pairs of overlapping boxes that are within the distance,
 * for points.
 */
#define PLANE_FRACTION	(M_PI / 4)
#define SPACE_FRACTION	(M_PI / 6)

/* The names of the C functions, for all types, begin with these. */
#define REACH_PREFIX	"spq_reach_"
#define AROUND_PREFIX	"spq_circle_around"

/* A comparison: a distance is less than, or equal to, a limit. */
typedef struct Compared
{
	Oid			function;		/* computes the distance */
	List	   *args;			/* its arguments */
	Node	   *limit;
	bool		finite;			/* the limit is known to be neither infinite
								 * nor NaN */
} Compared;

/* Return whether a function is _spqtree_reach(). */
bool
spq_spatial_is_reach(Oid function)
{
	return spq_own_prefix(function, REACH_PREFIX);
}

static Node *
constant(float8 value)
{
	return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8),
							  Float8GetDatum(value), false, FLOAT8PASSBYVAL);
}

/* Return _spqtree_reach(shape, distance), or NULL. */
static Node *
reach(Node *shape, Node *distance)
{
	Oid			types[] = {exprType(shape), FLOAT8OID};
	Oid			function = spq_own_function("_spqtree_reach", REACH_PREFIX, lengthof(types), types);

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, get_func_rettype(function),
								 list_make2(shape, distance), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* Return whether an expression is finite for all rows. */
static bool
is_finite(const Node *number)
{
	if (IsA(number, Const))
		return !((Const *) number)->constisnull &&
			isfinite(DatumGetFloat8(((Const *) number)->constvalue));
	if (IsA(number, FuncExpr))
		switch (((FuncExpr *) number)->funcid)
		{
			case F_FLOAT8_INT2:
			case F_FLOAT8_INT4:
			case F_FLOAT8_INT8:
				return true;
		}
	return false;
}

/*
 * Store the function of a call or operator, and its arguments.  Return false
 * if the node is neither, or has fewer than two arguments.
 */
static bool
take_call(Node *node, Compared *compared)
{
	if (IsA(node, FuncExpr) && !((FuncExpr *) node)->funcretset)
	{
		compared->function = ((FuncExpr *) node)->funcid;
		compared->args = ((FuncExpr *) node)->args;
	}
	else if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		compared->function = ((OpExpr *) node)->opfuncid;
		compared->args = ((OpExpr *) node)->args;
	}
	else
		return false;
	return list_length(compared->args) >= 2;
}

/*
 * Take apart "call < limit", "call <= limit" and the commuted forms.  Return
 * false if the clause is something else.  Whether the call is a distance
 * remains to be checked.
 */
static bool
take_comparison(PlannerInfo *root, Node *clause, Compared *compared)
{
	OpExpr	   *op = (OpExpr *) clause;
	bool		call_is_left;

	if (!IsA(clause, OpExpr) || list_length(op->args) != 2)
		return false;
	switch (get_opcode(op->opno))
	{
		case F_FLOAT8LT:
		case F_FLOAT8LE:
		case F_FLOAT84LT:
		case F_FLOAT84LE:
			call_is_left = true;
			break;
		case F_FLOAT8GT:
		case F_FLOAT8GE:
		case F_FLOAT48GT:
		case F_FLOAT48GE:
			call_is_left = false;
			break;
		default:
			return false;
	}
	compared->limit = call_is_left ? lsecond(op->args) : linitial(op->args);
	if (!take_call(call_is_left ? linitial(op->args) : lsecond(op->args), compared))
		return false;
	if (exprType(compared->limit) == FLOAT4OID)
		compared->limit =
			eval_const_expressions(root,
								   (Node *) makeFuncExpr(F_FLOAT8_FLOAT4, FLOAT8OID,
														 list_make1(compared->limit),
														 InvalidOid, InvalidOid,
														 COERCE_EXPLICIT_CALL));
	compared->finite = is_finite(compared->limit);
	return true;
}

/*
 * Return whether the compared function is a distance of types that PostgreSQL or this
 * extension has.  Some of them have no _spqtree_reach().
 */
static bool
is_own_distance(const Compared *compared)
{
	return list_length(compared->args) == 2 && spq_spatial_is_own_distance(compared->function);
}

/* Return the condition that a distance of another extension implies, or NULL. */
static Node *
extension_within(PlannerInfo *root, const Compared *compared)
{
	Oid			within = spq_spatial_implied(compared->function);
	Node	   *body;

	if (!OidIsValid(within) || !spq_spatial_is_distance(compared->function))
		return NULL;
	body = (Node *) makeFuncExpr(within, BOOLOID,
								 lappend(list_copy(compared->args), compared->limit),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	body = eval_const_expressions(root, body);

	/* a call that was not inlined is useless */
	return IsA(body, FuncExpr) && ((FuncExpr *) body)->funcid != within ? body : NULL;
}

/*
 * Return a condition with an operator of PostgreSQL, or of this extension.
 * The latter is in the schema of _spqtree_reach(), which "near" calls.  Return
 * NULL if there is no such operator.
 */
static OpExpr *
make_condition(const char *name, Node *left, Node *right, const Node *near)
{
	char	   *schema = exprType(right) < FirstNormalObjectId ? pstrdup("pg_catalog") :
		get_namespace_name(get_func_namespace(((const FuncExpr *) near)->funcid));
	Oid			opno = InvalidOid;
	Expr	   *clause;

	if (schema != NULL)
		opno = OpernameGetOprid(list_make2(makeString(schema), makeString(pstrdup(name))),
								exprType(left), exprType(right));
	if (!OidIsValid(opno))
		return NULL;
	clause = make_opclause(opno, BOOLOID, false, (Expr *) left, (Expr *) right,
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return (OpExpr *) clause;
}

/*
 * If a clause compares a distance, or is a condition on a value enlarged by a
 * distance, return the condition on boxes that it implies, as "a && b", and
 * describe that operator.  Otherwise return NULL.
 */
OpExpr *
spq_spatial_compared_clause(PlannerInfo *root, Node *clause, const SpqSpatialSides *sides,
							SpqSpatialOperator *op)
{
	Compared	compared;
	Node	   *left_limit,
			   *right_limit,
			   *left,
			   *right;
	OpExpr	   *implied;

	if (IsA(clause, FuncExpr))
	{
		Node	   *within = spq_spatial_grown_within(root, clause);

		return within ? spq_spatial_extension_clause(root, within, sides, op) : NULL;
	}
	if (!take_comparison(root, clause, &compared))
		return NULL;
	if (!is_own_distance(&compared))
	{
		Node	   *within = extension_within(root, &compared);

		return within ? spq_spatial_extension_clause(root, within, sides, op) : NULL;
	}
	left = linitial(compared.args);
	right = lsecond(compared.args);
	if (!spq_spatial_share_distance(root, compared.limit, left, right, sides,
									&left_limit, &right_limit))
		return NULL;
	left = reach(left, left_limit ? left_limit : constant(0));
	right = reach(right, right_limit ? right_limit : constant(0));
	if (left == NULL || right == NULL)
		return NULL;
	implied = make_condition("&&", left, right, left);
	if (implied == NULL || !spq_spatial_operator(implied->opno, op))
		return NULL;
	op->exact = false;
	op->fraction = op->left.type->axes == 3 ? SPACE_FRACTION : PLANE_FRACTION;
	return implied;
}

/*
 * Return a number that exceeds a finite one by more than the rounding of a
 * distance and of two boxes.  PostGIS rounds distances of geographies to 10^-8
 * m.
 */
static Node *
a_little_more(Node *number)
{
	const float8 factor = 1 + 1e-12,
				term = 1e-7;

	if (IsA(number, Const))
		return constant(DatumGetFloat8(((Const *) number)->constvalue) * factor + term);
	number = (Node *) makeFuncExpr(F_FLOAT8MUL, FLOAT8OID, list_make2(number, constant(factor)),
								   InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	return (Node *) makeFuncExpr(F_FLOAT8PL, FLOAT8OID, list_make2(number, constant(term)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Return the condition that a column is near another value, or NULL. */
static OpExpr *
column_condition(PlannerInfo *root, const Compared *compared, Node *column, Node *other)
{
	Node	   *near = reach(other, compared->limit),
			   *window;
	Oid			box = BOXOID,
				around;

	if (near == NULL)
		return NULL;
	window = near;
	if (exprType(column) == BOXOID && exprType(other) != BOXOID)
		return NULL;			/* see the head of this file */
	if (exprType(column) == CIRCLEOID)
	{
		around = spq_own_function("_spqtree_circle_around", AROUND_PREFIX, 1, &box);
		if (!OidIsValid(around))
			return NULL;
		window = (Node *) makeFuncExpr(around, CIRCLEOID, list_make1(near), InvalidOid,
									   InvalidOid, COERCE_EXPLICIT_CALL);
		return make_condition("&&", column, eval_const_expressions(root, window), near);
	}
	return make_condition(exprType(column) == exprType(window) ? "&&" : "<@", column,
						  eval_const_expressions(root, window), near);
}

/*
 * Return index conditions that a clause implies, if it compares a finite
 * distance or is a condition on a value enlarged by a distance; else NIL.  Set
 * *of_extension to whether their operators belong to another extension.
 */
List *
spq_spatial_compared_conditions(PlannerInfo *root, Node *clause, bool *of_extension)
{
	Compared	compared;
	List	   *conditions = NIL;

	if (contain_volatile_functions(clause))
		return NIL;
	*of_extension = true;
	if (IsA(clause, FuncExpr))
	{
		Node	   *within = spq_spatial_grown_within(root, clause);

		return within ? spq_spatial_extension_conditions(root, within) : NIL;
	}
	if (!take_comparison(root, clause, &compared) || !compared.finite)
		return NIL;
	*of_extension = !is_own_distance(&compared);
	if (*of_extension)
	{
		Node	   *within;

		compared.limit = a_little_more(compared.limit);
		within = extension_within(root, &compared);
		return within ? spq_spatial_extension_conditions(root, within) : NIL;
	}
	for (int side = 0; side < 2; side++)
	{
		OpExpr	   *condition = column_condition(root, &compared,
												 list_nth(compared.args, side),
												 list_nth(compared.args, 1 - side));

		if (condition)
			conditions = lappend(conditions, condition);
	}
	return conditions;
}
