/*-------------------------------------------------------------------------
 *
 * downlink.c
 *	  Following a downlink.  See downlink.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "quadtree_pages/downlink.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/replay.h"

/* More redirections in a row than a sound index can have. */
#define MAX_REDIRECTIONS	1000

/* Return why a copied page cannot contain the target, or NULL. */
static char *
target_page_problem(const SpqPageCopy *copy, BlockNumber block, bool of_nulls)
{
	switch (copy->kind)
	{
		case SPQ_PAGE_BEYOND_END:
			return psprintf("points to block %u, beyond the end of the index", block);
		case SPQ_PAGE_EMPTY:
			return psprintf("points to block %u, which is empty", block);
		case SPQ_PAGE_DAMAGED:
			return psprintf("points to block %u, which is damaged", block);
		case SPQ_PAGE_INNER:
		case SPQ_PAGE_LEAF:
			break;
	}
	if ((SpGistPageStoresNulls(copy->page) != 0) != of_nulls)
		return psprintf("points to block %u, which is %s", block,
						of_nulls ? "not of nulls" : "of nulls");
	return NULL;
}

/*
 * Follow a downlink, and any redirections.  Return the first problem, or NULL.
 * Set *tid to the position of the target, *target to its kind, and *copy to
 * its page, which is not copied again if *copy already contains it.
 *
 * A redirection is a problem, because the action that left it also changed the
 * downlink; but it is followed.
 */
char *
spq_page_follow(SpqPageReader *reader, SpqPageCopy *copy, SpqPageTid *tid,
				bool of_nulls, SpqPageTarget *target)
{
	char	   *redirected = NULL;

	*target = SPQ_PAGE_TO_NOTHING;
	for (int hops = 0; hops < MAX_REDIRECTIONS; hops++)
	{
		SpGistDeadTuple tuple;
		char	   *problem;

		if (SpGistBlockIsFixed(tid->block))
			return psprintf("points to block %u, which cannot hold a child", tid->block);
		spq_page_read_once(reader, tid->block, copy);
		problem = target_page_problem(copy, tid->block, of_nulls);
		if (problem)
			return problem;
		if (tid->offset < FirstOffsetNumber ||
			tid->offset > PageGetMaxOffsetNumber(copy->page))
			return psprintf("points to block %u, item %d, which does not exist",
							tid->block, tid->offset);
		if (spq_page_item_problem(copy->page, tid->offset, false, reader->leaf_desc))
			return psprintf("points to block %u, item %d, which is damaged",
							tid->block, tid->offset);

		tuple = spq_page_tuple(copy->page, tid->offset);
		switch (tuple->tupstate)
		{
			case SPGIST_LIVE:
				if (copy->kind == SPQ_PAGE_INNER)
				{
					*target = SPQ_PAGE_TO_INNER;
					return redirected;
				}
				problem = spq_page_chain_problem(copy->page, tid->offset, reader->leaf_desc);
				if (problem)
					return psprintf("points to block %u, item %d, which is %s",
									tid->block, tid->offset, problem);
				*target = SPQ_PAGE_TO_CHAIN;
				return redirected;
			case SPGIST_DEAD:
				*target = SPQ_PAGE_TO_CHAIN;
				return redirected;
			case SPGIST_PLACEHOLDER:
				return psprintf("points to block %u, item %d, which is a placeholder",
								tid->block, tid->offset);
			case SPGIST_REDIRECT:
				if (redirected == NULL)
					redirected = psprintf("points to block %u, item %d, which is a redirection",
										  tid->block, tid->offset);
				tid->block = ItemPointerGetBlockNumber(&tuple->pointer);
				tid->offset = ItemPointerGetOffsetNumber(&tuple->pointer);
				break;
		}
	}
	return pstrdup("points to an endless chain of redirections");
}

/*
 * Copy the page of an inner tuple, and set *tuple to the tuple there.  Return
 * false if the position no longer has an inner tuple, or it is damaged.
 */
bool
spq_page_read_inner(SpqPageReader *reader, SpqPageCopy *copy, SpqPageTid tid,
					SpGistInnerTuple *tuple)
{
	if (spq_page_read(reader, tid.block, copy) != SPQ_PAGE_INNER ||
		tid.offset > PageGetMaxOffsetNumber(copy->page) ||
		spq_page_item_problem(copy->page, tid.offset, false, reader->leaf_desc))
		return false;
	*tuple = (SpGistInnerTuple) spq_page_tuple(copy->page, tid.offset);
	return (*tuple)->tupstate == SPGIST_LIVE;
}

/* Return whether this node of this tuple still points to the child. */
bool
spq_page_still_leads(SpqPageReader *reader, SpqPageTid parent, int node,
					 SpqPageTid child)
{
	SpqPageCopy copy = spq_page_new_copy();
	SpGistInnerTuple tuple;
	bool		result = false;

	if (spq_page_read_inner(reader, &copy, parent, &tuple) && node < (int) tuple->nNodes)
	{
		SpqPageNode *nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));

		spq_page_read_nodes(tuple, nodes);
		result = nodes[node].block == child.block && nodes[node].offset == child.offset;
		pfree(nodes);
	}
	pfree(copy.page);
	return result;
}

/*
 * Return whether a downlink's problem persists, so that a concurrent change
 * cannot be its cause.
 *
 * Moving a tuple changes the downlink and its target in one action.  So if the
 * downlink is the same before and after its target was read, it was valid at
 * that moment.  In recovery this is true for changes that have been replayed
 * completely.
 */
bool
spq_page_problem_persists(SpqPageReader *reader, SpqPageTid parent, int node,
						  SpqPageTid child, bool of_nulls)
{
	SpqPageCopy copy = spq_page_new_copy();
	bool		persists;
	XLogRecPtr	replayed;

	do
	{
		SpqPageTid	tid = child;
		SpqPageTarget target;

		replayed = spq_page_replayed();
		reader->newest = InvalidXLogRecPtr;
		copy.block = InvalidBlockNumber;
		persists = spq_page_still_leads(reader, parent, node, child) &&
			spq_page_follow(reader, &copy, &tid, of_nulls, &target) != NULL &&
			spq_page_still_leads(reader, parent, node, child);
	} while (persists && reader->newest > replayed &&
			 spq_page_wait_for_replay(reader, reader->newest));
	pfree(copy.page);
	return persists;
}
