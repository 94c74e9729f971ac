/*-------------------------------------------------------------------------
 *
 * replay.h
 *	  In recovery: whether a change seen on one page has been replayed on all of
 *	  its pages.
 *
 * A change of several pages is one WAL record.  The writer holds locks on all
 * of them, but replay changes them one after the other:
 *
 *		record R of pages a, b, c		a: R	b: R	c: old
 *										replayed: up to the record before R
 *
 * The LSN of each changed page is the end of R, and the replay position does
 * not pass the end of R before R has been replayed completely.  So take the
 * replay position, then read pages.  If no page's LSN is beyond that position,
 * the pages show no change that was missing on some of its pages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_REPLAY_H
#define SPQ_QUADTREE_PAGES_REPLAY_H

#include "quadtree_pages/read_page.h"

extern XLogRecPtr spq_page_replayed(void);
extern bool spq_page_wait_for_replay(SpqPageReader *reader, XLogRecPtr change);

#endif							/* SPQ_QUADTREE_PAGES_REPLAY_H */
