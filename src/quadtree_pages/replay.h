/*-------------------------------------------------------------------------
 *
 * replay.h
 *	  In recovery: has a change that was seen on one page been replayed on all
 *	  of its pages?
 *
 * A change of several pages is one WAL record.  The writer has all these pages
 * locked; replay changes them one after the other:
 *
 *		record R of pages a, b, c		a: R	b: R	c: old
 *										replayed: up to the record before R
 *
 * The LSN of each changed page is the end of R, and the replay position does
 * not pass the end of R before R has been replayed completely.  So pages whose
 * LSNs are not beyond the replay position taken before the first of them was
 * read show no change that was not on all of its pages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_REPLAY_H
#define SPQ_QUADTREE_PAGES_REPLAY_H

#include "quadtree_pages/read_page.h"

extern XLogRecPtr spq_page_replayed(void);
extern bool spq_page_wait_for_replay(SpqPageReader *reader, XLogRecPtr change);

#endif							/* SPQ_QUADTREE_PAGES_REPLAY_H */
