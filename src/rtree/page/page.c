/*-------------------------------------------------------------------------
 *
 * page.c
 *	  Reading and changing the entries of a page.  See page.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/page/page.h"

/*
 * Make an empty page of a level.  The caller sets the right link and the split
 * count, and appends entries.
 */
void
spq_rtree_page_init(Page page, int level, uint16 flags)
{
	SpqRtreeSpecial *special;
	SpqRtreeBounds nothing = spq_rtree_bounds_nothing();

	PageInit(page, BLCKSZ, BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - spq_rtree_space(flags));
	special = spq_rtree_special(page);
	special->next = InvalidBlockNumber;
	special->level = level;
	special->flags = flags;
	special->count = 0;
	special->page_id = SPQ_RTREE_PAGE_ID;
	special->splits = 0;
	spq_rtree_set_promise(page, &nothing);
}

void
spq_rtree_meta_init(Page page, int axes, int scalars)
{
	SpqRtreeMeta *meta;

	PageInit(page, BLCKSZ, 0);
	meta = spq_rtree_meta(page);
	meta->magic = SPQ_RTREE_MAGIC;
	meta->version = SPQ_RTREE_VERSION;
	meta->dimensions = axes;
	for (int i = 0; i < SPQ_RTREE_LEVELS; i++)
		meta->first[i] = InvalidBlockNumber;
	meta->null_page = SPQ_RTREE_NULLS;
	meta->free_page = InvalidBlockNumber;
	meta->scalars = scalars;

	/* full-page images must contain all of it */
	((PageHeader) page)->pd_lower = (char *) (meta + 1) - (char *) page;
}

void
spq_rtree_page_set_free(Page page, FullTransactionId xid, BlockNumber next)
{
	SpqRtreeFree *content = spq_rtree_free_content(page);

	Assert(spq_rtree_is_leaf(page) && spq_rtree_count(page) == 0);
	spq_rtree_special(page)->flags |= SPQ_RTREE_FREE;
	content->xid = xid;
	content->next = next;
	content->unused = 0;
	((PageHeader) page)->pd_lower = (char *) (content + 1) - (char *) page;
}

Size
spq_rtree_payload_size(const SpqRtreeRow *row)
{
	return row->payload ? MAXALIGN(IndexTupleSize((const IndexTupleData *) row->payload)) : 0;
}

bool
spq_rtree_page_has_room(Page page, Size payload_size)
{
	const PageHeaderData *header = (PageHeader) page;
	Size		needed = payload_size;

	if (spq_rtree_count(page) % SPQ_RTREE_GROUP == 0)
		needed += spq_rtree_group_size(page);
	return header->pd_lower + needed <= header->pd_upper;
}

bool
spq_rtree_takes_code(Page page, float8 code)
{
	const SpqRtreeCodes *codes = spq_rtree_codes(page);

	return !spq_rtree_is_of_one_code(page) || codes->high < codes->low ||
		(codes->high == code && codes->low == code);
}

/* Return the layout of a leaf of one code with a column of codes added. */
static const SpqRtreeLayout *
layout_with_codes(Page page)
{
	return spq_rtree_layout_of(0, spq_rtree_special(page)->flags & ~SPQ_RTREE_ONE_CODE);
}

bool
spq_rtree_has_room_for_codes(Page page, Size payload_size)
{
	return MAXALIGN(SizeOfPageHeaderData) +
		spq_rtree_groups(spq_rtree_count(page) + 1) * layout_with_codes(page)->size +
		payload_size <= ((PageHeader) page)->pd_upper;
}

void
spq_rtree_give_codes(Page page)
{
	PGAlignedBlock copy;
	Page		old = (Page) copy.data;
	PageHeader	header = (PageHeader) page;
	const SpqRtreeLayout *before = spq_rtree_layout(page),
			   *after = layout_with_codes(page);
	int			groups = spq_rtree_groups(spq_rtree_count(page));

	Assert(spq_rtree_is_of_one_code(page));
	memcpy(old, page, BLCKSZ);
	memset(PageGetContents(page), 0, header->pd_lower - MAXALIGN(SizeOfPageHeaderData));
	header->pd_lower = MAXALIGN(SizeOfPageHeaderData) + groups * after->size;
	spq_rtree_special(page)->flags &= ~SPQ_RTREE_ONE_CODE;
	for (int g = 0; g < groups; g++)
	{
		/* the column goes between those of ends and the rest */
		memcpy(spq_rtree_group(page, g), spq_rtree_group(old, g), before->tid);
		memcpy(spq_rtree_group(page, g) + after->tid, spq_rtree_group(old, g) + before->tid,
			   before->size - before->tid);
	}
	for (int entry = 0; entry < spq_rtree_count(page); entry++)
		*spq_rtree_code_place(page, entry) = spq_rtree_codes(page)->high;
}

/*
 * Take the place for one more downlink, in a new group if the last one is full, and
 * return its number.
 */
static int
add_place(Page page)
{
	SpqRtreeSpecial *special = spq_rtree_special(page);

	if (special->count % SPQ_RTREE_GROUP == 0)
	{
		PageHeader	header = (PageHeader) page;

		memset((char *) page + header->pd_lower, 0, spq_rtree_group_size(page));
		header->pd_lower += spq_rtree_group_size(page);
		Assert(header->pd_lower <= header->pd_upper);
	}
	return special->count++;
}

SpqRtreeDownlink
spq_rtree_get_downlink(Page page, int entry)
{
	SpqRtreeDownlink downlink;

	downlink.bounds = spq_rtree_entry_bounds(page, entry);
	downlink.child = spq_rtree_child(page, entry);
	downlink.stop = spq_rtree_stop(page, entry);
	return downlink;
}

void
spq_rtree_put_downlink(Page page, int entry, const SpqRtreeDownlink *downlink)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	SpqRtreeBoundsPlace place = spq_rtree_downlink_place(page, entry);

	spq_rtree_put_bounds(&place, &downlink->bounds);
	((BlockNumber *) (group + layout->child))[i] = downlink->child;
	((uint32 *) (group + layout->stop))[i] = downlink->stop;
}

void
spq_rtree_append_downlink(Page page, const SpqRtreeDownlink *downlink)
{
	spq_rtree_put_downlink(page, add_place(page), downlink);
	spq_rtree_widen_promise(page, &downlink->bounds);
}

/* Remove an entry; the last one takes its place.  The promise stays. */
void
spq_rtree_remove_downlink(Page page, int entry)
{
	SpqRtreeSpecial *special = spq_rtree_special(page);
	PageHeader	header = (PageHeader) page;
	const SpqRtreeDownlink zero = {0};
	SpqRtreeDownlink last = spq_rtree_get_downlink(page, special->count - 1);

	spq_rtree_put_downlink(page, entry, &last);
	spq_rtree_put_downlink(page, special->count - 1, &zero);
	special->count--;
	header->pd_lower = MAXALIGN(SizeOfPageHeaderData) +
		spq_rtree_groups(special->count) * spq_rtree_group_size(page);
}

SpqRtreeRow
spq_rtree_get_row(Page page, int entry)
{
	int			group = entry / SPQ_RTREE_GROUP,
				i = entry % SPQ_RTREE_GROUP;
	SpqRtreeRow row;

	spq_rtree_get_ends(spq_rtree_layout(page), spq_rtree_group(page, group), i, row.ends);
	row.tid = *spq_rtree_tid(page, entry);
	row.dead = (*spq_rtree_dead(page, group) & (1 << i)) != 0;
	row.payload = NULL;
	if (spq_rtree_special(page)->flags & SPQ_RTREE_WIDE)
		row.payload = (char *) page + *spq_rtree_payload_offset(page, entry);
	row.code = spq_rtree_is_keyed(page) ? spq_rtree_code(page, entry) : SPQ_RTREE_NO_CODE;
	return row;
}

void
spq_rtree_reorder_rows(Page page, Page from, const uint16 *order)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(from);
	int			nrows = spq_rtree_count(from),
				ncolumns = layout->ends + (spq_rtree_has_codes(from) ? 1 : 0);
	bool		wide = (spq_rtree_special(from)->flags & SPQ_RTREE_WIDE) != 0;
	const char *sources = spq_rtree_group(from, 0);
	char	   *target = spq_rtree_group(page, 0);

	Assert(spq_rtree_is_leaf(from));
	for (int row = 0; row < nrows; row++)
	{
		const char *source = sources + order[row] / SPQ_RTREE_GROUP * layout->size;
		int			from_i = order[row] % SPQ_RTREE_GROUP,
					i = row % SPQ_RTREE_GROUP;

		if (row > 0 && i == 0)
			target += layout->size;
		if (layout->floats)
		{
			for (int end = 0; end < layout->ends; end++)
				((SpqRtreeFloatColumn *) target)[end][i] =
					((const SpqRtreeFloatColumn *) source)[end][from_i];
			if (ncolumns > layout->ends)
				((float8 *) (target + layout->codes))[i] =
					((const float8 *) (source + layout->codes))[from_i];
		}
		else
			for (int column = 0; column < ncolumns; column++)
				((SpqRtreeColumn *) target)[column][i] =
					((const SpqRtreeColumn *) source)[column][from_i];
		((ItemPointer) (target + layout->tid))[i] =
			((const ItemPointerData *) (source + layout->tid))[from_i];
		if (wide)
			((uint16 *) (target + layout->payload))[i] =
				((const uint16 *) (source + layout->payload))[from_i];
	}
}

int
spq_rtree_find_child(Page page, BlockNumber child)
{
	int			count = spq_rtree_count(page);

	for (int entry = 0; entry < count; entry++)
		if (spq_rtree_child(page, entry) == child)
			return entry;
	return -1;
}

SpqRtreeBounds
spq_rtree_page_hull(Page page)
{
	SpqRtreeBounds hull = spq_rtree_bounds_nothing();
	int			count = spq_rtree_count(page);

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeBounds bounds;

		if (spq_rtree_is_leaf(page))
		{
			SpqRtreeRow row = spq_rtree_get_row(page, entry);

			bounds = spq_rtree_row_bounds(&row, spq_rtree_page_axes(page));
		}
		else
			bounds = spq_rtree_entry_bounds(page, entry);
		spq_rtree_bounds_add(&hull, &bounds);
	}
	return hull;
}

/* Return whether all payloads are within the page's space for payloads. */
static bool
payloads_are_plausible(Page page)
{
	int			count = spq_rtree_count(page);

	for (int entry = 0; entry < count; entry++)
		if (spq_rtree_payload(page, entry) == NULL)
			return false;
	return true;
}

const char *
spq_rtree_entries_problem(Page page)
{
	const PageHeaderData *header = (PageHeader) page;
	const SpqRtreeSpecial *special;
	Size		lower;

	if (PageIsNew(page))
		return "it is all zeros";
	if (PageGetPageSize(page) != BLCKSZ ||
		header->pd_special > BLCKSZ - MAXALIGN(sizeof(SpqRtreeSpecial)))
		return "its special space has the wrong size";
	special = spq_rtree_special(page);
	if (header->pd_special !=
		MAXALIGN(SizeOfPageHeaderData) + spq_rtree_space(special->flags))
		return "its special space has the wrong size";
	if (special->page_id != SPQ_RTREE_PAGE_ID)
		return "it is not a page of this kind of index";
	if (special->level >= SPQ_RTREE_LEVELS)
		return "its level is impossible";
	lower = MAXALIGN(SizeOfPageHeaderData) +
		spq_rtree_groups(special->count) * spq_rtree_group_size(page);
	if (special->flags & SPQ_RTREE_FREE)
	{
		if (special->level > 0 || special->count > 0 || (special->flags & SPQ_RTREE_INCOMPLETE))
			return "it is free and has entries";
		lower += sizeof(SpqRtreeFree);
	}
	if (header->pd_lower != lower ||
		header->pd_lower > header->pd_upper || header->pd_upper > header->pd_special)
		return "its number of entries is impossible";
	return NULL;
}

const char *
spq_rtree_page_problem(Page page)
{
	const char *problem = spq_rtree_entries_problem(page);
	const SpqRtreeSpecial *special;

	if (problem != NULL)
		return problem;
	special = spq_rtree_special(page);
	if (special->level == 0 && (special->flags & SPQ_RTREE_WIDE) &&
		!payloads_are_plausible(page))
		return "an INCLUDE column's value is outside of its page";
	return NULL;
}
