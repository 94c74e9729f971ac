/*-------------------------------------------------------------------------
 *
 * build.h
 *	  What the files of CREATE INDEX share.  See build.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BUILD_BUILD_H
#define SPQ_RTREE_BUILD_BUILD_H

#include "access/relscan.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

#include "rtree/build/build_sort.h"
#include "rtree/keys/code.h"
#include "rtree/page/page.h"
#include "rtree/place/units.h"

/* Return the most bytes that rows of a leaf take in any case: its last group may be nearly empty. */
#define SPQ_RTREE_LEAF_SPACE(flags) \
	((Size) spq_rtree_space(flags) - spq_rtree_layout_of(0, flags)->size)

/* Phases in pg_stat_progress_create_index, behind core's own first one. */
#define SPQ_RTREE_PHASE_SCAN	2
#define SPQ_RTREE_PHASE_SORT	3
#define SPQ_RTREE_PHASE_WRITE	4

/* What all processes of a build know. */
typedef struct SpqRtreeBuild
{
	Relation	heap;
	Relation	index;
	FmgrInfo   *ends_proc;
	TupleDesc	payload_desc;	/* NULL if there are no payloads */
	SpqRtreeCoder coder;
	int			axes;
	SpqRtreeUnits units;		/* unknown in two dimensions */
	uint16		leaf_flags;		/* of all leaves */
	uint16		inner_flags;	/* of all inner pages */
	int			leaf_max;		/* rows of a leaf, by the fillfactor */
	int			one_code_max;	/* the same, of one code */
	Size		leaf_size;		/* and their size, if they have payloads */
	int			inner_max;		/* downlinks of an inner page */
	int			group_max;		/* rows of a group */
	Size		group_size;		/* and their size, if they have payloads */
} SpqRtreeBuild;

/* Rows of the table, in this process or in all of them. */
typedef struct SpqRtreeBuildRows
{
	SpqRtreeSort *sort;			/* of those with a box ... */
	SpqRtreeSort *null_sort;	/* ... and those without */
	int64		count;			/* of those with a box, when sorted */
	int64		nulls;
	double		table_rows;
	bool		broken_hot_chain;
} SpqRtreeBuildRows;

/* build_units.c */

/* Choose the units of the axes by some of the table's rows. */
extern void spq_rtree_sample_units(SpqRtreeBuild *build, IndexInfo *info);

/* build_rows.c */

/* Begin the sorts; "memory" is in kilobytes. */
extern void spq_rtree_begin_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows,
								 int memory, SortCoordinate coordinate,
								 SortCoordinate null_coordinate);

/* Hand the rows of the table to the sorts: all, or those of this part of a parallel scan. */
extern void spq_rtree_scan_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows,
								IndexInfo *info, TableScanDesc scan, bool progress);

extern void spq_rtree_sort_rows(SpqRtreeBuildRows *rows);
extern void spq_rtree_end_rows(SpqRtreeBuildRows *rows);

/* build.c */
extern void spq_rtree_build_init(SpqRtreeBuild *build, Relation heap, Relation index);

/*
 * Extend the index by pages, to be written later, and return the first one's number.
 * Only one process may do so at a time.
 */
extern BlockNumber spq_rtree_build_extend(const SpqRtreeBuild *build, int count);

/* Write a page for good. */
extern void spq_rtree_build_write(const SpqRtreeBuild *build, BlockNumber block, Page page);

#endif							/* SPQ_RTREE_BUILD_BUILD_H */
