/*-------------------------------------------------------------------------
 *
 * tree_downlinks.c
 *	  Whether a downlink and its child agree: the child is within the bounds,
 *	  and the downlink's split count is the child's, or one less while the
 *	  child's split is incomplete.
 *
 * The two pages are read at different moments.  So if something seems wrong,
 * the parent, the child, and the parent again are read.  What the two say
 * about each other changes only together with the parent.  So if the parent is
 * the same both times, to the byte (including its LSN), the child was read
 * while the parent said this.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "check/tree_parts.h"

/* Attempts to compare a downlink, if its page changes all the time. */
#define MAX_LOOKS	20

/*
 * Return the problem between a downlink and its child, or NULL, given copies
 * of the child and, if the child's split is incomplete, of its right neighbor.
 */
static char *
downlink_problem(const SpqRtreeDownlink *downlink, Page child, Page neighbor)
{
	const SpqRtreeSpecial *special = spq_rtree_special(child);
	SpqRtreeBounds promise = spq_rtree_promise(child);

	if (!spq_rtree_bounds_hold(&downlink->bounds, &promise))
		return psprintf("bounds of the downlink do not enclose what block %u promises",
						downlink->child);
	if (spq_rtree_is_free(child))
		return psprintf("downlink points to block %u, which is free", downlink->child);
	if (!(special->flags & SPQ_RTREE_INCOMPLETE))
		return special->splits == downlink->stop ? NULL :
			psprintf("child, block %u, was split %u times, but the downlink's stop is %u",
					 downlink->child, special->splits, downlink->stop);
	if (special->splits != downlink->stop + 1)
		return psprintf("split of the child, block %u, is flagged as incomplete, but is not",
						downlink->child);
	if (spq_rtree_special(neighbor)->splits != downlink->stop ||
		(spq_rtree_special(neighbor)->flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_FREE)))
		return psprintf("block %u, split off the child, does not end the downlink's part",
						special->next);
	promise = spq_rtree_promise(neighbor);
	if (!spq_rtree_bounds_hold(&downlink->bounds, &promise))
		return psprintf("bounds of the downlink do not enclose what block %u promises, split off the child",
						special->next);
	return NULL;
}

/*
 * Read the page that has the downlink of a child, beginning with the page that
 * had it.  Return the block, or InvalidBlockNumber if it cannot be found.
 */
static BlockNumber
read_parent(SpqTreeCheck *tree, BlockNumber block, int level, BlockNumber child, Page page)
{
	for (int i = 0; i < MAX_LOOKS && BlockNumberIsValid(block); i++)
	{
		if (spq_tree_read(&tree->reader, block, page) != SPQ_TREE_PAGE ||
			spq_rtree_special(page)->level != level)
			break;
		if (spq_rtree_find_child(page, child) >= 0)
			return block;
		block = spq_rtree_special(page)->next;
	}
	return InvalidBlockNumber;
}

/* Read a downlink that seems to be wrong again, and report it if it is. */
static void
look_again(SpqTreeCheck *tree, BlockNumber parent, int level, BlockNumber child)
{
	for (int i = 0; i < MAX_LOOKS; i++)
	{
		SpqRtreeDownlink downlink;
		const SpqRtreeSpecial *special;
		char	   *problem;
		int			entry;

		parent = read_parent(tree, parent, level, child, tree->pages[0]);
		if (!BlockNumberIsValid(parent))
			return;
		entry = spq_rtree_find_child(tree->pages[0], child);
		downlink = spq_rtree_get_downlink(tree->pages[0], entry);

		/* the walk reports other problems */
		if (spq_tree_read(&tree->reader, child, tree->pages[1]) != SPQ_TREE_PAGE)
			return;
		special = spq_rtree_special(tree->pages[1]);
		if ((special->flags & SPQ_RTREE_INCOMPLETE) &&
			special->splits == downlink.stop + 1 &&
			spq_tree_read(&tree->reader, special->next, tree->pages[2]) != SPQ_TREE_PAGE)
			return;
		if (spq_tree_read(&tree->reader, parent, tree->parent_again) != SPQ_TREE_PAGE)
			return;
		if (memcmp(tree->pages[0], tree->parent_again, BLCKSZ) != 0)
			continue;
		problem = downlink_problem(&downlink, tree->pages[1], tree->pages[2]);
		if (problem)
			spq_check_report(tree->check, parent, entry + 1, problem);
		return;
	}
}

/* Compare a page with the downlink that led to it. */
void
spq_check_tree_downlink(SpqTreeCheck *tree, const SpqTreeStep *step)
{
	const SpqRtreeSpecial *special = spq_rtree_special(step->page);
	SpqRtreeBounds bounds = spq_rtree_entry_bounds(step->parent->page, step->entry);
	SpqRtreeBounds promise = spq_rtree_promise(step->page);

	if (!spq_rtree_bounds_hold(&bounds, &promise) ||
		(special->flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_FREE)) ||
		special->splits != spq_rtree_stop(step->parent->page, step->entry))
		look_again(tree, step->parent->block, step->level + 1, step->block);
}
