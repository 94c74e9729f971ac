/*-------------------------------------------------------------------------
 *
 * clauses.c
 *	  Chooses the conditions that form the key of a join.
 *
 * The key is one spatial condition, whose boxes select the candidates, and all
 * equalities of hashable types.  All other conditions are evaluated for each
 * pair of rows.
 *
 *		ON a.image = b.image AND a.b && b.b AND a.score > b.score
 *		   ----------------		 ----------		-----------------
 *				hash				key				filter
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "estimate/join/selectivity.h"
#include "join_node/planner/planner.h"
#include "reasons/reasons.h"
#include "spatial/operators/rights.h"

/* Return the fraction of pairs of rows that satisfy a clause. */
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

/*
 * Get the arguments of a clause that joins "left" with other relations: the
 * argument of "left" first.  Set *commuted if their order in the clause is the
 * other one.
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
 * Return the lowest security level of the conditions.  The key is evaluated
 * before all other conditions, so it may contain a condition of a higher level
 * only if that is leakproof.
 */
static Index
min_security_level(List *restrictlist)
{
	Index		level = UINT_MAX;
	ListCell   *lc;

	foreach(lc, restrictlist)
		level = Min(level, lfirst_node(RestrictInfo, lc)->security_level);
	return level;
}

/*
 * If the clause is a spatial condition between the sides that can be the key, or
 * implies one, return that condition and describe its operator; otherwise return NULL,
 * and the reason.  The
 * build side is read once, so the clause must not contain volatile functions.
 * It must not contain subplans either, because what they depend on besides
 * their arguments is not visible here.
 */
static RestrictInfo *
find_key(PlannerInfo *root, RestrictInfo *rinfo, List *restrictlist,
		 const SpqSpatialSides *sides, SpqSpatialOperator *op, SpqReason *reason)
{
	RestrictInfo *key = spq_estimate_clause_between(root, rinfo, restrictlist, sides, op);

	*reason = SPQ_REASON_KEY;
	if (key == NULL)
		*reason = SPQ_REASON_NO_KEY;
	else if (contain_volatile_functions((Node *) rinfo->clause) ||
			 contain_volatile_functions((Node *) key->clause))
		*reason = SPQ_REASON_VOLATILE;
	else if (contain_subplans((Node *) rinfo->clause) ||
			 contain_subplans((Node *) key->clause))
		*reason = SPQ_REASON_SUBQUERY;
	else if (key != rinfo && !spq_spatial_may_execute(root, (Node *) key->clause))
		*reason = SPQ_REASON_RIGHTS;
	return *reason == SPQ_REASON_KEY ? key : NULL;
}

/*
 * Return whether values of an expression can be hashed.  PostgreSQL has a hash
 * function for all ranges, which raises an error if the bounds have none.
 */
static bool
can_hash(Node *expr)
{
	Oid			type = getBaseType(exprType(expr));

	return (!type_is_range(type) && !type_is_multirange(type)) ||
		OidIsValid(lookup_type_cache(type, TYPECACHE_HASH_PROC)->hash_proc);
}

static bool
is_hash(RestrictInfo *rinfo)
{
	Oid			left_function,
				right_function;

	return OidIsValid(rinfo->hashjoinoperator) &&
		!contain_subplans((Node *) rinfo->clause) &&
		op_strict(rinfo->hashjoinoperator) &&
		can_hash(linitial(((OpExpr *) rinfo->clause)->args)) &&
		can_hash(lsecond(((OpExpr *) rinfo->clause)->args)) &&
		get_op_hash_functions(rinfo->hashjoinoperator,
							  &left_function, &right_function);
}

/* Swap the sides of an operator. */
static void
commute(SpqSpatialOperator *op)
{
	SpqTypeOperand left = op->left;

	op->left = op->right;
	op->right = left;
	op->predicate = spq_box_commute(op->predicate);
	op->relation = spq_box_commute(op->relation);
}

/*
 * row_parts.c decides equalities of parts faster than hashes in the engine do.
 * But hashes keep copies in different parts from being compared, so they are
 * better if many rows have copies.
 */
#define MIN_OWNED_SHARE	0.95

static void
find_parts(List *join_clauses, SpqNodeClauses *clauses)
{
	SpqNodeParts *parts = &clauses->parts;

	spq_node_find_parts(clauses->key, clauses->op.predicate, clauses->op.left.type,
						clauses->op.right.type, join_clauses, parts);
	if (parts->owner != NULL && parts->owner->norm_selec >= MIN_OWNED_SHARE)
		clauses->hash = list_difference_ptr(clauses->hash, parts->clauses);
}

static void
note(PlannerInfo *root, RelOptInfo *joinrel, RestrictInfo *rinfo, JoinType jointype,
	 SpqReason reason)
{
	if (spq_reasons_wanted(joinrel))
		spq_reasons_note_clause(root, joinrel, rinfo, jointype, reason);
}

/* Return whether conditions are leakproof. */
static bool
all_leakproof(List *conditions)
{
	ListCell   *lc;

	foreach(lc, conditions)
		if (!lfirst_node(RestrictInfo, lc)->leakproof)
		return false;
	return true;
}

/* Return how many pairs of rows have boxes in a relation, per pair that satisfies the key. */
static double
candidates_per_match(const SpqEstimateSelectivity *estimate, const SpqSpatialOperator *op)
{
	return op->exact || estimate == NULL ? 1 : estimate->candidates / estimate->inner;
}

/* Set what the estimate of the key tells besides the number of matches. */
static void
set_estimates(PlannerInfo *root, RestrictInfo *key, const SpqSpatialOperator *op, SpqNodeClauses *clauses)
{
	const SpqEstimateSelectivity *estimate = spq_estimate_whole_clause(root, key, op);
	SpqSpatialOperator meets = *op;

	clauses->left_part = estimate ? estimate->left_touched.part : 1;
	clauses->right_part = estimate ? estimate->right_touched.part : 1;
	clauses->guessed = op->partners == NIL && estimate && !estimate->sampled;
	clauses->per_match = clauses->meeting_per_match = candidates_per_match(estimate, op);
	if (op->predicate == SPQ_BOX_OVERLAPS)
		return;
	meets.predicate = SPQ_BOX_OVERLAPS;
	meets.exact = false;
	clauses->meeting_per_match =
		candidates_per_match(spq_estimate_whole_clause(root, key, &meets), &meets);
}

/*
 * Find the key of a join.  Return false if there is none.  If there are
 * several spatial conditions, choose the one that the fewest pairs satisfy.
 */
bool
spq_node_find_clauses(PlannerInfo *root, RelOptInfo *joinrel,
					  RelOptInfo *outerrel, RelOptInfo *innerrel,
					  JoinType jointype, List *restrictlist,
					  SpqNodeClauses *clauses)
{
	const SpqSpatialSides sides = {outerrel->relids, innerrel->relids};
	Index		min_level = min_security_level(restrictlist);
	Selectivity best = 0;
	List	   *join_clauses = NIL;
	ListCell   *lc;

	clauses->key = clauses->condition = NULL;
	clauses->hash = clauses->clear = NIL;
	foreach(lc, restrictlist)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		RestrictInfo *key;
		SpqSpatialOperator op;
		SpqReason	reason;

		/* a condition above an outer join is a filter */
		if (IS_OUTER_JOIN(jointype) &&
			RINFO_IS_PUSHED_DOWN(rinfo, joinrel->relids))
		{
			note(root, joinrel, rinfo, jointype, SPQ_REASON_FILTER);
			continue;
		}
		join_clauses = lappend(join_clauses, rinfo);
		if (rinfo->security_level > min_level && !rinfo->leakproof)
		{
			note(root, joinrel, rinfo, jointype, SPQ_REASON_SECURITY);
			continue;
		}

		key = find_key(root, rinfo, restrictlist, &sides, &op, &reason);
		if (key && rinfo->security_level > min_level && !all_leakproof(op.partners))
		{
			note(root, joinrel, rinfo, jointype, SPQ_REASON_SECURITY);
			continue;
		}
		if (key)
		{
			Selectivity selectivity = spq_node_pair_selectivity(root, rinfo,
																outerrel, innerrel);

			if (clauses->key == NULL || selectivity < best)
			{
				set_estimates(root, key, &op, clauses);
				if (!bms_is_subset(key->left_relids, outerrel->relids))
					commute(&op);
				clauses->key = key;
				clauses->condition = rinfo;
				clauses->clear = op.clear_axes > 0 ? lcons(rinfo, list_copy(op.partners)) : NIL;
				clauses->op = op;
				best = selectivity;
			}
		}
		else if (rinfo->can_join && is_hash(rinfo) &&
				 spq_spatial_joins_sides(&sides, rinfo->left_relids, rinfo->right_relids))
		{
			reason = SPQ_REASON_HASH;
			clauses->hash = lappend(clauses->hash, rinfo);
		}
		note(root, joinrel, rinfo, jointype, reason);
	}
	if (clauses->key == NULL)
		return false;
	find_parts(join_clauses, clauses);
	return true;
}
