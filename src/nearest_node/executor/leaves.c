/*-------------------------------------------------------------------------
 *
 * leaves.c
 *	  The leaves of an index of the access method, as the lowest levels of a tree.
 *
 * The leaves of an index are in spatial order, so the rows need not be read from their
 * table and sorted.  Each leaf is copied once, and only its rows are put in order:
 *
 *		record		[ bounds of 16 groups | page ]
 *						level 1				level 0: 16 groups of 16 rows
 *
 * A leaf takes 256 entries of the tree, or 512 if it may have more rows: row r of leaf l is
 * entry 256 * l + r, or 512 * l + r.  Places without a row are empty boxes.
 *
 * A candidate is looked up in its table, unless the index has all columns and the visibility
 * map says that all see the row.  Columns are read of rows that are returned.
 *
 * Records that do not fit into memory go to a file, in the order of the leaves.  The
 * outer rows are in the order of a curve, so that each is read about once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/visibilitymap.h"
#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/float.h"
#include "utils/rel.h"

#include "box/lanes.h"
#include "compat.h"
#include "large_memory.h"
#include "nearest_node/executor/state.h"
#include "rtree/keys/payload.h"
#include "rtree/leaf_join/child_rows.h"
#include "rtree/leaf_search.h"
#include "rtree/scan/scan_state.h"

/* Entries that a group of level 1 bounds, and their logarithm. */
#define PART		(SPQ_PACKED_GROUP * SPQ_PACKED_GROUP)
#define PART_SHIFT	8

/* Bytes of the bits of a leaf's entries. */
#define BYTES		(2 * PART / SPQ_RTREE_GROUP)

StaticAssertDecl(PART == 1 << PART_SHIFT, "a part has a power of two entries");
StaticAssertDecl(SPQ_RTREE_LEAF_MAX <= 2 * PART, "two parts have room for the rows of a leaf");

/* The fewest leaves that are kept in memory. */
#define LEAST_SLOTS	16

typedef struct Leaf
{
	BlockNumber block;
	bool		has_boxes;		/* false: rows of the chain of NULLs */
	bool		recheck;		/* as in leaf_copy.h */
	bool		odd;			/* a box has an infinity or a NaN, or its ends
								 * are not in order */
	float8		margin;			/* of the boxes */

	/* a bit for each entry */
	uint8		present[BYTES]; /* a row that is not known to be hidden */
	uint8		visible[BYTES]; /* all see it */
	uint8		accepted[BYTES];	/* in the child's result */
} Leaf;

struct SpqNearestLeaves
{
	int			axes;
	float8		margin;			/* as in SpqNearestState */
	float8		factor;
	SpqRtreeChildRows rows;
	bool		has_conditions; /* of the child, which visible rows may fail */
	bool		returns_key;
	int			parts;			/* of a leaf: 1 or 2 */
	int			shift;			/* 1 << shift entries */

	Leaf	   *leaf;
	uint32		nleaves;
	uint32		room;
	float8	   *bounds;			/* of each part of each leaf, while reading */
	uint32		nrows;
	uint32		nnulls;

	/* records of the leaves: all of them, or those read last */
	Size		group_size;		/* numbers of a group */
	Size		record_size;
	char	   *records;
	BufFile    *file;
	uint32		nslots;
	uint32	   *in_slot;		/* leaf in each, or PG_UINT32_MAX */

	/* the row in the child's slot: a candidate is often returned next */
	TupleTableSlot *slot;
	uint32		entry_in_slot;	/* or PG_UINT32_MAX */

	float8		group[SPQ_PACKED_GROUP * SPQ_TYPE_NUMBERS]; /* of level 0, made for
															 * a search */
	float8		key[SPQ_TYPE_NUMBERS];
	PGAlignedBlock page;		/* a copy in the old order */
};

static inline uint32
leaf_of(const SpqNearestLeaves *leaves, uint32 entry)
{
	return entry >> leaves->shift;
}

static inline uint32
row_of(const SpqNearestLeaves *leaves, uint32 entry)
{
	return entry & ((1 << leaves->shift) - 1);
}

static inline bool
has_bit(const uint8 *bits, uint32 row)
{
	return (bits[row / SPQ_RTREE_GROUP] >> row % SPQ_RTREE_GROUP & 1) != 0;
}

static inline void
set_bit(uint8 *bits, uint32 row)
{
	bits[row / SPQ_RTREE_GROUP] |= 1 << row % SPQ_RTREE_GROUP;
}

/* Return the record of a leaf, valid until the next call. */
static char *
get_record(SpqNearestLeaves *leaves, uint32 leaf)
{
	Size		size = leaves->record_size;
	uint32		slot;
	char	   *record;

	if (leaves->file == NULL)
		return leaves->records + leaf * size;
	slot = leaf % leaves->nslots;
	record = leaves->records + slot * size;
	if (leaves->in_slot[slot] == leaf)
		return record;
	CHECK_FOR_INTERRUPTS();
	leaves->in_slot[slot] = PG_UINT32_MAX;
	if (BufFileSeek(leaves->file, 0, (off_t) ((uint64) leaf * size), SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of nearest rows")));
	spq_file_read(leaves->file, record, size);
	leaves->in_slot[slot] = leaf;
	return record;
}

static Page
page_of(const SpqNearestLeaves *leaves, char *record)
{
	return (Page) (record + leaves->record_size - BLCKSZ);
}

/* Set the places of a group to empty boxes. */
static void
clear_group(const SpqNearestLeaves *leaves, float8 *group)
{
	for (int i = 0; i < leaves->axes * SPQ_PACKED_GROUP; i++)
	{
		group[i] = -get_float8_infinity();
		group[leaves->axes * SPQ_PACKED_GROUP + i] = get_float8_infinity();
	}
}

/* Return whether a box has no infinity or NaN. */
static inline bool
is_finite(const float8 *ends, int axes)
{
	float8		sum = 0;

	for (int end = 0; end < 2 * axes; end++)
		sum += fabs(ends[end]);
	return sum < get_float8_infinity();
}

/* Set a place of a group.  A box that is not finite is everywhere. */
static inline void
put_box(const SpqNearestLeaves *leaves, float8 *group, int place, const float8 *ends, float8 margin)
{
	int			axes = leaves->axes;
	bool		finite = is_finite(ends, axes);

	for (int axis = 0; axis < axes; axis++)
	{
		float8		high = Max(ends[axis], ends[axes + axis]),
					low = Min(ends[axis], ends[axes + axis]);

		group[axis * SPQ_PACKED_GROUP + place] = finite ? high + margin : get_float8_infinity();
		group[(axes + axis) * SPQ_PACKED_GROUP + place] = finite ? low - margin :
			-get_float8_infinity();
	}
}

/* Set the bounds of a place to those of a group. */
static void
bound_group(const SpqNearestLeaves *leaves, const float8 *group, float8 *bounds, int stride)
{
	for (int end = 0; end < 2 * leaves->axes; end++, group += SPQ_PACKED_GROUP)
	{
		float8		bound = group[0];

		for (int i = 1; i < SPQ_PACKED_GROUP; i++)
			bound = end < leaves->axes ? Max(bound, group[i]) : Min(bound, group[i]);
		bounds[end * stride] = bound;
	}
}

/* Fill eight places of a group with the rows of a group of the page. */
static inline void
put_columns(const SpqNearestLeaves *leaves, float8 *group, const SpqRtreeLayout *layout,
			const char *columns, float8 margin)
{
	const SpqRtreeColumn *column = (const SpqRtreeColumn *) columns;
	int			axes = leaves->axes;

	for (int axis = 0; axis < axes; axis++)
	{
		const float8 *from_high = column[axis],
				   *from_low = column[layout->low + axis];
		float8	   *high = group + axis * SPQ_PACKED_GROUP,
				   *low = group + (axes + axis) * SPQ_PACKED_GROUP;

		for (int i = 0; i < SPQ_RTREE_GROUP; i += SPQ_DOUBLES)
		{
			spq_doubles_store(high + i, spq_doubles_load(from_high + i) + spq_doubles_set(margin));
			spq_doubles_store(low + i, spq_doubles_load(from_low + i) - spq_doubles_set(margin));
		}
	}
}

/* Make a group of 16 rows of a leaf. */
static const float8 *
make_group(SpqNearestLeaves *leaves, const Leaf *leaf, Page page, int number)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	float8	   *group = leaves->group;
	int			first = number * (SPQ_PACKED_GROUP / SPQ_RTREE_GROUP),
				ngroups = leaf->has_boxes ? spq_rtree_groups(spq_rtree_count(page)) : 0;

	for (int half = 0; half < SPQ_PACKED_GROUP / SPQ_RTREE_GROUP; half++)
	{
		int			g = first + half;
		uint8		present = g < ngroups ? leaf->present[g] : 0;
		float8	   *place = group + half * SPQ_RTREE_GROUP;

		if (present == 0xff && !leaf->odd && !layout->floats)
		{
			put_columns(leaves, place, layout, spq_rtree_group(page, g), leaf->margin);
			continue;
		}
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			if (present >> i & 1)
			{
				float8		ends[SPQ_RTREE_ENDS];

				spq_rtree_get_ends(layout, spq_rtree_group(page, g), i, ends);
				put_box(leaves, place, i, ends, leaf->margin);
			}
			else
				for (int axis = 0; axis < leaves->axes; axis++)
				{
					place[axis * SPQ_PACKED_GROUP + i] = -get_float8_infinity();
					place[(leaves->axes + axis) * SPQ_PACKED_GROUP + i] = get_float8_infinity();
				}
	}
	return group;
}

/* Return a group of the tree's level 0 or 1. */
static const float8 *
load(void *argument, int level, uint32 group)
{
	SpqNearestLeaves *leaves = argument;
	int			shift = leaves->shift - (level == 1 ? PART_SHIFT : PART_SHIFT / 2);
	uint32		leaf = group >> shift,
				place = group & ((1 << shift) - 1);
	char	   *record = get_record(leaves, leaf);

	if (level == 1)
		return (float8 *) record + place * leaves->group_size;
	return make_group(leaves, &leaves->leaf[leaf], page_of(leaves, record), place);
}

/* Cells of a leaf on each axis, and in all, as powers of two. */
#define CELL_BITS(axes)	((axes) == 2 ? 4 : 3)
#define CELLS			512

/*
 * Put the rows of a leaf in the order of cells along a Z-order curve, so that those of a group
 * are near each other.
 */
static void
order_rows(const SpqNearestLeaves *leaves, const float8 *centers, int nrows, uint16 *order)
{
	static const uint16 spread_two[16] = {
		0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
		0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55
	},
				spread_three[8] = {0x00, 0x01, 0x08, 0x09, 0x40, 0x41, 0x48, 0x49};
	int			axes = leaves->axes;
	float8		last = (1 << CELL_BITS(axes)) - 1;
	uint16		cell[SPQ_RTREE_LEAF_MAX] = {0},
				next[CELLS + 1] = {0};

	for (int axis = 0; axis < axes; axis++)
	{
		const float8 *center = centers + axis * SPQ_RTREE_LEAF_MAX;
		float8		low = get_float8_infinity(),
					high = -get_float8_infinity(),
					scale;

		for (int row = 0; row < nrows; row++)
		{
			low = Min(low, center[row]);
			high = Max(high, center[row]);
		}
		scale = (1 << CELL_BITS(axes)) / (high - low);
		for (int row = 0; row < nrows; row++)
		{
			/* NaN becomes 0 */
			float8		place = (center[row] - low) * scale;
			int			number = place > 0 ? (int) Min(place, last) : 0;

			cell[row] |= (axes == 2 ? spread_two : spread_three)[number] << axis;
		}
	}
	for (int row = 0; row < nrows; row++)
		next[cell[row] + 1]++;
	for (int i = 0; i < CELLS; i++)
		next[i + 1] += next[i];
	for (int row = 0; row < nrows; row++)
		order[next[cell[row]]++] = row;
}

/* Set the margin of a leaf's boxes, whether it is odd, and the order of its rows. */
static void
examine_rows(const SpqNearestLeaves *leaves, Leaf *leaf, Page page, uint16 *order)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			axes = leaves->axes,
				nrows = spq_rtree_count(page);
	float8		centers[SPQ_TYPE_NUMBERS / 2 * SPQ_RTREE_LEAF_MAX],
				most = 0;

	leaf->odd = false;
	for (int first = 0; first < nrows; first += SPQ_RTREE_GROUP)
	{
		SpqRtreeColumn wide[SPQ_RTREE_ENDS + 2];
		const SpqRtreeColumn *columns =
			spq_rtree_wide_group(layout, spq_rtree_group(page, first / SPQ_RTREE_GROUP), wide);
		float8		sum[SPQ_RTREE_GROUP] = {0};
		bool		ordered = true;

		for (int axis = 0; axis < axes; axis++)
		{
			const float8 *high = columns[axis],
					   *low = columns[layout->low + axis];
			float8	   *center = centers + axis * SPQ_RTREE_LEAF_MAX + first;

			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			{
				sum[i] += fabs(high[i]) + fabs(low[i]);
				center[i] = 0.5 * high[i] + 0.5 * low[i];
				ordered &= high[i] >= low[i];
			}
		}
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			ordered &= sum[i] < get_float8_infinity();
			most = Max(most, sum[i] < get_float8_infinity() ? sum[i] : 0);
		}
		leaf->odd |= !ordered;
	}
	leaf->margin = leaves->margin + leaves->factor * most;
	order_rows(leaves, centers, nrows, order);
}

/* Put the rows of a page, and their bits, in another order. */
static void
reorder(Leaf *leaf, Page page, Page from, const uint16 *order)
{
	uint8		present[BYTES] = {0},
				visible[BYTES] = {0};

	spq_rtree_reorder_rows(page, from, order);
	for (int row = 0; row < spq_rtree_count(page); row++)
	{
		if (has_bit(leaf->present, order[row]))
			set_bit(present, row);
		if (has_bit(leaf->visible, order[row]))
			set_bit(visible, row);
	}
	memcpy(leaf->present, present, sizeof(present));
	memcpy(leaf->visible, visible, sizeof(visible));
}

/* Set the bounds of a leaf's groups, and of its parts. */
static void
set_bounds(SpqNearestLeaves *leaves, uint32 number, char *record)
{
	Leaf	   *leaf = &leaves->leaf[number];
	Page		page = page_of(leaves, record);

	for (int part = 0; part < leaves->parts; part++)
	{
		float8	   *groups = (float8 *) record + part * leaves->group_size;

		clear_group(leaves, groups);
		for (int i = 0; i < SPQ_PACKED_GROUP; i++)
		{
			int			group = part * SPQ_PACKED_GROUP + i;

			if (leaf->has_boxes && group * SPQ_PACKED_GROUP < spq_rtree_count(page))
				bound_group(leaves, make_group(leaves, leaf, page, group), groups + i,
							SPQ_PACKED_GROUP);
		}
		bound_group(leaves, groups,
					leaves->bounds + ((Size) number * leaves->parts + part) * 2 * leaves->axes, 1);
	}
}

/* Set which rows of a locked leaf are visible to all. */
static void
set_visible(SpqNearestLeaves *leaves, Leaf *leaf, Page page, Buffer *map)
{
	memset(leaf->visible, 0, sizeof(leaf->visible));
	if (!leaves->rows.index_only)
		return;
	for (int row = 0; row < spq_rtree_count(page); row++)
		if (has_bit(leaf->present, row) &&
			VM_ALL_VISIBLE(leaves->rows.scan->heapRelation,
						   ItemPointerGetBlockNumberNoCheck(spq_rtree_tid(page, row)), map))
			set_bit(leaf->visible, row);
}

/* Write the records in memory to a file. */
static void
move_to_disk(SpqNearestLeaves *leaves)
{
	leaves->file = BufFileCreateTemp(false);
	for (uint32 leaf = 0; leaf < leaves->nleaves; leaf++)
		spq_file_write(leaves->file, leaves->records + leaf * leaves->record_size,
					   leaves->record_size);
	pfree(leaves->records);
	leaves->records = NULL;
	leaves->records = palloc(leaves->record_size);
	leaves->nslots = 1;
}

/* Make room for another leaf. */
static void
make_room(SpqNearestLeaves *leaves)
{
	Size		more = leaves->room;

	if (leaves->nleaves < leaves->room)
		return;
	leaves->room += more;
	leaves->leaf = repalloc_huge(leaves->leaf, leaves->room * sizeof(Leaf));
	leaves->bounds = repalloc_huge(leaves->bounds, (Size) leaves->room * leaves->parts * 2 * leaves->axes *
								   sizeof(float8));
	if (leaves->file)
		return;
	if (leaves->room * leaves->record_size > get_hash_memory_limit())
		move_to_disk(leaves);
	else
	{
		leaves->records = spq_large_realloc(leaves->records, leaves->room * leaves->record_size);
		leaves->nslots = leaves->room;
	}
}

/* Copy a locked leaf, and release it. */
static void
read_leaf(SpqNearestLeaves *leaves, Buffer buffer, const uint8 *matches, Buffer *map)
{
	Page		page = BufferGetPage(buffer),
				copy;
	Leaf	   *leaf;
	char	   *record;
	uint32		nrows = 0;

	if (spq_rtree_count(page) > 1 << leaves->shift)
		spq_rtree_damaged(leaves->rows.scan->indexRelation, BufferGetBlockNumber(buffer),
						  "a leaf has too many rows");
	make_room(leaves);
	leaf = &leaves->leaf[leaves->nleaves];
	leaf->block = BufferGetBlockNumber(buffer);
	leaf->has_boxes = !(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS);
	leaf->recheck = spq_rtree_needs_recheck(leaves->rows.scan->opaque, page);
	memset(leaf->present, 0, sizeof(leaf->present));
	memcpy(leaf->present, matches, spq_rtree_groups(spq_rtree_count(page)));
	set_visible(leaves, leaf, page, map);
	record = leaves->records + (leaves->file ? 0 : leaves->nleaves * leaves->record_size);
	copy = page_of(leaves, record);
	memcpy(copy, page, BLCKSZ);
	spq_rtree_release_leaf(leaves->rows.scan, buffer);

	if (leaf->has_boxes)
	{
		uint16		order[SPQ_RTREE_LEAF_MAX];

		examine_rows(leaves, leaf, copy, order);
		memcpy(leaves->page.data, copy, BLCKSZ);
		reorder(leaf, copy, leaves->page.data, order);
	}
	memset(leaf->accepted, 0, sizeof(leaf->accepted));
	if (!leaves->has_conditions)
		memcpy(leaf->accepted, leaf->visible, sizeof(leaf->visible));
	for (int group = 0; group < BYTES; group++)
		nrows += pg_number_of_ones[leaf->present[group]];
	if (leaf->has_boxes)
		leaves->nrows += nrows;
	else
		leaves->nnulls += nrows;
	set_bounds(leaves, leaves->nleaves, record);
	if (leaves->file)
		spq_file_write(leaves->file, record, leaves->record_size);
	leaves->nleaves++;
}

/* Read all leaves.  Return false if there are too many. */
static bool
read_leaves(SpqNearestLeaves *leaves)
{
	IndexScanDesc scan = leaves->rows.scan;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];
	Buffer		map = InvalidBuffer,
				buffer;
	bool		fits = true;

	spq_rtree_start_leaves(scan, true);
	for (;;)
	{
		/* (BufferIsValid() is a macro that may evaluate its argument twice) */
		buffer = spq_rtree_find_leaf(scan, matches);
		if (!BufferIsValid(buffer))
			break;
		read_leaf(leaves, buffer, matches, &map);
		CHECK_FOR_INTERRUPTS();
		if (leaves->nleaves >= (uint32) PG_INT32_MAX / 2 >> leaves->shift)
		{
			fits = false;
			break;
		}
	}
	if (BufferIsValid(map))
		ReleaseBuffer(map);
	return fits;
}

/* Allocate the slots for records of the file. */
static void
make_slots(SpqNearestLeaves *leaves)
{
	pfree(leaves->records);
	leaves->records = NULL;
	leaves->nslots = Max(get_hash_memory_limit() / leaves->record_size, LEAST_SLOTS);
	leaves->nslots = Min(leaves->nslots, leaves->nleaves);
	leaves->in_slot = palloc(leaves->nslots * sizeof(uint32));
	memset(leaves->in_slot, 0xff, leaves->nslots * sizeof(uint32));
	leaves->records = spq_large_alloc(CurrentMemoryContext, leaves->nslots * leaves->record_size);
}

SpqNearestLeaves *
spq_nearest_leaves_begin(PlanState *child, int axes, float8 margin, float8 factor)
{
	SpqNearestLeaves *leaves = palloc0(sizeof(SpqNearestLeaves));
	const SpqRtreeScan *scan;
	const SpqRtreeLayout *layout;

	leaves->axes = axes;
	leaves->margin = margin;
	leaves->factor = factor;
	leaves->entry_in_slot = PG_UINT32_MAX;
	spq_rtree_child_rows_begin(&leaves->rows, (ScanState *) child);
	scan = leaves->rows.scan->opaque;
	leaves->has_conditions = child->qual != NULL || leaves->rows.recheck != NULL;
	leaves->returns_key = scan->returns_key;
	leaves->group_size = 2 * axes * SPQ_PACKED_GROUP;
	layout = spq_rtree_layout_of(0, spq_rtree_new_leaf_flags(leaves->rows.scan->indexRelation));
	leaves->parts = layout->size * PART / SPQ_RTREE_GROUP < SPQ_RTREE_SPACE(2) ? 2 : 1;
	leaves->shift = PART_SHIFT + leaves->parts - 1;
	leaves->record_size = leaves->parts * leaves->group_size * sizeof(float8) + BLCKSZ;
	leaves->room = leaves->nslots = LEAST_SLOTS;
	leaves->leaf = palloc(leaves->room * sizeof(Leaf));
	leaves->bounds = palloc(leaves->room * leaves->parts * 2 * axes * sizeof(float8));
	leaves->records = palloc(leaves->room * leaves->record_size);
	return leaves;
}

SpqPackedTree *
spq_nearest_leaves_read(SpqNearestLeaves *leaves, uint32 *nrows)
{
	SpqPackedTree *tree;

	if (!read_leaves(leaves))
		return NULL;
	if (leaves->file)
		make_slots(leaves);
	tree = spq_packed_tree_above(leaves->bounds, leaves->nleaves << leaves->shift, leaves->axes);
	tree->load = load;
	tree->argument = leaves;
	pfree(leaves->bounds);
	leaves->bounds = NULL;
	*nrows = leaves->nrows;
	return tree;
}

/* Return the row of an entry in the child's slot, or NULL if the child has no such row. */
static TupleTableSlot *
child_slot(SpqNearestLeaves *leaves, const Leaf *leaf, Page page, uint32 row)
{
	TupleTableSlot *slot = NULL;

	if (!spq_rtree_child_rows_find(&leaves->rows, leaf->block, spq_rtree_tid(page, row),
								   has_bit(leaf->visible, row), &slot))
		return NULL;
	if (leaves->rows.index_only)
		slot = spq_rtree_child_rows_load(&leaves->rows, page, leaf->block, row);
	return spq_rtree_child_rows_project(&leaves->rows, slot, leaf->recheck);
}

TupleTableSlot *
spq_nearest_leaves_slot(SpqNearestLeaves *leaves, uint32 entry)
{
	Leaf	   *leaf = &leaves->leaf[leaf_of(leaves, entry)];
	uint32		row = row_of(leaves, entry);
	TupleTableSlot *slot;

	if (!has_bit(leaf->present, row))
		return NULL;
	if (leaves->entry_in_slot == entry)
		return leaves->slot;
	slot = child_slot(leaves, leaf, page_of(leaves, get_record(leaves, leaf_of(leaves, entry))), row);
	if (slot)
		set_bit(leaf->accepted, row);
	else
		leaf->present[row / SPQ_RTREE_GROUP] &= ~(1 << row % SPQ_RTREE_GROUP);
	leaves->slot = slot;
	leaves->entry_in_slot = slot ? entry : PG_UINT32_MAX;
	return slot;
}

/* Leave out the places without a row, and the rows that the child would not return. */
uint32
spq_nearest_leaves_keep(SpqNearestLeaves *leaves, SpqNearestHit *hits, uint32 count)
{
	uint32		left = 0;

	for (uint32 i = 0; i < count; i++)
	{
		uint32		entry = (uint32) hits[i].id;
		const Leaf *leaf = &leaves->leaf[leaf_of(leaves, entry)];

		if (leaf->has_boxes && (has_bit(leaf->accepted, row_of(leaves, entry)) ||
								spq_nearest_leaves_slot(leaves, entry) != NULL))
			hits[left++] = hits[i];
		CHECK_FOR_INTERRUPTS();
	}
	return left;
}

bool
spq_nearest_leaves_key(SpqNearestLeaves *leaves, uint32 entry, Datum *key)
{
	uint32		row = row_of(leaves, entry);
	const SpqRtreeColumn *columns;
	Page		page;

	if (!leaves->returns_key)
		return false;
	page = page_of(leaves, get_record(leaves, leaf_of(leaves, entry)));
	columns = spq_rtree_group_columns(page, row / SPQ_RTREE_GROUP);
	for (int end = 0; end < spq_rtree_layout(page)->ends; end++)
		leaves->key[end] = columns[end][row % SPQ_RTREE_GROUP];
	*key = PointerGetDatum(leaves->key);
	return true;
}

/*
 * Return the next entry of a row at or after this one: of one without a box, or, if "all",
 * of any; or PG_UINT32_MAX.
 */
uint32
spq_nearest_leaves_next(const SpqNearestLeaves *leaves, uint32 entry, bool all)
{
	for (; leaf_of(leaves, entry) < leaves->nleaves; entry++)
	{
		const Leaf *leaf = &leaves->leaf[leaf_of(leaves, entry)];

		if (!all && leaf->has_boxes)
			entry |= (1 << leaves->shift) - 1;
		else if (has_bit(leaf->present, row_of(leaves, entry)))
			return entry;
	}
	return PG_UINT32_MAX;
}

bool
spq_nearest_leaves_has_nulls(const SpqNearestLeaves *leaves)
{
	return leaves->nnulls > 0;
}

uint32
spq_nearest_leaves_count(const SpqNearestLeaves *leaves, int64 *fetches)
{
	*fetches = leaves->rows.nfetched;
	return leaves->nleaves;
}

uint64
spq_nearest_leaves_file_size(const SpqNearestLeaves *leaves)
{
	return leaves->file ? (uint64) leaves->nleaves * leaves->record_size : 0;
}

void
spq_nearest_leaves_end(SpqNearestLeaves *leaves)
{
	if (leaves->file)
		BufFileClose(leaves->file);
}
