/*-------------------------------------------------------------------------
 *
 * tree_walk.h
 *	  The walk over an index of access method spqtree: every page of the tree from
 *	  the root down, then the chain of nulls.
 *
 *		level 2			  root						visit(root)
 *						 /	  \						follow(root, entry 0..)
 *		level 1		inner ->  inner					visit(inner), follow ...
 *					/  |		 \
 *		level 0	leaf->leaf -> ... leaf				visit(leaf), ...
 *													left(inner), ..., left(root)
 *
 * The walk goes where a scan without a condition goes: to the child of each
 * downlink, and right from there until it meets the stop.  So it sees each page
 * once, by the argument of src/rtree/README.md.  It reads copies of pages, of
 * different moments if others write to the index, and holds one lock at a time.
 *
 * Nothing on a page is trusted.  A page that the walk has been to is not entered
 * again, and levels fall from parent to child, so it ends whatever the bytes are.
 * Its policy decides what becomes of problems.
 *
 * Memory: a page for each level, and a bit for each block.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGES_TREE_WALK_H
#define SPQ_RTREE_PAGES_TREE_WALK_H

#include "rtree/page/block_set.h"
#include "rtree_pages/tree_read.h"

/* A page that the walk has come to. */
typedef struct SpqTreeStep
{
	struct SpqTreeStep *parent; /* page with the downlink; NULL: root, or the
								 * chain of nulls */
	int			entry;			/* of the parent that leads here, or -1 */
	bool		linked;			/* reached by a right link, not directly */
	BlockNumber block;
	int			level;			/* 0 for a leaf */
	int			depth;			/* 1 for the root and the chain of nulls */
	bool		of_nulls;
	Page		page;			/* a copy, until left(), or visit() of a leaf,
								 * returns */
	int64		rows;			/* of a leaf; of an inner page, those below,
								 * known when left() is called */
	bool		mark;			/* the visitor's; false at first */
} SpqTreeStep;

typedef struct SpqTreeVisitor
{
	/* A page, before what is below it.  Return whether to go on below. */
	bool		(*visit) (void *arg, SpqTreeStep *step);

	/* Return whether to follow a downlink of an inner page.  NULL: all. */
	bool		(*follow) (void *arg, SpqTreeStep *inner, int entry);

	/*
	 * An inner page, after all that is below it, unless visit() has returned
	 * false.  May be NULL.
	 */
	void		(*left) (void *arg, SpqTreeStep *inner);

	/*
	 * A problem; entries are items counted from 1, and an invalid item means
	 * the page as a whole.  The walk leaves out what is damaged, and goes on.
	 * NULL: the first problem is raised as an error, unless the walk is
	 * silent.
	 */
	void		(*report) (void *arg, BlockNumber block, OffsetNumber item,
						   const char *problem);
	bool		silent;
	bool		no_nulls;		/* leave out the chain of nulls */
	void	   *arg;

	/* if not NULL, the pages that the walk visits are added; empty at first */
	SpqRtreeBlockSet *visited;
} SpqTreeVisitor;

extern void spq_tree_walk(SpqTreeReader *reader, const SpqTreeVisitor *visitor);

#endif							/* SPQ_RTREE_PAGES_TREE_WALK_H */
