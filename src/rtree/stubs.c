/*-------------------------------------------------------------------------
 *
 * stubs.c
 *	  Callbacks that do not exist yet.  Whoever writes one removes it here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "rtree/rtree.h"

#define MISSING elog(ERROR, "%s does not exist yet", __func__)


/* cost.c */
void spq_rtree_cost_estimate(struct PlannerInfo *root, struct IndexPath *path, double loop_count, Cost *startup, Cost *total, Selectivity *selectivity, double *correlation, double *pages) { *startup = *total = 0; *selectivity = *correlation = *pages = 0; }
