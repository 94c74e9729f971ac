/*-------------------------------------------------------------------------
 *
 * queries.h
 *	  Parameters of the queries of a watch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_QUERIES_H
#define SPQ_WATCH_QUERIES_H

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

#endif							/* SPQ_WATCH_QUERIES_H */
