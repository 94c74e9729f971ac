/*-------------------------------------------------------------------------
 *
 * matched_rows.c
 *	  Rows of a semi or anti join that have a match by all conditions.
 *
 * PostgreSQL multiplies the fractions of rows with a match by each condition.
 * If each row has a match by the boxes and one by an equality, the result is
 * all rows, although the two matches are hardly ever the same row:
 *
 *		EXISTS (SELECT FROM b WHERE a.box <@ b.box AND a.kind = b.kind)
 *
 * But no more rows have a match than there are pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "estimate/join/selectivity.h"

/*
 * Return whether one relation is on the outer side of a semi or anti join, and
 * the other on its inner side.
 */
static bool
is_semi_join(PlannerInfo *root, RelOptInfo *outer, RelOptInfo *inner)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *sjinfo = lfirst_node(SpecialJoinInfo, lc);

		if ((sjinfo->jointype == JOIN_SEMI || sjinfo->jointype == JOIN_ANTI) &&
			bms_is_subset(outer->relids, sjinfo->syn_lefthand) &&
			bms_is_subset(inner->relids, sjinfo->syn_righthand))
			return true;
	}
	return false;
}

/* Return the selectivity of a condition in a join of just two relations. */
static double
selectivity_between(PlannerInfo *root, RestrictInfo *rinfo, RelOptInfo *outer,
					RelOptInfo *inner, JoinType jointype)
{
	SpecialJoinInfo sjinfo = {
		.type = T_SpecialJoinInfo,
		.min_lefthand = outer->relids,
		.min_righthand = inner->relids,
		.syn_lefthand = outer->relids,
		.syn_righthand = inner->relids,
		.jointype = jointype
	};

	/*
	 * Estimate the bare expression: a RestrictInfo would keep the result, but
	 * its own join may have more relations.
	 */
	return clause_selectivity(root, (Node *) rinfo->clause, 0, jointype, &sjinfo);
}

/*
 * Return the ratio of the fraction of pairs that satisfy a condition to the
 * fraction of rows that have a match by it; at most 1.
 */
static double
pairs_for_match(PlannerInfo *root, RestrictInfo *rinfo, RelOptInfo *outer, RelOptInfo *inner)
{
	double		matched = selectivity_between(root, rinfo, outer, inner, JOIN_SEMI);

	return matched <= 0 ? 1 :
		Min(selectivity_between(root, rinfo, outer, inner, JOIN_INNER) / matched, 1);
}

/* Return the conditions of a join of two relations, except one. */
static List *
other_clauses(PlannerInfo *root, RestrictInfo *rinfo, RelOptInfo *outer, RelOptInfo *inner)
{
	Relids		relids = bms_union(outer->relids, inner->relids);
	List	   *result = spq_generate_join_implied_equalities(root, relids, outer->relids, inner);
	ListCell   *lc;

	foreach(lc, inner->joininfo)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);

		if (other != rinfo && !other->pseudoconstant &&
			bms_is_subset(other->clause_relids, relids))
			result = lappend(result, other);
	}
	return result;
}

/*
 * Limit the fraction of outer rows with a match (outer_selec) of a spatial
 * clause of a semi or anti join, so that by all conditions together no more
 * rows have a match than there are pairs.  The clause's selectivities must be
 * set.
 */
void
spq_estimate_limit_matched(PlannerInfo *root, RestrictInfo *rinfo,
						   RelOptInfo *left, RelOptInfo *right)
{
	bool		exchanged = !is_semi_join(root, left, right);
	RelOptInfo *outer = exchanged ? right : left,
			   *inner = exchanged ? left : right;
	double		most;
	ListCell   *lc;

	if (exchanged && !is_semi_join(root, outer, inner))
		return;
	most = rinfo->norm_selec * Max(inner->rows, 1);
	foreach(lc, other_clauses(root, rinfo, outer, inner))
		most *= pairs_for_match(root, lfirst_node(RestrictInfo, lc), outer, inner);
	if (rinfo->outer_selec > most)
		rinfo->outer_selec = Max(most, Min(rinfo->outer_selec, 1 / Max(outer->tuples, 1)));
}
