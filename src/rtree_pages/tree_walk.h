/*-------------------------------------------------------------------------
 *
 * tree_walk.h
 *	  The walk over an index of access method spqtree: every page of the tree
 *	  from the root down, then the chain of nulls.
 *
 *		level 2			  root						visit(root)
 *						 /	  \						follow(root, entry 0..)
 *		level 1		inner ->  inner					visit(inner), follow ...
 *					/  |		 \
 *		level 0	leaf->leaf -> ... leaf				visit(leaf), ...
 *													left(inner), ..., left(root)
 *
 * The walk goes where a scan without a condition goes: to the child of each
 * downlink, and right from there until it meets the downlink's split count.
 * So it visits each page once, by the argument of src/rtree/README.md.  It
 * reads copies of pages, of different moments if others write to the index,
 * and holds one lock at a time.
 *
 * Nothing on a page is trusted.  A page that the walk has visited is not
 * entered again, and levels fall from parent to child, so the walk ends
 * whatever the bytes are.  The visitor determines the treatment of problems.
 *
 * Memory: a page for each level, and a bit for each block.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGES_TREE_WALK_H
#define SPQ_RTREE_PAGES_TREE_WALK_H

#include "quadtree_pages/raise.h"
#include "rtree/page/block_set.h"
#include "rtree_pages/tree_read.h"

/* A page that the walk visits. */
typedef struct SpqTreeStep
{
	struct SpqTreeStep *parent; /* page with the downlink; NULL for the root
								 * and the chain of nulls */
	int			entry;			/* entry of the parent that leads here, or -1 */
	bool		linked;			/* reached by a right link, not by the
								 * downlink itself */
	BlockNumber block;
	int			level;			/* 0 for a leaf */
	int			depth;			/* 1 for the root and the chain of nulls */
	bool		of_nulls;
	Page		page;			/* a copy; valid until left() returns, or
								 * visit() for a leaf */
	int64		rows;			/* rows of a leaf; of an inner page, those
								 * below it, complete when left() is called */
} SpqTreeStep;

typedef struct SpqTreeVisitor
{
	/*
	 * Visit a page, before everything below it.  Return whether to continue
	 * below it.
	 */
	bool		(*visit) (void *arg, SpqTreeStep *step);

	/*
	 * Return whether to follow a downlink of an inner page.  If NULL, all are
	 * followed.
	 */
	bool		(*follow) (void *arg, SpqTreeStep *inner, int entry);

	/*
	 * Leave an inner page, after everything below it.  Not called if visit()
	 * has returned false.  May be NULL.
	 */
	void		(*left) (void *arg, SpqTreeStep *inner);

	/*
	 * Report a problem, with SPQ_PAGE_REPORT.  Entries are items counted from
	 * 1, and an invalid item means the whole page.
	 */
	void		(*report) (void *arg, BlockNumber block, OffsetNumber item,
						   const char *problem);
	SpqPagePolicy policy;
	bool		no_nulls;		/* do not visit the chain of nulls */
	void	   *arg;

	/*
	 * if not NULL, the pages visited are added to this set, which must be
	 * empty
	 */
	SpqRtreeBlockSet *visited;
} SpqTreeVisitor;

extern void spq_tree_walk(SpqTreeReader *reader, const SpqTreeVisitor *visitor);

#endif							/* SPQ_RTREE_PAGES_TREE_WALK_H */
