/*-------------------------------------------------------------------------
 *
 * build.c
 *	  CREATE INDEX: sort the rows along a curve, and pack them into pages.
 *
 * The rows of the table (build_rows.c) are sorted along the Hilbert curve
 * through the centers of their boxes (build_sort.c), and read in subtrees: a
 * subtree is what the leaves of one inner page have room for (build_read.c).
 * Within a subtree, the order of the curve does not matter: pack.c cuts it into
 * leaves (build_subtree.c).  The levels above are built from the downlinks
 * (build_tree.c): level 1 from those of many subtrees, a region.
 *
 *		sorted rows	 [ subtree       ][ subtree    ] .. [ subtree	   ]
 *		leaves		 | leaf | .. leaf | leaf | ..   | .. | leaf | ..	   |
 *		level 1		 | inner page | inner page | ..   of a region	   |
 *
 * Other processes may take part in this (build_parallel.c, build_queue.c); the
 * index is the same.
 *
 * No other transaction knows the index yet.  So pages are written in any order,
 * each once and, if the index needs WAL, with an image in the WAL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/xloginsert.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "rtree/bulk_load/build.h"
#include "rtree/bulk_load/build_queue.h"
#include "rtree/bulk_load/build_state.h"
#include "rtree/class/class.h"
#include "rtree/keys/payload.h"
#include "rtree/page/append_row.h"

char *
spq_rtree_build_phase_name(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case SPQ_RTREE_PHASE_SCAN:
			return "scanning table";
		case SPQ_RTREE_PHASE_SORT:
			return "sorting";
		case SPQ_RTREE_PHASE_WRITE:
			return "writing pages";
		default:
			return NULL;
	}
}

/* Write the rows without a box.  Return the last page of their chain. */
static BlockNumber
write_nulls(const SpqRtreeBuild *build, const SpqRtreeBuildRows *rows)
{
	BlockNumber block = SPQ_RTREE_NULLS;
	PGAlignedBlock page;
	char	   *payload = palloc(SPQ_RTREE_PAYLOAD_MAX);
	uint8		key[SPQ_RTREE_SORT_KEY_SIZE];
	SpqRtreeRow row;

	spq_rtree_page_init(page.data, 0, build->leaf_flags | SPQ_RTREE_IS_NULLS);
	while (spq_rtree_sort_next(rows->null_sort, &row, key, payload))
	{
		if (!spq_rtree_page_has_room(page.data, spq_rtree_payload_size(&row)))
		{
			BlockNumber next = spq_rtree_build_extend(build, 1);

			spq_rtree_special(page.data)->next = next;
			spq_rtree_build_write(build, block, page.data);
			block = next;
			spq_rtree_page_init(page.data, 0, build->leaf_flags | SPQ_RTREE_IS_NULLS);
			CHECK_FOR_INTERRUPTS();
		}
		spq_rtree_append_row(page.data, &row);
	}
	spq_rtree_build_write(build, block, page.data);
	pfree(payload);
	return block;
}

/* Write all sorted rows and the levels above them. */
static void
write_tree(SpqRtreeBuild *build, const SpqRtreeBuildRows *rows,
		   SpqRtreeBuildParallel *parallel, SpqRtreeMeta *meta)
{
	SpqRtreeBuildTree *tree = spq_rtree_tree_begin(build);
	SpqRtreeBuildQueue *queue;

	if (parallel != NULL)
		queue = spq_rtree_build_parallel_queue(parallel);
	else
	{
		build->subtree_max = Min(build->subtree_max, Max(rows->count, 1));
		queue = palloc_extended(spq_rtree_queue_space(build, 0), MCXT_ALLOC_HUGE);
		spq_rtree_queue_init(queue, build, 0);
	}
	spq_rtree_queue_lead(queue, build, rows, tree);
	spq_rtree_tree_end(tree, meta);
}

/* ----------------------------------------------------------------
 *		Callbacks
 * ----------------------------------------------------------------
 */

/* Report the phase of the build, for pg_stat_progress_create_index. */
static void
begin_phase(int phase)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, phase);
}

/*
 * Raise an error if this session knows other support functions of an operator
 * class than the catalog has.  PostgreSQL reads those of a class once in a
 * session, so after an update of an extension the index would get what the old
 * class stores.
 */
static void
check_support_functions(Relation index)
{
	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
	{
		Oid			type = index->rd_opcintype[i];

		for (int proc = 1; proc <= SPQ_RTREE_PROCS; proc++)
			if (index_getprocid(index, i + 1, proc) !=
				get_opfamily_proc(index->rd_opfamily[i], type, type, proc))
				ereport(ERROR,
						(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						 errmsg("operator class of index \"%s\" was updated during this session",
								RelationGetRelationName(index)),
						 errhint("Connect again.")));
	}
}

IndexBuildResult *
spq_rtree_build(Relation heap, Relation index, IndexInfo *info)
{
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Page		meta_page = palloc(BLCKSZ);
	SpqRtreeBuild build;
	SpqRtreeBuildRows rows;
	SpqRtreeBuildParallel *parallel;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data",
			 RelationGetRelationName(index));
	spq_rtree_check_columns(index);
	check_support_functions(index);
	spq_rtree_build_init(&build, heap, index);

	begin_phase(SPQ_RTREE_PHASE_SCAN);
	if (build.axes == 3)
		spq_rtree_sample_units(&build, info);
	parallel = spq_rtree_build_parallel_begin(&build, info, &rows);
	if (parallel != NULL)
		info->ii_BrokenHotChain |= rows.broken_hot_chain;
	else
	{
		spq_rtree_begin_rows(&build, &rows, maintenance_work_mem, NULL, NULL);
		spq_rtree_scan_rows(&build, &rows, info, NULL, true);
	}

	begin_phase(SPQ_RTREE_PHASE_SORT);
	spq_rtree_sort_rows(&rows);

	begin_phase(SPQ_RTREE_PHASE_WRITE);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL, rows.count);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, 0);
	spq_rtree_meta_init(meta_page, build.axes, build.coder.nscalars);

	/* the pages with fixed blocks */
	spq_rtree_build_extend(&build, SPQ_RTREE_NULLS + 1);
	write_tree(&build, &rows, parallel, spq_rtree_meta(meta_page));
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, rows.count);
	spq_rtree_meta(meta_page)->null_page = write_nulls(&build, &rows);
	spq_rtree_build_write(&build, SPQ_RTREE_META, meta_page);

	spq_rtree_end_rows(&rows);
	if (parallel != NULL)
		spq_rtree_build_parallel_end(parallel);

	result->heap_tuples = rows.table_rows;
	result->index_tuples = rows.count + rows.nulls;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/* Write one page of the init fork of an unlogged index. */
static void
write_init_page(Relation index, BlockNumber block, Page page)
{
	Buffer		buffer = spq_extend_new_relation(index, INIT_FORKNUM);

	if (BufferGetBlockNumber(buffer) != block)
		elog(ERROR, "init fork of index \"%s\" has the wrong size",
			 RelationGetRelationName(index));
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	memcpy(BufferGetPage(buffer), page, BLCKSZ);
	MarkBufferDirty(buffer);
	log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}

void
spq_rtree_build_empty(Relation index)
{
	Page		page = palloc(BLCKSZ);
	uint16		flags;

	spq_rtree_check_columns(index);
	flags = spq_rtree_new_leaf_flags(index);
	spq_rtree_meta_init(page, spq_rtree_axes(index), spq_rtree_box_column(index) - 1);
	write_init_page(index, SPQ_RTREE_META, page);
	spq_rtree_page_init(page, 0, flags);
	write_init_page(index, SPQ_RTREE_ROOT, page);
	spq_rtree_page_init(page, 0, flags | SPQ_RTREE_IS_NULLS);
	write_init_page(index, SPQ_RTREE_NULLS, page);
	pfree(page);
}
