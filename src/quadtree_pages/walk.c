/*-------------------------------------------------------------------------
 *
 * walk.c
 *	  The walk over the tree of an index.  See walk.h.
 *
 * The path has one step for each inner tuple from the root down, with those of
 * its nodes that remain to be visited.
 *
 * The children of a tuple are visited in the order of their pages, so that one
 * copy suffices for all children on a page.  All pages are copied into one
 * buffer, so a copy is never older than the downlink that led to it.
 *
 * This file knows pages only by the functions of page_format, inner_format,
 * downlink and step.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "quadtree_pages/downlink.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/raise.h"
#include "quadtree_pages/walk.h"

/* A node that remains to be visited. */
typedef struct Child
{
	int			node;
	SpqPageTid	tid;
	uint64		label;
} Child;

typedef struct PathStep
{
	SpqPageStep step;			/* must be first */
	Child	   *children;
	int			n_children;
	int			next;			/* next child to visit */
} PathStep;

typedef struct Walk
{
	SpqPageReader *reader;
	const SpqPageVisitor *visitor;
	SpqPageCopy copy;			/* page of the step being visited */
	MemoryContext steps;
	MemoryContext texts;		/* reset for each child */
	double		visits;			/* inner and leaf tuples visited */
} Walk;

/* Treat a problem between tuples, which no single page shows. */
static void
tell(Walk *walk, BlockNumber block, OffsetNumber item, const char *problem)
{
	const SpqPageVisitor *visitor = walk->visitor;

	switch (visitor->policy)
	{
		case SPQ_PAGE_RAISE:
			spq_page_raise(walk->reader->index, block, item, problem);
			break;
		case SPQ_PAGE_REPORT:
			visitor->report(visitor->arg, block, item, problem);
			break;
		case SPQ_PAGE_SILENT:
			break;
	}
}

/*
 * Treat a problem within a page.  With SPQ_PAGE_REPORT, the caller tests each
 * page by itself.
 */
static void
tell_of_page(Walk *walk, OffsetNumber item, const char *problem)
{
	if (walk->visitor->policy == SPQ_PAGE_RAISE)
		spq_page_raise(walk->reader->index, walk->copy.block, item, problem);
}

static int
compare_children(const void *a, const void *b)
{
	const Child *x = (const Child *) a;
	const Child *y = (const Child *) b;

	if (x->tid.block != y->tid.block)
		return x->tid.block < y->tid.block ? -1 : 1;
	if (x->tid.offset != y->tid.offset)
		return x->tid.offset < y->tid.offset ? -1 : 1;
	return x->node - y->node;
}

/* Find the nodes of an inner tuple that the visitor wants to follow. */
static void
choose_children(Walk *walk, PathStep *path)
{
	const SpqPageVisitor *visitor = walk->visitor;
	SpqPageStep *inner = &path->step;

	path->children = MemoryContextAlloc(walk->steps, inner->n_nodes * sizeof(Child));
	for (int i = 0; i < inner->n_nodes; i++)
	{
		Child	   *child = &path->children[path->n_children];

		if (!OffsetNumberIsValid(inner->nodes[i].offset))
			continue;
		child->node = i;
		child->tid.block = inner->nodes[i].block;
		child->tid.offset = inner->nodes[i].offset;
		child->label = inner->of_nulls ? 0 :
			spq_page_valid_label(inner->nodes, inner->n_nodes, i,
								 inner->all_the_same, &inner->prefix);
		if (visitor->follow == NULL ||
			visitor->follow(visitor->arg, inner, i, child->label))
			path->n_children++;
	}
	qsort(path->children, path->n_children, sizeof(Child), compare_children);
}

static void
free_step(PathStep *path)
{
	if (path->step.nodes)
		pfree(unconstify(SpqPageNode *, path->step.nodes));
	if (path->children)
		pfree(path->children);
	pfree(path);
}

/* Visit a step whose page is copied.  Return the step to continue with. */
static PathStep *
visit_step(Walk *walk, PathStep *path)
{
	const SpqPageVisitor *visitor = walk->visitor;
	SpqPageStep *step = &path->step;
	PathStep   *above = (PathStep *) step->parent;

	walk->visits += step->inner ? 1 : step->tuples;
	if (visitor->visit(visitor->arg, step) && step->inner)
	{
		choose_children(walk, path);
		return path;
	}
	if (above)
		above->step.tuples += step->tuples;
	free_step(path);
	return above;
}

/*
 * Follow a downlink, and copy the page of its target.
 *
 * In recovery the copy may show an incomplete change.  So a problem that does
 * not persist is ignored, and the target is read again.
 */
static SpqPageTarget
follow_child(Walk *walk, const SpqPageStep *inner, const Child *child, SpqPageTid *tid)
{
	for (int tries = 0; tries < 2; tries++)
	{
		SpqPageTarget target;
		char	   *problem;

		*tid = child->tid;
		problem = spq_page_follow(walk->reader, &walk->copy, tid,
								  inner->of_nulls, &target);
		if (problem == NULL ||
			(target != SPQ_PAGE_TO_NOTHING && walk->visitor->policy != SPQ_PAGE_REPORT))
			return target;
		if (spq_page_problem_persists(walk->reader, inner->tid, child->node,
									  child->tid, inner->of_nulls))
		{
			tell(walk, inner->tid.block, inner->tid.offset,
				 psprintf("node %d %s", child->node, problem));
			return target;
		}
		if (target != SPQ_PAGE_TO_NOTHING)
			return target;
		walk->copy.block = InvalidBlockNumber;
	}
	return SPQ_PAGE_TO_NOTHING;
}

/* Return whether a tuple is on the path. */
static bool
on_path(const SpqPageStep *path, SpqPageTid tid)
{
	for (; path != NULL; path = path->parent)
		if (spq_page_same_tid(path->tid, tid))
			return true;
	return false;
}

/* Visit the next child of a step.  Return the step to continue with. */
static PathStep *
visit_child(Walk *walk, PathStep *path)
{
	const Child *child = &path->children[path->next++];
	SpqPageStep *inner = &path->step;
	PathStep   *below;
	SpqPageStep *step;
	SpqPageTarget target;
	SpqPageTid	tid;
	MemoryContext old_context = MemoryContextSwitchTo(walk->texts);

	MemoryContextReset(walk->texts);
	target = follow_child(walk, inner, child, &tid);
	if (target == SPQ_PAGE_TO_INNER && on_path(inner, tid))
	{
		walk->visits++;
		tell(walk, inner->tid.block, inner->tid.offset,
			 psprintf("node %d points back to block %u, item %d, which is above it",
					  child->node, tid.block, tid.offset));
		target = SPQ_PAGE_TO_NOTHING;
	}
	MemoryContextSwitchTo(old_context);
	if (target == SPQ_PAGE_TO_NOTHING)
		return path;

	below = MemoryContextAllocZero(walk->steps, sizeof(PathStep));
	step = &below->step;
	step->parent = inner;
	step->level = inner->level + 1;
	step->node = child->node;
	step->tid = tid;
	step->of_nulls = inner->of_nulls;
	if (!inner->of_nulls)
		spq_page_fill_cell(step, child->label);
	if (target == SPQ_PAGE_TO_CHAIN)
		spq_page_fill_chain(step, walk->copy.page);
	else
		spq_page_fill_inner(step, walk->copy.page, walk->steps);
	return visit_step(walk, below);
}

/*
 * Copy the page of a root.  Return whether it has a tree that can be visited.
 */
static bool
read_root(Walk *walk, BlockNumber root)
{
	SpqPageReader *reader = walk->reader;
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	OffsetNumber item;
	Page		page = walk->copy.page;
	char	   *problem = NULL;

	switch (spq_page_read(reader, root, &walk->copy))
	{
		case SPQ_PAGE_BEYOND_END:
			tell(walk, root, InvalidOffsetNumber, "index has no root page");
			return false;
		case SPQ_PAGE_DAMAGED:
			tell_of_page(walk, InvalidOffsetNumber, spq_page_header_problem(page, root));
			return false;
		case SPQ_PAGE_EMPTY:
			if (PageIsNew(page))
				tell_of_page(walk, InvalidOffsetNumber, SPQ_PAGE_NEVER_WRITTEN);
			return false;
		case SPQ_PAGE_INNER:
		case SPQ_PAGE_LEAF:
			break;
	}
	for (item = FirstOffsetNumber; item <= PageGetMaxOffsetNumber(page); item++)
	{
		problem = spq_page_item_problem(page, item, true, reader->leaf_desc);
		if (problem)
			break;
	}
	if (problem == NULL && walk->copy.kind == SPQ_PAGE_LEAF)
		problem = spq_page_chains_problem(page, true, &item, links);
	if (problem)
		tell_of_page(walk, item, problem);
	return problem == NULL;
}

/*
 * Visit a root.  Return the step to continue with, or NULL if there is no
 * inner tuple to follow.
 */
static PathStep *
visit_root(Walk *walk, BlockNumber root, bool of_nulls)
{
	PathStep   *path;
	SpqPageStep *step;

	if (!read_root(walk, root))
		return NULL;
	path = MemoryContextAllocZero(walk->steps, sizeof(PathStep));
	step = &path->step;
	spq_page_fill_root(step, root, of_nulls);
	if (walk->copy.kind == SPQ_PAGE_LEAF)
		spq_page_fill_chain(step, walk->copy.page);
	else
		spq_page_fill_inner(step, walk->copy.page, walk->steps);
	return visit_step(walk, path);
}

/*
 * Leave an inner tuple, after everything below it has been visited.  Return
 * the step above it.
 */
static PathStep *
leave_step(Walk *walk, PathStep *path)
{
	PathStep   *above = (PathStep *) path->step.parent;

	if (walk->visitor->left)
		walk->visitor->left(walk->visitor->arg, &path->step);
	if (above)
		above->step.tuples += path->step.tuples;
	free_step(path);
	return above;
}

/*
 * Walk from one root down.  Damage can make the tree a graph with many more
 * paths than tuples, so stop after as many tuples as the index can hold.
 */
static void
walk_from(Walk *walk, BlockNumber root, bool of_nulls)
{
	PathStep   *path = visit_root(walk, root, of_nulls);

	while (path != NULL)
	{
		if (path->next == path->n_children)
		{
			path = leave_step(walk, path);
			continue;
		}
		path = visit_child(walk, path);
		if (walk->visits > (double) RelationGetNumberOfBlocks(walk->reader->index) * SPQ_PAGE_MAX_ITEMS)
		{
			tell(walk, path->step.tid.block, path->step.tid.offset,
				 "walk has visited more tuples than the index can hold");
			break;
		}
	}
}

/* Walk over an index: the tree of boxes, then the tree of nulls. */
void
spq_page_walk(SpqPageReader *reader, const SpqPageVisitor *visitor)
{
	Walk		walk = {0};

	walk.reader = reader;
	walk.visitor = visitor;
	walk.copy = spq_page_new_copy();
	walk.steps = AllocSetContextCreate(CurrentMemoryContext, "spqtree path",
									   ALLOCSET_DEFAULT_SIZES);
	walk.texts = AllocSetContextCreate(CurrentMemoryContext, "spqtree problems",
									   ALLOCSET_DEFAULT_SIZES);
	walk_from(&walk, SPGIST_ROOT_BLKNO, false);
	walk_from(&walk, SPGIST_NULL_BLKNO, true);
	MemoryContextDelete(walk.texts);
	MemoryContextDelete(walk.steps);
	pfree(walk.copy.page);
}
