/*-------------------------------------------------------------------------
 *
 * grow.c
 *	  Splitting a page, and growing the tree by a level.
 *
 * Each takes one record.  See "Split" and "Growth" in README.md.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/itup.h"
#include "storage/predicate.h"

#include "inject.h"
#include "rtree/insert/parent.h"
#include "rtree/class/class.h"
#include "rtree/page/append_row.h"
#include "rtree/place/digits.h"
#include "rtree/place/split.h"
#include "rtree/store/free.h"

/* Append an entry of a page to another page of the same level. */
static void
copy_entry(Page to, Page from, int entry)
{
	if (spq_rtree_is_leaf(from))
	{
		SpqRtreeRow row = spq_rtree_get_row(from, entry);

		spq_rtree_append_row(to, &row);
	}
	else
	{
		SpqRtreeDownlink downlink = spq_rtree_get_downlink(from, entry);

		spq_rtree_append_downlink(to, &downlink);
	}
}

/* Choose which entries of a page go right in a split. */
static void
choose_halves(Relation index, Page page, bool *right)
{
	int			count = spq_rtree_count(page),
				axes = spq_rtree_page_axes(page);
	bool		wide = (spq_rtree_special(page)->flags & SPQ_RTREE_WIDE) != 0;
	SpqRtreeBounds *bounds = palloc_array(SpqRtreeBounds, count);
	Size	   *sizes = wide ? palloc_array(Size, count) : NULL;
	Size		limit = 0;

	for (int entry = 0; entry < count; entry++)
	{
		if (spq_rtree_is_leaf(page))
		{
			SpqRtreeRow row = spq_rtree_get_row(page, entry);

			bounds[entry] = spq_rtree_row_bounds(&row, axes);
			if (wide)
				sizes[entry] = spq_rtree_payload_size(&row) +
					spq_rtree_group_size(page) / SPQ_RTREE_GROUP;
		}
		else
			bounds[entry] = spq_rtree_entry_bounds(page, entry);
	}

	if (spq_rtree_base(index) > 0)
	{
		spq_rtree_rank_digits(bounds, sizeof(SpqRtreeBounds), count);
		axes = 1;
	}

	/*
	 * Each half must have room for another row of any size, which the limit
	 * of payloads makes possible.  A group that is not full takes up to a
	 * group more.
	 */
	if (wide)
		limit = spq_rtree_space(spq_rtree_special(page)->flags) / 4 * 3 -
			spq_rtree_group_size(page);
	if (!spq_rtree_is_keyed(page) ||
		!spq_rtree_split_by_code(bounds, sizes, count, spq_rtree_is_leaf(page), right))
		spq_rtree_choose_split(bounds, sizes, count, axes, limit, right);

	pfree(bounds);
	if (wide)
		pfree(sizes);
}

/* Return the flags of a half of a page. */
static uint16
flags_of_half(Page page, const bool *goes_right, bool right)
{
	uint16		flags = spq_rtree_special(page)->flags &
		~(SPQ_RTREE_HAS_NAN | SPQ_RTREE_ONE_CODE);
	int			count = spq_rtree_count(page),
				first = 0;

	if (!spq_rtree_is_leaf(page) || !spq_rtree_is_keyed(page))
		return flags;
	while (goes_right[first] != right)
		first++;
	for (int entry = first + 1; entry < count; entry++)
		if (goes_right[entry] == right &&
			spq_rtree_code(page, entry) != spq_rtree_code(page, first))
			return flags;
	return flags | SPQ_RTREE_ONE_CODE;
}

void
spq_rtree_split(Relation index, Relation heap, Buffer buffer)
{
	PGAlignedBlock copy;
	Page		old = (Page) copy.data;
	SpqRtreeSpecial *special;
	bool		goes_right[SPQ_RTREE_LEAF_MAX];
	Buffer		right_buffer,
				meta_buffer;
	BlockNumber right_block,
				next_free;
	GenericXLogState *state;
	Page		left,
				right;
	int			count,
				nleft = 0,
				last;

	memcpy(old, BufferGetPage(buffer), BLCKSZ);
	special = spq_rtree_special(old);
	count = special->count;
	Assert(BufferGetBlockNumber(buffer) != SPQ_RTREE_ROOT);
	Assert(!(special->flags & SPQ_RTREE_INCOMPLETE));
	if (count < 2)
		elog(ERROR, "page with %d entries cannot be split", count);
	if (special->splits == PG_UINT32_MAX)
		elog(ERROR, "index \"%s\" has a page that has been split too often",
			 RelationGetRelationName(index));
	choose_halves(index, old, goes_right);

	right_buffer = spq_rtree_pop_free_page(index, heap, &meta_buffer, &next_free);
	if (!BufferIsValid(right_buffer))
		right_buffer = spq_rtree_new_buffer(index);
	right_block = BufferGetBlockNumber(right_buffer);
	PredicateLockPageSplit(index, BufferGetBlockNumber(buffer), right_block);

	state = GenericXLogStart(index);
	left = GenericXLogRegisterBuffer(state, buffer, 0);
	right = GenericXLogRegisterBuffer(state, right_buffer, GENERIC_XLOG_FULL_IMAGE);
	spq_rtree_page_init(left, special->level, flags_of_half(old, goes_right, false));

	/* without it, each record would have an image of the page */
	PageSetLSN(left, PageGetLSN(old));
	spq_rtree_page_init(right, special->level, flags_of_half(old, goes_right, true));
	for (int entry = 0; entry < count; entry++)
	{
		if (goes_right[entry])
			copy_entry(right, old, entry);
		else
			nleft++;
	}

	/*
	 * Entries that stay keep their places as far as possible, and the last
	 * ones fill the gaps, because the record has only bytes that change.
	 */
	last = count;
	for (int place = 0; place < nleft; place++)
	{
		int			entry = place;

		if (goes_right[entry])
		{
			do
				last--;
			while (goes_right[last]);
			entry = last;
		}
		copy_entry(left, old, entry);
	}

	/*
	 * no scan follows the link of a span's last leaf, which may be to any
	 * page
	 */
	if (special->next != right_block)
		spq_rtree_special(right)->next = special->next;
	spq_rtree_special(right)->splits = special->splits;
	spq_rtree_special(left)->next = right_block;
	spq_rtree_special(left)->splits = special->splits + 1;
	spq_rtree_special(left)->flags |= SPQ_RTREE_INCOMPLETE;
	if (BufferIsValid(meta_buffer))
	{
		Page		meta = GenericXLogRegisterBuffer(state, meta_buffer, 0);

		spq_rtree_meta(meta)->free_page = next_free;
	}
	GenericXLogFinish(state);
	if (BufferIsValid(meta_buffer))
		UnlockReleaseBuffer(meta_buffer);
	UnlockReleaseBuffer(right_buffer);
	SPQ_INJECT_POINT("split");
}

void
spq_rtree_grow_root(Relation index, Buffer root)
{
	PGAlignedBlock copy;
	Page		old = (Page) copy.data;
	int			level;
	Buffer		buffer,
				meta_buffer;
	BlockNumber block;
	GenericXLogState *state;
	Page		page;
	SpqRtreeMeta *meta;
	SpqRtreeDownlink downlink;

	memcpy(old, BufferGetPage(root), BLCKSZ);
	level = spq_rtree_special(old)->level;
	if (level + 1 >= SPQ_RTREE_LEVELS)
		elog(ERROR, "index \"%s\" has too many levels", RelationGetRelationName(index));

	buffer = spq_rtree_new_buffer(index);
	block = BufferGetBlockNumber(buffer);
	PredicateLockPageSplit(index, SPQ_RTREE_ROOT, block);
	meta_buffer = spq_rtree_read_meta(index, BUFFER_LOCK_EXCLUSIVE);
	if (BlockNumberIsValid(spq_rtree_meta(BufferGetPage(meta_buffer))->first[level]))
		spq_rtree_damaged(index, SPQ_RTREE_META, "it has a level of the tree that does not exist");

	downlink.bounds = spq_rtree_page_hull(old);
	downlink.child = block;
	downlink.stop = spq_rtree_special(old)->splits;

	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, buffer, GENERIC_XLOG_FULL_IMAGE);
	memcpy(page, old, BLCKSZ);
	spq_rtree_special(page)->flags &= ~SPQ_RTREE_SETTLED;
	spq_rtree_set_promise(page, &downlink.bounds);
	page = GenericXLogRegisterBuffer(state, root, 0);

	/* if it was a leaf, it is not settled: scans may have it pinned */
	spq_rtree_page_init(page, level + 1, spq_rtree_special(old)->flags &
						(SPQ_RTREE_INNER_FLAGS | SPQ_RTREE_SETTLED));
	PageSetLSN(page, PageGetLSN(old));
	spq_rtree_append_downlink(page, &downlink);
	page = GenericXLogRegisterBuffer(state, meta_buffer, 0);
	meta = spq_rtree_meta(page);
	meta->first[level] = block;
	GenericXLogFinish(state);

	UnlockReleaseBuffer(meta_buffer);
	UnlockReleaseBuffer(buffer);
	SPQ_INJECT_POINT("grow");
}
