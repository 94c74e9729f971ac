/*-------------------------------------------------------------------------
 *
 * downlink.c
 *	  What a downlink leads to, and whether it still does.
 *
 *		node 3 --> inner tuple				on a page of inner tuples
 *			   --> head of a chain			on a leaf page
 *			   --> dead tuple				what vacuum leaves of a chain
 *			   --> redirection --> ...		while the walk is on its way only
 *
 * and on a page of the same tree, of boxes or of null values.  Anything else is
 * a problem.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pages/downlink.h"

/* Redirections in a row that cannot be by chance. */
#define MAX_REDIRECTIONS	1000

/*
 * Look at what a downlink leads to, and at redirections on the way.  Returns
 * the problem, if any; the page is a copy of the target's.
 *
 * A redirection is a problem, since whoever left it has changed the downlink
 * in the same action; but it is followed.
 */
char *
spq_page_follow(SpqPageReader *reader, Page page, SpqPageTid *at, bool of_nulls,
				   SpqPageTarget *target)
{
	char	   *problem = NULL;

	*target = SPQ_PAGE_TO_NOTHING;
	for (int hops = 0; hops < MAX_REDIRECTIONS; hops++)
	{
		SpGistDeadTuple tuple;
		char	   *of_chain;

		if (SpGistBlockIsFixed(at->block))
			return psprintf("leads to block %u, where no tuple of a node can be", at->block);
		switch (spq_page_read(reader, at->block, page))
		{
			case SPQ_PAGE_BEYOND_END:
				return psprintf("leads to block %u, which the index does not have", at->block);
			case SPQ_PAGE_EMPTY:
				return psprintf("leads to block %u, which is empty", at->block);
			case SPQ_PAGE_DAMAGED:
				return psprintf("leads to block %u, which is damaged", at->block);
			case SPQ_PAGE_INNER:
			case SPQ_PAGE_LEAF:
				break;
		}
		if ((SpGistPageStoresNulls(page) != 0) != of_nulls)
			return psprintf("leads to block %u, which is %s", at->block,
							of_nulls ? "not of null values" : "of null values");
		if (at->offset < FirstOffsetNumber ||
			at->offset > PageGetMaxOffsetNumber(page))
			return psprintf("leads to block %u, item %d, which is not there",
							at->block, at->offset);
		if (spq_page_item_problem(page, at->offset, false, reader->leaf_desc))
			return psprintf("leads to block %u, item %d, which is damaged",
							at->block, at->offset);

		tuple = spq_page_tuple(page, at->offset);
		switch (tuple->tupstate)
		{
			case SPGIST_LIVE:
				if (!SpGistPageIsLeaf(page))
				{
					*target = SPQ_PAGE_TO_INNER;
					return problem;
				}
				of_chain = spq_page_chain_problem(page, at->offset, reader->leaf_desc);
				if (of_chain)
					return psprintf("leads to block %u, item %d, %s",
									at->block, at->offset, of_chain);
				*target = SPQ_PAGE_TO_CHAIN;
				return problem;
			case SPGIST_DEAD:
				*target = SPQ_PAGE_TO_CHAIN;
				return problem;
			case SPGIST_PLACEHOLDER:
				return psprintf("leads to block %u, item %d, which is a placeholder",
								at->block, at->offset);
			case SPGIST_REDIRECT:
				if (problem == NULL)
					problem = psprintf("leads to block %u, item %d, which is a redirection",
									   at->block, at->offset);
				at->block = ItemPointerGetBlockNumber(&tuple->pointer);
				at->offset = ItemPointerGetOffsetNumber(&tuple->pointer);
				break;
		}
	}
	return pstrdup("leads to redirections without an end");
}

/*
 * Read an inner tuple.  False if there is none at that place (any more).
 */
bool
spq_page_read_inner(SpqPageReader *reader, Page page, SpqPageTid at, SpGistInnerTuple *tuple)
{
	if (spq_page_read(reader, at.block, page) != SPQ_PAGE_INNER ||
		at.offset > PageGetMaxOffsetNumber(page) ||
		spq_page_item_problem(page, at.offset, false, reader->leaf_desc))
		return false;
	*tuple = (SpGistInnerTuple) spq_page_tuple(page, at.offset);
	return (*tuple)->tupstate == SPGIST_LIVE;
}

/*
 * Does this node of this tuple lead there, still?
 */
bool
spq_page_still_leads(SpqPageReader *reader, SpqPageTid parent, int node, SpqPageTid child)
{
	char	   *page = palloc(BLCKSZ);
	SpGistInnerTuple tuple;
	bool		result = false;

	if (spq_page_read_inner(reader, (Page) page, parent, &tuple) && node < (int) tuple->nNodes)
	{
		SpqPageNode    *nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));

		spq_page_read_nodes(tuple, nodes);
		result = nodes[node].block == child.block && nodes[node].offset == child.offset;
		pfree(nodes);
	}
	pfree(page);
	return result;
}

/*
 * Is a downlink's problem there to stay?
 *
 * Whoever moves a tuple changes the downlink and what it leads to in one
 * action; so a downlink that is the same before and after its target was
 * looked at was true then.  In recovery that holds for changes that have been
 * replayed to the end.
 */
bool
spq_page_problem_persists(SpqPageReader *reader, SpqPageTid parent, int node, SpqPageTid child,
				  bool of_nulls)
{
	Page		page = (Page) palloc(BLCKSZ);
	bool		stays;
	XLogRecPtr	replayed;

	do
	{
		SpqPageTid	at = child;
		SpqPageTarget	target;

		replayed = spq_page_replayed();
		reader->newest = InvalidXLogRecPtr;
		stays = spq_page_still_leads(reader, parent, node, child) &&
			spq_page_follow(reader, page, &at, of_nulls, &target) != NULL &&
			spq_page_still_leads(reader, parent, node, child);
	} while (stays && reader->newest > replayed &&
			 spq_page_wait_for_replay(reader, reader->newest));
	pfree(page);
	return stays;
}
