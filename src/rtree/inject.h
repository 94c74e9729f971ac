/*-------------------------------------------------------------------------
 *
 * inject.h
 *	  For tests: errors, crashes and delays at points between records.
 *
 * Only a library that is built with assertions (make ASSERT=1) has this, and the
 * setting spqtree.inject, which is a list of
 *
 *		POINT ACTION ONE_IN, ...
 *
 * for example "split crash 1, widened sleep 10".  A backend that passes the point
 * raises an error, kills itself with all WAL written so far, or sleeps 20
 * milliseconds, with a probability of one in ONE_IN.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INJECT_H
#define SPQ_RTREE_INJECT_H

#ifdef USE_ASSERT_CHECKING
extern void spq_rtree_inject_init(void);
extern void spq_rtree_inject(const char *point);

#define SPQ_RTREE_POINT(point) spq_rtree_inject(point)
#else
#define spq_rtree_inject_init() ((void) 0)
#define SPQ_RTREE_POINT(point) ((void) 0)
#endif

#endif							/* SPQ_RTREE_INJECT_H */
