/*-------------------------------------------------------------------------
 *
 * tree_walk.c
 *	  The walk over an index of access method spqtree.  See tree_walk.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "quadtree_pages/raise.h"
#include "rtree_pages/tree_walk.h"

typedef struct Walk
{
	SpqTreeReader *reader;
	const SpqTreeVisitor *visitor;
	SpqRtreeBlockSet own_set;
	SpqRtreeBlockSet *visited;
	MemoryContext texts;		/* reset for each page */
} Walk;

static void walk_below(Walk *walk, SpqTreeStep *inner);

/*
 * Report or raise a problem.  Entries are counted from 0; -1 means the whole
 * page.
 */
static void
tell(Walk *walk, BlockNumber block, int entry, const char *problem)
{
	const SpqTreeVisitor *visitor = walk->visitor;

	if (visitor->policy == SPQ_PAGE_RAISE)
		spq_page_raise(walk->reader->index, block, (OffsetNumber) (entry + 1), problem);
	if (visitor->policy == SPQ_PAGE_REPORT)
		visitor->report(visitor->arg, block, (OffsetNumber) (entry + 1), problem);
}

/*
 * Report a problem of the link that led to a page.  "problem" describes that
 * page.
 */
static void
tell_of_link(Walk *walk, const SpqTreeStep *step, const char *problem)
{
	const SpqTreeStep *parent = step->parent;

	if (parent == NULL)
		tell(walk, step->block, -1,
			 psprintf("right links from block %u, the first page of nulls, lead to block %u, but %s",
					  SPQ_RTREE_NULLS, step->block, problem));
	else if (step->linked)
		tell(walk, parent->block, step->entry,
			 psprintf("right links from the child, block %u, lead to block %u, but %s",
					  spq_rtree_child(parent->page, step->entry), step->block, problem));
	else
		tell(walk, parent->block, step->entry,
			 psprintf("downlink points to block %u, but %s", step->block, problem));
}

/*
 * Return why a page that can be read does not belong where the walk found it,
 * or NULL.
 */
static const char *
wrong_place(const SpqTreeStep *step)
{
	int			level = spq_rtree_special(step->page)->level;

	if (spq_tree_of_nulls(step->page) != step->of_nulls)
		return step->of_nulls ? "that page is not in the chain of nulls" :
			"that page is in the chain of nulls";
	if (step->parent && level != step->parent->level - 1)
		return psprintf("that page is of level %d, not %d", level, step->parent->level - 1);
	return NULL;
}

/* Report the first problem within a page. */
static void
test_entries(Walk *walk, const SpqTreeStep *step)
{
	int			entry;
	const char *problem = spq_tree_page_problem(step->page, step->block,
												walk->reader->columns, &entry);

	if (problem)
		tell(walk, step->block, entry, problem);
}

/*
 * Read a page, and visit it and everything below it.  Return whether its right
 * link can be followed.
 */
static bool
walk_page(Walk *walk, SpqTreeStep *step)
{
	const SpqTreeVisitor *visitor = walk->visitor;
	MemoryContext old_context = MemoryContextSwitchTo(walk->texts);
	SpqTreeKind kind;
	const char *problem;
	bool		usable = false,
				below = false;

	if (BlockNumberIsValid(step->block) && spq_rtree_block_set_has(walk->visited, step->block))
		tell_of_link(walk, step, "another link leads there, too");
	else
	{
		kind = spq_tree_read(walk->reader, step->block, step->page);
		problem = spq_tree_kind_problem(walk->reader, kind, step->block, step->page);
		if (kind == SPQ_TREE_BEYOND_END && !spq_tree_is_fixed(step->block))
			tell_of_link(walk, step, psprintf("the index has only %u blocks",
											  RelationGetNumberOfBlocks(walk->reader->index)));
		else
		{
			const char *elsewhere = problem ? NULL : wrong_place(step);

			/* a page that belongs elsewhere is visited there */
			if (elsewhere)
				tell_of_link(walk, step, elsewhere);
			else
				spq_rtree_block_set_add(walk->visited, step->block);
			if (problem)
				tell(walk, step->block, -1, problem);
			else if (elsewhere == NULL)
				usable = true;
		}
	}
	if (usable)
	{
		step->level = spq_rtree_special(step->page)->level;
		step->rows = step->level == 0 ? spq_rtree_count(step->page) : 0;
		test_entries(walk, step);
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(walk->texts);
	if (!usable)
		return false;

	below = visitor->visit(visitor->arg, step);
	if (step->level > 0 && below)
		walk_below(walk, step);
	if (step->parent)
		step->parent->rows += step->rows;
	return true;
}

/*
 * Walk from a block to the end of its part.  The first step is filled in,
 * except for its page.
 */
static void
walk_span(Walk *walk, SpqTreeStep *step, uint32 stop)
{
	while (walk_page(walk, step))
	{
		BlockNumber next = spq_rtree_special(step->page)->next;

		if (spq_rtree_ends_span(step->page, stop))
			return;
		if (!BlockNumberIsValid(next))
		{
			tell(walk, step->parent->block, step->entry,
				 psprintf("right links do not lead from the child, block %u, to a page that was split %u times",
						  spq_rtree_child(step->parent->page, step->entry), stop));
			return;
		}
		step->block = next;
		step->linked = true;
	}
}

/*
 * Before the child of a downlink is read, ask the system for those of the next
 * ones.  A walk to some of the children reads few pages, and asks for none.
 */
static void
request_children(Walk *walk, Page page, int entry)
{
	int			most = walk->visitor->follow ? 0 : walk->reader->most_requests,
				first = entry == 0 ? 1 : entry + most,
				end = Min(entry + most + 1, spq_rtree_count(page));

	/* those up to "first" were requested with the entry before */
	for (int ahead = first; most > 0 && ahead < end; ahead++)
		spq_tree_request(walk->reader, spq_rtree_child(page, ahead));
}

/* Follow the downlinks of an inner page. */
static void
walk_below(Walk *walk, SpqTreeStep *inner)
{
	const SpqTreeVisitor *visitor = walk->visitor;
	Page		copy = palloc(BLCKSZ);
	int			count = spq_rtree_count(inner->page);

	for (int entry = 0; entry < count; entry++)
	{
		SpqTreeStep step = {
			.parent = inner,
			.entry = entry,
			.block = spq_rtree_child(inner->page, entry),
			.depth = inner->depth + 1,
			.page = copy
		};

		if (visitor->follow && !visitor->follow(visitor->arg, inner, entry))
			continue;
		request_children(walk, inner->page, entry);

		/* other targets were reported with the page */
		if (!spq_tree_is_fixed(step.block) && step.block != inner->block)
			walk_span(walk, &step, spq_rtree_stop(inner->page, entry));
	}
	pfree(copy);
	if (visitor->left)
		visitor->left(visitor->arg, inner);
}

/* Walk over the pages of an index. */
void
spq_tree_walk(SpqTreeReader *reader, const SpqTreeVisitor *visitor)
{
	Walk		walk = {.reader = reader,.visitor = visitor};
	SpqTreeStep root = {.entry = -1,.block = SPQ_RTREE_ROOT,.depth = 1};
	SpqTreeStep nulls = {.entry = -1,.block = SPQ_RTREE_NULLS,.depth = 1,.of_nulls = true};
	Page		copy = palloc(BLCKSZ);

	walk.visited = visitor->visited ? visitor->visited : &walk.own_set;
	if (walk.visited->context == NULL)
		walk.visited->context = CurrentMemoryContext;
	walk.texts = AllocSetContextCreate(CurrentMemoryContext, "spqtree walk texts",
									   ALLOCSET_SMALL_SIZES);
	root.page = nulls.page = copy;
	walk_page(&walk, &root);
	if (!visitor->no_nulls)
		walk_span(&walk, &nulls, 0);

	pfree(copy);
	MemoryContextDelete(walk.texts);
	spq_rtree_block_set_free(&walk.own_set);
}
