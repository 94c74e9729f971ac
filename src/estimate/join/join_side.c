/*-------------------------------------------------------------------------
 *
 * join_side.c
 *	  One side of a join clause: its relation and its sample.
 *
 * A side with a window has been sampled for a scan, with more blocks and fewer
 * rows of each:
 *
 *		a.b && b.b AND a.b && box '...'			sample of a: as for the scan
 *												sample of b: as for joins
 *
 * If both sides are of one relation, that sample is used for both, because the
 * estimate of a self-join recognizes rows and blocks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "estimate/cache/cache.h"
#include "estimate/join/selectivity.h"
#include "estimate/sample/sample.h"
#include "estimate/scan/scan.h"

/*
 * Return the only base relation among these, or NULL if there are several or
 * none.
 */
RelOptInfo *
spq_estimate_single_rel(PlannerInfo *root, Relids relids)
{
	RelOptInfo *rel = NULL;
	int			relid = -1;

	while ((relid = bms_next_member(relids, relid)) >= 0)
	{
		RelOptInfo *member = relid < root->simple_rel_array_size ?
			root->simple_rel_array[relid] : NULL;

		if (!member)
			continue;			/* an outer join, from 16 on */
		if (rel)
			return NULL;
		rel = member;
	}
	return rel;
}

/*
 * Return whether a condition on these relations alone ("all") joins one of them to some
 * others.
 */
static bool
has_condition_with(PlannerInfo *root, RelOptInfo *rel, Relids others, Relids all)
{
	ListCell   *lc;
	int			relid = -1;

	foreach(lc, rel->joininfo)
	{
		const RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (bms_is_subset(rinfo->clause_relids, all) && bms_overlap(rinfo->clause_relids, others))
			return true;
	}
	while ((relid = bms_next_member(others, relid)) >= 0)
		if (have_relevant_eclass_joinclause(root, rel, root->simple_rel_array[relid]))
			return true;
	return false;
}

/*
 * Return about how many rows a side of several relations has: each row of the largest
 * one, with one row each of those that a condition joins to it, and all of others.
 *
 *		FROM generate_series(0, 99) x, generate_series(0, 99) y		10,000
 */
static double
rows_of_several(PlannerInfo *root, Relids relids)
{
	Relids		joined = NULL;
	double		rows = 1;

	for (;;)
	{
		RelOptInfo *largest = NULL;
		int			relid = -1;

		while ((relid = bms_next_member(relids, relid)) >= 0)
		{
			RelOptInfo *rel = relid < root->simple_rel_array_size ?
				root->simple_rel_array[relid] : NULL;

			if (rel && !bms_is_member(relid, joined) && (!largest || rel->tuples > largest->tuples))
				largest = rel;
		}
		if (!largest)
			return rows;
		if (!has_condition_with(root, largest, joined, relids))
			rows *= Max(largest->tuples, 1);
		joined = bms_add_member(joined, largest->relid);
	}
}

/* Find a side of a clause.  Return whether its boxes may be sampled. */
static bool
find_side(PlannerInfo *root, Relids relids, Node *arg, const SpqTypeOperand *operand,
		  SpqEstimateSide *side)
{
	memset(side, 0, sizeof(*side));
	side->tuples = 1;
	side->in_window = 1;
	side->rel = spq_estimate_single_rel(root, relids);
	if (!side->rel)
	{
		side->rows = side->tuples = rows_of_several(root, relids);
		return false;
	}
	side->tuples = Max(side->rel->tuples, 1);
	side->rows = Max(side->rel->rows, 1);
	if (!spq_estimate_expression(arg, operand, &side->expression))
		return false;
	side->in_window = spq_estimate_window_on(root, side->rel, &side->expression, &side->window,
											 &side->window_known);
	return true;
}

static void
sample_side(PlannerInfo *root, SpqEstimateSide *side, bool as_scan)
{
	double		tuples;

	side->sample = spq_estimate_column_sample(root, &side->expression,
											  as_scan ? SPQ_ESTIMATE_SCAN_BLOCK_ROWS :
											  SPQ_ESTIMATE_JOIN_BLOCK_ROWS, &tuples);
	if (side->sample)
		side->tuples = tuples;
}

/*
 * Take samples of more blocks, with fewer rows of each.  Keep the old ones if
 * one side cannot be sampled.
 */
void
spq_estimate_sample_more_blocks(PlannerInfo *root, SpqEstimateSide *left, SpqEstimateSide *right)
{
	const SpqEstimateSide old_left = *left,
				old_right = *right;

	sample_side(root, left, true);
	sample_side(root, right, true);
	if (left->sample && right->sample)
		return;
	*left = old_left;
	*right = old_right;
}

/* Find both sides of a clause, and their samples. */
void
spq_estimate_sample_sides(PlannerInfo *root, const RestrictInfo *rinfo,
						  const SpqSpatialOperator *op,
						  SpqEstimateSide *left, SpqEstimateSide *right)
{
	const OpExpr *clause = castNode(OpExpr, rinfo->clause);
	bool		found_left = find_side(root, rinfo->left_relids, linitial(clause->args),
									   &op->left, left),
				found_right = find_side(root, rinfo->right_relids, lsecond(clause->args),
										&op->right, right),
				same = false;

	if (found_left && found_right)
		same = root->simple_rte_array[left->rel->relid]->relid ==
			root->simple_rte_array[right->rel->relid]->relid;
	if (found_left)
		sample_side(root, left, left->window_known || (same && right->window_known));
	if (found_right)
		sample_side(root, right, right->window_known || (same && left->window_known));
}
