/*-------------------------------------------------------------------------
 *
 * walk.h
 *	  The walk over the tree of an index: every inner tuple and every chain of
 *	  leaf tuples, from the roots down.
 *
 *		level 1			  root, an inner tuple			visit(root)
 *						 /		|		 \				follow(root, node 0..)
 *		level 2		chain	 inner		chain			visit(chain), ...
 *							 /	  \
 *		level 3			 chain	 chain					left(inner), left(root)
 *
 * There are two trees: that of boxes, then that of nulls, which has neither
 * cells nor bounds (of_nulls).  A small tree is a single leaf page, its root,
 * which is visited as a chain of level 1.  An empty tree has nothing to visit.
 *
 * The walk goes where a scan without a condition goes.  It reads copies of
 * pages, of different moments if others write to the index, and follows
 * redirections.  It uses nothing on a page before it has tested it, and ends
 * whatever the bytes are; README.md says why.  Its policy decides what becomes
 * of problems.
 *
 * Memory: one inner tuple for each level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_WALK_H
#define SPQ_QUADTREE_PAGES_WALK_H

#include "quadtree_pages/step.h"

/* What becomes of problems. */
typedef enum SpqPagePolicy
{
	SPQ_PAGE_RAISE,				/* raise the first one as an error */
	SPQ_PAGE_REPORT,			/* report what is wrong between tuples, leave
								 * out what is damaged, and go on.  What is
								 * wrong within a page is not reported: the
								 * caller tests each page by itself */
	SPQ_PAGE_SILENT				/* the same, reporting nothing */
} SpqPagePolicy;

typedef struct SpqPageVisitor
{
	/*
	 * A tuple or chain, before what is below it.  Return whether to go on
	 * below.
	 */
	bool		(*visit) (void *arg, SpqPageStep *step);

	/*
	 * Return whether to go where a node of an inner tuple leads, which has
	 * not been read yet.  Called for all nodes with a downlink, after visit()
	 * of the tuple and before what is below is visited.  The label is the
	 * valid one; in the tree of nulls, 0.  NULL: follow all nodes.
	 */
	bool		(*follow) (void *arg, SpqPageStep *inner, int node, uint64 label);

	/*
	 * An inner tuple, after all that is below it, unless visit() has returned
	 * false.  May be NULL.
	 */
	void		(*left) (void *arg, SpqPageStep *inner);

	/* A problem, for SPQ_PAGE_REPORT.  An invalid item: of the whole page. */
	void		(*report) (void *arg, BlockNumber block, OffsetNumber item,
						   const char *problem);

	SpqPagePolicy policy;
	void	   *arg;
} SpqPageVisitor;

extern void spq_page_walk(SpqPageReader *reader, const SpqPageVisitor *visitor);

#endif							/* SPQ_QUADTREE_PAGES_WALK_H */
