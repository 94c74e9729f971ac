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
 * There are two trees: the tree of boxes, then the tree of nulls, which has
 * neither cells nor bounds (of_nulls).  A small tree is a single leaf page,
 * its root, which is visited as a chain of level 1.  An empty tree is not
 * visited.
 *
 * The walk goes where a scan without a condition goes, and follows
 * redirections.  It reads copies of pages, of different moments if others
 * write to the index.  It uses nothing on a page before testing it, and it
 * ends whatever the bytes are; README.md explains why.  The policy determines
 * the treatment of problems.
 *
 * Memory: one inner tuple for each level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_WALK_H
#define SPQ_QUADTREE_PAGES_WALK_H

#include "quadtree_pages/raise.h"
#include "quadtree_pages/step.h"

typedef struct SpqPageVisitor
{
	/*
	 * Visit a tuple or chain, before everything below it.  Return whether to
	 * continue below it.
	 */
	bool		(*visit) (void *arg, SpqPageStep *step);

	/*
	 * Return whether to follow a node of an inner tuple; its target has not
	 * been read yet.  Called for all nodes with a downlink, after visit() of
	 * the tuple and before anything below it is visited.  The label is the
	 * valid one, or 0 in the tree of nulls.  If NULL, all nodes are followed.
	 */
	bool		(*follow) (void *arg, SpqPageStep *inner, int node, uint64 label);

	/*
	 * Leave an inner tuple, after everything below it.  Not called if visit()
	 * has returned false.  May be NULL.
	 */
	void		(*left) (void *arg, SpqPageStep *inner);

	/*
	 * Report a problem between tuples, with SPQ_PAGE_REPORT.  An invalid item
	 * means the whole page.  Problems within a page are not reported: the
	 * caller tests each page by itself.
	 */
	void		(*report) (void *arg, BlockNumber block, OffsetNumber item,
						   const char *problem);

	SpqPagePolicy policy;
	void	   *arg;
} SpqPageVisitor;

extern void spq_page_walk(SpqPageReader *reader, const SpqPageVisitor *visitor);

#endif							/* SPQ_QUADTREE_PAGES_WALK_H */
