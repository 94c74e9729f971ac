/*-------------------------------------------------------------------------
 *
 * tree_format.c
 *	  The format of one page of an index of access method spqtree.
 *	  See tree_format.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/itup.h"
#include "access/tupmacs.h"

#include "quadtree_pages/page_format.h"
#include "rtree/keys/code.h"
#include "rtree_pages/tree_format.h"

#define PAGE_FLAGS \
	(SPQ_RTREE_INCOMPLETE | SPQ_RTREE_HAS_NAN | SPQ_RTREE_IS_NULLS | \
	 SPQ_RTREE_FREE | SPQ_RTREE_SETTLED | SPQ_RTREE_LAYOUT_FLAGS)

/* Test the header of a page that is not new, as far as the server does not. */
static char *
server_header_problem(Page page)
{
	if (PageGetPageSize(page) != BLCKSZ)
		return psprintf("page size is %d", (int) PageGetPageSize(page));
	if (PageGetPageLayoutVersion(page) != PG_PAGE_LAYOUT_VERSION)
		return psprintf("page layout version is %d", PageGetPageLayoutVersion(page));
	return NULL;
}

/* Return whether a page of this level, in this place, can have these flags. */
static bool
flags_are_possible(int flags, int level, BlockNumber block, bool has_payloads)
{
	bool		of_nulls = (flags & SPQ_RTREE_IS_NULLS) != 0;

	if ((flags & ~PAGE_FLAGS) != 0 ||
		(block == SPQ_RTREE_NULLS && !of_nulls) ||
		(block == SPQ_RTREE_ROOT && (of_nulls || (flags & SPQ_RTREE_INCOMPLETE))) ||
		((flags & SPQ_RTREE_SETTLED) && (block != SPQ_RTREE_ROOT || level == 0)))
		return false;
	if (of_nulls && (level > 0 || (flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_HAS_NAN))))
		return false;
	if ((flags & SPQ_RTREE_ONE_CODE) != 0 &&
		(of_nulls || level > 0 || (flags & SPQ_RTREE_KEYED) == 0))
		return false;
	if (level > 0)
		return (flags & (SPQ_RTREE_HAS_NAN | SPQ_RTREE_WIDE | SPQ_RTREE_POINTS | SPQ_RTREE_FLOATS)) == 0;
	return ((flags & SPQ_RTREE_WIDE) != 0) == has_payloads;
}

/*
 * Test header and special space of a page that is neither new nor the
 * metapage.
 */
char *
spq_tree_header_problem(Page page, BlockNumber block, TupleDesc columns)
{
	const SpqRtreeSpecial *special;
	char	   *problem = server_header_problem(page);
	const char *unreadable;

	if (problem)
		return problem;
	unreadable = spq_rtree_page_problem(page);
	if (unreadable)
		return psprintf("page cannot be read: %s", unreadable);
	special = spq_rtree_special(page);
	if (!flags_are_possible(special->flags, special->level, block, columns != NULL))
		return psprintf("invalid page flags %04X on a page of level %d",
						special->flags, special->level);
	if (BlockNumberIsValid(special->next) &&
		(block == SPQ_RTREE_ROOT || spq_tree_is_fixed(special->next) || special->next == block))
		return psprintf("invalid right link to block %u", special->next);
	if (special->splits != 0 && (block == SPQ_RTREE_ROOT || spq_tree_of_nulls(page)))
		return psprintf("page was split %u times, which cannot be", special->splits);
	if ((special->flags & SPQ_RTREE_INCOMPLETE) && !BlockNumberIsValid(special->next))
		return pstrdup("split is flagged as incomplete, but there is no page to the right");
	return NULL;
}

char *
spq_tree_meta_problem(Page page, int axes)
{
	const SpqRtreeMeta *meta = spq_rtree_meta(page);
	char	   *problem = server_header_problem(page);

	if (problem)
		return problem;
	if (PageGetSpecialSize(page) != 0 || meta->magic != SPQ_RTREE_MAGIC)
		return psprintf("invalid metapage magic number %08X", meta->magic);
	if (meta->version != SPQ_RTREE_VERSION || meta->dimensions != axes)
		return psprintf("metapage is of version %u for %u dimensions, not %d for %d",
						meta->version, meta->dimensions, SPQ_RTREE_VERSION, axes);
	return NULL;
}

/*
 * Return whether bounds are empty, or in order on each axis.  With a NaN they
 * are neither.
 */
static bool
bounds_are_possible(const SpqRtreeBounds *bounds, int axes, bool keyed)
{
	SpqRtreeBounds nothing = spq_rtree_bounds_nothing();
	bool		in_order = true;

	for (int axis = 0; axis < axes; axis++)
		in_order &= bounds->low[axis] <= bounds->high[axis];
	if (keyed)
		in_order &= bounds->low_code <= bounds->high_code;
	return in_order || spq_rtree_bounds_equal(bounds, &nothing);
}

/* Test a downlink by itself, and against those before it. */
static char *
downlink_problem(Page page, BlockNumber block, int entry)
{
	SpqRtreeDownlink downlink = spq_rtree_get_downlink(page, entry);

	if (!bounds_are_possible(&downlink.bounds, spq_rtree_page_axes(page),
							 spq_rtree_is_keyed(page)))
		return pstrdup("bounds of the downlink are the wrong way round, or no numbers");
	if (spq_tree_is_fixed(downlink.child) || !BlockNumberIsValid(downlink.child) ||
		downlink.child == block)
		return psprintf("downlink points to block %u, where no child can be", downlink.child);
	for (int other = 0; other < entry; other++)
		if (spq_rtree_child(page, other) == downlink.child)
			return psprintf("duplicate downlink to block %u, also in item %d",
							downlink.child, other + 1);
	return NULL;
}

/*
 * Extract the INCLUDE columns of a row.  Return the first problem, or NULL.
 * This works like index_deform_tuple(), but tests each step.  Values may be
 * compressed, but not out of line.
 */
char *
spq_tree_payload_columns(Page page, int entry, TupleDesc columns, Datum *values, bool *nulls)
{
	IndexTuple	tuple = spq_rtree_payload(page, entry);
	const char *payload = (const char *) tuple;
	bool		has_bitmap;
	Size		size,
				begin,
				at = 0;

	if (tuple == NULL)
		return pstrdup("included columns are not within the page");
	size = IndexTupleSize(tuple);
	has_bitmap = IndexTupleHasNulls(tuple);
	begin = IndexInfoFindDataOffset(tuple->t_info);
	if (begin > size)
		return psprintf("included columns of %zu bytes are too short for their header", size);
	for (int i = 0; i < columns->natts; i++)
	{
		char	   *problem;

		values[i] = (Datum) 0;
		nulls[i] = has_bitmap &&
			att_isnull(i, (uint8 *) (payload + sizeof(IndexTupleData)));
		if (nulls[i])
			continue;
		problem = spq_page_column(TupleDescAttr(columns, i), TupleDescAttr(columns, i)->attnum,
								  true, payload + begin, size - begin, &at, &values[i]);
		if (problem)
			return problem;
	}
	if (MAXALIGN(begin + at) != MAXALIGN(size))
		return psprintf("included columns have %zu bytes, but take %zu", size, begin + at);
	return NULL;
}

/* Test a row by itself. */
static char *
row_problem(Page page, int entry, TupleDesc columns)
{
	SpqRtreeRow row = spq_rtree_get_row(page, entry);
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	if (!ItemPointerIsValid(&row.tid) ||
		!BlockNumberIsValid(ItemPointerGetBlockNumberNoCheck(&row.tid)))
		return pstrdup("leaf has an invalid row pointer");
	/* bitmap scans raise an error for these */
	if (ItemPointerGetOffsetNumber(&row.tid) > MaxHeapTuplesPerPage)
		return psprintf("leaf points to row (%u,%u), which cannot exist",
						ItemPointerGetBlockNumber(&row.tid),
						ItemPointerGetOffsetNumber(&row.tid));
	if (spq_rtree_is_keyed(page) && !(row.code >= 0 && row.code < (float8) (UINT64CONST(1) << SPQ_RTREE_CODE_BITS) && row.code == floor(row.code)))
		return psprintf("invalid code %g of the row", row.code);
	if (!spq_tree_of_nulls(page) && !(spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN))
		for (int end = 0; end < 2 * spq_rtree_page_axes(page); end++)
			if (isnan(row.ends[end]))
				return pstrdup("box has a NaN, but the page is not flagged as having one");
	return columns ? spq_tree_payload_columns(page, entry, columns, values, nulls) : NULL;
}

/* Test whether an entry is within the bounds that the page guarantees. */
static char *
promise_problem(Page page, BlockNumber block, int entry)
{
	SpqRtreeBounds bounds;
	SpqRtreeBounds promise = spq_rtree_promise(page);

	if (block == SPQ_RTREE_ROOT || spq_tree_of_nulls(page))
		return NULL;
	if (spq_rtree_is_leaf(page))
	{
		SpqRtreeRow row = spq_rtree_get_row(page, entry);

		bounds = spq_rtree_row_bounds(&row, spq_rtree_page_axes(page));
	}
	else
		bounds = spq_rtree_entry_bounds(page, entry);
	if (!spq_rtree_bounds_hold(&promise, &bounds))
		return pstrdup("bounds are outside the bounds that the page promises");
	return NULL;
}

/* Test an entry, by itself and against the bounds that the page guarantees. */
char *
spq_tree_entry_problem(Page page, BlockNumber block, int entry, TupleDesc columns)
{
	char	   *problem = spq_rtree_is_leaf(page) ? row_problem(page, entry, columns) :
		downlink_problem(page, block, entry);

	return problem ? problem : promise_problem(page, block, entry);
}

static bool
is_zero(const char *bytes, Size size)
{
	for (Size i = 0; i < size; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/* Return whether a place behind the last entry, in the last group, is zero. */
static bool
place_is_zero(Page page, int entry)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	const char *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	Size		width = layout->floats ? sizeof(float4) : sizeof(float8),
				place = i * width,
				end = spq_rtree_is_leaf(page) ? layout->tid : layout->child;

	for (; place < layout->codes; place += SPQ_RTREE_GROUP * width)
		if (!is_zero(group + place, width))
			return false;
	for (place = layout->codes + i * sizeof(float8); place < end; place += sizeof(SpqRtreeColumn))
		if (!is_zero(group + place, sizeof(float8)))
			return false;
	if (!spq_rtree_is_leaf(page))
		return spq_rtree_child(page, entry) == 0 && spq_rtree_stop(page, entry) == 0;
	return is_zero((const char *) spq_rtree_tid(page, entry), sizeof(ItemPointerData)) &&
		(*spq_rtree_dead(page, entry / SPQ_RTREE_GROUP) & (1 << i)) == 0 &&
		(!(spq_rtree_special(page)->flags & SPQ_RTREE_WIDE) ||
		 *spq_rtree_payload_offset(page, entry) == 0);
}

/* Test the bytes that must be zero: insertions and redo of WAL rely on it. */
static char *
zero_problem(Page page)
{
	const PageHeaderData *header = (PageHeader) page;
	int			count = spq_rtree_count(page);

	for (int entry = count; entry < spq_rtree_groups(count) * SPQ_RTREE_GROUP; entry++)
		if (!place_is_zero(page, entry))
			return pstrdup("place behind the last entry is not zero");
	if (!is_zero((char *) page + header->pd_lower, header->pd_upper - header->pd_lower))
		return psprintf("free space from byte %d to %d is not zero",
						header->pd_lower, header->pd_upper);
	return NULL;
}

/*
 * Test whether the payloads fill their part of the page.  Requires that no
 * payload has a problem.
 */
static char *
payloads_problem(Page page, int *entry)
{
	const PageHeaderData *header = (PageHeader) page;
	int			count = spq_rtree_count(page);
	uint16		owner[BLCKSZ / MAXIMUM_ALIGNOF] = {0};

	for (int e = 0; e < count; e++)
	{
		IndexTuple	payload = spq_rtree_payload(page, e);
		Size		unit = ((char *) payload - (char *) page) / MAXIMUM_ALIGNOF,
					end = unit + MAXALIGN(IndexTupleSize(payload)) / MAXIMUM_ALIGNOF;

		for (; unit < end; unit++)
		{
			if (owner[unit] != 0)
			{
				*entry = e;
				return psprintf("included columns overlap those of item %d", owner[unit]);
			}
			owner[unit] = e + 1;
		}
	}
	if (header->pd_upper != MAXALIGN(header->pd_upper))
		return psprintf("included columns begin at byte %d", header->pd_upper);
	for (int unit = header->pd_upper / MAXIMUM_ALIGNOF;
		 unit < header->pd_special / MAXIMUM_ALIGNOF; unit++)
		if (owner[unit] == 0)
			return psprintf("bytes from %d on belong to no entry", unit * MAXIMUM_ALIGNOF);
	return NULL;
}

/*
 * Test the entries and the remaining bytes of a page whose header has no
 * problem.  Set *entry to the entry with the problem, or to -1.
 */
char *
spq_tree_page_problem(Page page, BlockNumber block, TupleDesc columns, int *entry)
{
	int			count = spq_rtree_count(page);
	SpqRtreeBounds promise = spq_rtree_promise(page);
	char	   *problem;

	*entry = -1;
	if (count == 0 && !spq_rtree_is_leaf(page))
		return pstrdup("inner page has no downlinks");
	if (block != SPQ_RTREE_ROOT && !spq_tree_of_nulls(page) &&
		!bounds_are_possible(&promise, spq_rtree_page_axes(page),
							 spq_rtree_is_keyed(page)))
		return pstrdup("bounds that the page promises are the wrong way round, or no numbers");
	if (spq_rtree_is_of_one_code(page) && count > 0 && promise.low_code != promise.high_code)
		return pstrdup("rows have no codes, but the page does not promise a single one");
	for (int e = 0; e < count; e++)
	{
		problem = spq_tree_entry_problem(page, block, e, columns);
		if (problem)
		{
			*entry = e;
			return problem;
		}
	}
	problem = zero_problem(page);
	if (problem)
		return problem;
	if (spq_rtree_special(page)->flags & SPQ_RTREE_WIDE)
		return payloads_problem(page, entry);
	if (((PageHeader) page)->pd_upper != ((PageHeader) page)->pd_special)
		return pstrdup("bytes at the end of the page belong to no entry");
	return NULL;
}
