/*-------------------------------------------------------------------------
 *
 * build.c
 *	  CREATE INDEX: sort the rows along a curve, and pack them into pages.
 *
 * The rows of the table are sorted in the order of the Hilbert curve through the
 * middles of their boxes (build_sort.c), and taken group by group: a group is what
 * the leaves of one inner page hold.  It ends where the curve crosses the border of
 * a large cell, so that groups are compact.  Within a group the order of the curve
 * means nothing: pack.c cuts it into leaves.
 *
 *		sorted rows	 [ group          ][ group      ][ group		   ]
 *		leaves		 | leaf | .. leaf | leaf | ..   | leaf | ..	   |
 *		level 1		 | inner page     | inner page  | inner page   |
 *
 * What is above is little, and stays in memory: the downlinks of a level are
 * packed in the same manner, until they fit the root.
 *
 * Nobody else knows of the index yet.  So pages are written without WAL, and
 * logged as a whole at the end, if at all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/tableam.h"
#include "access/xloginsert.h"
#include "catalog/index.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "compat.h"
#include "rtree/build_sort.h"
#include "rtree/class.h"
#include "rtree/pack.h"
#include "rtree/page.h"
#include "rtree/payload.h"
#include "rtree/rtree.h"

/* Phases in pg_stat_progress_create_index, behind core's own first one. */
#define PHASE_SCAN		2
#define PHASE_SORT		3
#define PHASE_WRITE		4

/* How often the number of rows written is reported, and interrupts are served. */
#define REPORT_ROWS		1024

/* A level under construction. */
typedef struct Level
{
	BlockNumber next;			/* the block of its next page */
	SpqRtreeDownlink *downlinks;	/* of its pages, from left to right */
	int			count;
	int			space;
} Level;

typedef struct Build
{
	Relation	index;
	FmgrInfo   *ends_proc;
	TupleDesc	payload_desc;	/* NULL if there are no INCLUDE columns */
	uint16		leaf_flags;		/* of all leaves: SPQ_RTREE_WIDE or none */
	int			leaf_max;		/* rows of a leaf, by the fillfactor */
	Size		leaf_size;		/* and their size, if they have payloads */
	int			inner_max;		/* downlinks of an inner page */
	double		rows;			/* of the index */
	MemoryContext row_context;	/* reset after each row of the table */

	/* Writing. */
	Page		page;			/* under construction */
	BlockNumber nblocks;
	Level		levels[SPQ_RTREE_LEVELS];
	SpqRtreeMeta *meta;

	/* The chain of NULLs. */
	Page		null_page;
	BlockNumber null_block;

	SpqRtreeSort *sort;
	int64		nsorted;		/* rows in it ... */
	int64		nread;			/* ... and those read again */

	/* A group of rows. */
	MemoryContext group_context;	/* the payloads */
	SpqRtreeRow *group;
	uint8	   *common;			/* how many bits of its key are those of the
								 * row before */
	SpqRtreePackItem *items;
	int		   *page_end;
	int			ngroup;
	int			group_max;
	Size		group_size;
	uint8		last_key[SPQ_RTREE_KEY_SIZE];
} Build;

char *
spq_rtree_build_phase_name(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case PHASE_SCAN:
			return "scanning table";
		case PHASE_SORT:
			return "sorting";
		case PHASE_WRITE:
			return "writing pages";
		default:
			return NULL;
	}
}

/* Extend the index by a page, to be written later, and return its number. */
static BlockNumber
allocate(Build *build)
{
	Buffer		buffer = spq_extend_new_relation(build->index, MAIN_FORKNUM);
	BlockNumber block = BufferGetBlockNumber(buffer);

	ReleaseBuffer(buffer);
	build->nblocks = block + 1;
	return block;
}

static void
write_page(Build *build, BlockNumber block, Page page)
{
	Buffer		buffer = ReadBuffer(build->index, block);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	memcpy(BufferGetPage(buffer), page, BLCKSZ);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
}

/* ----------------------------------------------------------------
 *		Rows of the table
 * ----------------------------------------------------------------
 */

/* Append a row without a box to the chain of NULLs. */
static void
add_null(Build *build, const SpqRtreeRow *row)
{
	if (!spq_rtree_page_has_room(build->null_page, spq_rtree_payload_size(row)))
	{
		BlockNumber next = allocate(build);

		spq_rtree_special(build->null_page)->next = next;
		write_page(build, build->null_block, build->null_page);
		build->null_block = next;
		spq_rtree_page_init(build->null_page, 0,
							build->leaf_flags | SPQ_RTREE_IS_NULLS);
	}
	spq_rtree_append_row(build->null_page, row);
}

static void
add_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		bool tuple_is_alive, void *state)
{
	Build	   *build = state;
	MemoryContext old = MemoryContextSwitchTo(build->row_context);
	SpqRtreeRow row = {.tid = *tid};

	row.payload = (const char *) spq_rtree_form_payload(index, build->payload_desc,
														values, isnull);
	if (isnull[0])
		add_null(build, &row);
	else
	{
		spq_rtree_class_ends(build->ends_proc, values[0], row.ends);
		spq_rtree_sort_row(build->sort, &row);
	}
	build->rows++;
	MemoryContextSwitchTo(old);
	MemoryContextReset(build->row_context);
}

/* ----------------------------------------------------------------
 *		Pages of a level
 * ----------------------------------------------------------------
 */

/* Make the next page of a level, in build->page. */
static void
begin_page(Build *build, int level)
{
	spq_rtree_page_init(build->page, level, level == 0 ? build->leaf_flags : 0);
}

/*
 * Write build->page as the next page of its level, and note its downlink.  If
 * there will be one more page, take its block, so that the link to the right
 * and the downlink's stop are known.
 */
static void
end_page(Build *build, bool more)
{
	SpqRtreeSpecial *special = spq_rtree_special(build->page);
	Level	   *level = &build->levels[special->level];
	SpqRtreeDownlink *downlink;

	if (!BlockNumberIsValid(level->next))
	{
		level->next = allocate(build);
		build->meta->first[special->level] = level->next;
	}
	if (level->count == level->space)
	{
		Size		space = Max(level->space * 2, 256);

		level->downlinks = level->downlinks == NULL ?
			palloc(space * sizeof(SpqRtreeDownlink)) :
			repalloc_huge(level->downlinks, space * sizeof(SpqRtreeDownlink));
		level->space = space;
	}
	downlink = &level->downlinks[level->count++];
	downlink->bounds = special->bounds;
	downlink->child = level->next;
	level->next = more ? allocate(build) : InvalidBlockNumber;
	downlink->stop = special->splits;
	special->next = level->next;
	write_page(build, downlink->child, build->page);
	CHECK_FOR_INTERRUPTS();
}

/* A row of the group, by its place in the table. */
typedef struct TableOrder
{
	uint64		tid;
	uint32		number;
} TableOrder;

#define ST_SORT sort_by_table
#define ST_ELEMENT_TYPE TableOrder
#define ST_COMPARE(a, b) ((a)->tid < (b)->tid ? -1 : (a)->tid > (b)->tid)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Append to the page under construction the downlinks of items. */
static void
add_downlinks(Build *build, const SpqRtreeDownlink *downlinks,
			  const SpqRtreePackItem *items, int count)
{
	for (int i = 0; i < count; i++)
		spq_rtree_append_downlink(build->page, &downlinks[items[i].number]);
}

/*
 * Append to the page under construction the rows of items, in the order of the
 * table: a scan that fetches them then visits a page of the table once, and goes
 * forward.
 */
static void
add_rows(Build *build, const SpqRtreePackItem *items, int count)
{
	TableOrder	order[SPQ_RTREE_LEAF_MAX];

	Assert(count <= SPQ_RTREE_LEAF_MAX);
	for (int i = 0; i < count; i++)
	{
		const ItemPointerData *tid = &build->group[items[i].number].tid;

		order[i].tid = (uint64) ItemPointerGetBlockNumberNoCheck(tid) << 16 |
			ItemPointerGetOffsetNumberNoCheck(tid);
		order[i].number = items[i].number;
	}
	sort_by_table(order, count);
	for (int i = 0; i < count; i++)
		spq_rtree_append_row(build->page, &build->group[order[i].number]);
}

/* Write the root, if the downlinks of a level fit it. */
static bool
write_root(Build *build, int level)
{
	const Level *below = &build->levels[level];

	if (below->count > SPQ_RTREE_INNER_MAX)
		return false;
	begin_page(build, level + 1);
	for (int i = 0; i < below->count; i++)
		spq_rtree_append_downlink(build->page, &below->downlinks[i]);
	write_page(build, SPQ_RTREE_ROOT, build->page);
	return true;
}

/*
 * Write pages of the next level, with the downlinks of this one, and forget
 * these.
 */
static void
write_level_above(Build *build, int level, bool more)
{
	Level	   *below = &build->levels[level];
	SpqRtreePackItem *items = palloc_extended(below->count * sizeof(SpqRtreePackItem),
											  MCXT_ALLOC_HUGE);
	int		   *page_end = palloc_extended(below->count * sizeof(int), MCXT_ALLOC_HUGE);
	int			npages = 1;

	Assert(level + 1 < SPQ_RTREE_LEVELS - 1);
	for (int i = 0; i < below->count; i++)
	{
		items[i].bounds = below->downlinks[i].bounds;
		items[i].size = 0;
		items[i].number = i;
	}

	/* a group's leaves may be a few more than their number was planned for */
	if (below->count <= SPQ_RTREE_INNER_MAX)
		page_end[0] = below->count;
	else
		npages = spq_rtree_pack(items, below->count, build->inner_max, BLCKSZ,
								page_end);

	for (int i = 0, begin = 0; i < npages; begin = page_end[i++])
	{
		begin_page(build, level + 1);
		add_downlinks(build, below->downlinks, items + begin, page_end[i] - begin);
		end_page(build, more || i + 1 < npages);
	}
	below->count = 0;
	pfree(items);
	pfree(page_end);
}

/* ----------------------------------------------------------------
 *		Groups of sorted rows
 * ----------------------------------------------------------------
 */

/* Return how many bits two keys have in common at their beginning. */
static int
common_bits(const uint8 *a, const uint8 *b)
{
	for (int i = 0; i < SPQ_RTREE_KEY_SIZE; i++)
		if (a[i] != b[i])
			return 8 * i + 7 - pg_leftmost_one_pos32(a[i] ^ b[i]);
	return 8 * SPQ_RTREE_KEY_SIZE;
}

/* Return what a row of the group takes in a page, if that is not always the same. */
static uint32
row_size(const Build *build, const SpqRtreeRow *row)
{
	if (build->payload_desc == NULL)
		return 0;
	return sizeof(SpqRtreeWideGroup) / SPQ_RTREE_GROUP + spq_rtree_payload_size(row);
}

/* Read the next row of the sort into the group. */
static void
read_row(Build *build)
{
	SpqRtreeRow *row = &build->group[build->ngroup];
	uint8		key[SPQ_RTREE_KEY_SIZE];

	if (!spq_rtree_sort_next(build->sort, row, key, build->group_context))
		elog(ERROR, "sorted rows of index \"%s\" ended too early",
			 RelationGetRelationName(build->index));

	build->common[build->ngroup] = common_bits(build->last_key, key);
	memcpy(build->last_key, key, SPQ_RTREE_KEY_SIZE);
	build->group_size += row_size(build, row);
	build->ngroup++;
	build->nread++;
	if (build->nread % REPORT_ROWS == 0)
	{
		pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, build->nread);
		CHECK_FOR_INTERRUPTS();
	}
}

/*
 * Return how many rows the group gets of those that were read: all, if no others
 * are left, else up to where the curve crosses the border of the largest cell, in
 * the last quarter.
 */
static int
group_end(const Build *build)
{
	int64		left = build->nsorted - build->nread;
	int			most = build->ngroup,
				best;

	if (left == 0)
		return most;

	/* leave the last group something worth a page */
	if (left < most / 4)
		most -= most / 4;
	best = most - most / 4;
	for (int i = best; i < most; i++)
		if (build->common[i] <= build->common[best])
			best = i;
	return best;
}

/*
 * Return how many rows a leaf gets.  Payloads of different sizes may not fill pages
 * evenly: their number is that of the mean, so that most pages stay below what fits,
 * and few have to be cut once more.
 */
static int
rows_per_leaf(const Build *build, int count)
{
	double		size = 0;
	uint32		largest = 0;
	double		rows = build->leaf_max;

	if (build->payload_desc == NULL)
		return build->leaf_max;
	for (int i = 0; i < count; i++)
	{
		size += build->items[i].size;
		largest = Max(largest, build->items[i].size);
	}
	rows = build->leaf_size / (size / count);
	if (largest * rows > SPQ_RTREE_SPACE - sizeof(SpqRtreeWideGroup))
		rows *= 0.9;
	return Min(build->leaf_max, Max((int) rows, 1));
}

/* Write the leaves of a group of rows, and their inner page. */
static void
write_group(Build *build, int count, bool more)
{
	bool		only = !more && build->levels[0].count == 0 &&
		build->levels[1].count == 0;
	int			npages;

	for (int i = 0; i < count; i++)
	{
		build->items[i].bounds = spq_rtree_bounds_of(build->group[i].ends);
		build->items[i].size = row_size(build, &build->group[i]);
		build->items[i].number = i;
	}
	npages = spq_rtree_pack(build->items, count, rows_per_leaf(build, count),
							SPQ_RTREE_SPACE - sizeof(SpqRtreeWideGroup),
							build->page_end);
	if (only && npages == 1)
	{
		begin_page(build, 0);
		add_rows(build, build->items, count);
		write_page(build, SPQ_RTREE_ROOT, build->page);
		return;
	}
	for (int i = 0, begin = 0; i < npages; begin = build->page_end[i++])
	{
		begin_page(build, 0);
		add_rows(build, build->items + begin, build->page_end[i] - begin);
		end_page(build, more || i + 1 < npages);
	}
	if (!only || !write_root(build, 0))
		write_level_above(build, 0, more);
}

/* Of payloads, keep only those of the rows that the group has now. */
static void
keep_payloads(Build *build)
{
	MemoryContext old_context = build->group_context;

	build->group_context = AllocSetContextCreate(MemoryContextGetParent(old_context),
												 "spqtree build group",
												 ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < build->ngroup; i++)
	{
		Size		size = spq_rtree_payload_size(&build->group[i]);
		char	   *payload = MemoryContextAlloc(build->group_context, size);

		memcpy(payload, build->group[i].payload, size);
		build->group[i].payload = payload;
	}
	MemoryContextDelete(old_context);
}

/* Forget the first rows of the group, which have been written. */
static void
drop_rows(Build *build, int count)
{
	int			rest = build->ngroup - count;

	memmove(build->group, build->group + count, rest * sizeof(build->group[0]));
	memmove(build->common, build->common + count, rest * sizeof(build->common[0]));
	build->ngroup = rest;
	build->group_size = 0;
	if (build->payload_desc != NULL)
	{
		for (int i = 0; i < rest; i++)
			build->group_size += row_size(build, &build->group[i]);
		keep_payloads(build);
	}
}

/* Write all rows of the sort, and what is above them. */
static void
write_tree(Build *build)
{
	Size		size_max = build->inner_max * build->leaf_size;
	int			level;

	build->group_max = build->inner_max * build->leaf_max;
	build->group_max = Min(build->group_max, Max(build->nsorted, 1));
	build->group = MemoryContextAllocHuge(CurrentMemoryContext,
										  build->group_max * sizeof(SpqRtreeRow));
	build->common = palloc(build->group_max);
	build->items = palloc(build->group_max * sizeof(SpqRtreePackItem));
	build->page_end = palloc(build->group_max * sizeof(int));

	while (build->nread < build->nsorted || build->ngroup > 0)
	{
		int			end;

		while (build->nread < build->nsorted && build->ngroup < build->group_max &&
			   build->group_size < size_max)
			read_row(build);
		end = group_end(build);
		write_group(build, end,
					end < build->ngroup || build->nread < build->nsorted);
		drop_rows(build, end);
	}

	for (level = 1; build->levels[level].count > 0; level++)
	{
		if (write_root(build, level))
			break;
		write_level_above(build, level, false);
	}
}

/* ----------------------------------------------------------------
 *		Callbacks
 * ----------------------------------------------------------------
 */

/* Take the sizes of pages from the fillfactor. */
static void
plan_pages(Build *build)
{
	int			fillfactor = spq_rtree_fillfactor(build->index);
	int			leaf_max = SPQ_RTREE_LEAF_MAX;

	build->leaf_size = SPQ_RTREE_SPACE;
	if (build->payload_desc != NULL)
	{
		build->leaf_flags = SPQ_RTREE_WIDE;
		leaf_max = SPQ_RTREE_SPACE / (int) sizeof(SpqRtreeWideGroup) * SPQ_RTREE_GROUP;

		/*
		 * Groups of eight are taken as a whole: the last one may be nearly
		 * empty.  A page has to hold the largest row in any case.
		 */
		build->leaf_size = (SPQ_RTREE_SPACE - sizeof(SpqRtreeWideGroup)) * fillfactor / 100;
		build->leaf_size = Max(build->leaf_size, SPQ_RTREE_SPACE / 4);
	}

	/* groups of eight begun are groups used */
	build->leaf_max = TYPEALIGN(SPQ_RTREE_GROUP, leaf_max * fillfactor / 100);
	build->inner_max = TYPEALIGN(SPQ_RTREE_GROUP, SPQ_RTREE_INNER_MAX * fillfactor / 100);
}

IndexBuildResult *
spq_rtree_build(Relation heap, Relation index, IndexInfo *info)
{
	Build	   *build = palloc0(sizeof(Build));
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Page		meta_page = palloc(BLCKSZ);

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data",
			 RelationGetRelationName(index));

	build->index = index;
	build->ends_proc = index_getprocinfo(index, 1, SPQ_RTREE_ENDS_PROC);
	build->payload_desc = spq_rtree_payload_descriptor(index);
	plan_pages(build);
	for (int level = 0; level < SPQ_RTREE_LEVELS; level++)
		build->levels[level].next = InvalidBlockNumber;
	build->row_context = AllocSetContextCreate(context, "spqtree build row",
											   ALLOCSET_DEFAULT_SIZES);
	build->group_context = AllocSetContextCreate(context, "spqtree build group",
												 ALLOCSET_DEFAULT_SIZES);
	build->page = palloc(BLCKSZ);
	build->null_page = palloc(BLCKSZ);
	spq_rtree_meta_init(meta_page);
	build->meta = spq_rtree_meta(meta_page);

	/* the pages with fixed places */
	while (build->nblocks <= SPQ_RTREE_NULLS)
		allocate(build);
	build->null_block = SPQ_RTREE_NULLS;
	spq_rtree_page_init(build->null_page, 0, build->leaf_flags | SPQ_RTREE_IS_NULLS);
	begin_page(build, 0);
	write_page(build, SPQ_RTREE_ROOT, build->page);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_SCAN);
	build->sort = spq_rtree_sort_begin(maintenance_work_mem);
	result->heap_tuples = table_index_build_scan(heap, index, info, true, true,
												 add_row, build, NULL);
	write_page(build, build->null_block, build->null_page);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_SORT);
	build->nsorted = spq_rtree_sort_perform(build->sort);

	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, PHASE_WRITE);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL, build->nsorted);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, 0);
	write_tree(build);
	spq_rtree_sort_end(build->sort);
	pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, build->nsorted);

	build->meta->null_page = build->null_block;
	write_page(build, SPQ_RTREE_META, meta_page);
	if (RelationNeedsWAL(index))
		log_newpage_range(index, MAIN_FORKNUM, 0, build->nblocks, true);

	result->index_tuples = build->rows;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	pfree(build);
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
	uint16		flags = RelationGetDescr(index)->natts > 1 ? SPQ_RTREE_WIDE : 0;

	spq_rtree_meta_init(page);
	write_init_page(index, SPQ_RTREE_META, page);
	spq_rtree_page_init(page, 0, flags);
	write_init_page(index, SPQ_RTREE_ROOT, page);
	spq_rtree_page_init(page, 0, flags | SPQ_RTREE_IS_NULLS);
	write_init_page(index, SPQ_RTREE_NULLS, page);
	pfree(page);
}
