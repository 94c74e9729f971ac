/*-------------------------------------------------------------------------
 *
 * build_rows.h
 *	  CREATE INDEX: the rows of the table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_ROWS_H
#define SPQ_RTREE_BULK_LOAD_BUILD_ROWS_H

#include "access/relscan.h"
#include "nodes/execnodes.h"

#include "rtree/bulk_load/build_state.h"

/* Begin the sorts; "memory" is in kilobytes. */
extern void spq_rtree_begin_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows,
								 int memory, SortCoordinate coordinate,
								 SortCoordinate null_coordinate);

/*
 * Pass the rows of the table to the sorts: all, or those of this process's part
 * of a parallel scan.
 */
extern void spq_rtree_scan_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows,
								IndexInfo *info, TableScanDesc scan, bool progress);

extern void spq_rtree_sort_rows(SpqRtreeBuildRows *rows);
extern void spq_rtree_end_rows(SpqRtreeBuildRows *rows);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_ROWS_H */
