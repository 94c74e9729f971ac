/*-------------------------------------------------------------------------
 *
 * inject.h
 *	  For tests: errors, crashes and delays at points between records.
 *
 * Only a library that is built with assertions (make ASSERT=1) has this, and the
 * setting spqtree.inject, which is a list of
 *
 *		POINT ACTION NUMBER, ...
 *
 * for example "split crash 1, widened sleep 10".  A backend that passes the point
 *
 *		error	raises an error
 *		crash	kills itself with all WAL written so far
 *		sleep	sleeps 20 milliseconds
 *
 * with a probability of one in NUMBER, or
 *
 *		wait	waits until nobody has the advisory lock NUMBER any more
 *
 * That is for points at which it has no lock of a page.
 *
 * "page full NUMBER" lets a page of so many entries count as full, so that a few
 * rows make a tree of many levels.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INJECT_H
#define SPQ_INJECT_H

#ifdef USE_ASSERT_CHECKING
extern void spq_inject_init(void);
extern void spq_inject(const char *point);
extern bool spq_inject_full(int count);

#define SPQ_INJECT_POINT(point) spq_inject(point)
#define SPQ_INJECT_FULL(count) spq_inject_full(count)
#else
#define spq_inject_init() ((void) 0)
#define SPQ_INJECT_POINT(point) ((void) 0)
#define SPQ_INJECT_FULL(count) false
#endif

#endif							/* SPQ_INJECT_H */
