/*-------------------------------------------------------------------------
 *
 * downlink.h
 *	  Following a downlink, and distinguishing damage from a concurrent change.
 *
 *		node 3 --> inner tuple				on a page of inner tuples
 *			   --> head of a chain			on a leaf page
 *			   --> dead tuple				left by VACUUM in place of a chain
 *			   --> redirection --> ...		only while a reader is on its way
 *
 * The target must be on a page of the same tree, of boxes or of nulls.
 * Anything else is a problem.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_DOWNLINK_H
#define SPQ_QUADTREE_PAGES_DOWNLINK_H

#include "quadtree_pages/inner_format.h"
#include "quadtree_pages/read_page.h"

/* The target of a downlink. */
typedef enum SpqPageTarget
{
	SPQ_PAGE_TO_INNER,
	SPQ_PAGE_TO_CHAIN,
	SPQ_PAGE_TO_NOTHING			/* the problem tells why */
} SpqPageTarget;

extern char *spq_page_follow(SpqPageReader *reader, SpqPageCopy *copy,
							 SpqPageTid *tid, bool of_nulls,
							 SpqPageTarget *target);
extern bool spq_page_read_inner(SpqPageReader *reader, SpqPageCopy *copy,
								SpqPageTid tid, SpGistInnerTuple *tuple);
extern bool spq_page_still_leads(SpqPageReader *reader, SpqPageTid parent,
								 int node, SpqPageTid child);
extern bool spq_page_problem_persists(SpqPageReader *reader, SpqPageTid parent,
									  int node, SpqPageTid child,
									  bool of_nulls);

#endif							/* SPQ_QUADTREE_PAGES_DOWNLINK_H */
