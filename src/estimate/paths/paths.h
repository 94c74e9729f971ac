/*-------------------------------------------------------------------------
 *
 * paths.h
 *	  Index scans inside nested loops, and for implied conditions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_PATHS_H
#define SPQ_ESTIMATE_PATHS_PATHS_H

#include "access/amapi.h"
#include "nodes/pathnodes.h"

/*
 * The access method uses estimates, so this folder must not use its files.
 * Instead, its cost function identifies its indexes; _PG_init() sets it.
 */

/* The cost function of our access method. */
extern amcostestimate_function spq_estimate_own_costs;

/*
 * Return whether an index belongs to our access method, whatever its name is.
 */
static inline bool
spq_estimate_is_own_index(const IndexOptInfo *index)
{
	return index->amcostestimate == spq_estimate_own_costs;
}

/* implied_paths.c */

/* A join condition, and one that it implies. */
typedef struct SpqEstimateImplied
{
	RestrictInfo *condition;
	RestrictInfo *implied;
} SpqEstimateImplied;

extern List *spq_estimate_implied_paths(PlannerInfo *root, RelOptInfo *rel);

/* index_paths.c */
extern List *spq_estimate_index_scans(PlannerInfo *root, RelOptInfo *rel);
extern void spq_estimate_index_paths(PlannerInfo *root, RelOptInfo *rel,
									 List *primed, List *implied);
extern void spq_estimate_keep_orders_out_of_workers(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_PATHS_PATHS_H */
