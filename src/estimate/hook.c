/*-------------------------------------------------------------------------
 *
 * hook.c
 *	  Where the planner gets the estimates: after the paths of a base relation
 *	  are made, and before any join is planned.
 *
 *		scan_paths		sizes of base relations, and their paths
 *		selectivity		join clauses
 *		implied_paths	index scans for implied conditions
 *		index_paths		index scans parameterized by join clauses
 *
 * There, too, index scans are kept out of workers that could not do them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/clauses.h"
#include "optimizer/paths.h"

#include "estimate/cache/sample_cache.h"
#include "estimate/hook.h"
#include "estimate/join/selectivity.h"
#include "estimate/paths/implied_paths.h"
#include "estimate/paths/index_paths.h"
#include "estimate/paths/own_index.h"
#include "estimate/scan/scan_paths.h"
#include "settings.h"

amcostestimate_function spq_estimate_own_costs = NULL;

static set_rel_pathlist_hook_type previous_hook = NULL;

/*
 * Keep index scans out of workers if these cannot compute the operand of their
 * order.  It may be a parameter of an outer query, which does not reach a worker.
 * PostgreSQL does not check this, whatever the access method.
 */
static void
keep_orders_out_of_workers(PlannerInfo *root, RelOptInfo *rel)
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

static void
rel_pathlist_hook(PlannerInfo *root, RelOptInfo *rel, Index rti,
				  RangeTblEntry *rte)
{
	List	   *primed,
			   *implied;

	if (!spq_enable)
	{
		if (previous_hook)
			previous_hook(root, rel, rti, rte);
		keep_orders_out_of_workers(root, rel);
		return;
	}

	/*
	 * Call the previous hook afterwards, so that other extensions see the
	 * final sizes, and all paths of a table some of whose rows they keep
	 * elsewhere.
	 */
	spq_estimate_scans(root, rel);
	primed = spq_estimate_prime_clauses(root, rel);
	implied = spq_estimate_implied_paths(root, rel);
	if (previous_hook)
		previous_hook(root, rel, rti, rte);
	keep_orders_out_of_workers(root, rel);
	if (primed != NIL)
		spq_estimate_index_paths(root, rel, primed, implied);
}

/* Install the hook.  "own_costs" is the cost function of our access method. */
void
spq_estimate_init(amcostestimate_function own_costs)
{
	spq_estimate_own_costs = own_costs;
	spq_estimate_cache_init();
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = rel_pathlist_hook;
}
