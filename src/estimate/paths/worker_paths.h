/*-------------------------------------------------------------------------
 *
 * worker_paths.h
 *	  Which index scans workers can do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_WORKER_PATHS_H
#define SPQ_ESTIMATE_PATHS_WORKER_PATHS_H

#include "nodes/pathnodes.h"

extern void spq_estimate_keep_orders_out_of_workers(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_PATHS_WORKER_PATHS_H */
