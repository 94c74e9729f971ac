/*-------------------------------------------------------------------------
 *
 * part_clauses.c
 *	  Finds the join conditions on the part that owns a pair.
 *
 *		a JOIN b USING (part)
 *		WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, P) = part
 *
 * Two of these conditions together compare the owner with columns or
 * constants:
 *
 *		owner of a.b and b.b = a.part = b.part
 *
 * The node decides these conditions itself, for most pairs without computing
 * the owner (row_parts.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"

#include "divide/part_text.h"
#include "join_node/rows/state.h"
#include "join_node/planner/planner.h"
#include "types/own_function.h"

static const char *const owner_symbols[] = {"spq_pair_part", "spq_pair_part3"};

/*
 * Return the arguments of an equality of integers, or NIL for other
 * conditions.
 */
static List *
integer_equality(const RestrictInfo *rinfo)
{
	const OpExpr *clause = (const OpExpr *) rinfo->clause;

	if (!IsA(clause, OpExpr) || clause->opno != Int4EqualOperator)
		return NIL;
	return clause->args;
}

/*
 * Return whether a side of an equality is a constant that is not NULL, or a
 * column of a relation of the key.
 */
static bool
is_value(const Node *expr, const RestrictInfo *key)
{
	if (IsA(expr, Var))
		return bms_is_member(((const Var *) expr)->varno, key->clause_relids);
	return IsA(expr, Const) && !((const Const *) expr)->constisnull;
}

/*
 * Return whether an expression computes the owner of pairs of the key's boxes,
 * in a partitioning given by a constant.
 */
static bool
is_owner(const Node *expr, const OpExpr *key, int axes)
{
	const FuncExpr *call = (const FuncExpr *) expr;
	Const	   *partitioning;
	Node	   *x,
			   *y;

	if (!IsA(call, FuncExpr) || list_length(call->args) != 3 ||
		spq_own_symbol_place(call->funcid, owner_symbols, lengthof(owner_symbols)) < 0)
		return false;
	x = linitial(call->args);
	y = lsecond(call->args);
	partitioning = lthird(call->args);
	if (!((equal(x, linitial(key->args)) && equal(y, lsecond(key->args))) ||
		  (equal(y, linitial(key->args)) && equal(x, lsecond(key->args)))))
		return false;
	return IsA(partitioning, Const) && !partitioning->constisnull &&
		((SpqPartTree *) PG_DETOAST_DATUM(partitioning->constvalue))->axes == axes;
}

/*
 * If a condition compares the owner of pairs with a value, record it, and
 * return true.
 */
static bool
note_owner(RestrictInfo *rinfo, const RestrictInfo *key, int axes, SpqNodeParts *parts)
{
	List	   *args = integer_equality(rinfo);

	for (int i = 0; args != NIL && i < 2; i++)
	{
		Node	   *call = list_nth(args, i),
				   *value = list_nth(args, 1 - i);

		if (!is_value(value, key) || !is_owner(call, (OpExpr *) key->clause, axes))
			continue;
		parts->owner = rinfo;
		parts->partitioning = lthird(((FuncExpr *) call)->args);
		parts->clauses = list_make1(rinfo);
		parts->values = list_make1(value);
		return true;
	}
	return false;
}

/*
 * Add each equality with a value that is known to equal the owner.  Its other
 * value then equals the owner, too.
 */
static void
add_equalities(const RestrictInfo *key, List *join_clauses, SpqNodeParts *parts)
{
	int			before;

	do
	{
		ListCell   *lc;

		before = list_length(parts->clauses);
		foreach(lc, join_clauses)
		{
			RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
			List	   *args = integer_equality(rinfo);

			if (args == NIL || list_member_ptr(parts->clauses, rinfo) ||
				!is_value(linitial(args), key) || !is_value(lsecond(args), key) ||
				!(list_member(parts->values, linitial(args)) ||
				  list_member(parts->values, lsecond(args))))
				continue;
			parts->clauses = lappend(parts->clauses, rinfo);
			parts->values = list_append_unique(parts->values, linitial(args));
			parts->values = list_append_unique(parts->values, lsecond(args));
		}
	} while (list_length(parts->clauses) > before);
}

/*
 * Find the conditions on parts among those of a join.  The key must be && of
 * boxes, since the function computes the owner of overlapping boxes.
 */
void
spq_node_find_parts(const RestrictInfo *key, SpqRelation predicate,
					const SpqType *left, const SpqType *right,
					List *join_clauses, SpqNodeParts *parts)
{
	ListCell   *lc;

	memset(parts, 0, sizeof(SpqNodeParts));
	if (predicate != SPQ_BOX_OVERLAPS || left != right || !left->is_box)
		return;
	foreach(lc, join_clauses)
	{
		if (note_owner(lfirst_node(RestrictInfo, lc), key, left->axes, parts))
		{
			add_equalities(key, join_clauses, parts);
			return;
		}
	}
}

/*
 * Return the values that must equal the owner of a pair, as far as a row of
 * these relations has them: its columns, and constants.
 */
List *
spq_node_parts_of_side(const SpqNodeParts *parts, Relids relids)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, parts->values)
	{
		Node	   *value = lfirst(lc);

		if (IsA(value, Const) || bms_is_member(((Var *) value)->varno, relids))
			result = lappend(result, value);
	}
	return result;
}
