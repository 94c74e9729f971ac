/*-------------------------------------------------------------------------
 *
 * build_subtree.c
 *	  A subtree of rows of CREATE INDEX: cut into leaves.  See build_subtree.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "rtree/bulk_load/build_state.h"
#include "rtree/bulk_load/build_subtree.h"
#include "rtree/page/append_row.h"
#include "rtree/place/pack.h"

struct SpqRtreeSubtreeWriter
{
	const SpqRtreeBuild *build;
	SpqRtreePackItem *items;	/* of the current subtree, in page order */
	int		   *page_end;
	SpqRtreeDownlink *downlinks;
	PGAlignedBlock page;
};

Size
spq_rtree_subtree_space(const SpqRtreeBuild *build)
{
	Size		space = SPQ_RTREE_SUBTREE_HEADER + build->subtree_max * sizeof(SpqRtreeRow);

	if (build->payload_desc != NULL)
	{
		space = MAXALIGN(space + build->subtree_max * sizeof(uint32));

		/* the last row may exceed the limit */
		space += build->subtree_size + SPQ_RTREE_PAYLOAD_MAX;
	}
	return BUFFERALIGN(space);
}

SpqRtreeDownlink *
spq_rtree_subtree_downlinks(SpqRtreeSubtree *subtree)
{
	/* there are no more downlinks than rows */
	StaticAssertStmt(sizeof(SpqRtreeDownlink) <= sizeof(SpqRtreeRow),
					 "downlinks fit the place of rows");
	return (SpqRtreeDownlink *) spq_rtree_subtree_rows(subtree);
}

int
spq_rtree_region_inner_pages(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree,
							 int nleaves)
{
	if (nleaves <= spq_rtree_page_max(1, build->inner_flags))
		return spq_rtree_region_is_all(build, subtree) ? 0 : 1;
	return (nleaves + build->inner_max - 1) / build->inner_max;
}

SpqRtreeSubtreeWriter *
spq_rtree_subtree_writer(const SpqRtreeBuild *build)
{
	SpqRtreeSubtreeWriter *writer = palloc(sizeof(SpqRtreeSubtreeWriter));

	writer->build = build;
	writer->items = palloc_extended(build->subtree_max * sizeof(SpqRtreePackItem),
									MCXT_ALLOC_HUGE);
	writer->page_end = palloc(build->subtree_max * sizeof(int));
	writer->downlinks = palloc_extended(build->subtree_max * sizeof(SpqRtreeDownlink),
										MCXT_ALLOC_HUGE);
	return writer;
}

/*
 * Return how many rows a leaf gets, at most "max".  Each row takes its size
 * less "code_size".  If rows have payloads, the number follows from their mean
 * size.  If that many of the largest rows would not fit, it is a tenth less, so
 * that most pages stay within their space, and few have to be cut once more.
 */
static int
rows_per_leaf(const SpqRtreeBuild *build, const SpqRtreePackItem *items, int count,
			  int max, uint32 code_size)
{
	double		size = 0;
	uint32		largest = 0;
	double		rows;

	if (build->payload_desc == NULL)
		return max;
	for (int i = 0; i < count; i++)
	{
		size += items[i].size - code_size;
		largest = Max(largest, items[i].size);
	}
	rows = build->leaf_size / (size / count);
	if (largest * rows > SPQ_RTREE_LEAF_SPACE(build->leaf_flags))
		rows *= 0.9;
	return Min(max, Max((int) rows, 1));
}

void
spq_rtree_pack_subtree(SpqRtreeSubtreeWriter *writer, SpqRtreeSubtree *subtree)
{
	const SpqRtreeBuild *build = writer->build;
	bool		keyed = (build->inner_flags & SPQ_RTREE_KEYED) != 0;
	SpqRtreeLeafLimits limits;

	for (int i = 0; i < subtree->count; i++)
	{
		SpqRtreeRow row = spq_rtree_subtree_row(build, subtree, i);

		writer->items[i].bounds = spq_rtree_row_bounds(&row, build->axes);
		writer->items[i].size = spq_rtree_build_row_size(build, &row);
		writer->items[i].number = i;
	}
	limits.axes = build->axes;
	limits.units = &build->units;
	limits.max_count = rows_per_leaf(build, writer->items, subtree->count, build->leaf_max, 0);
	limits.max_size = SPQ_RTREE_LEAF_SPACE(build->leaf_flags);
	if (!keyed)
	{
		subtree->npages = spq_rtree_pack(writer->items, subtree->count, limits.axes, limits.units,
										 limits.max_count, limits.max_size, true, writer->page_end);
		return;
	}
	limits.code_size = build->payload_desc ? sizeof(float8) : 0;
	limits.one_code_count = rows_per_leaf(build, writer->items, subtree->count,
										  build->one_code_max, limits.code_size);
	subtree->npages = spq_rtree_pack_by_code(writer->items, subtree->count, &limits,
											 writer->page_end);
}

#define ST_SORT sort_by_table
#define ST_ELEMENT_TYPE uint64
#define ST_COMPARE(a, b) (*(a) < *(b) ? -1 : *(a) > *(b))
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/*
 * Append the rows of items to the page, in the order of the table, so that a
 * scan that fetches them visits each page of the table once, and goes forward.
 */
static void
append_rows(SpqRtreeSubtreeWriter *writer, const SpqRtreeSubtree *subtree,
			const SpqRtreePackItem *items, int count)
{
	uint64		order[SPQ_RTREE_LEAF_MAX];	/* TID, number of the item */
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	Assert(count <= SPQ_RTREE_LEAF_MAX);
	StaticAssertStmt(SPQ_RTREE_LEAF_MAX <= 0xFFFF, "the number of an item has 16 bits");
	for (int i = 0; i < count; i++)
	{
		const ItemPointerData *tid = &spq_rtree_subtree_rows(subtree)[items[i].number].tid;

		order[i] = (uint64) ItemPointerGetBlockNumberNoCheck(tid) << 32 |
			(uint64) ItemPointerGetOffsetNumberNoCheck(tid) << 16 | i;
		spq_rtree_bounds_add(&bounds, &items[i].bounds);
	}
	sort_by_table(order, count);
	for (int i = 0; i < count; i++)
	{
		SpqRtreeRow row = spq_rtree_subtree_row(writer->build, subtree,
												items[order[i] & 0xFFFF].number);

		spq_rtree_append_row_only(writer->page.data, &row);
	}
	spq_rtree_widen_promise(writer->page.data, &bounds);
}

/* Return the flags of a leaf with these rows. */
static uint16
leaf_flags(const SpqRtreeBuild *build, const SpqRtreePackItem *items, int count)
{
	if ((build->inner_flags & SPQ_RTREE_KEYED) == 0)
		return build->leaf_flags;
	for (int i = 1; i < count; i++)
		if (items[i].bounds.low_code != items[0].bounds.low_code)
			return build->leaf_flags;
	return build->leaf_flags | SPQ_RTREE_ONE_CODE;
}

void
spq_rtree_write_subtree(SpqRtreeSubtreeWriter *writer, SpqRtreeSubtree *subtree)
{
	const SpqRtreeBuild *build = writer->build;
	Page		page = writer->page.data;
	BlockNumber beyond = subtree->first + subtree->npages + subtree->ninner;

	for (int i = 0, begin = 0; i < subtree->npages; begin = writer->page_end[i++])
	{
		SpqRtreeSpecial *special;

		CHECK_FOR_INTERRUPTS();
		spq_rtree_page_init(page, 0, leaf_flags(build, writer->items + begin,
												writer->page_end[i] - begin));
		append_rows(writer, subtree, writer->items + begin, writer->page_end[i] - begin);
		special = spq_rtree_special(page);
		if (i + 1 < subtree->npages)
			special->next = subtree->first + i + 1;
		else
			special->next = subtree->more ? beyond : InvalidBlockNumber;
		writer->downlinks[i].bounds = spq_rtree_promise(page);
		writer->downlinks[i].child = subtree->first + i;
		writer->downlinks[i].stop = special->splits;
		spq_rtree_build_write(build, subtree->first + i, page);
	}
	memcpy(spq_rtree_subtree_downlinks(subtree), writer->downlinks,
		   subtree->npages * sizeof(SpqRtreeDownlink));
}
