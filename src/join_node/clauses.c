/*-------------------------------------------------------------------------
 *
 * clauses.c
 *	  Which conditions of a join make its key.
 *
 * One spatial condition is the key: boxes choose the candidates.  Equalities
 * of hashable types join it.  What is left is evaluated for each pair.
 *
 *		ON a.image = b.image AND a.b && b.b AND a.score > b.score
 *		   ----------------		 ----------		-----------------
 *				hash				key				filter
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "join_node/join_node.h"

/* The share of pairs of rows that satisfy a clause. */
Selectivity
spq_node_pair_selectivity(PlannerInfo *root, RestrictInfo *rinfo,
						  RelOptInfo *outerrel, RelOptInfo *innerrel)
{
	SpecialJoinInfo *sjinfo = makeNode(SpecialJoinInfo);

	sjinfo->jointype = JOIN_INNER;
	sjinfo->min_lefthand = sjinfo->syn_lefthand = outerrel->relids;
	sjinfo->min_righthand = sjinfo->syn_righthand = innerrel->relids;
	return clause_selectivity(root, (Node *) rinfo, 0, JOIN_INNER, sjinfo);
}

/* Does each argument of the clause need one of the sides, and only it? */
static bool
joins_sides(RestrictInfo *rinfo, Relids left, Relids right)
{
	if (!rinfo->can_join)
		return false;
	return (bms_is_subset(rinfo->left_relids, left) &&
			bms_is_subset(rinfo->right_relids, right)) ||
		(bms_is_subset(rinfo->left_relids, right) &&
		 bms_is_subset(rinfo->right_relids, left));
}

/*
 * The arguments of a clause that joins the relations "left" and others, in this
 * order.  "commuted" if they were the other way round.
 */
void
spq_node_orient_clause(RestrictInfo *rinfo, Relids left,
					   Expr **left_arg, Expr **right_arg, bool *commuted)
{
	OpExpr	   *clause = castNode(OpExpr, rinfo->clause);

	*commuted = !bms_is_subset(rinfo->left_relids, left);
	*left_arg = *commuted ? lsecond(clause->args) : linitial(clause->args);
	*right_arg = *commuted ? linitial(clause->args) : lsecond(clause->args);
}

/*
 * The least security level of the conditions.  One above it, whose functions are
 * not known to keep secrets, must not be evaluated before them, which a key is.
 */
static Index
least_security_level(List *restrictlist)
{
	Index		least = UINT_MAX;
	ListCell   *lc;

	foreach(lc, restrictlist)
		least = Min(least, lfirst_node(RestrictInfo, lc)->security_level);
	return least;
}

/*
 * Nothing that changes while the join is at work: a build side is read once.
 * (What a subplan depends on, beside its arguments, cannot be seen from here.)
 */
static bool
is_key(RestrictInfo *rinfo, SpqSpatialOperator *op)
{
	return IsA(rinfo->clause, OpExpr) &&
		spq_spatial_operator(((OpExpr *) rinfo->clause)->opno, op) &&
		!contain_volatile_functions((Node *) rinfo->clause) &&
		!contain_subplans((Node *) rinfo->clause);
}

static bool
is_hash(RestrictInfo *rinfo)
{
	Oid			left_function,
				right_function;

	return OidIsValid(rinfo->hashjoinoperator) &&
		!contain_subplans((Node *) rinfo->clause) &&
		op_strict(rinfo->hashjoinoperator) &&
		get_op_hash_functions(rinfo->hashjoinoperator,
							  &left_function, &right_function);
}

/* Exchanges the sides of an operator. */
static void
commute(SpqSpatialOperator *op)
{
	SpqOperand	left = op->left;

	op->left = op->right;
	op->right = left;
	op->predicate = spq_box_commute(op->predicate);
}

/*
 * Finds the key of a join, if it has one.  Of several spatial conditions the one
 * that fewest pairs satisfy is taken.
 */
bool
spq_node_find_clauses(PlannerInfo *root, RelOptInfo *joinrel,
					  RelOptInfo *outerrel, RelOptInfo *innerrel,
					  JoinType jointype, List *restrictlist,
					  SpqNodeClauses *clauses)
{
	Index		least_level = least_security_level(restrictlist);
	Selectivity best = 0;
	ListCell   *lc;

	clauses->key = NULL;
	clauses->hash = NIL;
	foreach(lc, restrictlist)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		SpqSpatialOperator op;

		/* what belongs to a level above an outer join is a filter */
		if (IS_OUTER_JOIN(jointype) &&
			RINFO_IS_PUSHED_DOWN(rinfo, joinrel->relids))
			continue;
		if (!joins_sides(rinfo, outerrel->relids, innerrel->relids))
			continue;
		if (rinfo->security_level > least_level && !rinfo->leakproof)
			continue;

		if (is_key(rinfo, &op))
		{
			Selectivity selectivity = spq_node_pair_selectivity(root, rinfo,
																outerrel, innerrel);

			if (clauses->key == NULL || selectivity < best)
			{
				if (!bms_is_subset(rinfo->left_relids, outerrel->relids))
					commute(&op);
				clauses->key = rinfo;
				clauses->op = op;
				best = selectivity;
			}
		}
		else if (is_hash(rinfo))
			clauses->hash = lappend(clauses->hash, rinfo);
	}
	return clauses->key != NULL;
}
