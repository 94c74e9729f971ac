/*-------------------------------------------------------------------------
 *
 * rtree_counts.c
 *	  The pages of an index of access method spqtree.  See stats_columns.h.
 *
 * Dead entries are rows that scans have found dead.  Free bytes are those
 * between pd_lower and pd_upper, and places without an entry in the last group
 * of a page.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/itup.h"

#include "inspect/stats_columns.h"
#include "quadtree_pages/raise.h"

/* Count the dead rows of a leaf, and their bytes. */
static void
count_dead(int64 *counts, Page page)
{
	int			count = spq_rtree_count(page);
	Size		place = spq_rtree_group_size(page) / SPQ_RTREE_GROUP;

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeRow row = spq_rtree_get_row(page, entry);

		if (!row.dead)
			continue;
		counts[DEAD_TUPLES]++;
		counts[DEAD_BYTES] += place;
		if (row.payload)
			counts[DEAD_BYTES] += MAXALIGN(IndexTupleSize((IndexTuple) row.payload));
	}
}

/* Count a page whose header has no problem. */
static void
count_page(int64 *counts, const SpqTreeReader *reader, BlockNumber block, Page page)
{
	const PageHeaderData *header = (PageHeader) page;
	int			count = spq_rtree_count(page);
	int			unused = spq_rtree_groups(count) * SPQ_RTREE_GROUP - count;
	int			entry;
	char	   *problem = spq_tree_page_problem(page, block, reader->columns, &entry);

	if (problem)
		spq_page_raise(reader->index, block, entry + 1, problem);
	counts[FREE_BYTES] += header->pd_upper - header->pd_lower +
		unused * (spq_rtree_group_size(page) / SPQ_RTREE_GROUP);
	if (count == 0)
		counts[EMPTY_PAGES]++;
	else if (spq_rtree_is_leaf(page))
		counts[LEAF_PAGES]++;
	else
		counts[INNER_PAGES]++;
	if (spq_rtree_is_leaf(page))
		count_dead(counts, page);
}

void
spq_inspect_count_rtree(SpqTreeReader *reader, int64 *counts)
{
	Page		page = palloc(BLCKSZ);
	BlockNumber n_blocks = RelationGetNumberOfBlocks(reader->index);

	for (BlockNumber block = 0; block < n_blocks; block++)
	{
		SpqTreeKind kind = spq_tree_read(reader, block, page);

		switch (kind)
		{
			case SPQ_TREE_BEYOND_END:
				continue;
			case SPQ_TREE_ZERO:
				counts[EMPTY_PAGES]++;
				counts[FREE_BYTES] += BLCKSZ;
				break;
			case SPQ_TREE_DAMAGED:
				spq_page_raise(reader->index, block, InvalidOffsetNumber,
							   spq_tree_kind_problem(reader, kind, block, page));
				break;
			case SPQ_TREE_META:
				break;
			case SPQ_TREE_PAGE:
				count_page(counts, reader, block, page);
				break;
		}
		counts[PAGES]++;
	}
	pfree(page);
}
