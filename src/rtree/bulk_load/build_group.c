/*-------------------------------------------------------------------------
 *
 * build_group.c
 *	  A group of rows of CREATE INDEX: cut into leaves.  See build_group.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "rtree/bulk_load/build_group.h"
#include "rtree/bulk_load/build_pages.h"
#include "rtree/place/pack.h"

struct SpqRtreeGroupWriter
{
	const SpqRtreeBuild *build;
	SpqRtreePackItem *items;	/* of the current group, in page order */
	int		   *page_end;
	SpqRtreeDownlink *downlinks;
	PGAlignedBlock page;
};

Size
spq_rtree_group_space(const SpqRtreeBuild *build)
{
	Size		space = SPQ_RTREE_GROUP_HEADER + build->group_max * sizeof(SpqRtreeRow);

	if (build->payload_desc != NULL)
	{
		space = MAXALIGN(space + build->group_max * sizeof(uint32));

		/* the last row may exceed the limit */
		space += build->group_size + SPQ_RTREE_PAYLOAD_MAX;
	}
	return BUFFERALIGN(space);
}

SpqRtreeDownlink *
spq_rtree_group_downlinks(SpqRtreeGroup *group)
{
	/* there are no more downlinks than rows */
	StaticAssertStmt(sizeof(SpqRtreeDownlink) <= sizeof(SpqRtreeRow),
					 "downlinks fit the place of rows");
	return (SpqRtreeDownlink *) spq_rtree_group_rows(group);
}

int
spq_rtree_group_inner_pages(const SpqRtreeBuild *build, const SpqRtreeGroup *group,
							int nleaves)
{
	if (nleaves <= spq_rtree_page_max(1, build->inner_flags))
		return spq_rtree_group_is_all(group) ? 0 : 1;
	return (nleaves + build->inner_max - 1) / build->inner_max;
}

SpqRtreeGroupWriter *
spq_rtree_group_writer(const SpqRtreeBuild *build)
{
	SpqRtreeGroupWriter *writer = palloc(sizeof(SpqRtreeGroupWriter));

	writer->build = build;
	writer->items = palloc_extended(build->group_max * sizeof(SpqRtreePackItem),
									MCXT_ALLOC_HUGE);
	writer->page_end = palloc(build->group_max * sizeof(int));
	writer->downlinks = palloc_extended(build->group_max * sizeof(SpqRtreeDownlink),
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
spq_rtree_pack_group(SpqRtreeGroupWriter *writer, SpqRtreeGroup *group)
{
	const SpqRtreeBuild *build = writer->build;
	bool		keyed = (build->inner_flags & SPQ_RTREE_KEYED) != 0;
	SpqRtreeLeafLimits limits;

	for (int i = 0; i < group->count; i++)
	{
		SpqRtreeRow row = spq_rtree_group_row(build, group, i);

		writer->items[i].bounds = spq_rtree_row_bounds(&row, build->axes);
		writer->items[i].size = spq_rtree_build_row_size(build, &row);
		writer->items[i].number = i;
	}
	limits.axes = build->axes;
	limits.units = &build->units;
	limits.max_count = rows_per_leaf(build, writer->items, group->count, build->leaf_max, 0);
	limits.max_size = SPQ_RTREE_LEAF_SPACE(build->leaf_flags);
	if (!keyed)
	{
		group->npages = spq_rtree_pack(writer->items, group->count, limits.axes, limits.units,
									   limits.max_count, limits.max_size, writer->page_end);
		return;
	}
	limits.code_size = build->payload_desc ? sizeof(float8) : 0;
	limits.one_code_count = rows_per_leaf(build, writer->items, group->count,
										  build->one_code_max, limits.code_size);
	group->npages = spq_rtree_pack_by_code(writer->items, group->count, &limits,
										   writer->page_end);
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

/*
 * Append the rows of items to the page, in the order of the table, so that a
 * scan that fetches them visits each page of the table once, and goes forward.
 */
static void
append_rows(SpqRtreeGroupWriter *writer, const SpqRtreeGroup *group,
			const SpqRtreePackItem *items, int count)
{
	TableOrder	order[SPQ_RTREE_LEAF_MAX];

	Assert(count <= SPQ_RTREE_LEAF_MAX);
	for (int i = 0; i < count; i++)
	{
		const ItemPointerData *tid = &spq_rtree_group_rows(group)[items[i].number].tid;

		order[i].tid = (uint64) ItemPointerGetBlockNumberNoCheck(tid) << 16 |
			ItemPointerGetOffsetNumberNoCheck(tid);
		order[i].number = items[i].number;
	}
	sort_by_table(order, count);
	for (int i = 0; i < count; i++)
	{
		SpqRtreeRow row = spq_rtree_group_row(writer->build, group, order[i].number);

		spq_rtree_append_row(writer->page.data, &row);
	}
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
spq_rtree_write_group(SpqRtreeGroupWriter *writer, SpqRtreeGroup *group)
{
	const SpqRtreeBuild *build = writer->build;
	Page		page = writer->page.data;
	BlockNumber beyond = group->first + group->npages +
		spq_rtree_group_inner_pages(build, group, group->npages);

	for (int i = 0, begin = 0; i < group->npages; begin = writer->page_end[i++])
	{
		SpqRtreeSpecial *special;

		CHECK_FOR_INTERRUPTS();
		spq_rtree_page_init(page, 0, leaf_flags(build, writer->items + begin,
												writer->page_end[i] - begin));
		append_rows(writer, group, writer->items + begin, writer->page_end[i] - begin);
		special = spq_rtree_special(page);
		if (i + 1 < group->npages)
			special->next = group->first + i + 1;
		else
			special->next = group->more ? beyond : InvalidBlockNumber;
		writer->downlinks[i].bounds = spq_rtree_promise(page);
		writer->downlinks[i].child = group->first + i;
		writer->downlinks[i].stop = special->splits;
		spq_rtree_build_write(build, group->first + i, page);
	}
	memcpy(spq_rtree_group_downlinks(group), writer->downlinks,
		   group->npages * sizeof(SpqRtreeDownlink));
}
