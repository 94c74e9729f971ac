/*-------------------------------------------------------------------------
 *
 * implied_paths.h
 *	  Index scans for conditions that imply an index condition.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PATHS_IMPLIED_PATHS_H
#define SPQ_ESTIMATE_PATHS_IMPLIED_PATHS_H

#include "nodes/pathnodes.h"

/* A join condition, and one that it implies. */
typedef struct SpqEstimateImplied
{
	RestrictInfo *condition;
	RestrictInfo *implied;
} SpqEstimateImplied;

extern List *spq_estimate_implied_paths(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_PATHS_IMPLIED_PATHS_H */
