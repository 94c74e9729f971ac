/*-------------------------------------------------------------------------
 *
 * matched_rows.c
 *	  Rows of a semi or anti join that have a match by all conditions.
 *
 * PostgreSQL multiplies the fractions of rows with a match by each condition.  If each
 * row has a match by the boxes and one by an equality, that makes all rows, although the
 * two matches are hardly ever the same row:
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
#include "estimate/join/matched_rows.h"

/* Return the semi or anti join whose outer side is one relation and whose inner the other. */
static SpecialJoinInfo *
join_between(PlannerInfo *root, RelOptInfo *outer, RelOptInfo *inner)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *sjinfo = lfirst_node(SpecialJoinInfo, lc);

		if ((sjinfo->jointype == JOIN_SEMI || sjinfo->jointype == JOIN_ANTI) &&
			bms_is_subset(outer->relids, sjinfo->syn_lefthand) &&
			bms_is_subset(inner->relids, sjinfo->syn_righthand))
			return sjinfo;
	}
	return NULL;
}

/*
 * Return by which fraction a condition keeps fewer pairs than rows: the fraction of pairs,
 * of those rows that have a match.
 */
static double
pairs_for_match(PlannerInfo *root, RestrictInfo *rinfo, SpecialJoinInfo *sjinfo)
{
	SpecialJoinInfo pairs = *sjinfo;
	double		inner,
				matched;

	pairs.jointype = JOIN_INNER;
	pairs.semi_can_btree = pairs.semi_can_hash = false;
	pairs.semi_operators = pairs.semi_rhs_exprs = NIL;
	inner = clause_selectivity(root, (Node *) rinfo, 0, JOIN_INNER, &pairs);
	matched = clause_selectivity(root, (Node *) rinfo, 0, sjinfo->jointype, sjinfo);
	return matched > 0 ? Min(inner / matched, 1) : 1;
}

/* Return the conditions of a join of two relations, but for one. */
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
 * Limit what a spatial clause says of the rows of a semi or anti join's outer side, so that
 * with the other conditions no more rows have a match than there are pairs.  Its own estimate
 * is set.
 */
void
spq_estimate_limit_matched(PlannerInfo *root, RestrictInfo *rinfo,
						   RelOptInfo *left, RelOptInfo *right)
{
	SpecialJoinInfo *sjinfo = join_between(root, left, right);
	RelOptInfo *outer = left,
			   *inner = right;
	double		most;
	ListCell   *lc;

	if (!sjinfo)
	{
		outer = right;
		inner = left;
		sjinfo = join_between(root, outer, inner);
	}
	if (!sjinfo)
		return;
	most = rinfo->norm_selec * Max(inner->rows, 1);
	foreach(lc, other_clauses(root, rinfo, outer, inner))
		most *= pairs_for_match(root, lfirst_node(RestrictInfo, lc), sjinfo);
	if (rinfo->outer_selec > most)
		rinfo->outer_selec = Max(most, Min(rinfo->outer_selec, 1 / Max(outer->tuples, 1)));
}
