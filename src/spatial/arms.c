/*-------------------------------------------------------------------------
 *
 * arms.c
 *	  The arms of a join condition, of which one must be true.
 *
 *		a.b && b.b OR a.c && b.c AND a.kind = b.kind
 *		a.b && ANY (ARRAY[b.b, b.c])
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

/* Return the comparisons with the elements of an array, which is not a constant. */
static List *
arms_of_array(PlannerInfo *root, const RestrictInfo *rinfo, const ScalarArrayOpExpr *any)
{
	const ArrayExpr *array = lsecond(any->args);
	Node	   *value = linitial(any->args);
	List	   *arms = NIL;
	ListCell   *lc;

	if (!any->useOr || !IsA(array, ArrayExpr) || array->multidims)
		return NIL;
	foreach(lc, array->elements)
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
	List	   *arms = NIL;
	ListCell   *lc1,
			   *lc2;

	if (rinfo->pseudoconstant)
		return NIL;
	if (IsA(rinfo->clause, ScalarArrayOpExpr))
		arms = arms_of_array(root, rinfo, (const ScalarArrayOpExpr *) rinfo->clause);
	else if (rinfo->orclause)
	{
		foreach(lc1, ((BoolExpr *) rinfo->orclause)->args)
		{
			Node	   *arm = lfirst(lc1);
			List	   *conditions = is_andclause(arm) ? ((BoolExpr *) arm)->args : list_make1(arm);

			foreach(lc2, conditions)
				if (!IsA(lfirst(lc2), RestrictInfo))
				return NIL;
			arms = lappend(arms, conditions);
		}
	}
	return list_length(arms) > most ? NIL : arms;
}
