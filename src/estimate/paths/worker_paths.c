/*-------------------------------------------------------------------------
 *
 * worker_paths.c
 *	  Which index scans workers can do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/clauses.h"

#include "estimate/paths/paths.h"

/*
 * Keep index scans out of workers if these cannot compute the operand of their
 * order.  It may be a parameter of an outer query, which does not reach a worker.
 * PostgreSQL does not check this, whatever the access method.
 */
void
spq_estimate_keep_orders_out_of_workers(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		IndexPath  *path = lfirst(lc);

		if (IsA(path, IndexPath) && path->path.parallel_safe &&
			!is_parallel_safe(root, (Node *) path->indexorderbys))
			path->path.parallel_safe = false;
	}
}
