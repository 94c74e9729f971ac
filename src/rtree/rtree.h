/*-------------------------------------------------------------------------
 *
 * rtree.h
 *	  The access method as other folders see it, and the callbacks in this
 *	  folder.  The other callbacks are in headers of the subfolders.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_RTREE_H
#define SPQ_RTREE_RTREE_H

#include "access/amapi.h"
#include "access/genam.h"
#include "utils/rel.h"

#include "compat.h"
#include "rtree/bulk_load/build.h"

/* Return whether an index belongs to this access method. */
static inline bool
spq_rtree_is(Relation index)
{
	return index->rd_indam != NULL && index->rd_indam->ambuild == spq_rtree_build;
}

/* index_scan.c */
extern IndexScanDesc spq_rtree_begin_scan(Relation index, int nkeys, int norderbys);
extern void spq_rtree_rescan(IndexScanDesc scan, ScanKey keys, int nkeys,
							 ScanKey orderbys, int norderbys);
extern void spq_rtree_start_scan(IndexScanDesc scan);
extern bool spq_rtree_get_tuple(IndexScanDesc scan, ScanDirection direction);
extern int64 spq_rtree_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap);
extern void spq_rtree_end_scan(IndexScanDesc scan);
extern bool spq_rtree_can_return(Relation index, int attno);

/* scan_cost.c */
extern void spq_rtree_cost_estimate(struct PlannerInfo *root, struct IndexPath *path,
									double loop_count, Cost *startup, Cost *total,
									Selectivity *selectivity, double *correlation,
									double *pages);

/* compare_type.c */
extern CompareType spq_rtree_translate_strategy(StrategyNumber strategy, Oid opfamily);
extern StrategyNumber spq_rtree_translate_cmptype(CompareType type, Oid opfamily);

/* validate.c */
extern bool spq_rtree_validate(Oid opclass);
extern void spq_rtree_adjust_members(Oid opfamily, Oid opclass, List *operators, List *functions);

#endif							/* SPQ_RTREE_RTREE_H */
