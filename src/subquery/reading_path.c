/*-------------------------------------------------------------------------
 *
 * reading_path.c
 *	  The cheapest path that reads all rows of a table, in any order.
 *
 * It returns the value whose distance is computed, and the columns that the plan
 * above needs.  It checks the conditions that do not depend on the other value, so
 * the rows stay valid for all values.  A table with partitions or children is read
 * by an Append of a path for each:
 *
 *		partitioned table		Append
 *			partition			   |--- scan
 *			partition			   |--- scan
 *				partition		   '--- scan
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/appendinfo.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "subquery/subquery.h"

/* Return a target with a value, and the columns that expressions use. */
static PathTarget *
columns_of(PlannerInfo *root, Expr *value, List *exprs)
{
	PathTarget *target = create_empty_pathtarget();

	add_new_column_to_pathtarget(target, value);
	add_new_columns_to_pathtarget(target, pull_var_clause((Node *) exprs, PVC_RECURSE_AGGREGATES |
														  PVC_RECURSE_WINDOWFUNCS |
														  PVC_RECURSE_PLACEHOLDERS));
	return set_pathtarget_cost_width(root, target);
}

/*
 * Add the paths by indexes that return all rows that satisfy the conditions of a
 * relation, in any order.  A path of an index checks the conditions that are in the
 * index's description, which are those of the query.
 */
static void
add_index_paths(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *pathkeys = root->query_pathkeys,
			   *indexes = NIL;
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index;

		/* the query's other conditions may imply the predicate */
		if (lfirst_node(IndexOptInfo, lc)->indpred != NIL)
			continue;
		index = makeNode(IndexOptInfo);
		memcpy(index, lfirst(lc), sizeof(IndexOptInfo));
		index->rel = rel;
		index->indrestrictinfo = rel->baserestrictinfo;
		indexes = lappend(indexes, index);
	}
	rel->indexlist = indexes;
	root->query_pathkeys = NIL;
	create_index_paths(root, rel);
	root->query_pathkeys = pathkeys;
}

/*
 * Return a copy of a relation with these conditions and this target, and without
 * paths.
 */
static RelOptInfo *
copy_of(const RelOptInfo *rel, List *conditions, PathTarget *target)
{
	RelOptInfo *copy = makeNode(RelOptInfo);

	memcpy(copy, rel, sizeof(RelOptInfo));
	copy->reltarget = target;
	copy->baserestrictinfo = conditions;
	copy->joininfo = NIL;
	copy->pathlist = copy->partial_pathlist = NIL;
	copy->ppilist = NIL;
	return copy;
}

RelOptInfo *
spq_subquery_reading_rel(PlannerInfo *root, RelOptInfo *rel, List *conditions, Expr *value, List *exprs)
{
	RelOptInfo *all = copy_of(rel, conditions, columns_of(root, value, exprs));

	set_baserel_size_estimates(root, all);
	return all;
}

/* Return the cheapest path of a table without children. */
static Path *
path_of_table(PlannerInfo *root, RelOptInfo *rel, List *conditions, PathTarget *target)
{
	RelOptInfo *all = copy_of(rel, conditions, target);
	Path	   *best = NULL;
	ListCell   *lc;

	set_baserel_size_estimates(root, all);
	add_path(all, create_seqscan_path(root, all, NULL, 0));
	if (conditions != NIL)
		add_index_paths(root, all);
	foreach(lc, all->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (PATH_REQ_OUTER(path) == NULL && (best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return best;
}

/* Return a target for a child, whose columns are those of the parent's target. */
static PathTarget *
target_of_child(PlannerInfo *root, PathTarget *target, AppendRelInfo *info)
{
	target = copy_pathtarget(target);
	target->exprs = (List *) adjust_appendrel_attrs(root, (Node *) target->exprs, 1, &info);
	return target;
}

/*
 * Append the paths of the tables below one.  Return false if there is another kind of
 * table.
 */
static bool
append_paths_below(PlannerInfo *root, Index parent, List *conditions, PathTarget *target,
				   List **paths)
{
	ListCell   *lc;

	foreach(lc, root->append_rel_list)
	{
		AppendRelInfo *info = lfirst_node(AppendRelInfo, lc);
		PathTarget *child_target;
		List	   *child_conditions;
		RelOptInfo *child;

		if (info->parent_relid != parent)
			continue;
		child = root->simple_rel_array[info->child_relid];
		if (child == NULL || IS_DUMMY_REL(child))
			continue;			/* pruned */
		if (child->fdwroutine != NULL)
			return false;
		child_target = target_of_child(root, target, info);
		child_conditions = (List *) adjust_appendrel_attrs(root, (Node *) conditions, 1, &info);
		if (!planner_rt_fetch(child->relid, root)->inh)
			*paths = lappend(*paths, path_of_table(root, child, child_conditions, child_target));
		else if (!append_paths_below(root, child->relid, child_conditions, child_target, paths))
			return false;
	}
	return true;
}

Path *
spq_subquery_reading_path(PlannerInfo *root, RelOptInfo *rel, List *conditions, Expr *value,
						  List *exprs)
{
	PathTarget *target = columns_of(root, value, exprs);
	List	   *paths = NIL;

	if (!planner_rt_fetch(rel->relid, root)->inh)
		return path_of_table(root, rel, conditions, target);
	if (!append_paths_below(root, rel->relid, conditions, target, &paths) || paths == NIL)
		return NULL;
	return spq_create_append_path(root, copy_of(rel, conditions, target), paths);
}
