/*-------------------------------------------------------------------------
 *
 * scan_paths.h
 *	  Sizes of base relations, and the paths that were made for other sizes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SCAN_PATHS_H
#define SPQ_ESTIMATE_SCAN_SCAN_PATHS_H

#include "nodes/pathnodes.h"

extern void spq_estimate_scans(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_SCAN_SCAN_PATHS_H */
