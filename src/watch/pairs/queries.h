/*-------------------------------------------------------------------------
 *
 * queries.h
 *	  The queries of a watch, and their parameters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_PAIRS_QUERIES_H
#define SPQ_WATCH_PAIRS_QUERIES_H

#include "watch/definition/watch.h"

/*
 * SPQ_WATCH_NEAR: probes; returns their numbers, from 1.  SPQ_WATCH_NEAR_ONE:
 * one probe; returns 1 or no row.
 */
#define SPQ_WATCH_NEAR_PARAMS 1

/* SPQ_WATCH_DIFFERS: keys. */
#define SPQ_WATCH_DIFFERS_PARAMS 1

/*
 * SPQ_WATCH_SETTLE: keys, time, number of the statement, keys of objects that
 * moved, keys of the moves, and the moves as segments.
 */
#define SPQ_WATCH_SETTLE_PARAMS 6

/* SPQ_WATCH_LOCK: keys. */
#define SPQ_WATCH_LOCK_PARAMS 1

/*
 * SPQ_WATCH_ANY_DUE and SPQ_WATCH_DUE: keys, time, number of the statement, largest number
 * of pairs of SPQ_WATCH_DUE_ALL.
 */
#define SPQ_WATCH_DUE_PARAMS 4

extern char *spq_watch_query(const SpqWatch *watch, SpqWatchRole role, SpqWatchQuery query);
extern char *spq_watch_pairs_query(const SpqWatch *watch);
extern char *spq_watch_differences_query(const SpqWatch *watch);
extern char *spq_watch_gone_query(const SpqWatch *watch, SpqWatchRole role);

#endif							/* SPQ_WATCH_PAIRS_QUERIES_H */
