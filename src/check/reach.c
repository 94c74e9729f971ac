/*-------------------------------------------------------------------------
 *
 * reach.c
 *	  Whether the walk visits every tuple, once.  See report.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "check/report.h"
#include "compat.h"
#include "quadtree_pages/downlink.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/replay.h"
#include "quadtree_pages/walk.h"

/* An inner tuple or chain that the walk has not visited exactly once. */
typedef struct Suspect
{
	int64		tid;			/* encoded */
	bool		twice;
	ItemPointerData row;		/* row of the chain's first tuple */
	int			times;			/* number of visits by the second walk */
	SpqPageTid	parent[2];		/* first two downlinks to it */
	int			node[2];
} Suspect;

struct SpqCheckReach
{
	SpqCheck   *check;
	Tuplesortstate *reached;	/* targets of downlinks, encoded */
	bool		has_next;
	int64		next;			/* next target */
	Suspect    *suspects;		/* sorted by TID */
	int64		n_suspects;
	int64		max_suspects;
	XLogRecPtr	newest;			/* largest LSN of the suspects' pages */
};

/* Prepare for the walk. */
SpqCheckReach *
spq_check_reach_begin(SpqCheck *check)
{
	SpqCheckReach *reach = palloc0(sizeof(SpqCheckReach));

	reach->check = check;
	reach->reached = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid,
										   false, Max(64, maintenance_work_mem / 4),
										   NULL, TUPLESORT_NONE);
	return reach;
}

/* Store the target of a downlink. */
void
spq_check_reach_note(SpqCheckReach *reach, SpqPageTid target)
{
	tuplesort_putdatum(reach->reached,
					   Int64GetDatum(spq_check_encode_tid(target)), false);
}

static void
next_reached(SpqCheckReach *reach)
{
	Datum		value;
	bool		isnull;

	reach->has_next = spq_tuplesort_getdatum(reach->reached, &value, &isnull);
	if (reach->has_next)
		reach->next = DatumGetInt64(value);
}

/*
 * Return how often the walk has visited a tuple.  Call this for tuples in the
 * order of their TIDs.
 */
static int
times_reached(SpqCheckReach *reach, int64 tid)
{
	int			times = 0;

	while (reach->has_next && reach->next <= tid)
	{
		times += reach->next == tid;
		next_reached(reach);
	}
	return times;
}

static void
add_suspect(SpqCheckReach *reach, int64 tid, bool twice, SpGistDeadTuple tuple)
{
	Suspect    *suspect;

	if (reach->n_suspects == reach->max_suspects)
	{
		reach->max_suspects = Max(64, 2 * reach->max_suspects);
		reach->suspects = reach->suspects == NULL ?
			MemoryContextAllocHuge(reach->check->context,
								   reach->max_suspects * sizeof(Suspect)) :
			repalloc_huge(reach->suspects, reach->max_suspects * sizeof(Suspect));
	}
	suspect = &reach->suspects[reach->n_suspects++];
	memset(suspect, 0, sizeof(Suspect));
	suspect->tid = tid;
	suspect->twice = twice;
	suspect->row = tuple->pointer;
}

/*
 * Return whether an item needs a downlink to it.  Requires that the page's
 * items have no problem.  Only leaf pages have links.  A dead tuple is the
 * remainder of a chain, which VACUUM keeps for its downlink.
 */
static bool
needs_downlink(Page page, OffsetNumber item, const SpqPageLink *links)
{
	switch (spq_page_tuple(page, item)->tupstate)
	{
		case SPGIST_LIVE:
			return !SpGistPageIsLeaf(page) || links[item] == SPQ_PAGE_CHAIN_HEAD;
		case SPGIST_DEAD:
			return true;
		default:
			return false;
	}
}

/*
 * Report the problems of a page's items, links and counts.  Return whether the
 * items and links have none; then links[1..] are set on a leaf page.
 */
static bool
check_items(SpqCheck *check, BlockNumber block, Page page, bool root,
			SpqPageLink *links)
{
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	OffsetNumber item = InvalidOffsetNumber;
	bool		sound = true;
	char	   *problem;

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		problem = spq_page_item_problem(page, i, root, check->reader.leaf_desc);
		if (problem)
			spq_check_report(check, block, i, problem);
		sound &= problem == NULL;
	}
	if (!sound)
		return false;

	problem = spq_page_overlap_problem(page, &item);
	if (problem == NULL && SpGistPageIsLeaf(page))
		problem = spq_page_chains_problem(page, root, &item, links);
	if (problem)
		spq_check_report(check, block, item, problem);
	sound = problem == NULL;

	problem = spq_page_counts_problem(page, root);
	if (problem)
		spq_check_report(check, block, InvalidOffsetNumber, problem);
	return sound;
}

/*
 * Report redirections beyond the end of the index.  A redirection may be older
 * than the rest of its target's page, so nothing else can be tested.
 */
static void
check_redirections(SpqCheck *check, BlockNumber block, Page page)
{
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		SpGistDeadTuple tuple = spq_page_tuple(page, i);

		if (tuple->tupstate == SPGIST_REDIRECT &&
			ItemPointerGetBlockNumber(&tuple->pointer) >=
			RelationGetNumberOfBlocks(check->reader.index))
			spq_check_report(check, block, i,
							 psprintf("redirection points to block %u, beyond the end of the index",
									  ItemPointerGetBlockNumber(&tuple->pointer)));
	}
}

/*
 * Test the list of pages with free space in the metapage.  Only insertions use
 * it, but they would fail.  It is not in the WAL, so a standby's list may be
 * older or newer than the rest.
 */
static void
check_metapage(SpqCheck *check, BlockNumber block, Page page)
{
	SpGistLUPCache *cache = &SpGistPageGetMeta(page)->lastUsedPages;

	if (RecoveryInProgress())
		return;
	for (int i = 0; i < SPGIST_CACHED_PAGES; i++)
	{
		BlockNumber listed = cache->cachedPage[i].blkno;

		if (BlockNumberIsValid(listed) &&
			(SpGistBlockIsFixed(listed) ||
			 listed >= RelationGetNumberOfBlocks(check->reader.index)))
			spq_check_report(check, block, InvalidOffsetNumber,
							 psprintf("metapage lists block %u as having free space, but no tuple can be inserted there",
									  listed));
	}
}

/* Test a page by itself, and collect the suspects on it. */
static void
check_page(SpqCheckReach *reach, BlockNumber block, SpqPageCopy *copy)
{
	SpqCheck   *check = reach->check;
	Page		page = copy->page;
	bool		root = SpGistBlockIsRoot(block);
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];

	switch (spq_page_read(&check->reader, block, copy))
	{
		case SPQ_PAGE_BEYOND_END:
			return;
		case SPQ_PAGE_EMPTY:
			if (PageIsNew(page) && SpGistBlockIsFixed(block))
				spq_check_report(check, block, InvalidOffsetNumber,
								 SPQ_PAGE_NEVER_WRITTEN);
			return;
		case SPQ_PAGE_DAMAGED:
			spq_check_report(check, block, InvalidOffsetNumber, spq_page_header_problem(page, block));
			return;
		case SPQ_PAGE_INNER:
		case SPQ_PAGE_LEAF:
			break;
	}
	if (block == SPGIST_METAPAGE_BLKNO)
	{
		check_metapage(check, block, page);
		return;
	}
	if (!check_items(check, block, page, root, links) || root)
		return;

	check_redirections(check, block, page);
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		SpqPageTid	tid = {block, i};
		int			times;

		if (!needs_downlink(page, i, links))
			continue;
		times = times_reached(reach, spq_check_encode_tid(tid));
		if (times != 1)
		{
			add_suspect(reach, spq_check_encode_tid(tid), times > 1, spq_page_tuple(page, i));
			reach->newest = Max(reach->newest, PageGetLSN(page));
		}
	}
}

static int
compare_suspects(const void *a, const void *b)
{
	int64		x = ((const Suspect *) a)->tid;
	int64		y = ((const Suspect *) b)->tid;

	return (x > y) - (x < y);
}

/* Store the downlinks to suspects, during the second walk. */
static bool
visit(void *arg, SpqPageStep *step)
{
	SpqCheckReach *reach = (SpqCheckReach *) arg;
	Suspect		key;
	Suspect    *suspect;

	if (step->parent == NULL)
		return true;
	key.tid = spq_check_encode_tid(step->tid);
	suspect = bsearch(&key, reach->suspects, reach->n_suspects, sizeof(Suspect),
					  compare_suspects);
	if (suspect == NULL)
		return true;
	if (suspect->times < 2)
	{
		suspect->parent[suspect->times] = step->parent->tid;
		suspect->node[suspect->times] = step->node;
	}
	suspect->times++;
	return true;
}

/*
 * Return whether two downlinks point to a tuple: the first one is read again
 * before and after the second.
 */
static bool
has_two_downlinks(SpqCheck *check, const Suspect *suspect)
{
	SpqPageTid	tid = spq_check_decode_tid(suspect->tid);

	return suspect->times >= 2 &&
		spq_page_still_leads(&check->reader, suspect->parent[0], suspect->node[0], tid) &&
		spq_page_still_leads(&check->reader, suspect->parent[1], suspect->node[1], tid) &&
		spq_page_still_leads(&check->reader, suspect->parent[0], suspect->node[0], tid);
}

/*
 * Return whether a tuple that the second walk has not visited is still there.
 * Dead tuples have invalid row pointers, which ItemPointerCompare() accepts.
 */
static bool
still_there(SpqCheck *check, SpqPageCopy *copy, const Suspect *suspect)
{
	SpqPageTid	tid = spq_check_decode_tid(suspect->tid);
	SpqPageKind kind = spq_page_read(&check->reader, tid.block, copy);
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	OffsetNumber item;

	if ((kind != SPQ_PAGE_INNER && kind != SPQ_PAGE_LEAF) ||
		tid.offset > PageGetMaxOffsetNumber(copy->page))
		return false;
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(copy->page); i++)
		if (spq_page_item_problem(copy->page, i, false, check->reader.leaf_desc))
			return false;
	if (kind == SPQ_PAGE_LEAF && spq_page_chains_problem(copy->page, false, &item, links))
		return false;
	return needs_downlink(copy->page, tid.offset, kind == SPQ_PAGE_LEAF ? links : NULL) &&
		(kind == SPQ_PAGE_INNER ||
		 ItemPointerCompare(&spq_page_tuple(copy->page, tid.offset)->pointer,
							unconstify(ItemPointerData *, &suspect->row)) == 0);
}

/* Walk a second time, and report the suspects that remain. */
static void
check_suspects(SpqCheckReach *reach, SpqPageCopy *copy)
{
	SpqCheck   *check = reach->check;
	SpqPageVisitor visitor = {
		.visit = visit,
		.policy = SPQ_PAGE_SILENT,
		.arg = reach
	};

	/*
	 * wait for the change that added the suspects, which added their
	 * downlinks, too
	 */
	(void) spq_page_wait_for_replay(&check->reader, reach->newest);
	spq_page_walk(&check->reader, &visitor);

	for (int64 i = 0; i < reach->n_suspects; i++)
	{
		const Suspect *suspect = &reach->suspects[i];
		SpqPageTid	tid = spq_check_decode_tid(suspect->tid);

		if (suspect->twice && has_two_downlinks(check, suspect))
			spq_check_report(check, tid.block, tid.offset,
							 psprintf("two downlinks point here: node %d of block %u, item %d, and node %d of block %u, item %d",
									  suspect->node[0], suspect->parent[0].block,
									  suspect->parent[0].offset, suspect->node[1],
									  suspect->parent[1].block,
									  suspect->parent[1].offset));
		if (!suspect->twice && suspect->times == 0 && still_there(check, copy, suspect))
			spq_check_report(check, tid.block, tid.offset,
							 psprintf("no downlink points to this %s",
									  SpGistPageIsLeaf(copy->page) ? "chain of leaf tuples" : "inner tuple"));
		MemoryContextReset(check->short_lived);
	}
}

/*
 * Test the pages in order, after the walk, and report problems.  Free "reach".
 */
void
spq_check_reach_end(SpqCheckReach *reach)
{
	SpqCheck   *check = reach->check;
	SpqPageCopy copy = spq_page_new_copy();
	MemoryContext old_context;

	tuplesort_performsort(reach->reached);
	next_reached(reach);

	old_context = MemoryContextSwitchTo(check->short_lived);
	for (BlockNumber block = 0; block < RelationGetNumberOfBlocks(check->reader.index); block++)
	{
		check_page(reach, block, &copy);
		MemoryContextReset(check->short_lived);
	}
	tuplesort_end(reach->reached);
	if (reach->n_suspects > 0)
		check_suspects(reach, &copy);
	MemoryContextSwitchTo(old_context);
	pfree(copy.page);
	pfree(reach);
}
