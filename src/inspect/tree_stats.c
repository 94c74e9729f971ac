/*-------------------------------------------------------------------------
 *
 * tree_stats.c
 *	  spqtree_stats of an index of access method spqtree.
 *
 *		walk	the content of the tree: rows, pages, depth
 *		pages	one after the other: what their bytes are used for
 *
 * Dead bytes are those of rows that scans have found dead; free ones are the hole
 * of a page, and places of its last group that no entry has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/itup.h"
#include "miscadmin.h"

#include "inspect/tree_inspect.h"
#include "quadtree_pages/raise.h"
#include "rtree_pages/tree_walk.h"

typedef struct Stats
{
	/* the walk; except for rows, the tree without the chain of nulls */
	int64		rows;
	int64		null_rows;
	int64		inner_pages;
	int64		leaves;			/* with a row */
	int64		longest;		/* rows of a leaf */
	int			levels;

	/* the pages */
	int64		pages;
	int64		leaf_pages;
	int64		empty_pages;
	int64		dead_rows;
	int64		dead_bytes;
	int64		free_bytes;
} Stats;

static bool
visit(void *arg, SpqTreeStep *step)
{
	Stats	   *stats = (Stats *) arg;

	stats->rows += step->rows;
	if (step->of_nulls)
		stats->null_rows += step->rows;
	else if (step->level > 0)
		stats->inner_pages++;
	else if (step->rows > 0)
	{
		stats->leaves++;
		stats->longest = Max(stats->longest, step->rows);
	}
	stats->levels = Max(stats->levels, step->depth - 1);
	return true;
}

/* Count the dead rows of a leaf, and the bytes that they take. */
static void
count_dead(Stats *stats, Page page)
{
	int			count = spq_rtree_count(page);
	Size		place = spq_rtree_group_size(page) / SPQ_RTREE_GROUP;

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeRow row = spq_rtree_get_row(page, entry);

		if (!row.dead)
			continue;
		stats->dead_rows++;
		stats->dead_bytes += place;
		if (row.payload)
			stats->dead_bytes += MAXALIGN(IndexTupleSize((IndexTuple) row.payload));
	}
}

/* Count a page whose header has no problem. */
static void
count_page(Stats *stats, const SpqTreeReader *reader, BlockNumber block, Page page)
{
	const PageHeaderData *header = (PageHeader) page;
	int			count = spq_rtree_count(page);
	int			unused = spq_rtree_groups(count) * SPQ_RTREE_GROUP - count;
	int			entry;
	char	   *problem = spq_tree_page_problem(page, block, reader->columns, &entry);

	if (problem)
		spq_page_raise(reader->index, block, entry + 1, problem);
	stats->free_bytes += header->pd_upper - header->pd_lower +
		unused * (spq_rtree_group_size(page) / SPQ_RTREE_GROUP);
	if (count == 0)
		stats->empty_pages++;
	else if (spq_rtree_is_leaf(page))
		stats->leaf_pages++;
	if (spq_rtree_is_leaf(page))
		count_dead(stats, page);
}

static void
count_pages(Stats *stats, SpqTreeReader *reader)
{
	Page		page = palloc(BLCKSZ);
	BlockNumber length = RelationGetNumberOfBlocks(reader->index);

	for (BlockNumber block = 0; block < length; block++)
	{
		SpqTreeKind kind = spq_tree_read(reader, block, page);

		switch (kind)
		{
			case SPQ_TREE_BEYOND_END:
				continue;
			case SPQ_TREE_ZERO:
				stats->empty_pages++;
				stats->free_bytes += BLCKSZ;
				break;
			case SPQ_TREE_DAMAGED:
				spq_page_raise(reader->index, block, InvalidOffsetNumber,
							   spq_tree_kind_problem(reader, kind, block, page));
				break;
			case SPQ_TREE_META:
				break;
			case SPQ_TREE_PAGE:
				count_page(stats, reader, block, page);
				break;
		}
		stats->pages++;
	}
	pfree(page);
}

void
spq_tree_stats(SpqTreeReader *reader, Datum *values, bool *nulls)
{
	Stats		stats = {0};
	SpqTreeVisitor visitor = {.visit = visit,.arg = &stats};
	int64		boxes,
				bytes;
	int			n = 0;

	spq_tree_walk(reader, &visitor);
	count_pages(&stats, reader);
	boxes = stats.rows - stats.null_rows;
	bytes = stats.pages * BLCKSZ;

	values[n++] = Int64GetDatum(stats.rows);
	values[n++] = Int64GetDatum(stats.null_rows);
	nulls[n++] = true;			/* oversize_tuples */
	values[n++] = Int64GetDatum(stats.inner_pages);
	nulls[n++] = true;			/* all_the_same */
	nulls[n++] = true;			/* markers */
	values[n++] = Int64GetDatum(stats.leaves);
	nulls[n] = nulls[n + 1] = nulls[n + 2] = nulls[n + 3] = boxes == 0;
	if (boxes > 0)
	{
		values[n] = Float8GetDatum((float8) boxes / stats.leaves);
		values[n + 1] = Int64GetDatum(stats.longest);
		values[n + 2] = Float8GetDatum(stats.levels);
		values[n + 3] = Int32GetDatum(stats.levels);
	}
	n += 4;
	values[n++] = Int64GetDatum(stats.pages);
	values[n++] = Int64GetDatum(stats.inner_pages);
	values[n++] = Int64GetDatum(stats.leaf_pages);
	values[n++] = Int64GetDatum(stats.empty_pages);
	values[n++] = Int64GetDatum(bytes);
	values[n++] = Int64GetDatum(bytes - stats.dead_bytes - stats.free_bytes);
	values[n++] = Int64GetDatum(stats.dead_bytes);
	values[n++] = Int64GetDatum(stats.free_bytes);
	values[n++] = Int64GetDatum(stats.dead_rows);
	nulls[n++] = true;			/* redirects */
	nulls[n++] = true;			/* placeholders */
}
