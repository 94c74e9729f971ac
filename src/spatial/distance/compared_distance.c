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
 * Or it only names functions that return a box around everything within a distance.  An
 * index has an operator for such a box:
 *
 *		cube_distance(a, b) < d				spqtree_bounds(a, d) && spqtree_bounds(b)
 *		for an index of cubes a				a && spqtree_bounds(b, d)
 *
 * A distance along the surface of a sphere is a function of the chord, whose radius is an
 * argument of these functions:
 *
 *		sec_to_gc(cube_distance(a, b)) < d	spqtree_bounds(a, d, earth()) && spqtree_bounds(b)
 *
 * They also know what to do with NaN and infinity as the distance, and of cubes.
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
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "commands/defrem.h"
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
#include "types/default_class.h"
#include "types/own_function.h"

/*
 * Fractions of the pairs of overlapping boxes that are within the distance,
 * for points.
 */
#define PLANE_FRACTION	(M_PI / 4)
#define SPACE_FRACTION	(M_PI / 6)

/* The same on a sphere: 0.6 to 0.79, where it is oblique to the axes or not. */
#define SPHERE_FRACTION 0.7

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
	Node	   *radius;			/* of the sphere along whose surface the limit
								 * is; or NULL */
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

/* Return a call, or NULL if there is no function. */
static Node *
call(Oid function, List *args)
{
	return OidIsValid(function) ? (Node *) makeFuncExpr(function, get_func_rettype(function), args,
														InvalidOid, InvalidOid,
														COERCE_EXPLICIT_CALL) : NULL;
}

/* Return _spqtree_reach(shape, distance), or NULL. */
static Node *
reach(Node *shape, Node *distance)
{
	Oid			types[] = {exprType(shape), FLOAT8OID};

	return call(spq_own_function("_spqtree_reach", REACH_PREFIX, lengthof(types), types),
				list_make2(shape, distance));
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
 * Return the radius of the sphere if a call computes the length of an arc from
 * its chord, a distance; else NULL.
 */
static Node *
radius_of_arc(PlannerInfo *root, const FuncExpr *arc)
{
	Compared	chord;
	Node	   *radius;

	if (!IsA(arc, FuncExpr) || list_length(arc->args) != 1 ||
		!take_call(linitial(arc->args), &chord) || !spq_spatial_is_distance(chord.function))
		return NULL;
	radius = call(spq_spatial_radius_function(arc->funcid, exprType(linitial(chord.args))), NIL);
	return radius ? eval_const_expressions(root, radius) : NULL;
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
	Node	   *distance;
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
	distance = call_is_left ? linitial(op->args) : lsecond(op->args);
	compared->limit = call_is_left ? lsecond(op->args) : linitial(op->args);
	compared->radius = radius_of_arc(root, (FuncExpr *) distance);
	if (compared->radius)
		distance = linitial(((FuncExpr *) distance)->args);
	if (!take_call(distance, compared))
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

/* Return whether a distance of another extension is a matter of boxes. */
static bool
has_boxes(const Compared *compared)
{
	Oid			type = exprType(linitial(compared->args));

	return list_length(compared->args) == 2 && exprType(lsecond(compared->args)) == type &&
		spq_spatial_is_distance(compared->function) &&
		spq_spatial_member_type(type)->meets_boxes;
}

/*
 * Return an expression for the box around everything within a distance of a
 * value, or if that is NULL, for the value's box.  Return NULL if no function makes it.
 */
static Node *
box_near(const Compared *compared, Node *value, Node *distance)
{
	Oid			type = exprType(value);

	if (is_own_distance(compared))
		return reach(value, distance ? distance : constant(0));
	if (distance == NULL)
		return call(spq_spatial_bounds_function(type, false), list_make1(value));
	if (compared->radius)
		return call(spq_spatial_bounds_along_function(type),
					list_make3(value, distance, compared->radius));
	return call(spq_spatial_bounds_function(type, true), list_make2(value, distance));
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
	Oid			overlaps;
	OpExpr	   *implied;

	if (IsA(clause, FuncExpr))
	{
		Node	   *within = spq_spatial_grown_within(root, clause);

		return within ? spq_spatial_extension_clause(root, within, sides, op) : NULL;
	}
	if (!take_comparison(root, clause, &compared))
		return NULL;
	if (!is_own_distance(&compared) && !has_boxes(&compared))
	{
		Node	   *within = extension_within(root, &compared);

		return within ? spq_spatial_extension_clause(root, within, sides, op) : NULL;
	}
	left = linitial(compared.args);
	right = lsecond(compared.args);
	if (!spq_spatial_share_distance(root, compared.limit, left, right, sides,
									&left_limit, &right_limit))
		return NULL;
	left = box_near(&compared, left, left_limit);
	right = box_near(&compared, right, right_limit);
	if (left == NULL || right == NULL || exprType(left) != exprType(right))
		return NULL;
	overlaps = spq_spatial_overlap_operator(exprType(left));
	if (!OidIsValid(overlaps) || !spq_spatial_operator(overlaps, op))
		return NULL;
	op->exact = false;
	op->fraction = compared.radius ? SPHERE_FRACTION :
		op->left.type->axes == 3 ? SPACE_FRACTION : PLANE_FRACTION;
	implied = (OpExpr *) make_opclause(overlaps, BOOLOID, false, (Expr *) left, (Expr *) right,
									   InvalidOid, InvalidOid);
	set_opfuncid(implied);
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

/*
 * Return the condition that a column of another extension's type is near another
 * value, or NULL.
 */
static OpExpr *
box_condition(PlannerInfo *root, const Compared *compared, Node *column, Node *other)
{
	Oid			type = exprType(column),
				opclass = spq_type_default_class(type, get_am_oid("spqtree", false)),
				overlaps;
	Node	   *box = box_near(compared, other, compared->limit);
	OpExpr	   *condition;

	if (box == NULL)
		return NULL;
	overlaps = get_opfamily_member(get_opclass_family(opclass), type, exprType(box),
								   RTOverlapStrategyNumber);
	if (!OidIsValid(overlaps))
		return NULL;
	box = eval_const_expressions(root, box);
	condition = (OpExpr *) make_opclause(overlaps, BOOLOID, false, (Expr *) column, (Expr *) box,
										 InvalidOid, InvalidOid);
	set_opfuncid(condition);
	return condition;
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
 * *any_index to whether each index with their operators finds all rows, not only
 * those of this extension.
 */
List *
spq_spatial_compared_conditions(PlannerInfo *root, Node *clause, bool *any_index)
{
	Compared	compared;
	List	   *conditions = NIL;
	bool		of_boxes;

	if (contain_volatile_functions(clause))
		return NIL;
	*any_index = true;
	if (IsA(clause, FuncExpr))
	{
		Node	   *within = spq_spatial_grown_within(root, clause);

		return within ? spq_spatial_extension_conditions(root, within) : NIL;
	}
	if (!take_comparison(root, clause, &compared))
		return NIL;
	of_boxes = !is_own_distance(&compared) && has_boxes(&compared);
	if (!of_boxes && !compared.finite)
		return NIL;
	*any_index = !of_boxes && !is_own_distance(&compared);
	if (*any_index)
	{
		Node	   *within;

		compared.limit = a_little_more(compared.limit);
		within = extension_within(root, &compared);
		return within ? spq_spatial_extension_conditions(root, within) : NIL;
	}
	for (int side = 0; side < 2; side++)
	{
		Node	   *column = list_nth(compared.args, side),
				   *other = list_nth(compared.args, 1 - side);
		OpExpr	   *condition = of_boxes ? box_condition(root, &compared, column, other) :
			column_condition(root, &compared, column, other);

		if (condition)
			conditions = lappend(conditions, condition);
	}
	return conditions;
}
