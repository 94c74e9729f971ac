/*-------------------------------------------------------------------------
 *
 * insert.c
 *	  Insertion of a row.
 *
 * Usually, an insertion descends with share locks, one page at a time, and one
 * record appends the row to a leaf whose promise encloses it already.  Otherwise
 * the pages whose promise has to grow are locked from the leaf upward, and changed
 * from the top down.  README.md has the argument.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/itup.h"
#include "miscadmin.h"
#include "storage/predicate.h"
#include "utils/memutils.h"

#include "inject.h"
#include "rtree/class/class.h"
#include "rtree/class/row_ends.h"
#include "rtree/insert/insert.h"
#include "rtree/insert/parent.h"
#include "rtree/keys/code.h"
#include "rtree/keys/payload.h"
#include "rtree/place/choose.h"
#include "rtree/store/wal.h"

/* The state that insertions of a statement share, in IndexInfo. */
typedef struct InsertState
{
	TupleDesc	payload;		/* NULL: no payloads */
	SpqRtreeCoder coder;
	SpqRtreeRowEnds row_ends;
	MemoryContext context;		/* for one insertion */
} InsertState;

/* A downlink to be widened: a locked page and an entry. */
typedef struct Widening
{
	Buffer		buffer;
	int			entry;
} Widening;

static InsertState *
insert_state(Relation index, IndexInfo *info)
{
	InsertState *state = info->ii_AmCache;

	if (state == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(info->ii_Context);

		state = palloc(sizeof(InsertState));
		state->payload = spq_rtree_payload_descriptor(index);
		spq_rtree_coder_init(&state->coder, index);
		spq_rtree_row_ends_init(&state->row_ends, index);
		state->context = AllocSetContextCreate(info->ii_Context, "spqtree insertion",
											   ALLOCSET_DEFAULT_SIZES);
		info->ii_AmCache = state;
		MemoryContextSwitchTo(old);
	}
	return state;
}

/*
 * Descend by the downlinks that need the least enlargement.  Return the leaf
 * exclusively locked; it may have become free, or an inner page if it is the root.
 */
static Buffer
descend(Relation index, Relation heap, const SpqRtreeBounds *bounds, SpqRtreePath *path)
{
	BlockNumber block = SPQ_RTREE_ROOT;
	int			level = SPQ_RTREE_ANY_LEVEL;

	path->heap = heap;
	for (int i = 0; i < SPQ_RTREE_LEVELS; i++)
		path->block[i] = InvalidBlockNumber;
	while (level != 0)
	{
		Buffer		buffer = spq_rtree_read(index, block, BUFFER_LOCK_SHARE, level);
		Page		page = BufferGetPage(buffer);

		level = spq_rtree_special(page)->level;
		if (level > 0)
		{
			path->block[level] = block;
			if (spq_rtree_count(page) == 0)
				spq_rtree_damaged(index, block, "it has no entries");
			block = spq_rtree_child(page, spq_rtree_choose_child(page, bounds));
			/* it would be taken for a root that has grown, again and again */
			if (block == SPQ_RTREE_ROOT)
				spq_rtree_damaged(index, path->block[level], "a downlink leads to the root");
			level--;
		}
		UnlockReleaseBuffer(buffer);
	}
	SPQ_INJECT_POINT("descended");
	return spq_rtree_read(index, block, BUFFER_LOCK_EXCLUSIVE,
						  block == SPQ_RTREE_ROOT ? SPQ_RTREE_ANY_LEVEL : 0);
}

/* Return whether the promise of a page encloses bounds. */
static bool
promises(Page page, const SpqRtreeBounds *bounds)
{
	SpqRtreeBounds promise = spq_rtree_promise(page);

	return spq_rtree_bounds_hold(&promise, bounds);
}

/*
 * Widen the promises and downlinks above an exclusively locked leaf to enclose
 * bounds.  The caller widens the promise of the leaf itself.
 */
static void
widen(Relation index, SpqRtreePath *path, Buffer leaf, const SpqRtreeBounds *bounds)
{
	Widening	widenings[SPQ_RTREE_LEVELS];
	int			n = 0;
	Buffer		child = leaf;

	while (BufferGetBlockNumber(child) != SPQ_RTREE_ROOT &&
		   !promises(BufferGetPage(child), bounds))
	{
		Widening   *widening = &widenings[n++];

		widening->buffer = spq_rtree_find_parent(index, path, child, &widening->entry);
		child = widening->buffer;
		CheckForSerializableConflictIn(index, NULL, BufferGetBlockNumber(child));
	}

	while (--n >= 0)
	{
		Buffer		buffer = widenings[n].buffer;
		Page		page = BufferGetPage(buffer);
		SpqRtreeBoundsPlace downlink = spq_rtree_downlink_place(page, widenings[n].entry),
					promise = spq_rtree_promise_place(page);
		SpqRtreeDelta delta;

		/*
		 * A scan that has read this page did not visit the child, and would
		 * visit it now: see src/rtree/README.md, "Serializable transactions".
		 * Both pages are locked until the change is made, so no scan can read
		 * them in between.
		 */
		child = n > 0 ? widenings[n - 1].buffer : leaf;
		PredicateLockPageSplit(index, BufferGetBlockNumber(buffer),
							   BufferGetBlockNumber(child));
		spq_rtree_delta_begin(&delta, index, buffer);
		spq_rtree_delta_widen(&delta, &downlink, bounds);
		if (BufferGetBlockNumber(buffer) != SPQ_RTREE_ROOT)
			spq_rtree_delta_widen(&delta, &promise, bounds);
		spq_rtree_delta_end(&delta);
		UnlockReleaseBuffer(buffer);
		SPQ_INJECT_POINT("widened");
	}
}

/* Return whether a leaf has room for a row. */
static bool
has_room(Page page, const SpqRtreeRow *row)
{
	Size		size = spq_rtree_payload_size(row);

	if (SPQ_INJECT_FULL(spq_rtree_count(page)))
		return false;
	return spq_rtree_takes_code(page, row->code) ? spq_rtree_page_has_room(page, size) :
		spq_rtree_has_room_for_codes(page, size);
}

/* Add a column of codes to a leaf of one code, so that it can take another code. */
static void
give_codes(Relation index, Buffer leaf)
{
	PGAlignedBlock copy;
	SpqRtreeDelta delta;

	memcpy(copy.data, BufferGetPage(leaf), BLCKSZ);
	spq_rtree_give_codes(copy.data);
	spq_rtree_delta_begin(&delta, index, leaf);
	spq_rtree_delta_page(&delta, copy.data);
	spq_rtree_delta_end(&delta);
	SPQ_INJECT_POINT("codes");
}

/*
 * Insert the row into an exclusively locked leaf if it has room, otherwise make
 * room.  Return whether the row was inserted.
 */
static bool
insert_into(Relation index, Relation heap, bool unchanged, SpqRtreePath *path, Buffer leaf,
			const SpqRtreeRow *row, const SpqRtreeBounds *bounds)
{
	Page		page = BufferGetPage(leaf);
	BlockNumber block = BufferGetBlockNumber(leaf);
	SpqRtreeDelta delta;

	if (spq_rtree_special(page)->flags & SPQ_RTREE_INCOMPLETE)
		spq_rtree_finish_split(index, path, leaf);
	if (!has_room(page, row))
	{
		spq_rtree_prune(index, heap, leaf, unchanged);
		SPQ_INJECT_POINT("pruned");
	}
	if (!has_room(page, row))
	{
		spq_rtree_make_room(index, path, leaf);
		return false;
	}

	CheckForSerializableConflictIn(index, NULL, block);
	widen(index, path, leaf, bounds);
	if (!spq_rtree_takes_code(page, row->code))
		give_codes(index, leaf);
	spq_rtree_delta_begin(&delta, index, leaf);
	spq_rtree_delta_append(&delta, row);
	if (block != SPQ_RTREE_ROOT || spq_rtree_is_of_one_code(page))
	{
		SpqRtreeBoundsPlace promise = spq_rtree_promise_place(page);

		spq_rtree_delta_widen(&delta, &promise, bounds);
	}
	spq_rtree_delta_end(&delta);
	return true;
}

/* Insert a row with a box. */
static void
insert_row(Relation index, Relation heap, bool unchanged, const SpqRtreeRow *row)
{
	SpqRtreeBounds bounds = spq_rtree_row_bounds(row, spq_rtree_axes(index));
	BlockNumber free_page = InvalidBlockNumber;
	bool		inserted = false;

	while (!inserted)
	{
		SpqRtreePath path;
		Buffer		leaf = descend(index, heap, &bounds, &path);
		Page		page = BufferGetPage(leaf);

		if (spq_rtree_is_free(page))
		{
			/* VACUUM has freed it since, and removed its downlink */
			if (BufferGetBlockNumber(leaf) == free_page)
				spq_rtree_damaged(index, free_page, "it is free, but has a downlink");
			free_page = BufferGetBlockNumber(leaf);
		}

		/* if it is the root, it may have grown since */
		else if (spq_rtree_is_leaf(page))
			inserted = insert_into(index, heap, unchanged, &path, leaf, row, &bounds);
		UnlockReleaseBuffer(leaf);
		CHECK_FOR_INTERRUPTS();
	}
}

/* aminsert */
bool
spq_rtree_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid,
				 Relation heap, IndexUniqueCheck check, bool unchanged, IndexInfo *info)
{
	InsertState *state = insert_state(index, info);
	MemoryContext old = MemoryContextSwitchTo(state->context);
	SpqRtreeRow row;

	row.tid = *tid;
	row.dead = false;
	row.payload = (char *) spq_rtree_form_payload(index, state->payload, values, isnull);
	row.code = spq_rtree_code_of(&state->coder, values, isnull);
	if (spq_rtree_row_ends(&state->row_ends, values, isnull, row.ends))
		insert_row(index, heap, unchanged, &row);
	else
	{
		memset(row.ends, 0, sizeof(row.ends));
		spq_rtree_insert_null(index, &row);
	}

	MemoryContextSwitchTo(old);
	MemoryContextReset(state->context);
	return false;				/* not unique */
}
