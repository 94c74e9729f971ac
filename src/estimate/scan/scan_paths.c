/*-------------------------------------------------------------------------
 *
 * scan_paths.c
 *	  Sizes of base relations, and the paths that were made for other sizes.
 *
 * PostgreSQL estimates all base relations, and then makes the paths of one
 * after the other.  Extensions are called for the first time when the first
 * relation has its paths:
 *
 *		sizes of a, b, c	paths of a		  paths of b	paths of c
 *									   |
 *									   hook: sizes of a, b, c corrected,
 *									   paths of a made again
 *
 * So the sizes of all relations are corrected at once, and only the paths of
 * the first are made twice, by the PostgreSQL functions that made them before.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "estimate/scan/scan.h"
#include "path_list.h"

/*
 * Return whether PostgreSQL estimates the rows of a relation by its clauses.
 */
static bool
is_estimated_by_clauses(PlannerInfo *root, RelOptInfo *rel)
{
	return rel && !IS_DUMMY_REL(rel) && !rel->fdwroutine &&
		(rel->reloptkind == RELOPT_BASEREL ||
		 rel->reloptkind == RELOPT_OTHER_MEMBER_REL) &&
		(rel->rtekind == RTE_RELATION || rel->rtekind == RTE_SUBQUERY) &&
		!root->simple_rte_array[rel->relid]->inh;
}

/*
 * Correct the number of rows of a relation by the present selectivities of its
 * clauses, and the sums of its parents.
 */
static void
correct_rows(PlannerInfo *root, RelOptInfo *rel)
{
	double		rows = clamp_row_est(rel->tuples *
									 clauselist_selectivity(root, rel->baserestrictinfo,
															0, JOIN_INNER, NULL));
	double		more = rows - rel->rows;
	Index		relid = rel->relid;

	rel->rows = rows;
	while (root->append_rel_array && root->append_rel_array[relid])
	{
		RelOptInfo *parent;
		bool		same;

		relid = root->append_rel_array[relid]->parent_relid;
		parent = root->simple_rel_array[relid];
		same = parent->tuples == parent->rows;
		parent->rows = clamp_row_est(parent->rows + more);
		if (same)
			parent->tuples = parent->rows;
	}
}

/*
 * Scale the number of rows of paths.  Paths of a subquery or of TABLESAMPLE
 * cost the same, however many rows they return.
 */
static void
scale_paths(RelOptInfo *rel, List *paths, double factor)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (!path->param_info && path->parent == rel)
			path->rows = clamp_row_est(path->rows * factor);
	}
}

/* Return the paths that other extensions added; they are kept. */
static List *
paths_of_others(List *paths)
{
	List	   *others = NIL;
	ListCell   *lc;

	foreach(lc, paths)
		if (IsA(lfirst(lc), CustomPath) || IsA(lfirst(lc), ForeignPath))
		others = lappend(others, lfirst(lc));
	return others;
}

/*
 * Make the paths of a relation.  Follows set_plain_rel_pathlist() and
 * create_plain_partial_paths() (copies.list).
 */
static void
make_paths(PlannerInfo *root, RelOptInfo *rel)
{
	Relids		required_outer = rel->lateral_relids;

	if (spq_create_tidscan_paths(root, rel))
		return;
	add_path(rel, create_seqscan_path(root, rel, required_outer, 0));
	if (rel->consider_parallel && !required_outer)
	{
		int			workers = compute_parallel_worker(rel, rel->pages, -1,
													  max_parallel_workers_per_gather);

		if (workers > 0)
			add_partial_path(rel, create_seqscan_path(root, rel, NULL, workers));
	}
	create_index_paths(root, rel);
}

static void
remake_paths(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *others = paths_of_others(rel->pathlist),
			   *partial_others = paths_of_others(rel->partial_pathlist);

	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	rel->ppilist = NIL;
	make_paths(root, rel);
	rel->pathlist = spq_insert_paths(rel->pathlist, others);
	rel->partial_pathlist = spq_insert_paths(rel->partial_pathlist, partial_others);
}

/* Estimate the conditions of one relation, and correct its size and paths. */
static void
estimate_rel(PlannerInfo *root, RelOptInfo *rel)
{
	double		rows = rel->rows;
	bool		spatial = spq_estimate_scan_clauses(root, rel),
				filters = spq_estimate_filters(root, rel);

	if (!spatial && !filters)
		return;
	correct_rows(root, rel);
	if (rel->pathlist == NIL)
		return;					/* paths are not made yet */
	if (rel->rtekind == RTE_SUBQUERY || root->simple_rte_array[rel->relid]->tablesample)
	{
		scale_paths(rel, rel->pathlist, rel->rows / rows);
		scale_paths(rel, rel->partial_pathlist, rel->rows / rows);
	}
	else
		remake_paths(root, rel);
}

/*
 * Return the relation whose paths PostgreSQL makes before all others: the
 * first base relation or, if it has children, its first child, and so on.
 */
static Index
first_relation(PlannerInfo *root)
{
	Index		relid = 1;

	while (relid < (Index) root->simple_rel_array_size &&
		   (!root->simple_rel_array[relid] ||
			root->simple_rel_array[relid]->reloptkind != RELOPT_BASEREL))
		relid++;
	while (relid < (Index) root->simple_rel_array_size &&
		   root->simple_rte_array[relid]->inh)
	{
		Index		child = 0;
		ListCell   *lc;

		foreach(lc, root->append_rel_list)
		{
			AppendRelInfo *appinfo = lfirst_node(AppendRelInfo, lc);

			if (appinfo->parent_relid == relid)
			{
				child = appinfo->child_relid;
				break;
			}
		}
		if (child == 0)
			break;
		relid = child;
	}
	return relid;
}

/*
 * Correct the sizes of all relations if "rel" is the first to have paths;
 * otherwise that of "rel", if it was left out then.
 */
void
spq_estimate_scans(PlannerInfo *root, RelOptInfo *rel)
{
	if (rel->relid == first_relation(root))
	{
		for (int relid = 1; relid < root->simple_rel_array_size; relid++)
			if (is_estimated_by_clauses(root, root->simple_rel_array[relid]))
				estimate_rel(root, root->simple_rel_array[relid]);
	}
	else if (is_estimated_by_clauses(root, rel))
		estimate_rel(root, rel);
}
