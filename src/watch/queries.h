/*-------------------------------------------------------------------------
 *
 * queries.h
 *	  Parameters of the queries of a watch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_QUERIES_H
#define SPQ_WATCH_QUERIES_H

/* SPQ_WATCH_NEAR: probes; SPQ_WATCH_NEAR_ONE: a probe.  They return numbers from 1 on. */
#define SPQ_WATCH_NEAR_PARAMS 1

/* SPQ_WATCH_DIFFERS: keys. */
#define SPQ_WATCH_DIFFERS_PARAMS 1

/*
 * SPQ_WATCH_SETTLE: keys, time, number of the statement, keys of objects that moved,
 * and the ways that they went, with their keys.
 */
#define SPQ_WATCH_SETTLE_PARAMS 6

#endif							/* SPQ_WATCH_QUERIES_H */
