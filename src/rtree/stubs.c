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

/* scan.c */
IndexScanDesc spq_rtree_begin_scan(Relation index, int nkeys, int norderbys) { MISSING; return NULL; }
void spq_rtree_rescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys, int norderbys) { MISSING; }
bool spq_rtree_get_tuple(IndexScanDesc scan, ScanDirection direction) { MISSING; return false; }
int64 spq_rtree_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap) { MISSING; return 0; }
void spq_rtree_end_scan(IndexScanDesc scan) { MISSING; }
bool spq_rtree_can_return(Relation index, int attno) { return false; }

/* cost.c */
void spq_rtree_cost_estimate(struct PlannerInfo *root, struct IndexPath *path, double loop_count, Cost *startup, Cost *total, Selectivity *selectivity, double *correlation, double *pages) { *startup = *total = 0; *selectivity = *correlation = *pages = 0; }
