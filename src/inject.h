/*-------------------------------------------------------------------------
 *
 * inject.h
 *	  For tests: errors, crashes, delays and orders of steps at certain points.
 *
 * Only a library built with assertions (make ASSERT=1) has them, and the
 * setting spqtree.inject, a list of
 *
 *		POINT ACTION NUMBER, ...
 *
 * for example "split crash 1, widened sleep 10".  A backend that passes the
 * point
 *
 *		error	raises an error
 *		crash	flushes its WAL and kills itself
 *		sleep	sleeps for 20 milliseconds
 *
 * with a probability of one in NUMBER, or
 *
 *		wait	waits until nobody holds the advisory lock NUMBER
 *
 * which is allowed only at points where the backend holds no page lock, or
 *
 *		step	stops until the controller lets session NUMBER go on
 *
 * The controller is a session that calls spq_inject_go(), for which a test creates
 * an SQL function.  At most one session runs at a time, so the controller decides
 * the order of all steps; test/t/030_rtree_orders.pl tries many orders.  A session
 * passes the point "lock" before each page lock that it requests.  What sessions
 * share is read and changed under page locks and pins, so no other points are
 * needed to get every order, except where the session holds a pin alone.
 *
 * "page full NUMBER" makes a page with this number of entries count as full,
 * so that a few rows make a tree of many levels.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INJECT_H
#define SPQ_INJECT_H

#ifdef USE_ASSERT_CHECKING
#include "storage/block.h"

extern void spq_inject_init(void);
extern void spq_inject(const char *point);
extern void spq_inject_lock(BlockNumber block);
extern bool spq_inject_full(int count);

#define SPQ_INJECT_POINT(point) spq_inject(point)
#define SPQ_INJECT_LOCK(block) spq_inject_lock(block)
#define SPQ_INJECT_FULL(count) spq_inject_full(count)
#else
#define spq_inject_init() ((void) 0)
#define SPQ_INJECT_POINT(point) ((void) 0)
#define SPQ_INJECT_LOCK(block) ((void) 0)
#define SPQ_INJECT_FULL(count) false
#endif

#endif							/* SPQ_INJECT_H */
