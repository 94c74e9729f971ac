/*-------------------------------------------------------------------------
 *
 * build_rows.c
 *	  The rows of the table on their way to the sorts of CREATE INDEX.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "rtree/bulk_load/build_state.h"
#include "rtree/class/class.h"
#include "rtree/keys/payload.h"

typedef struct RowScan
{
	const SpqRtreeBuild *build;
	SpqRtreeBuildRows *rows;
	MemoryContext row_context;	/* reset after each row */
} RowScan;

void
spq_rtree_begin_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows, int memory,
					 SortCoordinate coordinate, SortCoordinate null_coordinate)
{
	bool		keyed = (build->inner_flags & SPQ_RTREE_KEYED) != 0;

	memset(rows, 0, sizeof(*rows));
	rows->sort = spq_rtree_sort_begin(memory, build->axes, &build->units, keyed, coordinate);

	/* these are few, and as in nbtree they get no more than work_mem */
	rows->null_sort = spq_rtree_sort_begin(Min(memory, work_mem), build->axes, &build->units,
										   keyed, null_coordinate);
}

static void
add_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		bool tuple_is_alive, void *state)
{
	RowScan    *scan = state;
	const SpqRtreeBuild *build = scan->build;
	MemoryContext old = MemoryContextSwitchTo(scan->row_context);
	SpqRtreeRow row = {.tid = *tid};

	row.payload = (const char *) spq_rtree_form_payload(index, build->payload_desc,
														values, isnull);
	row.code = spq_rtree_code_of(&build->coder, values, isnull);
	if (spq_rtree_row_ends(&build->row_ends, values, isnull, row.ends))
		spq_rtree_sort_row(scan->rows->sort, &row);
	else
		spq_rtree_sort_row_by_tid(scan->rows->null_sort, &row);
	MemoryContextSwitchTo(old);
	MemoryContextReset(scan->row_context);
}

void
spq_rtree_scan_rows(const SpqRtreeBuild *build, SpqRtreeBuildRows *rows, IndexInfo *info,
					TableScanDesc scan_desc, bool progress)
{
	RowScan		scan = {.build = build,.rows = rows};

	scan.row_context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build row",
											 ALLOCSET_DEFAULT_SIZES);
	rows->table_rows = table_index_build_scan(build->heap, build->index, info, true,
											  progress, add_row, &scan, scan_desc);
	rows->broken_hot_chain = info->ii_BrokenHotChain;
	MemoryContextDelete(scan.row_context);
}

void
spq_rtree_sort_rows(SpqRtreeBuildRows *rows)
{
	rows->count += spq_rtree_sort_perform(rows->sort);
	rows->nulls += spq_rtree_sort_perform(rows->null_sort);
}

void
spq_rtree_end_rows(SpqRtreeBuildRows *rows)
{
	spq_rtree_sort_end(rows->sort);
	spq_rtree_sort_end(rows->null_sort);
}
