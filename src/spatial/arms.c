/*-------------------------------------------------------------------------
 *
 * arms.c
 *	  The arms of a join condition, of which one must be true.
 *
 *		a.b && b.b OR a.c && b.c AND a.kind = b.kind
 *		a.b && ANY (ARRAY[b.b, b.c])		also as an arm of an OR
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "spatial/join_clause.h"

/* Return a copy of a condition with another clause, and no estimates. */
RestrictInfo *
spq_spatial_with_clause(const RestrictInfo *rinfo, Expr *clause)
{
	RestrictInfo *copy = makeNode(RestrictInfo);

	memcpy(copy, rinfo, sizeof(RestrictInfo));
	copy->clause = clause;
	copy->orclause = NULL;
	copy->eval_cost.startup = copy->norm_selec = copy->outer_selec = -1;
	return copy;
}

/*
 * Return the elements of an array that is not a constant.  Those of a domain are
 * relabeled, as the array is.
 */
static List *
elements_of(const Node *array)
{
	const RelabelType *relabel = NULL;
	List	   *elements = NIL;
	ListCell   *lc;

	if (IsA(array, ArrayCoerceExpr))
	{
		relabel = (const RelabelType *) ((const ArrayCoerceExpr *) array)->elemexpr;
		if (!IsA(relabel, RelabelType) || !IsA(relabel->arg, CaseTestExpr))
			return NIL;
		array = (const Node *) ((const ArrayCoerceExpr *) array)->arg;
	}
	if (!IsA(array, ArrayExpr) || ((const ArrayExpr *) array)->multidims)
		return NIL;
	foreach(lc, ((const ArrayExpr *) array)->elements)
		elements = lappend(elements, relabel == NULL ? lfirst(lc) :
						   makeRelabelType(lfirst(lc), relabel->resulttype,
										   relabel->resulttypmod, relabel->resultcollid,
										   relabel->relabelformat));
	return elements;
}

/* If a condition compares with ANY of an array's elements, return these comparisons. */
static List *
arms_of_array(PlannerInfo *root, const RestrictInfo *rinfo)
{
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) rinfo->clause;
	Node	   *value;
	List	   *arms = NIL;
	ListCell   *lc;

	if (!IsA(any, ScalarArrayOpExpr) || !any->useOr)
		return NIL;
	value = linitial(any->args);
	foreach(lc, elements_of(lsecond(any->args)))
	{
		Expr	   *clause = make_opclause(any->opno, BOOLOID, false, (Expr *) value, lfirst(lc),
										   InvalidOid, any->inputcollid);
		RestrictInfo *arm = spq_spatial_with_clause(rinfo, clause);

		((OpExpr *) clause)->opfuncid = any->opfuncid;
		arm->left_relids = pull_varnos(root, value);
		arm->right_relids = pull_varnos(root, lfirst(lc));
		arm->clause_relids = bms_union(arm->left_relids, arm->right_relids);
		arm->can_join = !bms_is_empty(arm->left_relids) && !bms_is_empty(arm->right_relids) &&
			!bms_overlap(arm->left_relids, arm->right_relids);
		arms = lappend(arms, list_make1(arm));
	}
	return arms;
}

/*
 * Return the arms of a condition, each as a list of RestrictInfos that must be true together.
 * Return NIL if it has none, or more than "most".
 */
List *
spq_spatial_arms(PlannerInfo *root, const RestrictInfo *rinfo, int most)
{
	List	   *arms;
	ListCell   *lc1,
			   *lc2;

	if (rinfo->pseudoconstant)
		return NIL;
	arms = arms_of_array(root, rinfo);
	if (rinfo->orclause)
	{
		foreach(lc1, ((BoolExpr *) rinfo->orclause)->args)
		{
			Node	   *arm = lfirst(lc1);
			List	   *conditions = is_andclause(arm) ? ((BoolExpr *) arm)->args : list_make1(arm),
					   *of_array;

			foreach(lc2, conditions)
				if (!IsA(lfirst(lc2), RestrictInfo))
				return NIL;
			of_array = list_length(conditions) == 1 ? arms_of_array(root, linitial(conditions)) : NIL;
			arms = of_array ? list_concat(arms, of_array) : lappend(arms, conditions);
		}
	}
	return list_length(arms) > most ? NIL : arms;
}
