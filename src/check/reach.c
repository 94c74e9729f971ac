/*-------------------------------------------------------------------------
 *
 * reach.c
 *	  Whether the walk comes to every tuple, once; and the format of each page.
 *
 *		walk			the places that downlinks lead to, sorted
 *		pages			one after the other, with the places on each:
 *						an inner tuple or head of a chain that is not among
 *						them, or twice, is a suspect
 *		second walk		only if there are suspects
 *		a second look	at each suspect
 *
 * The sort takes no more than maintenance_work_mem and goes to a file beyond
 * that; the pages are in the order of the sort.
 *
 * Beside writers, a tuple that came after the walk had passed is a suspect, and
 * the second walk comes to it.  If neither that does, nor has the tuple gone
 * afterwards, it was there during the whole of the second walk.
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

#include "check/check.h"
#include "pages/downlink.h"
#include "compat.h"

/* An inner tuple or chain that the walk has not come to, or more than once. */
typedef struct Suspect
{
	int64		place;
	bool		twice;
	ItemPointerData row;		/* of the chain's first tuple */
	int			times;			/* in the second walk */
	SpqPageTid	parent[2];		/* where from */
	int			node[2];
} Suspect;

typedef struct Reach
{
	SpqCheck   *check;
	Tuplesortstate *reached;	/* places, as numbers */
	bool		has_next;
	int64		next;			/* next of those */
	Suspect    *suspects;		/* in the order of places */
	int64		n_suspects;
	int64		max_suspects;
	XLogRecPtr	newest;			/* change of their pages */
} Reach;

static void
note_reached(void *arg, SpqPageTid tuple, SpqPageTid parent, int node)
{
	Reach	   *reach = (Reach *) arg;

	tuplesort_putdatum(reach->reached,
					   Int64GetDatum(spq_place_number(tuple.block, tuple.offset)),
					   false);
}

static void
note_leaf(void *arg, SpqPageTid at, SpGistLeafTuple tuple, bool null_key)
{
	Reach	   *reach = (Reach *) arg;

	spq_check_heap_leaf(reach->check->heap_check, at, tuple, null_key);
}

static void
next_reached(Reach *reach)
{
	Datum		value;
	bool		isnull;

	reach->has_next = spq_tuplesort_getdatum(reach->reached, &value, &isnull);
	if (reach->has_next)
		reach->next = DatumGetInt64(value);
}

/* How often the walk has come to a place.  Places are asked for in order. */
static int
times_reached(Reach *reach, int64 place)
{
	int			times = 0;

	while (reach->has_next && reach->next <= place)
	{
		times += reach->next == place;
		next_reached(reach);
	}
	return times;
}

static void
add_suspect(Reach *reach, int64 place, bool twice, SpGistDeadTuple tuple)
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
	suspect->place = place;
	suspect->twice = twice;
	suspect->row = tuple->pointer;
}

/*
 * Is there something at this place that a downlink has to lead to?  The page's
 * items have no problem.  A dead tuple is what is left of a chain, and there
 * because its downlink is.
 */
static bool
wants_downlink(Page page, OffsetNumber item, const SpqPageLink *links)
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
 * Report what is wrong with the items of a page; true if nothing is.
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
 * Redirections to where the index ends.  Nothing else can be said of what one
 * leads to: it may be older than the rest of the page that it leads to.
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
					   psprintf("redirection leads to block %u, which the index does not have",
								ItemPointerGetBlockNumber(&tuple->pointer)));
	}
}

/*
 * Pages that the metapage names as those with room.  Only insertion looks there,
 * but it would fail.  The list is not written to the WAL, so a standby's may be
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
		BlockNumber with_room = cache->cachedPage[i].blkno;

		if (BlockNumberIsValid(with_room) &&
			(SpGistBlockIsFixed(with_room) ||
			 with_room >= RelationGetNumberOfBlocks(check->reader.index)))
			spq_check_report(check, block, InvalidOffsetNumber,
					   psprintf("metapage names block %u as one with room, where no insertion can go",
								with_room));
	}
}

static void
check_page(Reach *reach, BlockNumber block, Page page)
{
	SpqCheck   *check = reach->check;
	bool		root = SpGistBlockIsRoot(block);
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];

	switch (spq_page_read(&check->reader, block, page))
	{
		case SPQ_PAGE_BEYOND_END:
			return;
		case SPQ_PAGE_EMPTY:
			if (PageIsNew(page) && SpGistBlockIsFixed(block))
				spq_check_report(check, block, InvalidOffsetNumber,
						   "page that every index has was never written");
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
		int64		place = spq_place_number(block, i);
		int			times;

		if (!wants_downlink(page, i, links))
			continue;
		times = times_reached(reach, place);
		if (times != 1)
		{
			add_suspect(reach, place, times > 1, spq_page_tuple(page, i));
			reach->newest = Max(reach->newest, PageGetLSN(page));
		}
	}
}

static int
compare_suspects(const void *a, const void *b)
{
	int64		x = ((const Suspect *) a)->place;
	int64		y = ((const Suspect *) b)->place;

	return (x > y) - (x < y);
}

/* The second walk has come to a tuple. */
static void
count_suspect(void *arg, SpqPageTid tuple, SpqPageTid parent, int node)
{
	Reach	   *reach = (Reach *) arg;
	Suspect		key;
	Suspect    *suspect;

	key.place = spq_place_number(tuple.block, tuple.offset);
	suspect = bsearch(&key, reach->suspects, reach->n_suspects, sizeof(Suspect),
					  compare_suspects);
	if (suspect == NULL)
		return;
	if (suspect->times < 2)
	{
		suspect->parent[suspect->times] = parent;
		suspect->node[suspect->times] = node;
	}
	suspect->times++;
}

/*
 * Do two downlinks lead here?  The first one did so before and after we looked
 * at the second.
 */
static bool
led_to_twice(SpqCheck *check, const Suspect *suspect)
{
	SpqPageTid	at = spq_place_at(suspect->place);

	return suspect->times >= 2 &&
		spq_page_still_leads(&check->reader, suspect->parent[0], suspect->node[0], at) &&
		spq_page_still_leads(&check->reader, suspect->parent[1], suspect->node[1], at) &&
		spq_page_still_leads(&check->reader, suspect->parent[0], suspect->node[0], at);
}

/* Is the tuple that the second walk has not come to still there? */
static bool
still_there(SpqCheck *check, Page page, const Suspect *suspect)
{
	SpqPageTid	at = spq_place_at(suspect->place);
	SpqPageKind kind = spq_page_read(&check->reader, at.block, page);
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	OffsetNumber item;

	if ((kind != SPQ_PAGE_INNER && kind != SPQ_PAGE_LEAF) ||
		at.offset > PageGetMaxOffsetNumber(page))
		return false;
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
		if (spq_page_item_problem(page, i, false, check->reader.leaf_desc))
			return false;
	if (kind == SPQ_PAGE_LEAF && spq_page_chains_problem(page, false, &item, links))
		return false;
	return wants_downlink(page, at.offset, links) &&
		(kind == SPQ_PAGE_INNER ||
		 ItemPointerEquals(&spq_page_tuple(page, at.offset)->pointer,
						   unconstify(ItemPointerData *, &suspect->row)));
}

static void
look_at_suspects(Reach *reach, Page page)
{
	SpqCheck   *check = reach->check;
	SpqCheckVisitor	visitor = {count_suspect, NULL, reach, true};

	/* what put the suspects there has put the downlinks to them, too */
	(void) spq_page_wait_for_replay(&check->reader, reach->newest);
	spq_check_walk(check, &visitor);

	for (int64 i = 0; i < reach->n_suspects; i++)
	{
		const Suspect *suspect = &reach->suspects[i];
		SpqPageTid	at = spq_place_at(suspect->place);

		if (suspect->twice && led_to_twice(check, suspect))
			spq_check_report(check, at.block, at.offset,
					   psprintf("two downlinks lead here: node %d of block %u, item %d, and node %d of block %u, item %d",
								suspect->node[0], suspect->parent[0].block,
								suspect->parent[0].offset, suspect->node[1],
								suspect->parent[1].block,
								suspect->parent[1].offset));
		if (!suspect->twice && suspect->times == 0 && still_there(check, page, suspect))
			spq_check_report(check, at.block, at.offset,
					   psprintf("no downlink leads to this %s",
								SpGistPageIsLeaf(page) ? "chain of leaf tuples" : "inner tuple"));
		MemoryContextReset(check->short_lived);
	}
}

/*
 * Walk through the index and through its pages, and report what is wrong.
 */
void
spq_check_structure(SpqCheck *check)
{
	Reach	   *reach = palloc0(sizeof(Reach));
	Page		page = (Page) palloc(BLCKSZ);
	SpqCheckVisitor	visitor = {note_reached, check->heap_check ? note_leaf : NULL, reach, false};
	MemoryContext old_context;

	reach->check = check;
	reach->reached = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid,
										   false, Max(64, maintenance_work_mem / 4),
										   NULL, TUPLESORT_NONE);
	spq_check_walk(check, &visitor);
	tuplesort_performsort(reach->reached);
	next_reached(reach);

	old_context = MemoryContextSwitchTo(check->short_lived);
	for (BlockNumber block = 0; block < RelationGetNumberOfBlocks(check->reader.index); block++)
	{
		check_page(reach, block, page);
		MemoryContextReset(check->short_lived);
	}
	tuplesort_end(reach->reached);
	if (reach->n_suspects > 0)
		look_at_suspects(reach, page);
	MemoryContextSwitchTo(old_context);
	pfree(page);
	pfree(reach);
}
