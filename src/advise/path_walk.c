/*-------------------------------------------------------------------------
 *
 * path_walk.c
 *	  A walk over the paths that make up a plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/pathnodes.h"

#include "compat.h"
#include "advise/advise.h"

#define CHILD(type, field) list_make1(((type *) path)->field)

/* Return the paths from which a path reads. */
static List *
children(Path *path)
{
	switch (nodeTag(path))
	{
		case T_NestPath:
		case T_MergePath:
		case T_HashPath:
			return list_make2(((JoinPath *) path)->outerjoinpath,
							  ((JoinPath *) path)->innerjoinpath);
		case T_AppendPath:
			return ((AppendPath *) path)->subpaths;
		case T_MergeAppendPath:
			return ((MergeAppendPath *) path)->subpaths;
		case T_CustomPath:
			return ((CustomPath *) path)->custom_paths;
		case T_RecursiveUnionPath:
			return list_make2(((RecursiveUnionPath *) path)->leftpath,
							  ((RecursiveUnionPath *) path)->rightpath);
		case T_SetOpPath:
			return spq_setop_children(path);
		case T_UniquePath:
			return CHILD(UniquePath, subpath);
			SPQ_CASE_UPPER_UNIQUE
		case T_MaterialPath:
			return CHILD(MaterialPath, subpath);
		case T_MemoizePath:
			return CHILD(MemoizePath, subpath);
		case T_GatherPath:
			return CHILD(GatherPath, subpath);
		case T_GatherMergePath:
			return CHILD(GatherMergePath, subpath);
		case T_ProjectionPath:
			return CHILD(ProjectionPath, subpath);
		case T_ProjectSetPath:
			return CHILD(ProjectSetPath, subpath);
		case T_SortPath:
		case T_IncrementalSortPath:
			return CHILD(SortPath, subpath);
		case T_GroupPath:
			return CHILD(GroupPath, subpath);
		case T_AggPath:
			return CHILD(AggPath, subpath);
		case T_GroupingSetsPath:
			return CHILD(GroupingSetsPath, subpath);
		case T_WindowAggPath:
			return CHILD(WindowAggPath, subpath);
		case T_LockRowsPath:
			return CHILD(LockRowsPath, subpath);
		case T_LimitPath:
			return CHILD(LimitPath, subpath);
		case T_ModifyTablePath:
			return CHILD(ModifyTablePath, subpath);
		default:
			return NIL;
	}
}

/* Visit a path and all below it, each with its query level. */
void
spq_advise_paths(PlannerInfo *root, Path *path, SpqAdviseVisit visit, void *arg)
{
	ListCell   *lc;

	if (path == NULL)
		return;
	visit(root, path, arg);
	if (IsA(path, SubqueryScanPath))
	{
		spq_advise_paths(path->parent->subroot, ((SubqueryScanPath *) path)->subpath, visit, arg);
		return;
	}
	if (IsA(path, MinMaxAggPath))
	{
		foreach(lc, ((MinMaxAggPath *) path)->mmaggregates)
		{
			MinMaxAggInfo *info = lfirst_node(MinMaxAggInfo, lc);

			spq_advise_paths(info->subroot, info->path, visit, arg);
		}
		return;
	}
	foreach(lc, children(path))
		spq_advise_paths(root, lfirst(lc), visit, arg);
}
