/*-------------------------------------------------------------------------
 *
 * hash_paths.c
 *	  What PostgreSQL's own hash joins cost which have a spatial condition as
 *	  their filter.
 *
 * Of a semi or anti join, PostgreSQL takes the filter to be evaluated about once
 * for each row of the outer side.  That is so if few rows share a hash value:
 *
 *		outer row --> bucket [ . . . . . . . . ]   each is compared until one
 *								^				   passes the filter; if none
 *								|				   does, all of them
 *
 * With equalities of few values (floors, kinds, tenants) buckets are long, and
 * a join that was thought to take milliseconds takes seconds.  The filter's cost
 * for all rows of a bucket is added here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "join_node/clauses.h"
#include "join_node/cost.h"
#include "join_node/hash_paths.h"

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

	/* all processes fill the hash table that they share */
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

	/* a row with a match finds it half way, if it has but one */
	pairs *= 1 - matched_fraction / 2;
	path->jpath.path.total_cost += Max(pairs - outer->rows, 0) * cost.per_tuple;
}

static bool
is_concerned(Path *path, RelOptInfo *outerrel, RelOptInfo *innerrel,
			 RestrictInfo *key)
{
	HashPath   *hash = (HashPath *) path;

	return IsA(path, HashPath) &&
		hash->jpath.outerjoinpath->parent == outerrel &&
		hash->jpath.innerjoinpath->parent == innerrel &&
		list_member_ptr(hash->jpath.joinrestrictinfo, key);
}

/*
 * To be called once for each pair of relations, after PostgreSQL has made its
 * paths.
 */
void
spq_node_recost_hash_paths(PlannerInfo *root, RelOptInfo *joinrel,
						   RelOptInfo *outerrel, RelOptInfo *innerrel,
						   JoinType jointype, RestrictInfo *key)
{
	double		matched = Min(joinrel->rows / Max(outerrel->rows, 1), 1);
	bool		changed = false;
	List	   *paths;
	ListCell   *lc;

	if (jointype == JOIN_ANTI)
		matched = 1 - matched;
	else if (jointype != JOIN_SEMI)
		return;

	foreach(lc, joinrel->pathlist)
	{
		if (!is_concerned(lfirst(lc), outerrel, innerrel, key))
			continue;
		recost(root, lfirst(lc), matched);
		changed = true;
	}
	if (changed)
	{
		/* in the order of their costs, without those that are dominated now */
		paths = joinrel->pathlist;
		joinrel->pathlist = NIL;
		foreach(lc, paths)
			add_path(joinrel, lfirst(lc));
	}

	changed = false;
	foreach(lc, joinrel->partial_pathlist)
	{
		if (!is_concerned(lfirst(lc), outerrel, innerrel, key))
			continue;
		recost(root, lfirst(lc), matched);
		changed = true;
	}
	if (changed)
	{
		paths = joinrel->partial_pathlist;
		joinrel->partial_pathlist = NIL;
		foreach(lc, paths)
			add_partial_path(joinrel, lfirst(lc));
	}
}
