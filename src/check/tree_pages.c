/*-------------------------------------------------------------------------
 *
 * tree_pages.c
 *	  Whether the walk has visited all pages that it should: those in the chains
 *	  of inner levels, and all pages in use; and the contents of the metapage.
 *
 *		chains	each inner level from its first page to the right: no circle,
 *				and all pages that the walk has visited (I2)
 *		rest	pages that the walk has not visited
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "check/tree_parts.h"

/*
 * Return why a block cannot be in the chain of a level, or NULL.  Copy the
 * page of the block to "page".
 */
static const char *
chain_problem(SpqTreeCheck *tree, int level, BlockNumber block, const SpqRtreeBlockSet *seen,
			  Page page)
{
	if (spq_rtree_block_set_has(seen, block))
		return "which is to the left";
	switch (spq_tree_read(&tree->reader, block, page))
	{
		case SPQ_TREE_PAGE:
			break;
		case SPQ_TREE_BEYOND_END:
			return "which is beyond the end of the index";
		case SPQ_TREE_ZERO:
			return "which is all zeros";
		case SPQ_TREE_DAMAGED:
			return "which is damaged";
		case SPQ_TREE_META:
			return "which is the metapage";
	}
	if (spq_tree_of_nulls(page) || spq_rtree_special(page)->level != level)
		return "which is not of this level";
	return NULL;
}

/*
 * Follow an inner level from its first page to the right.  All its pages that
 * the walk has visited must be there, since pages never leave their chain.
 */
static void
check_chain(SpqTreeCheck *tree, int level, BlockNumber first)
{
	SpqRtreeBlockSet seen = {.context = tree->check->context};
	Page		page = tree->pages[0];
	BlockNumber before = InvalidBlockNumber,
				block = first;
	int64		missing = tree->pages_of_level[level];
	const char *problem = NULL;

	while (BlockNumberIsValid(block))
	{
		problem = chain_problem(tree, level, block, &seen, page);
		if (problem)
			break;
		spq_rtree_block_set_add(&seen, block);
		if (spq_rtree_block_set_has(&tree->visited, block))
			missing--;
		before = block;
		block = spq_rtree_special(page)->next;
	}
	spq_rtree_block_set_free(&seen);
	if (problem && BlockNumberIsValid(before))
		spq_check_report(tree->check, before, InvalidOffsetNumber,
						 psprintf("right link points to block %u, %s; pages of level %d that right links miss: " INT64_FORMAT,
								  block, problem, level, missing));
	else if (problem)
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage says that level %d begins at block %u, %s",
								  level, block, problem));
	else if (missing > 0)
		spq_check_report(tree->check, first, InvalidOffsetNumber,
						 psprintf("right links from here, where level %d begins according to the metapage, miss " INT64_FORMAT " of its pages",
								  level, missing));
}

/* Return the first page of the list of free pages, or InvalidBlockNumber. */
static BlockNumber
first_free(SpqTreeCheck *tree, Page page)
{
	if (spq_tree_read(&tree->reader, SPQ_RTREE_META, page) != SPQ_TREE_META)
		return InvalidBlockNumber;
	return spq_rtree_meta(page)->free_page;
}

static bool
page_is_free(SpqTreeCheck *tree, BlockNumber block, Page page)
{
	return spq_tree_read(&tree->reader, block, page) == SPQ_TREE_PAGE && spq_rtree_is_free(page);
}

/*
 * Check the first page of the list of free pages.  If an insertion has taken
 * it, the list no longer begins with it.
 */
void
spq_check_tree_free(SpqTreeCheck *tree)
{
	BlockNumber block = first_free(tree, tree->pages[0]);

	if (BlockNumberIsValid(block) && !page_is_free(tree, block, tree->pages[0]) &&
		first_free(tree, tree->pages[0]) == block && !page_is_free(tree, block, tree->pages[0]))
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage lists block %u as free, but it is in use", block));
}

/*
 * Check the metapage, and the chains that it names.  The metapage is read
 * before the root, so all its levels must be below the root.
 */
void
spq_check_tree_levels(SpqTreeCheck *tree)
{
	Page		page = tree->pages[1];
	SpqTreeKind kind = spq_tree_read(&tree->reader, SPQ_RTREE_META, page);
	SpqRtreeMeta meta;

	if (kind != SPQ_TREE_META)
	{
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 spq_tree_kind_problem(&tree->reader, kind, SPQ_RTREE_META, page));
		return;
	}
	meta = *spq_rtree_meta(page);
	if (!spq_rtree_block_set_has(&tree->of_nulls, meta.null_page) &&
		(spq_tree_read(&tree->reader, meta.null_page, page) != SPQ_TREE_PAGE ||
		 !spq_tree_of_nulls(page)))
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage names block %u for new nulls, but it is not in their chain",
								  meta.null_page));
	if (tree->root_level < 0 ||
		spq_tree_read(&tree->reader, SPQ_RTREE_ROOT, page) != SPQ_TREE_PAGE)
		return;
	for (int level = 0; level < SPQ_RTREE_LEVELS; level++)
	{
		/* the root may have grown since the walk */
		if (BlockNumberIsValid(meta.first[level]) && level >= spq_rtree_special(page)->level)
			spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
							 psprintf("metapage has a first page of level %d, but the root is of level %d",
									  level, spq_rtree_special(page)->level));
		else if (level < tree->root_level && !BlockNumberIsValid(meta.first[level]))
			spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
							 psprintf("metapage has no first page of level %d", level));
		else if (level < tree->root_level && level > 0)
			check_chain(tree, level, meta.first[level]);
	}
}

/*
 * Visit a page of the walk for suspects, which only stores the pages visited.
 */
static bool
visit_only(void *arg, SpqTreeStep *step)
{
	return true;
}

/*
 * Check a page that the walk has not visited.  Return whether it is in use, so
 * that a scan should reach it.
 */
static bool
is_suspect(SpqTreeCheck *tree, BlockNumber block, Page page)
{
	SpqTreeKind kind = spq_tree_read(&tree->reader, block, page);
	char	   *problem;
	int			entry;

	if (kind == SPQ_TREE_ZERO || kind == SPQ_TREE_BEYOND_END)
		return false;			/* left by a crash, or truncated */
	if (kind == SPQ_TREE_DAMAGED)
	{
		spq_check_report(tree->check, block, InvalidOffsetNumber,
						 spq_tree_kind_problem(&tree->reader, kind, block, page));
		return false;
	}
	problem = spq_tree_page_problem(page, block, tree->reader.columns, &entry);
	if (problem)
		spq_check_report(tree->check, block, entry + 1, problem);
	return !spq_rtree_is_free(page);
}

/*
 * Check the pages that the walk has not visited.  If a page was there before a
 * second walk, which has not visited it either, no scan reaches it.
 */
void
spq_check_tree_rest(SpqTreeCheck *tree)
{
	SpqRtreeBlockSet suspects = {.context = tree->check->context};
	SpqRtreeBlockSet visited = {0};
	SpqTreeVisitor visitor = {
		.visit = visit_only,
		.policy = SPQ_PAGE_SILENT,
		.visited = &visited
	};
	BlockNumber length = RelationGetNumberOfBlocks(tree->reader.index);
	MemoryContext old_context = MemoryContextSwitchTo(tree->check->short_lived);

	for (BlockNumber block = SPQ_RTREE_META + 1; block < length; block++)
	{
		if (!spq_rtree_block_set_has(&tree->visited, block) &&
			is_suspect(tree, block, tree->pages[0]))
			spq_rtree_block_set_add(&suspects, block);
		MemoryContextReset(tree->check->short_lived);
	}
	MemoryContextSwitchTo(tree->check->context);
	if (suspects.size > 0)
		spq_tree_walk(&tree->reader, &visitor);
	MemoryContextSwitchTo(tree->check->short_lived);
	for (BlockNumber block = 0; suspects.size > 0 && block < length; block++)
		if (spq_rtree_block_set_has(&suspects, block) &&
			!spq_rtree_block_set_has(&visited, block))
			spq_check_report(tree->check, block, InvalidOffsetNumber,
							 "no downlink leads to this page");
	MemoryContextSwitchTo(old_context);
	spq_rtree_block_set_free(&suspects);
	spq_rtree_block_set_free(&visited);
}
