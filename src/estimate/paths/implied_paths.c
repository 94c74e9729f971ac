/*-------------------------------------------------------------------------
 *
 * implied_paths.c
 *	  Index scans for conditions that are not those of an index, but imply some.
 *
 * PostgreSQL makes index paths from the conditions of a relation.  So it is asked to
 * make them once more, while the relation seems to have more conditions:
 *
 *		a <-> b < 5							stays, and is the filter
 *		a <@ spqtree_reach(b, 5)			implied; the index condition
 *
 * What is left of it is the index condition in a path.  The conditions of the relation,
 * and the clauses that a scan with parameters has to evaluate, are those of before.
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

#include "estimate/paths/implied_paths.h"
#include "estimate/paths/own_index.h"
#include "spatial/clauses/compared_distance.h"
#include "spatial/operators/operators.h"
#include "spatial/operators/own_function.h"

/* Return a condition that another one implies, which costs nothing besides that. */
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
 * Add the conditions that those of a list imply, of either side, to another list, and return
 * them with what implies them: those of other extensions' types, or all others.
 */
static List *
add_implied(PlannerInfo *root, List *clauses, bool foreign, List **with_implied)
{
	List	   *pairs = NIL;
	ListCell   *lc,
			   *lc2;

	*with_implied = list_copy(clauses);
	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		List	   *conditions;
		bool		is_foreign;

		if (rinfo->pseudoconstant || rinfo->orclause)
			continue;
		conditions = spq_spatial_compared_conditions(root, (Node *) rinfo->clause, &is_foreign);
		if (conditions == NIL || is_foreign != foreign)
			continue;
		foreach(lc2, conditions)
		{
			SpqEstimateImplied *pair = palloc(sizeof(SpqEstimateImplied));

			pair->condition = rinfo;
			pair->implied = implied_condition(root, rinfo, lfirst(lc2));
			pairs = lappend(pairs, pair);
			*with_implied = lappend(*with_implied, pair->implied);
		}
	}
	return pairs;
}

/* Take the implied conditions from a list. */
static List *
without_implied(List *clauses, const List *pairs)
{
	ListCell   *lc;

	foreach(lc, pairs)
		clauses = list_delete_ptr(clauses, ((SpqEstimateImplied *) lfirst(lc))->implied);
	return clauses;
}

/*
 * Return the indexes that find all rows of a condition, whatever the table has: of
 * PostgreSQL's types, those with one of our classes.
 */
static List *
sure_indexes(const RelOptInfo *rel, bool foreign)
{
	List	   *indexes = NIL;
	ListCell   *lc;

	if (foreign)
		return rel->indexlist;
	foreach(lc, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		Oid			type = index->opcintype[0],
					config = index->relam == SPGIST_AM_OID ?
			get_opfamily_proc(index->opfamily[0], type, type, SPGIST_CONFIG_PROC) : InvalidOid;

		if (spq_estimate_is_own_index(index) ||
			(OidIsValid(config) && spq_spatial_own_prefix(config, "spq_")))
			indexes = lappend(indexes, lfirst(lc));
	}
	return indexes;
}

/* Return whether there are paths of this relation's indexes, besides others. */
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

/* Offer the index scans for conditions of one kind, and return those of joins. */
static List *
offer_paths(PlannerInfo *root, RelOptInfo *rel, bool foreign)
{
	List	   *restrictinfo,
			   *joininfo,
			   *of_scan = add_implied(root, rel->baserestrictinfo, foreign, &restrictinfo),
			   *of_joins = add_implied(root, rel->joininfo, foreign, &joininfo),
			   *indexes = rel->indexlist,
			   *saved_joininfo = rel->joininfo,
			   *saved = NIL;
	ListCell   *lc,
			   *lc2;

	if (of_scan == NIL && of_joins == NIL)
		return NIL;
	restrictinfo = list_copy_tail(restrictinfo, list_length(rel->baserestrictinfo));
	rel->indexlist = sure_indexes(rel, foreign);
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
 * Offer index scans for what the conditions of a relation imply.  Return the conditions of
 * joins and those that they imply, as a list of SpqEstimateImplied.
 */
List *
spq_estimate_implied_paths(PlannerInfo *root, RelOptInfo *rel)
{
	if (!has_index_paths(root, rel))
		return NIL;
	return list_concat(offer_paths(root, rel, false), offer_paths(root, rel, true));
}
