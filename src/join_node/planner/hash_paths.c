/*-------------------------------------------------------------------------
 *
 * hash_paths.c
 *	  The cost of PostgreSQL's own hash joins with a spatial condition as a
 *	  filter.
 *
 * For a semi or anti join, PostgreSQL assumes that the filter is evaluated
 * about once for each outer row.  This is right if few rows share a hash
 * value:
 *
 *		outer row --> bucket [ . . . . . . . . ]   the filter is evaluated
 *								^				   until a row passes; if none
 *								|				   does, for all of them
 *
 * With equalities on few values (floors, kinds, tenants), buckets are long,
 * and a join with an estimate of milliseconds takes seconds.  So add the cost
 * of the filter for all rows of a bucket.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "join_node/planner/planner.h"
#include "path_list.h"

/* Add the cost of evaluating the filter for all rows of a bucket. */
static void
recost(PlannerInfo *root, HashPath *path, double matched_fraction)
{
	Path	   *outer = path->jpath.outerjoinpath,
			   *inner = path->jpath.innerjoinpath;
	double		inner_rows = inner->rows,
				pairs;
	List	   *filters = NIL;
	QualCost	cost;
	ListCell   *lc;

	/* all processes fill one shared hash table */
	if (path->jpath.path.parallel_aware)
		inner_rows *= spq_node_parallel_divisor(inner);
	pairs = outer->rows * inner_rows;
	foreach(lc, path->path_hashclauses)
		pairs *= spq_node_pair_selectivity(root, lfirst_node(RestrictInfo, lc),
										   outer->parent, inner->parent);
	foreach(lc, path->jpath.joinrestrictinfo)
	{
		if (!list_member_ptr(path->path_hashclauses, lfirst(lc)))
			filters = lappend(filters, lfirst(lc));
	}
	cost_qual_eval(&cost, filters, root);

	/* a row with one match finds it halfway, on average */
	pairs *= 1 - matched_fraction / 2;
	path->jpath.path.total_cost += Max(pairs - outer->rows, 0) * cost.per_tuple;
}

/*
 * Return whether a path is a hash join of these relations with the condition
 * as a filter.
 */
static bool
is_concerned(Path *path, RelOptInfo *outerrel, RelOptInfo *innerrel,
			 RestrictInfo *condition)
{
	HashPath   *hash = (HashPath *) path;

	return IsA(path, HashPath) &&
		hash->jpath.outerjoinpath->parent == outerrel &&
		hash->jpath.innerjoinpath->parent == innerrel &&
		list_member_ptr(hash->jpath.joinrestrictinfo, condition);
}

/*
 * Correct the costs of those paths of a list that are concerned.  Return the list in
 * order of cost.
 */
static List *
recost_paths(PlannerInfo *root, List *paths, RelOptInfo *outerrel, RelOptInfo *innerrel,
			 RestrictInfo *condition, double matched_fraction)
{
	bool		changed = false;
	ListCell   *lc;

	foreach(lc, paths)
	{
		if (!is_concerned(lfirst(lc), outerrel, innerrel, condition))
			continue;
		recost(root, lfirst(lc), matched_fraction);
		changed = true;
	}
	return changed ? spq_insert_paths(NIL, paths) : paths;
}

/*
 * Correct the costs of PostgreSQL's hash join paths for a pair of relations.
 * Call this once for each pair, after PostgreSQL has made the paths.
 */
void
spq_node_recost_hash_paths(PlannerInfo *root, RelOptInfo *joinrel,
						   RelOptInfo *outerrel, RelOptInfo *innerrel,
						   JoinType jointype, RestrictInfo *condition)
{
	double		matched = Min(joinrel->rows / Max(outerrel->rows, 1), 1);

	if (jointype == JOIN_ANTI)
		matched = 1 - matched;
	else if (jointype != JOIN_SEMI)
		return;
	joinrel->pathlist = recost_paths(root, joinrel->pathlist, outerrel, innerrel, condition,
									 matched);
	joinrel->partial_pathlist = recost_paths(root, joinrel->partial_pathlist, outerrel, innerrel,
											 condition, matched);
}
