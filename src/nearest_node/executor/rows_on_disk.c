/*-------------------------------------------------------------------------
 *
 * rows_on_disk.c
 *	  Rows that do not fit into memory, in the order of a curve.
 *
 *		add		row, row, ...			spool, and a sample of the boxes
 *		done	spool --> sort by place along the curve --> file of pages
 *
 *		page	[ 256 rows ][ bounds of 16 groups | 16 groups of 16 boxes | starts of rows ]
 *
 * If rows are long, a page in memory does not hold them, and each is read
 * separately.
 *
 * Memory holds the levels of the tree above, the place of each page in the
 * file, and the pages that were read last: page p is in slot p % nslots, or
 * not at all.  Searches for values that are near each other read each page
 * about once.  The tree and the places take about a byte for six rows, even if
 * that exceeds the memory allowed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "common/pg_prng.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "nearest_join/order.h"
#include "nearest_node/executor/state.h"

/* The boxes to which the curve's grid is fitted. */
#define SAMPLE	1000

/* The fewest pages that are kept in memory. */
#define LEAST_SLOTS	16

#define ROWS_OF_PAGE	(SPQ_PACKED_GROUP * SPQ_PACKED_GROUP)

/* The most bytes of rows that a page in memory has. */
#define MOST_ROWS_SIZE	(64 * 1024)

/* A page in memory. */
typedef struct Slot
{
	uint32		page;			/* PG_UINT32_MAX: none */
	Size		size;			/* of data, allocated */
	char	   *data;
} Slot;

struct SpqNearestDisk
{
	int			axes;
	Size		box_size;
	Size		group_size;		/* 16 boxes, or bounds */
	Size		memory;
	MemoryContext context;

	/* while rows are added */
	BufFile    *spool;
	float8	   *sample;
	pg_prng_state random;
	uint64		nrows;
	Size		longest;

	/* the pages */
	BufFile    *file;
	uint64		size;			/* of the file */
	uint64	   *heads;			/* where they are: the columns of each page */
	Size		cached;			/* bytes of all pages, as they are in memory */
	char	   *row;			/* one row read by itself, and its size */
	Size		row_size;
	float8	   *bounds;
	uint32		npages;
	uint32		nslots;
	Slot	   *slots;

	/* the page being written */
	uint32		count;
	float8	   *groups;			/* bounds, then the groups of boxes */
	uint64		starts[ROWS_OF_PAGE + 1];	/* of rows in the file, and the
											 * end */
};

static void
rewind_file(BufFile *file, uint64 place)
{
	if (BufFileSeek(file, 0, (off_t) place, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of nearest rows")));
}

SpqNearestDisk *
spq_nearest_disk_begin(int axes, Size memory)
{
	SpqNearestDisk *disk = palloc0(sizeof(SpqNearestDisk));

	disk->axes = axes;
	disk->box_size = 2 * axes * sizeof(float8);
	disk->group_size = SPQ_PACKED_GROUP * disk->box_size;
	disk->memory = memory;
	disk->context = CurrentMemoryContext;
	disk->spool = BufFileCreateTemp(false);
	disk->sample = palloc(SAMPLE * disk->box_size);
	pg_prng_seed(&disk->random, 1);
	return disk;
}

/* Keep a box in the sample, so that each has the same chance. */
static void
sample_box(SpqNearestDisk *disk, const float8 *box)
{
	uint64		place = disk->nrows < SAMPLE ? disk->nrows :
		pg_prng_uint64_range(&disk->random, 0, disk->nrows);

	if (place < SAMPLE)
		memcpy((char *) disk->sample + place * disk->box_size, box, disk->box_size);
}

void
spq_nearest_disk_add(SpqNearestDisk *disk, const float8 *box, MinimalTuple row)
{
	sample_box(disk, box);
	spq_file_write(disk->spool, box, disk->box_size);
	spq_file_write(disk->spool, row, row->t_len);
	disk->longest = Max(disk->longest, row->t_len);
	disk->nrows++;
}

/* Read the next row of the spool into a bytea: the box, then the row. */
static bytea *
read_spooled(SpqNearestDisk *disk, bytea *buffer)
{
	char	   *box = VARDATA(buffer),
			   *row = box + disk->box_size;
	uint32		length;

	spq_file_read(disk->spool, box, disk->box_size);
	spq_file_read(disk->spool, row, sizeof(length));
	memcpy(&length, row, sizeof(length));
	spq_file_read(disk->spool, row + sizeof(length), length - sizeof(length));
	SET_VARSIZE(buffer, VARHDRSZ + disk->box_size + length);
	return buffer;
}

/* Return the descriptor of rows to sort: a place, and a row with its box. */
static TupleDesc
sort_descriptor(void)
{
	TupleDesc	desc = CreateTemplateTupleDesc(2);

	TupleDescInitEntry(desc, 1, "place", INT8OID, -1, 0);
	TupleDescInitEntry(desc, 2, "row", BYTEAOID, -1, 0);
	spq_finalize_descriptor(desc);
	return desc;
}

/* Sort the rows of the spool by their places. */
static Tuplesortstate *
sort_rows(SpqNearestDisk *disk, TupleTableSlot *slot)
{
	AttrNumber	column = 1;
	Oid			operator = Int8LessOperator,
				collation = InvalidOid;
	bool		nulls_first = false;
	Tuplesortstate *sort = tuplesort_begin_heap(slot->tts_tupleDescriptor, 1, &column, &operator,
												&collation, &nulls_first, work_mem, NULL,
												TUPLESORT_NONE);
	bytea	   *buffer = palloc(VARHDRSZ + disk->box_size + Max(disk->longest, sizeof(uint32)));
	SpqNearestAxis grid[SPQ_NEAREST_AXES];

	spq_nearest_fit_grid(disk->sample, Min(disk->nrows, SAMPLE), disk->axes, grid);
	rewind_file(disk->spool, 0);
	for (uint64 row = 0; row < disk->nrows; row++)
	{
		float8		box[2 * SPQ_NEAREST_AXES];

		CHECK_FOR_INTERRUPTS();
		read_spooled(disk, buffer);
		memcpy(box, VARDATA(buffer), disk->box_size);
		ExecClearTuple(slot);
		slot->tts_values[0] =
			Int64GetDatum((int64) (spq_nearest_place(grid, box, disk->axes) >> 1));
		slot->tts_values[1] = PointerGetDatum(buffer);
		slot->tts_isnull[0] = slot->tts_isnull[1] = false;
		ExecStoreVirtualTuple(slot);
		tuplesort_puttupleslot(sort, slot);
	}
	pfree(buffer);
	BufFileClose(disk->spool);
	disk->spool = NULL;
	tuplesort_performsort(sort);
	return sort;
}

/* Return the size of a page without its rows. */
static Size
head_size(const SpqNearestDisk *disk)
{
	return (1 + SPQ_PACKED_GROUP) * disk->group_size + sizeof(disk->starts);
}

/* Return where the rows of a page begin in the file. */
static uint64
rows_start(const SpqNearestDisk *disk, uint32 page)
{
	return page == 0 ? 0 : disk->heads[page - 1] + head_size(disk);
}

/* Return the bytes of a page's rows that are in memory with it. */
static Size
rows_size(const SpqNearestDisk *disk, uint32 page)
{
	uint64		size = disk->heads[page] - rows_start(disk, page);

	return size <= MOST_ROWS_SIZE ? size : 0;
}

/* Write a box into the columns of a group. */
static void
put_box(const SpqNearestDisk *disk, float8 *group, uint32 place, const float8 *box)
{
	for (int end = 0; end < 2 * disk->axes; end++)
		group[end * SPQ_PACKED_GROUP + place] = box[end];
}

/* Set "bounds" to those of the first boxes of a group. */
static void
bound(const SpqNearestDisk *disk, const float8 *group, uint32 count, float8 *bounds)
{
	for (int end = 0; end < 2 * disk->axes; end++, group += SPQ_PACKED_GROUP)
	{
		bounds[end] = group[0];
		for (uint32 i = 1; i < count; i++)
			bounds[end] = end < disk->axes ? Max(bounds[end], group[i]) : Min(bounds[end], group[i]);
	}
}

/* Return a group of boxes of the page being written. */
static float8 *
group_of_page(const SpqNearestDisk *disk, uint32 group)
{
	return disk->groups + (1 + group) * disk->group_size / sizeof(float8);
}

/* Write the page, and begin another one. */
static void
write_page(SpqNearestDisk *disk)
{
	uint32		ngroups = (disk->count + SPQ_PACKED_GROUP - 1) / SPQ_PACKED_GROUP;

	for (uint32 group = 0; group < ngroups; group++)
	{
		float8		bounds[2 * SPQ_NEAREST_AXES];

		bound(disk, group_of_page(disk, group),
			  Min(disk->count - group * SPQ_PACKED_GROUP, SPQ_PACKED_GROUP), bounds);
		put_box(disk, disk->groups, group, bounds);
	}
	bound(disk, disk->groups, ngroups, disk->bounds + 2 * disk->axes * (Size) disk->npages);
	disk->starts[disk->count] = disk->size;
	spq_file_write(disk->file, disk->groups, (1 + SPQ_PACKED_GROUP) * disk->group_size);
	spq_file_write(disk->file, disk->starts, sizeof(disk->starts));
	disk->heads[disk->npages] = disk->size;
	disk->cached += head_size(disk) + rows_size(disk, disk->npages);
	disk->size += head_size(disk);
	disk->npages++;
	disk->count = 0;
}

/* Add a row to the page being written. */
static void
add_to_page(SpqNearestDisk *disk, const bytea *row)
{
	static const char zeros[MAXIMUM_ALIGNOF] = {0};
	const char *data = VARDATA_ANY(row);
	Size		length = VARSIZE_ANY_EXHDR(row) - disk->box_size;
	float8		box[2 * SPQ_NEAREST_AXES];

	if (disk->count == ROWS_OF_PAGE)
		write_page(disk);
	memcpy(box, data, disk->box_size);
	put_box(disk, group_of_page(disk, disk->count / SPQ_PACKED_GROUP),
			disk->count % SPQ_PACKED_GROUP, box);
	disk->starts[disk->count++] = disk->size;
	spq_file_write(disk->file, data + disk->box_size, length);
	spq_file_write(disk->file, zeros, MAXALIGN(length) - length);
	disk->size += MAXALIGN(length);
}

/* Write sorted rows in pages. */
static void
write_pages(SpqNearestDisk *disk, Tuplesortstate *sort, TupleTableSlot *slot)
{
	Size		npages = disk->nrows / ROWS_OF_PAGE + 1;

	disk->file = BufFileCreateTemp(false);
	disk->heads = MemoryContextAllocHuge(disk->context, npages * sizeof(uint64));
	disk->bounds = MemoryContextAllocHuge(disk->context, npages * disk->box_size);
	disk->groups = palloc0((1 + SPQ_PACKED_GROUP) * disk->group_size);
	while (tuplesort_gettupleslot(sort, true, false, slot, NULL))
	{
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		add_to_page(disk, (const bytea *) DatumGetPointer(slot_getattr(slot, 2, &isnull)));
	}
	if (disk->count > 0)
		write_page(disk);
	pfree(disk->groups);
}

/* Allocate the slots for pages in memory. */
static void
make_slots(SpqNearestDisk *disk)
{
	Size		page = disk->cached / disk->npages + sizeof(Slot);

	disk->nslots = Max(disk->memory / page, LEAST_SLOTS);
	disk->nslots = Min(disk->nslots, disk->npages);
	disk->slots = palloc0(disk->nslots * sizeof(Slot));
	for (uint32 i = 0; i < disk->nslots; i++)
		disk->slots[i].page = PG_UINT32_MAX;
}

/* Return a page without its rows, which are before it if they are in memory. */
static const char *
get_page(SpqNearestDisk *disk, uint32 page)
{
	Slot	   *slot = &disk->slots[page % disk->nslots];
	Size		before = rows_size(disk, page),
				size = before + head_size(disk);

	if (slot->page == page)
		return slot->data + before;
	CHECK_FOR_INTERRUPTS();
	slot->page = PG_UINT32_MAX;
	if (slot->size < size)
	{
		if (slot->data)
			pfree(slot->data);
		slot->data = NULL;
		slot->size = 0;
		slot->data = MemoryContextAlloc(disk->context, size);
		slot->size = size;
	}
	rewind_file(disk->file, disk->heads[page] - before);
	spq_file_read(disk->file, slot->data, size);
	slot->page = page;
	return slot->data + before;
}

/* Return a group of the tree's level 0 or 1. */
static const float8 *
load(void *argument, int level, uint32 group)
{
	SpqNearestDisk *disk = argument;
	uint32		page = level == 1 ? group : group / SPQ_PACKED_GROUP,
				place = level == 1 ? 0 : 1 + group % SPQ_PACKED_GROUP;

	return (const float8 *) (get_page(disk, page) + place * disk->group_size);
}

SpqPackedTree *
spq_nearest_disk_done(SpqNearestDisk *disk)
{
	TupleDesc	desc = sort_descriptor();
	TupleTableSlot *put = MakeSingleTupleTableSlot(desc, &TTSOpsVirtual),
			   *get = MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
	Tuplesortstate *sort = sort_rows(disk, put);
	SpqPackedTree *tree;

	write_pages(disk, sort, get);
	tuplesort_end(sort);
	ExecDropSingleTupleTableSlot(put);
	ExecDropSingleTupleTableSlot(get);
	make_slots(disk);
	tree = spq_packed_tree_above(disk->bounds, (uint32) disk->nrows, disk->axes);
	pfree(disk->bounds);
	disk->bounds = NULL;
	tree->load = load;
	tree->argument = disk;
	return tree;
}

/* Read a row by itself. */
static MinimalTuple
read_row(SpqNearestDisk *disk, uint64 start, uint64 end)
{
	Size		size = end - start;

	if (disk->row_size < size)
	{
		if (disk->row)
			pfree(disk->row);
		disk->row = NULL;
		disk->row_size = 0;
		disk->row = MemoryContextAllocHuge(disk->context, size);
		disk->row_size = size;
	}
	rewind_file(disk->file, start);
	spq_file_read(disk->file, disk->row, size);
	return (MinimalTuple) disk->row;
}

MinimalTuple
spq_nearest_disk_row(SpqNearestDisk *disk, uint32 entry)
{
	uint32		page = entry / ROWS_OF_PAGE;
	const char *head = get_page(disk, page);
	const uint64 *starts = (const uint64 *) (head + (1 + SPQ_PACKED_GROUP) * disk->group_size) +
		entry % ROWS_OF_PAGE;

	if (rows_size(disk, page) == 0)
		return read_row(disk, starts[0], starts[1]);
	return (MinimalTuple) unconstify(char *, head - (disk->heads[page] - starts[0]));
}

uint64
spq_nearest_disk_size(const SpqNearestDisk *disk)
{
	return disk->size;
}

void
spq_nearest_disk_end(SpqNearestDisk *disk)
{
	if (disk->spool)
		BufFileClose(disk->spool);
	if (disk->file)
		BufFileClose(disk->file);
}
