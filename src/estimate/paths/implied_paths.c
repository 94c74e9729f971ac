/*-------------------------------------------------------------------------
 *
 * implied_paths.c
 *	  Index scans for conditions that imply an index condition.
 *
 * PostgreSQL makes index paths from the conditions of a relation.  So its
 * function makes them once more, while the relation has the implied
 * conditions, too:
 *
 *		a <-> b < 5							stays, as the filter
 *		a <@ _spqtree_reach(b, 5)			implied; the index condition
 *
 * Only the index conditions in paths keep them.  Afterwards the conditions of
 * the relation, and the clauses that a parameterized scan evaluates, are as
 * they were.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "catalog/pg_am_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "estimate/paths/paths.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/operators/operators.h"
#include "spatial/operators/rights.h"
#include "types/own_function.h"

/*
 * Return a RestrictInfo for a condition that another one implies.  Evaluating
 * it costs nothing besides the other one.
 */
static RestrictInfo *
implied_condition(PlannerInfo *root, const RestrictInfo *rinfo, Node *clause)
{
	RestrictInfo *implied = makeNode(RestrictInfo);

	memcpy(implied, rinfo, sizeof(RestrictInfo));
	implied->clause = (Expr *) clause;
	implied->eval_cost.startup = implied->eval_cost.per_tuple = 0;
	implied->left_relids = implied->right_relids = NULL;
	implied->can_join = false;
	if (is_opclause(clause))
	{
		implied->left_relids = pull_varnos(root, linitial(((OpExpr *) clause)->args));
		implied->right_relids = pull_varnos(root, lsecond(((OpExpr *) clause)->args));
		implied->can_join = !bms_is_empty(implied->left_relids) &&
			!bms_is_empty(implied->right_relids) &&
			!bms_overlap(implied->left_relids, implied->right_relids);
	}
	return implied;
}

/*
 * Return the conditions of a list and those that they imply, as pairs
 * (SpqEstimateImplied): only those for which each index finds all rows if
 * "any_index", otherwise only the others.  Set "with_implied" to the list with
 * the implied conditions appended.
 */
static List *
add_implied(PlannerInfo *root, List *clauses, bool any_index, List **with_implied)
{
	List	   *pairs = NIL;
	ListCell   *lc,
			   *lc2;

	*with_implied = list_copy(clauses);
	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		List	   *conditions;
		bool		is_any_index;

		if (rinfo->pseudoconstant || rinfo->orclause)
			continue;
		conditions = spq_spatial_compared_conditions(root, (Node *) rinfo->clause, &is_any_index);
		if (conditions == NIL || is_any_index != any_index)
			continue;
		foreach(lc2, conditions)
		{
			SpqEstimateImplied *pair;

			if (!spq_spatial_may_execute(root, lfirst(lc2)))
				continue;
			pair = palloc(sizeof(SpqEstimateImplied));
			pair->condition = rinfo;
			pair->implied = implied_condition(root, rinfo, lfirst(lc2));
			pairs = lappend(pairs, pair);
			*with_implied = lappend(*with_implied, pair->implied);
		}
	}
	return pairs;
}

/* Remove the implied conditions from a list. */
static List *
without_implied(List *clauses, const List *pairs)
{
	ListCell   *lc;

	foreach(lc, pairs)
		clauses = list_delete_ptr(clauses, ((SpqEstimateImplied *) lfirst(lc))->implied);
	return clauses;
}

/*
 * Return the indexes that find all rows that satisfy a condition, whatever the
 * table contains.  For conditions on PostgreSQL's types, these are the indexes
 * with our access method or operator classes.
 */
static List *
sure_indexes(const RelOptInfo *rel, bool any_index)
{
	List	   *indexes = NIL;
	ListCell   *lc;

	if (any_index)
		return rel->indexlist;
	foreach(lc, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		Oid			type = index->opcintype[0],
					config = index->relam == SPGIST_AM_OID ?
			get_opfamily_proc(index->opfamily[0], type, type, SPGIST_CONFIG_PROC) : InvalidOid;

		if (spq_estimate_is_own_index(index) ||
			(OidIsValid(config) && spq_own_prefix(config, "spq_")))
			indexes = lappend(indexes, lfirst(lc));
	}
	return indexes;
}

/* Return whether PostgreSQL makes index paths for this relation. */
static bool
has_index_paths(PlannerInfo *root, RelOptInfo *rel)
{
	const RangeTblEntry *entry = root->simple_rte_array[rel->relid];
	ListCell   *lc;

	if (rel->rtekind != RTE_RELATION || rel->indexlist == NIL || entry->inh ||
		entry->tablesample != NULL || IS_DUMMY_REL(rel))
		return false;
	foreach(lc, rel->baserestrictinfo)
		if (IsA(lfirst_node(RestrictInfo, lc)->clause, CurrentOfExpr))
		return false;
	return true;
}

/*
 * Offer the index scans for one kind of conditions.  Return the join
 * conditions among these.
 */
static List *
offer_paths(PlannerInfo *root, RelOptInfo *rel, bool any_index)
{
	List	   *restrictinfo,
			   *joininfo,
			   *of_scan = add_implied(root, rel->baserestrictinfo, any_index, &restrictinfo),
			   *of_joins = add_implied(root, rel->joininfo, any_index, &joininfo),
			   *indexes = rel->indexlist,
			   *saved_joininfo = rel->joininfo,
			   *saved = NIL;
	ListCell   *lc,
			   *lc2;

	if (of_scan == NIL && of_joins == NIL)
		return NIL;
	restrictinfo = list_copy_tail(restrictinfo, list_length(rel->baserestrictinfo));
	rel->indexlist = sure_indexes(rel, any_index);
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		saved = lappend(saved, index->indrestrictinfo);
		index->indrestrictinfo = list_concat_copy(index->indrestrictinfo, restrictinfo);
	}
	rel->joininfo = joininfo;

	create_index_paths(root, rel);

	rel->joininfo = saved_joininfo;
	forboth(lc, rel->indexlist, lc2, saved)
		lfirst_node(IndexOptInfo, lc)->indrestrictinfo = lfirst(lc2);
	rel->indexlist = indexes;
	foreach(lc, rel->ppilist)
	{
		ParamPathInfo *parameters = lfirst_node(ParamPathInfo, lc);

		parameters->ppi_clauses = without_implied(parameters->ppi_clauses, of_joins);
	}
	return of_joins;
}

/*
 * Offer index scans for what the conditions of a relation imply.  Return the
 * join conditions and those that they imply, as a list of SpqEstimateImplied.
 */
List *
spq_estimate_implied_paths(PlannerInfo *root, RelOptInfo *rel)
{
	if (!has_index_paths(root, rel))
		return NIL;
	return list_concat(offer_paths(root, rel, false), offer_paths(root, rel, true));
}
