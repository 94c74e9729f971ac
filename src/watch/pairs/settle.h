/*-------------------------------------------------------------------------
 *
 * settle.h
 *	  Correct the pairs of changed rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_PAIRS_SETTLE_H
#define SPQ_WATCH_PAIRS_SETTLE_H

#include "watch/pairs/changes.h"

extern void spq_watch_keep_near(SpqWatch *watch, SpqWatchChanges *changes);
extern void spq_watch_collect_gone(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes);
extern void spq_watch_collect_wrong(SpqWatch *watch, SpqWatchChanges *changes);
extern int64 spq_watch_settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes);
extern void spq_watch_try(SpqWatch *watch);
extern void spq_watch_fill(const SpqWatch *watch);

#endif							/* SPQ_WATCH_PAIRS_SETTLE_H */
