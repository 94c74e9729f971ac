/*-------------------------------------------------------------------------
 *
 * leaves_path.c
 *	  The path that reads all rows of a table by the leaves of an index.
 *
 * It is an index scan without index conditions, or an index-only scan, of an index of the
 * access method that has the boxes of the value.  The node reads the leaves itself
 * (executor/leaves.c).  The conditions that do not depend on the other value are the scan's
 * filter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"
#include "rtree/index_boxes.h"
#include "settings.h"

/*
 * Find the index: one that has all columns if there is one, then the smallest.  "all" is the
 * relation with the columns and conditions of the reading path.
 */
static IndexOptInfo *
find_index(RelOptInfo *all, const Var *column, bool is_bounds, int axes, bool *index_only,
		   bool *returns_key)
{
	IndexOptInfo *best = NULL;
	ListCell   *lc;

	foreach(lc, all->indexlist)
	{
		IndexOptInfo index;
		bool		only,
					key;

		memcpy(&index, lfirst_node(IndexOptInfo, lc), sizeof(IndexOptInfo));
		index.indrestrictinfo = all->baserestrictinfo;
		if (index.indpred != NIL ||
			!spq_rtree_index_has_boxes(&index, column, is_bounds, InvalidOid, axes, &key))
			continue;
		only = spq_rtree_index_has_columns(all, &index);
		if (best == NULL || (only && !*index_only) || (only == *index_only && index.pages < best->pages))
		{
			best = makeNode(IndexOptInfo);
			memcpy(best, &index, sizeof(IndexOptInfo));
			best->rel = all;
			*index_only = only;
			*returns_key = key;
		}
	}
	return best;
}

Path *
spq_nearest_leaves_path(PlannerInfo *root, RelOptInfo *rel, List *conditions,
						const SpqNearestKey *key, List *exprs, SpqNearestReading *how)
{
	Expr	   *value = list_nth(key->distance.args, key->argument);
	bool		is_bounds,
				index_only = false,
				returns_key;
	const Var  *column = spq_rtree_boxed_column((Expr *) key->distance.bounds[key->argument],
												&is_bounds);
	RelOptInfo *all;
	IndexOptInfo *index;

	if (!spq_enable_indexjoin || !enable_indexscan || planner_rt_fetch(rel->relid, root)->inh ||
		column == NULL || !equal(column, value))
		return NULL;
	all = spq_subquery_reading_rel(root, rel, conditions, value, exprs);
	index = find_index(all, column, is_bounds, key->distance.axes, &index_only, &returns_key);
	if (index == NULL)
		return NULL;
	*how = returns_key ? SPQ_NEAREST_KEYS : SPQ_NEAREST_BOUNDS;
	return (Path *) create_index_path(root, index, NIL, NIL, NIL, NIL, ForwardScanDirection,
									  index_only, NULL, 1.0, false);
}
