/*-------------------------------------------------------------------------
 *
 * recent_pages.h
 *	  In which shared buffers a scan has lately met the pages of indexes, so
 *	  that those it will visit next can be fetched into the processor's cache
 *	  all at once.
 *
 * Coming to a child, core waits for memory some five times, each wait for an
 * address that the one before it brings: buffer descriptor, page header,
 * special space, line pointer, tuple.  When inner_consistent has chosen the
 * children, their blocks are known, but not their buffers; asking the buffer
 * manager would mean the same waits.  So we keep in mind where a page was
 * when a method was last called with a datum of it:
 *
 *		(relation, block) -> slot -> buffer
 *
 *		inner tuple ---- child in block 7  -> buffer 912: fetch its descriptor,
 *				   \											header, line
 *					\--- child in block 30 -> buffer 31			pointers, end
 *
 * A hint, nothing else: slots are shared by blocks that fall on them, and
 * buffers are given to other pages.  A wrong one costs some cache lines.
 * Nothing is read of a page that no one has pinned for us.
 *
 * Figures are in README.md.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RECENT_PAGES_H
#define SPQ_RECENT_PAGES_H

#include "quadtree/prefix.h"

extern void spq_quad_remember_page(const char *page);
extern void spq_quad_prefetch_children(const SpqPrefix *prefix, const int *nodes,
								  int n);

#endif							/* SPQ_RECENT_PAGES_H */
