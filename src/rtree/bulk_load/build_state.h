/*-------------------------------------------------------------------------
 *
 * build_state.h
 *	  The common state of the files of CREATE INDEX.  See build.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_STATE_H
#define SPQ_RTREE_BULK_LOAD_BUILD_STATE_H

#include "access/relscan.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

#include "rtree/bulk_load/build_sort.h"
#include "rtree/class/row_ends.h"
#include "rtree/keys/code.h"
#include "rtree/page/page.h"
#include "rtree/place/units.h"

/*
 * The bytes that a leaf always has for rows, even if its last group has only
 * one.
 */
#define SPQ_RTREE_LEAF_SPACE(flags) \
	((Size) spq_rtree_space(flags) - spq_rtree_layout_of(0, flags)->size)

/* Phases in pg_stat_progress_create_index, after core's own first one. */
#define SPQ_RTREE_PHASE_SCAN	2
#define SPQ_RTREE_PHASE_SORT	3
#define SPQ_RTREE_PHASE_WRITE	4

/* The state of a build, in each of its processes. */
typedef struct SpqRtreeBuild
{
	Relation	heap;
	Relation	index;
	SpqRtreeRowEnds row_ends;
	TupleDesc	payload_desc;	/* NULL if there are no payloads */
	SpqRtreeCoder coder;
	int			axes;
	SpqRtreeUnits units;		/* unknown in two dimensions */
	uint16		leaf_flags;		/* of all leaves */
	uint16		inner_flags;	/* of all inner pages */
	int			leaf_max;		/* rows of a leaf, by the fillfactor */
	int			one_code_max;	/* the same, if all have one code */
	Size		leaf_size;		/* and their size, if they have payloads */
	int			inner_max;		/* downlinks of an inner page */
	int			subtree_max;	/* rows of a subtree */
	Size		subtree_size;	/* and their size, if they have payloads */
} SpqRtreeBuild;

/* Rows of the table, in this process or in all of them. */
typedef struct SpqRtreeBuildRows
{
	SpqRtreeSort *sort;			/* of those with a box ... */
	SpqRtreeSort *null_sort;	/* ... and those without */
	int64		count;			/* of those with a box, once sorted */
	int64		nulls;
	double		table_rows;
	bool		broken_hot_chain;
} SpqRtreeBuildRows;

/* Prepare for a build, and plan how full its pages are. */
extern void spq_rtree_build_init(SpqRtreeBuild *build, Relation heap, Relation index);

/* ---- build_pages.c: new pages, and writing them ---- */

/*
 * Extend the index by pages that are written later.  Return the block of the
 * first one.  Only one process may do so at a time.
 */
extern BlockNumber spq_rtree_build_extend(const SpqRtreeBuild *build, int count);

/* Write a page.  Each page is written once. */
extern void spq_rtree_build_write(const SpqRtreeBuild *build, BlockNumber block, Page page);

/*
 * build_units.c: the units of the axes, from a sample of the table's rows.
 */

/* Choose the units of the axes from a sample of the table's rows. */
extern void spq_rtree_sample_units(SpqRtreeBuild *build, IndexInfo *info);

/* ---- build_rows.c: the rows of the table ---- */

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

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_STATE_H */
