/*-------------------------------------------------------------------------
 *
 * index_paths.h
 *	  Index scans inside nested loops, costed again for the rows that they will
 *	  return.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_INDEX_PATHS_H
#define SPQ_ESTIMATE_PATHS_INDEX_PATHS_H

#include "nodes/pathnodes.h"

extern List *spq_estimate_index_scans(PlannerInfo *root, RelOptInfo *rel);
extern void spq_estimate_index_paths(PlannerInfo *root, RelOptInfo *rel,
									 List *primed, List *implied);

#endif							/* SPQ_ESTIMATE_PATHS_INDEX_PATHS_H */
