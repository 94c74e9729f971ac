/*-------------------------------------------------------------------------
 *
 * join_clause.c
 *	  A spatial join condition, as a clause of an operator.
 *
 *		a && b						itself
 *		spqtree_dwithin(a, b, d)	distance/distance_clause.c
 *		a <-> b < d					distance/compared_distance.c
 *		ST_Intersects(a, b)			extension/extension_clause.c
 *		a && b of ranges			lines/range_clause.c
 *		a BETWEEN b.low AND b.high	lines/line_clause.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/join_clause.h"
#include "spatial/lines/line_clause.h"
#include "spatial/lines/range_clause.h"

/*
 * Return the clause of an operator that a condition is, or implies, and describe the
 * operator.  Return NULL if the condition is not spatial.
 */
OpExpr *
spq_spatial_implied_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						   const SpqSpatialSides *sides, SpqSpatialOperator *op)
{
	OpExpr	   *clause;

	if (IsA(rinfo->clause, OpExpr) && list_length(((OpExpr *) rinfo->clause)->args) == 2 &&
		spq_spatial_join_operator(((OpExpr *) rinfo->clause)->opno, op))
		return (OpExpr *) rinfo->clause;
	clause = spq_spatial_within_clause(root, (Node *) rinfo->clause, sides, op);
	if (clause == NULL)
		clause = spq_spatial_compared_clause(root, (Node *) rinfo->clause, sides, op);
	if (clause == NULL)
		clause = spq_spatial_line_clause(root, rinfo, conditions, op);
	if (clause == NULL)
		clause = spq_spatial_range_clause((Node *) rinfo->clause, !rinfo->can_join, op);
	if (clause == NULL)
		clause = spq_spatial_extension_clause(root, (Node *) rinfo->clause, sides, op);
	return clause;
}

/*
 * Return a spatial join condition as a clause of an operator: the condition
 * itself, or one that it implies.  Describe the operator.  Return NULL if the
 * condition is not spatial, or its sides do not belong to different relations.
 * "sides" are those of the join, or NULL if that is not known.
 *
 * Several conditions may imply a clause together (op->partners).  The first one
 * then returns it, and the others NULL.  So "conditions" are those among which the
 * others may be: the conditions of the join, or of a relation.
 */
RestrictInfo *
spq_spatial_join_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						const SpqSpatialSides *sides, SpqSpatialOperator *op)
{
	RestrictInfo *implied;
	OpExpr	   *clause = spq_spatial_implied_clause(root, rinfo, conditions, sides, op);

	if (clause == (OpExpr *) rinfo->clause)
		return rinfo->can_join ? rinfo : NULL;
	if (clause == NULL)
		return NULL;
	implied = makeNode(RestrictInfo);
	memcpy(implied, rinfo, sizeof(RestrictInfo));
	implied->clause = (Expr *) clause;
	implied->orclause = NULL;
	implied->left_relids = pull_varnos(root, linitial(clause->args));
	implied->right_relids = pull_varnos(root, lsecond(clause->args));
	implied->can_join = !bms_is_empty(implied->left_relids) &&
		!bms_is_empty(implied->right_relids) &&
		!bms_overlap(implied->left_relids, implied->right_relids);
	return implied->can_join ? implied : NULL;
}
