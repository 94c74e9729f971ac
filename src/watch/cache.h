/*-------------------------------------------------------------------------
 *
 * cache.h
 *	  The watches of a session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_CACHE_H
#define SPQ_WATCH_CACHE_H

#include "watch/definition/watch.h"

extern SpqWatch *spq_watch_of_trigger(TriggerData *trigger, Oid schema, SpqWatchRole *role);
extern SpqWatch *spq_watch_use(Oid pairs, Oid schema);
extern void spq_watch_release(SpqWatch *watch);

#endif							/* SPQ_WATCH_CACHE_H */
