/*-------------------------------------------------------------------------
 *
 * build_tree.c
 *	  The levels above the leaves, for CREATE INDEX.
 *
 * They are small and stay in memory: the downlinks of a level are packed in
 * the same way as rows, until they fit the root.  There are more downlinks to
 * leaves, so these are packed region by region (build_subtree.h).
 *
 * A page is written when the block of the next one on its level, its right
 * link, is known.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "rtree/bulk_load/build_state.h"
#include "rtree/bulk_load/build_tree.h"
#include "rtree/place/pack.h"

/* An inner level under construction. */
typedef struct Level
{
	BlockNumber first;			/* its first page */
	BlockNumber last;			/* and its last one so far, */
	Page		last_page;		/* which has not been written */
	SpqRtreeDownlink *downlinks;	/* to its pages, from left to right */
	int			count;
	int			space;
} Level;

struct SpqRtreeBuildTree
{
	const SpqRtreeBuild *build;
	Page		page;			/* under construction */
	bool		has_root;
	Level		levels[SPQ_RTREE_LEVELS];	/* that of leaves has only the
											 * first page, and the downlinks
											 * of a region */
};

SpqRtreeBuildTree *
spq_rtree_tree_begin(const SpqRtreeBuild *build)
{
	SpqRtreeBuildTree *tree = palloc0(sizeof(SpqRtreeBuildTree));

	tree->build = build;
	tree->page = palloc(BLCKSZ);
	for (int level = 0; level < SPQ_RTREE_LEVELS; level++)
		tree->levels[level].first = InvalidBlockNumber;
	return tree;
}

static void
add_downlink(Level *level, const SpqRtreeDownlink *downlink)
{
	if (level->count == level->space)
	{
		Size		space = Max(level->space * 2, 256);

		level->downlinks = level->downlinks == NULL ?
			palloc(space * sizeof(SpqRtreeDownlink)) :
			repalloc_huge(level->downlinks, space * sizeof(SpqRtreeDownlink));
		level->space = space;
	}
	level->downlinks[level->count++] = *downlink;
}

/* Make a page with these downlinks, in tree->page. */
static void
fill_page(SpqRtreeBuildTree *tree, int level, const SpqRtreeDownlink *downlinks,
		  const SpqRtreePackItem *items, int count)
{
	spq_rtree_page_init(tree->page, level, tree->build->inner_flags);
	for (int i = 0; i < count; i++)
		spq_rtree_append_downlink(tree->page, &downlinks[items ? (int) items[i].number : i]);
}

/* Write the last page of a level, with its link to the right. */
static void
write_last(SpqRtreeBuildTree *tree, Level *level, BlockNumber next)
{
	spq_rtree_special(level->last_page)->next = next;
	spq_rtree_build_write(tree->build, level->last, level->last_page);
}

/* Make tree->page the next page of its level, at this block. */
static void
add_page(SpqRtreeBuildTree *tree, BlockNumber block)
{
	const SpqRtreeSpecial *special = spq_rtree_special(tree->page);
	Level	   *level = &tree->levels[special->level];
	SpqRtreeDownlink downlink = {
		.bounds = spq_rtree_promise(tree->page),
		.child = block,
		.stop = special->splits
	};

	if (BlockNumberIsValid(level->first))
		write_last(tree, level, block);
	else
	{
		level->first = block;
		level->last_page = palloc(BLCKSZ);
	}
	level->last = block;
	memcpy(level->last_page, tree->page, BLCKSZ);
	add_downlink(level, &downlink);
	CHECK_FOR_INTERRUPTS();
}

/*
 * Write the root if it has room for the downlinks to a level; else return
 * false.
 */
static bool
write_root(SpqRtreeBuildTree *tree, int level, const SpqRtreeDownlink *downlinks, int count)
{
	if (count > spq_rtree_page_max(1, tree->build->inner_flags))
		return false;
	fill_page(tree, level + 1, downlinks, NULL, count);

	/* it has never been a leaf */
	spq_rtree_special(tree->page)->flags |= SPQ_RTREE_SETTLED;
	spq_rtree_build_write(tree->build, SPQ_RTREE_ROOT, tree->page);
	tree->has_root = true;
	return true;
}

/* Compare items by their numbers. */
static int
compare_items(const void *a, const void *b)
{
	uint32		x = ((const SpqRtreePackItem *) a)->number,
				y = ((const SpqRtreePackItem *) b)->number;

	return x < y ? -1 : x > y;
}

/*
 * Cut downlinks, which are in the order of codes, into as few pages as
 * possible, of about the same size.
 */
static int
cut_in_order(int count, int max_count, int *page_end)
{
	int			npages = (count + max_count - 1) / max_count;

	for (int i = 0; i < npages; i++)
		page_end[i] = (int64) count * (i + 1) / npages;
	return npages;
}

/*
 * Add pages with the downlinks to the level below to a level.  The pages begin
 * at "block", or at the end of the index if that is invalid.
 */
static void
add_pages(SpqRtreeBuildTree *tree, int level, const SpqRtreeDownlink *downlinks, int count,
		  BlockNumber block)
{
	const SpqRtreeBuild *build = tree->build;
	SpqRtreePackItem *items = palloc_extended(count * sizeof(SpqRtreePackItem),
											  MCXT_ALLOC_HUGE);
	int		   *page_end = palloc_extended(count * sizeof(int), MCXT_ALLOC_HUGE);
	int			npages = 1;

	Assert(level < SPQ_RTREE_LEVELS - 1);
	for (int i = 0; i < count; i++)
	{
		items[i].bounds = downlinks[i].bounds;
		items[i].size = 0;
		items[i].number = i;
	}

	/* a region of one subtree may have a few more leaves than planned */
	if (count <= spq_rtree_page_max(1, build->inner_flags))
		page_end[0] = count;
	else if (build->inner_flags & SPQ_RTREE_KEYED)
		npages = cut_in_order(count, build->inner_max, page_end);
	else
		npages = spq_rtree_pack(items, count, build->axes, &build->units,
								build->inner_max, BLCKSZ, false, page_end);

	if (!BlockNumberIsValid(block))
		block = spq_rtree_build_extend(build, npages);
	for (int i = 0, begin = 0; i < npages; begin = page_end[i++])
	{
		/* a scan reads the blocks below a page in the order of its entries */
		qsort(items + begin, page_end[i] - begin, sizeof(SpqRtreePackItem), compare_items);
		fill_page(tree, level, downlinks, items + begin, page_end[i] - begin);
		add_page(tree, block + i);
	}
	pfree(items);
	pfree(page_end);
}

void
spq_rtree_tree_add(SpqRtreeBuildTree *tree, SpqRtreeSubtree *subtree)
{
	const SpqRtreeBuild *build = tree->build;
	const SpqRtreeDownlink *downlinks = spq_rtree_subtree_downlinks(subtree);
	Level	   *leaves = &tree->levels[0];

	if (subtree->first == SPQ_RTREE_ROOT)
	{
		Assert(spq_rtree_subtree_is_all(subtree) && subtree->npages == 1);
		tree->has_root = true;
		return;
	}
	if (subtree->number == 0)
		leaves->first = subtree->first;
	for (int i = 0; i < subtree->npages; i++)
		add_downlink(leaves, &downlinks[i]);
	if (!spq_rtree_ends_region(build, subtree))
		return;
	if (!spq_rtree_region_is_all(build, subtree) ||
		!write_root(tree, 0, leaves->downlinks, leaves->count))
		add_pages(tree, 1, leaves->downlinks, leaves->count, subtree->first + subtree->npages);
	leaves->count = 0;
}

void
spq_rtree_tree_end(SpqRtreeBuildTree *tree, SpqRtreeMeta *meta)
{
	for (int level = 1; tree->levels[level].count > 0; level++)
	{
		Level	   *below = &tree->levels[level];

		write_last(tree, below, InvalidBlockNumber);
		if (!write_root(tree, level, below->downlinks, below->count))
			add_pages(tree, level + 1, below->downlinks, below->count, InvalidBlockNumber);
	}
	if (!tree->has_root)
	{
		spq_rtree_page_init(tree->page, 0, tree->build->leaf_flags);
		spq_rtree_build_write(tree->build, SPQ_RTREE_ROOT, tree->page);
	}
	for (int level = 0; level < SPQ_RTREE_LEVELS; level++)
		meta->first[level] = tree->levels[level].first;
}
