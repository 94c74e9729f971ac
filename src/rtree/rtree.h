/*-------------------------------------------------------------------------
 *
 * rtree.h
 *	  The access method's callbacks, each in the file named behind it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_RTREE_H
#define SPQ_RTREE_RTREE_H

#include "access/amapi.h"
#include "access/genam.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

#include "compat.h"

/* build.c */
extern IndexBuildResult *spq_rtree_build(Relation heap, Relation index, IndexInfo *info);
extern void spq_rtree_build_empty(Relation index);
extern char *spq_rtree_build_phase_name(int64 phase);

/* Return whether an index is one of this access method. */
static inline bool
spq_rtree_is(Relation index)
{
	return index->rd_indam != NULL && index->rd_indam->ambuild == spq_rtree_build;
}

/* insert.c */
extern bool spq_rtree_insert(Relation index, Datum *values, bool *isnull,
							 ItemPointer tid, Relation heap,
							 IndexUniqueCheck check, bool unchanged,
							 IndexInfo *info);

/* scan.c */
extern IndexScanDesc spq_rtree_begin_scan(Relation index, int nkeys, int norderbys);
extern void spq_rtree_rescan(IndexScanDesc scan, ScanKey keys, int nkeys,
							 ScanKey orderbys, int norderbys);
extern bool spq_rtree_get_tuple(IndexScanDesc scan, ScanDirection direction);
extern int64 spq_rtree_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap);
extern void spq_rtree_end_scan(IndexScanDesc scan);
extern bool spq_rtree_can_return(Relation index, int attno);

/* parallel_scan.c */
extern Size spq_rtree_estimate_parallel_scan(SPQ_ESTIMATE_PARALLEL_SCAN_ARGS);
extern void spq_rtree_init_parallel_scan(void *target);
extern void spq_rtree_parallel_rescan(IndexScanDesc scan);

/* vacuum.c */
extern IndexBulkDeleteResult *spq_rtree_bulk_delete(IndexVacuumInfo *info,
													IndexBulkDeleteResult *stats,
													IndexBulkDeleteCallback callback,
													void *callback_state);
extern IndexBulkDeleteResult *spq_rtree_vacuum_cleanup(IndexVacuumInfo *info,
													   IndexBulkDeleteResult *stats);

/* scan_cost.c */
extern void spq_rtree_cost_estimate(struct PlannerInfo *root, struct IndexPath *path,
									double loop_count, Cost *startup, Cost *total,
									Selectivity *selectivity, double *correlation,
									double *pages);

/* options.c */
extern bytea *spq_rtree_options(Datum options, bool validate);
extern int	spq_rtree_fillfactor(Relation index);

/* validate.c */
extern bool spq_rtree_validate(Oid opclass);

#endif							/* SPQ_RTREE_RTREE_H */
