/*-------------------------------------------------------------------------
 *
 * selectivity.c
 *	  The selectivity of spatial join clauses.
 *
 * PostgreSQL assumes a constant, such as 0.5 % for &&.  But it keeps the
 * selectivity that it has computed in the clause (norm_selec, outer_selec),
 * and does not compute it again.  After the paths of a base relation are made,
 * and before any join is planned, our estimates are stored there:
 *
 *		set_rel_pathlist(a)  --hook-->	clauses of a	--+
 *		set_rel_pathlist(b)  --hook-->	clauses of b	--+
 *		joins						<---- norm_selec -----+
 *
 * The sizes of joins, and of everything planned above them, follow.
 * Parameterized index scans were made before; index_paths.c costs them again.
 * scan_paths.c corrects the sizes of the base relations themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "estimate/cache/cache.h"
#include "estimate/join/selectivity.h"
#include "estimate/sample/sample.h"
#include "spatial/extension/equivalent_plan.h"
#include "spatial/join_clause.h"

/* A join clause as a spatial one. */
typedef struct Recognized
{
	RestrictInfo *clause;		/* NULL if it is not spatial */
	SpqSpatialOperator op;
} Recognized;

/* Return what a clause among others is.  Find it once per query. */
static const Recognized *
recognize(PlannerInfo *root, RestrictInfo *rinfo, List *conditions)
{
	const Recognized *noted = spq_estimate_note(root, rinfo, SPQ_ESTIMATE_NOTE_CLAUSE);
	Recognized	found = {0};
	MemoryContext old;

	if (noted)
		return noted;
	old = MemoryContextSwitchTo(root->planner_cxt);
	found.clause = spq_spatial_join_clause(root, rinfo, conditions, NULL, &found.op);
	MemoryContextSwitchTo(old);
	spq_estimate_take_note(root, rinfo, SPQ_ESTIMATE_NOTE_CLAUSE, &found, sizeof(found));
	return spq_estimate_note(root, rinfo, SPQ_ESTIMATE_NOTE_CLAUSE);
}

/* Return the first base relation among these, or NULL. */
static RelOptInfo *
first_rel(PlannerInfo *root, Relids relids)
{
	int			relid = -1;

	while ((relid = bms_next_member(relids, relid)) >= 0)
		if (relid < root->simple_rel_array_size && root->simple_rel_array[relid])
			return root->simple_rel_array[relid];
	return NULL;
}

/*
 * As spq_spatial_join_clause(), but a clause of a base relation is found once per
 * query.
 */
RestrictInfo *
spq_estimate_join_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						 SpqSpatialOperator *op)
{
	RelOptInfo *rel = rinfo->can_join ? spq_estimate_single_rel(root, rinfo->left_relids) :
		rinfo->orclause ? first_rel(root, rinfo->clause_relids) : NULL;
	const Recognized *found;
	RestrictInfo *clause;

	/* others may be copies, which do not live as long as the memo */
	if (!rel || !list_member_ptr(rel->joininfo, rinfo))
		return spq_spatial_join_clause(root, rinfo, conditions, NULL, op);
	found = recognize(root, rinfo, conditions);
	*op = found->op;
	if (found->clause == NULL || found->clause == rinfo)
		return found->clause;
	clause = makeNode(RestrictInfo);
	memcpy(clause, found->clause, sizeof(RestrictInfo));
	clause->norm_selec = rinfo->norm_selec;
	clause->outer_selec = rinfo->outer_selec;
	clause->eval_cost = rinfo->eval_cost;
	return clause;
}

/*
 * As spq_estimate_join_clause(), for a join of these relations.  A clause that uses
 * more than two may be one between these sides only, or between other ones.
 */
RestrictInfo *
spq_estimate_clause_between(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
							const SpqSpatialSides *sides, SpqSpatialOperator *op)
{
	RestrictInfo *clause = spq_estimate_join_clause(root, rinfo, conditions, op);

	if (clause && spq_spatial_joins_sides(sides, clause->left_relids, clause->right_relids))
		return clause;
	if (bms_num_members(rinfo->clause_relids) > 2)
		clause = spq_spatial_join_clause(root, rinfo, conditions, sides, op);
	return clause && spq_spatial_joins_sides(sides, clause->left_relids, clause->right_relids) ?
		clause : NULL;
}

/* Return the relation at the other end of a clause between two. */
static RelOptInfo *
other_rel(PlannerInfo *root, RestrictInfo *rinfo, RelOptInfo *rel)
{
	SpqSpatialOperator op;
	RestrictInfo *clause = spq_estimate_join_clause(root, rinfo, rel->joininfo, &op);
	RelOptInfo *left = spq_estimate_single_rel(root, clause->left_relids);

	return left == rel ? spq_estimate_single_rel(root, clause->right_relids) : left;
}

/*
 * Return whether this is a spatial clause between two relations, among the
 * conditions of one of them.  Set *partners to the further conditions of a clause that
 * consists of several.
 */
static bool
is_spatial_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
				  List **partners)
{
	RelOptInfo *left,
			   *right;
	SpqSpatialOperator op;

	if (rinfo->pseudoconstant || rinfo->norm_selec > 1)
		return false;
	rinfo = spq_estimate_join_clause(root, rinfo, conditions, &op);
	if (!rinfo)
		return false;
	*partners = op.partners;
	left = spq_estimate_single_rel(root, rinfo->left_relids);
	right = spq_estimate_single_rel(root, rinfo->right_relids);
	return left && right && left != right;
}

/*
 * Return the outer_selec of a clause: for conditions of a semi or anti join,
 * the fraction of left-hand rows with a match; otherwise the same as
 * norm_selec.
 */
static double
outer_selectivity(List *join_info, RestrictInfo *rinfo,
				  const SpqEstimateSelectivity *selectivity)
{
	ListCell   *lc;

	foreach(lc, join_info)
	{
		SpecialJoinInfo *sjinfo = lfirst_node(SpecialJoinInfo, lc);

		if (sjinfo->jointype != JOIN_SEMI && sjinfo->jointype != JOIN_ANTI)
			continue;
		if (bms_overlap(rinfo->left_relids, sjinfo->syn_lefthand) &&
			bms_overlap(rinfo->right_relids, sjinfo->syn_righthand))
			return selectivity->left_fraction;
		if (bms_overlap(rinfo->right_relids, sjinfo->syn_lefthand) &&
			bms_overlap(rinfo->left_relids, sjinfo->syn_righthand))
			return selectivity->right_fraction;
	}
	return selectivity->inner;
}

/*
 * Return the clause of the partitioned table that a partition's clause is a
 * copy of, or NULL.  Sampling all partitions for each pair of partitions would
 * take long.
 */
static RestrictInfo *
parent_clause(PlannerInfo *root, RestrictInfo *rinfo, const SpqSpatialOperator *op)
{
	const OpExpr *clause = castNode(OpExpr, rinfo->clause);
	SpqEstimateExpression left,
				right,
				parent_left,
				parent_right;
	Index		left_varno,
				right_varno;
	List	   *conditions;
	ListCell   *lc;

	if (!root->append_rel_array ||
		!spq_estimate_expression(linitial(clause->args), &op->left, &left) ||
		!spq_estimate_expression(lsecond(clause->args), &op->right, &right))
		return NULL;
	left_varno = left.varno;
	right_varno = right.varno;
	spq_estimate_expression_of_parent(root, &left);
	spq_estimate_expression_of_parent(root, &right);
	if (left.varno == left_varno && right.varno == right_varno)
		return NULL;
	conditions = root->simple_rel_array[left.varno]->joininfo;
	foreach(lc, conditions)
	{
		RestrictInfo *other = lfirst_node(RestrictInfo, lc);
		RestrictInfo *other_clause;
		List	   *args;

		if (other->norm_selec < 0)
			continue;
		other_clause = recognize(root, other, conditions)->clause;
		if (!other_clause || ((OpExpr *) other_clause->clause)->opno != clause->opno)
			continue;
		args = ((OpExpr *) other_clause->clause)->args;
		if (spq_estimate_expression(linitial(args), &op->left, &parent_left) &&
			spq_estimate_expression(lsecond(args), &op->right, &parent_right) &&
			equal(left.expr, parent_left.expr) &&
			equal(right.expr, parent_right.expr))
			return other;
	}
	return NULL;
}

/* Note that the partners of a condition decide nothing beyond that. */
static void
set_decided(List *partners)
{
	ListCell   *lc;

	foreach(lc, partners)
	{
		RestrictInfo *partner = lfirst_node(RestrictInfo, lc);

		partner->norm_selec = partner->outer_selec = 1;
	}
}

/*
 * Return the first of two conditions on intervals that form a clause: a range
 * condition, or a comparison with the first of its partners.
 */
static RestrictInfo *
first_interval_clause(PlannerInfo *root, RestrictInfo *rinfo, List *partners, SpqSpatialOperator *op)
{
	RestrictInfo *clause = spq_spatial_join_clause(root, rinfo, list_make1(rinfo), NULL, op);

	if (clause)
		return clause;
	return spq_spatial_join_clause(root, rinfo, list_make2(rinfo, linitial(partners)), NULL, op);
}

/* As spq_estimate_prime_clause(), for a clause that is known to be spatial. */
static bool
prime_spatial(PlannerInfo *root, RestrictInfo *rinfo, RestrictInfo *clause,
			  const SpqSpatialOperator *op, List *join_info)
{
	RestrictInfo *parent = parent_clause(root, clause, op);
	double		norm = rinfo->norm_selec,
				outer = rinfo->outer_selec;

	if (parent)
	{
		rinfo->norm_selec = parent->norm_selec;
		rinfo->outer_selec = parent->outer_selec;
	}
	else
	{
		const SpqEstimateSelectivity *selectivity = spq_estimate_clause(root, clause, op);
		SpqSpatialOperator first;

		if (op->partners != NIL && !selectivity->sampled)
		{
			clause = first_interval_clause(root, rinfo, op->partners, &first);
			if (clause == NULL || first.partners == op->partners)
				return false;
			op = &first;
			selectivity = spq_estimate_clause(root, clause, op);

			/* comparisons need not be about an interval: only samples tell */
			if (!selectivity->sampled)
				return false;
		}
		rinfo->norm_selec = selectivity->inner;
		rinfo->outer_selec = outer_selectivity(join_info, clause, selectivity);
	}
	set_decided(op->partners);
	return rinfo->norm_selec != norm || rinfo->outer_selec != outer;
}

/*
 * Put our estimate into a spatial join clause, one of the conditions of a relation.
 * Return whether it changed.  "join_info" contains the SpecialJoinInfos that the
 * clause may belong to.
 */
bool
spq_estimate_prime_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
						  List *join_info)
{
	SpqSpatialOperator op;
	RestrictInfo *clause = spq_estimate_join_clause(root, rinfo, conditions, &op);

	return clause && prime_spatial(root, rinfo, clause, &op, join_info);
}

/*
 * Return the estimate of a clause or, for partitions, that of their tables.  Return NULL
 * if this is one of several conditions on an interval.
 */
const SpqEstimateSelectivity *
spq_estimate_whole_clause(PlannerInfo *root, RestrictInfo *clause, const SpqSpatialOperator *op)
{
	RestrictInfo *parent = parent_clause(root, clause, op);
	SpqSpatialOperator of_parent;

	if (parent)
	{
		clause = spq_spatial_join_clause(root, parent, list_make1(parent), NULL, &of_parent);
		if (clause == NULL)
			return NULL;
		if (op->predicate == SPQ_BOX_OVERLAPS)
			of_parent.predicate = SPQ_BOX_OVERLAPS;
		op = &of_parent;
	}
	return spq_estimate_clause(root, clause, op);
}

/*
 * If rows are copied into cells or parts, put our estimates into the clauses
 * that belong to a spatial one.  Return whether an estimate changed.
 */
static bool
prime_owned(PlannerInfo *root, RestrictInfo *rinfo, List *clauses)
{
	RestrictInfo *owner = spq_estimate_owner_clause(clauses);
	SpqSpatialOperator op;
	RestrictInfo *clause;
	SpqEstimateSide left,
				right;

	if (owner == NULL)
		return false;
	clause = spq_estimate_join_clause(root, rinfo, clauses, &op);
	spq_estimate_sample_sides(root, clause, &op, &left, &right);
	return spq_estimate_set_owned(owner, clauses,
								  spq_estimate_owner_share(root, owner, left.sample, right.sample));
}

/*
 * Return the number of rows of the whole table, as a multiple of a
 * partition's.
 */
static double
times_larger(PlannerInfo *root, Relids relids)
{
	RelOptInfo *rel = spq_estimate_single_rel(root, relids),
			   *whole = rel;

	while (whole && root->append_rel_array && root->append_rel_array[whole->relid])
		whole = root->simple_rel_array[root->append_rel_array[whole->relid]->parent_relid];
	return rel && rel->rows > 0 ? Max(whole->rows / rel->rows, 1) : 1;
}

/*
 * Put our estimates into the clauses of a join of two partitions.  Return
 * whether an estimate changed.  If tables are partitioned by cell or part,
 * partitions that are joined have all pairs of their rows.
 */
bool
spq_estimate_prime_partitions(PlannerInfo *root, List *clauses, SpecialJoinInfo *sjinfo)
{
	bool		owned = spq_estimate_owner_clause(clauses) != NULL;
	bool		changed = false;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		SpqSpatialOperator op;
		RestrictInfo *clause = spq_spatial_join_clause(root, rinfo, clauses, NULL, &op);

		if (clause == NULL)
			continue;
		changed |= prime_spatial(root, rinfo, clause, &op, list_make1(sjinfo));
		if (owned)
		{
			rinfo->norm_selec *= sqrt(times_larger(root, clause->left_relids) *
									  times_larger(root, clause->right_relids));
			rinfo->norm_selec = Min(rinfo->norm_selec, 1);
			(void) prime_owned(root, rinfo, clauses);
			changed = true;
		}
	}
	return changed;
}

/*
 * Return the relation of which a child's clauses are copies, in the same
 * order, or NULL.
 */
static RelOptInfo *
parent_of_clauses(PlannerInfo *root, RelOptInfo *rel)
{
	const AppendRelInfo *appinfo = root->append_rel_array ?
		root->append_rel_array[rel->relid] : NULL;
	RelOptInfo *parent;

	if (rel->reloptkind != RELOPT_OTHER_MEMBER_REL || !appinfo)
		return NULL;
	parent = root->simple_rel_array[appinfo->parent_relid];
	return parent && list_length(parent->joininfo) == list_length(rel->joininfo) ?
		parent : NULL;
}

static int
position_of(const List *list, const void *member)
{
	ListCell   *lc;

	foreach(lc, list)
	{
		if (lfirst(lc) == member)
			return foreach_current_index(lc);
	}
	elog(ERROR, "clause is not in the list of its relation");
}

/* Copy the estimates of conditions from those of the parent. */
static void
copy_partners(const RelOptInfo *parent, const RelOptInfo *rel, List *partners)
{
	ListCell   *lc;

	foreach(lc, partners)
	{
		RestrictInfo *partner = lfirst_node(RestrictInfo, lc);
		const RestrictInfo *from = list_nth_node(RestrictInfo, parent->joininfo,
												 position_of(rel->joininfo, partner));

		partner->norm_selec = from->norm_selec;
		partner->outer_selec = from->outer_selec;
	}
}

/*
 * Put our estimate into a clause whose sides only a join knows: one of its
 * relations is joined with all others.  Whichever that is, the estimate is about
 * the same.
 */
static void
prime_between_any(PlannerInfo *root, RestrictInfo *rinfo, List *conditions)
{
	int			relid = -1;

	if (rinfo->pseudoconstant || rinfo->norm_selec >= 0 ||
		bms_num_members(rinfo->clause_relids) <= 2)
		return;
	while ((relid = bms_next_member(rinfo->clause_relids, relid)) >= 0)
	{
		SpqSpatialSides sides;
		SpqSpatialOperator op;
		RestrictInfo *clause;
		const SpqEstimateSelectivity *selectivity;

		sides.right = bms_make_singleton(relid);
		sides.left = bms_difference(rinfo->clause_relids, sides.right);
		clause = spq_estimate_clause_between(root, rinfo, conditions, &sides, &op);
		if (clause == NULL)
			continue;
		if (op.partners != NIL)
			return;				/* only samples tell whether it is an interval */
		selectivity = spq_estimate_clause(root, clause, &op);
		rinfo->norm_selec = selectivity->inner;
		rinfo->outer_selec = outer_selectivity(root->join_info_list, clause, selectivity);
		return;
	}
}

/* The most arms to estimate. */
#define MOST_ARMS	16

/*
 * If a clause has several arms, estimate the spatial ones.  PostgreSQL combines those of
 * OR; we combine those with the elements of an array.
 */
static void
prime_arms(PlannerInfo *root, RestrictInfo *rinfo)
{
	ListCell   *lc1,
			   *lc2;
	double		none = 1;
	bool		any = false;

	foreach(lc1, spq_spatial_arms(root, rinfo, MOST_ARMS))
	{
		List	   *arm = lfirst(lc1);

		foreach(lc2, arm)
		{
			RestrictInfo *condition = lfirst_node(RestrictInfo, lc2);
			List	   *partners;

			if (condition->norm_selec >= 0 || !is_spatial_clause(root, condition, arm, &partners))
				continue;
			any |= spq_estimate_prime_clause(root, condition, arm, root->join_info_list);
			none *= 1 - Max(condition->norm_selec, 0);
		}
	}
	if (any)
		rinfo->norm_selec = rinfo->outer_selec = rinfo->orclause ? -1 : 1 - none;
}

/*
 * Put our estimate into a clause between two relations of which one has shapes without
 * boxes.  It is not spatial: no join searches for its pairs.
 */
static void
prime_shapes(PlannerInfo *root, RestrictInfo *rinfo)
{
	const OpExpr *clause = (const OpExpr *) rinfo->clause;
	SpqSpatialOperator op;
	const SpqEstimateSelectivity *selectivity;

	if (rinfo->pseudoconstant || rinfo->norm_selec >= 0 || !rinfo->can_join ||
		!IsA(clause, OpExpr) || !spq_spatial_scan_operator(clause->opno, &op) ||
		(op.left.type->box && op.right.type->box))
		return;
	selectivity = spq_estimate_clause(root, rinfo, &op);
	if (!selectivity->sampled)
		return;
	rinfo->norm_selec = selectivity->inner;
	rinfo->outer_selec = outer_selectivity(root->join_info_list, rinfo, selectivity);
}

/* Return whether two clauses between the same relations use a common column of each. */
static bool
use_same_columns(const RestrictInfo *a, const RestrictInfo *b)
{
	int			relid = -1;

	while ((relid = bms_next_member(a->clause_relids, relid)) >= 0)
	{
		Bitmapset  *of_a = NULL,
				   *of_b = NULL;

		pull_varattnos((Node *) a->clause, relid, &of_a);
		pull_varattnos((Node *) b->clause, relid, &of_b);
		if (!bms_overlap(of_a, of_b))
			return false;
	}
	return true;
}

/*
 * Of spatial clauses between the same columns, the most selective one decides:
 *
 *		earth_box(a.p, a.r) @> b.p AND earth_distance(a.p, b.p) < a.r
 *
 * The others hold for nearly all of its pairs.  "earlier" are the positions of those that
 * have estimates.
 */
static void
keep_strongest(RelOptInfo *rel, RestrictInfo *rinfo, const Bitmapset *earlier)
{
	int			number = -1;

	while ((number = bms_next_member(earlier, number)) >= 0)
	{
		RestrictInfo *other = list_nth_node(RestrictInfo, rel->joininfo, number);
		RestrictInfo *weaker;

		if (other->norm_selec < 0 || !bms_equal(other->clause_relids, rinfo->clause_relids) ||
			!use_same_columns(other, rinfo))
			continue;
		weaker = other->norm_selec > rinfo->norm_selec ? other : rinfo;
		weaker->norm_selec = weaker->outer_selec = 1;
	}
}

/*
 * Put our estimates into the clauses of a relation, and return the positions
 * of the spatial ones.  An arm of UNION ALL gets the estimates of its parent.
 */
static Bitmapset *
estimate_clauses(PlannerInfo *root, RelOptInfo *rel, const RelOptInfo *parent)
{
	Bitmapset  *spatial = NULL;

	for (int number = 0; number < list_length(rel->joininfo); number++)
	{
		RestrictInfo *rinfo = list_nth_node(RestrictInfo, rel->joininfo, number);
		const RestrictInfo *from = parent ?
			list_nth_node(RestrictInfo, parent->joininfo, number) : NULL;
		List	   *partners;
		ListCell   *lc;

		if (!is_spatial_clause(root, rinfo, rel->joininfo, &partners))
		{
			prime_arms(root, rinfo);
			prime_between_any(root, rinfo, rel->joininfo);
			prime_shapes(root, rinfo);
			continue;
		}
		spq_spatial_cost_conditions(&rinfo->eval_cost, list_make1(rinfo->clause), root);
		if (rinfo->norm_selec < 0)
		{
			if (from && from->norm_selec >= 0)
			{
				rinfo->norm_selec = from->norm_selec;
				rinfo->outer_selec = from->outer_selec;
				copy_partners(parent, rel, partners);
			}
			else
			{
				(void) spq_estimate_prime_clause(root, rinfo, rel->joininfo,
												 root->join_info_list);
				if (partners == NIL)
					keep_strongest(rel, rinfo, spatial);
			}
		}
		if (!from && rinfo->norm_selec >= 0)
		{
			RelOptInfo *other = other_rel(root, rinfo, rel);
			List	   *clauses = spq_estimate_join_clauses(root, rel, other);

			(void) prime_owned(root, rinfo, clauses);
			if (spq_estimate_owner_clause(clauses) == NULL)
				spq_estimate_limit_matched(root, rinfo, rel, other);
		}
		spatial = bms_add_member(spatial, number);
		foreach(lc, partners)
			spatial = bms_add_member(spatial, position_of(rel->joininfo, lfirst(lc)));
	}
	return spatial;
}

/* Copy the estimates of a table's clauses to those of a partition. */
static void
hand_down(const RelOptInfo *parent, const RelOptInfo *rel, const Bitmapset *spatial)
{
	int			number = -1;

	while ((number = bms_next_member(spatial, number)) >= 0)
	{
		const RestrictInfo *from = list_nth_node(RestrictInfo, parent->joininfo, number);
		RestrictInfo *rinfo = list_nth_node(RestrictInfo, rel->joininfo, number);

		rinfo->eval_cost = from->eval_cost;
		if (rinfo->norm_selec >= 0)
			continue;
		rinfo->norm_selec = from->norm_selec;
		rinfo->outer_selec = from->outer_selec;
	}
}

/*
 * Put our estimates into the clauses of a relation, and return the positions
 * of the spatial ones.  Those of a table are found once, and handed down to
 * its partitions.
 */
static const Bitmapset *
prime_clauses(PlannerInfo *root, RelOptInfo *rel)
{
	RelOptInfo *parent = parent_of_clauses(root, rel);
	Bitmapset  *spatial;
	Bitmapset  *const *noted;

	if (parent && OidIsValid(root->append_rel_array[rel->relid]->parent_reloid))
	{
		const Bitmapset *of_parent = prime_clauses(root, parent);

		hand_down(parent, rel, of_parent);
		return of_parent;
	}
	noted = spq_estimate_note(root, rel, SPQ_ESTIMATE_NOTE_SPATIAL);
	if (noted)
		return *noted;
	if (parent)
		(void) prime_clauses(root, parent);
	spatial = estimate_clauses(root, rel, parent);
	spq_estimate_take_note(root, rel, SPQ_ESTIMATE_NOTE_SPATIAL, &spatial, sizeof(spatial));
	return spatial;
}

/*
 * Put our estimates into the spatial clauses of a relation, and return these
 * clauses, as an index scan uses them: each by itself.  A comparison alone is not
 * spatial.
 */
List *
spq_estimate_prime_clauses(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *primed = NIL;
	const Bitmapset *spatial;
	int			number = -1;

	if (rel->joininfo == NIL)
		return NIL;
	spatial = prime_clauses(root, rel);
	while ((number = bms_next_member(spatial, number)) >= 0)
	{
		RestrictInfo *rinfo = list_nth_node(RestrictInfo, rel->joininfo, number);
		SpqSpatialOperator op;

		if (spq_spatial_join_clause(root, rinfo, list_make1(rinfo), NULL, &op))
			primed = lappend(primed, rinfo);
	}
	return primed;
}

static SpqEstimateInterval *
make_interval(RestrictInfo *first, RestrictInfo *second, double selectivity)
{
	SpqEstimateInterval *interval = palloc(sizeof(SpqEstimateInterval));

	interval->first = first;
	interval->second = second;
	interval->selectivity = selectivity;
	return interval;
}

/* Append the interval that a comparison forms with a later one, if that is estimated. */
static List *
add_interval(PlannerInfo *root, RelOptInfo *rel, const Bitmapset *spatial, int number, List *intervals)
{
	RestrictInfo *first = list_nth_node(RestrictInfo, rel->joininfo, number);
	SpqSpatialOperator op;

	if (spq_spatial_join_clause(root, first, list_make1(first), NULL, &op))
		return intervals;		/* no comparison */
	while ((number = bms_next_member(spatial, number)) >= 0)
	{
		RestrictInfo *second = list_nth_node(RestrictInfo, rel->joininfo, number);
		RestrictInfo *clause = spq_spatial_join_clause(root, first, list_make2(first, second),
													   NULL, &op);
		const SpqEstimateSelectivity *selectivity;

		if (clause == NULL)
			continue;
		selectivity = spq_estimate_clause(root, clause, &op);
		return selectivity->sampled ?
			lappend(intervals, make_interval(first, second, selectivity->inner)) : intervals;
	}
	return intervals;
}

/*
 * Return the intervals among the conditions of a relation that have estimates
 * (SpqEstimateInterval).  Those of a table hold for its partitions.
 */
List *
spq_estimate_intervals(PlannerInfo *root, RelOptInfo *rel)
{
	RelOptInfo *parent = parent_of_clauses(root, rel);
	List	   *intervals = NIL;
	List	   *const *noted = spq_estimate_note(root, rel, SPQ_ESTIMATE_NOTE_INTERVALS);
	MemoryContext old;

	if (noted)
		return *noted;
	old = MemoryContextSwitchTo(root->planner_cxt);
	if (parent && OidIsValid(root->append_rel_array[rel->relid]->parent_reloid))
	{
		ListCell   *lc;

		foreach(lc, spq_estimate_intervals(root, parent))
		{
			const SpqEstimateInterval *of_parent = lfirst(lc);

			intervals = lappend(intervals, make_interval(list_nth(rel->joininfo,
																  position_of(parent->joininfo, of_parent->first)),
														 list_nth(rel->joininfo,
																  position_of(parent->joininfo, of_parent->second)),
														 of_parent->selectivity));
		}
	}
	else
	{
		const Bitmapset *spatial = prime_clauses(root, rel);
		int			number = -1;

		while ((number = bms_next_member(spatial, number)) >= 0)
			intervals = add_interval(root, rel, spatial, number, intervals);
	}
	MemoryContextSwitchTo(old);
	spq_estimate_take_note(root, rel, SPQ_ESTIMATE_NOTE_INTERVALS, &intervals, sizeof(intervals));
	return intervals;
}

/*
 * Return the selectivity of one of the clauses that spq_estimate_prime_clauses()
 * returned, by itself.
 */
Selectivity
spq_estimate_scan_selectivity(PlannerInfo *root, RelOptInfo *rel, RestrictInfo *rinfo)
{
	SpqSpatialOperator op;
	bool		left;

	if (spq_estimate_join_clause(root, rinfo, rel->joininfo, &op) && op.partners == NIL)
		return rinfo->norm_selec;
	return spq_estimate_clause_of(root, rel, rinfo, &left)->inner;
}

/* The note about a clause that gives index scans parameters. */
typedef struct JoinNote
{
	Relids		left_relids;	/* of the spatial clause */
	SpqEstimateSelectivity selectivity;
} JoinNote;

/*
 * Return the estimate of one of a relation's spatial clauses by itself, and set whether
 * the relation is on its left side.  For a partition, return that of its
 * table.
 */
const SpqEstimateSelectivity *
spq_estimate_clause_of(PlannerInfo *root, RelOptInfo *rel, RestrictInfo *rinfo, bool *left)
{
	RelOptInfo *parent;
	const JoinNote *noted;

	while ((parent = parent_of_clauses(root, rel)) != NULL &&
		   OidIsValid(root->append_rel_array[rel->relid]->parent_reloid))
	{
		int			number = position_of(rel->joininfo, rinfo);

		rinfo = list_nth_node(RestrictInfo, parent->joininfo, number);
		rel = parent;
	}
	noted = spq_estimate_note(root, rinfo, SPQ_ESTIMATE_NOTE_JOIN);
	if (!noted)
	{
		SpqSpatialOperator op;
		RestrictInfo *clause = spq_spatial_join_clause(root, rinfo, list_make1(rinfo), NULL, &op);
		JoinNote	note;

		note.left_relids = clause->left_relids;
		note.selectivity = *spq_estimate_clause(root, clause, &op);
		spq_estimate_take_note(root, rinfo, SPQ_ESTIMATE_NOTE_JOIN, &note, sizeof(note));
		noted = spq_estimate_note(root, rinfo, SPQ_ESTIMATE_NOTE_JOIN);
	}
	*left = bms_is_subset(noted->left_relids, rel->relids);
	return &noted->selectivity;
}
