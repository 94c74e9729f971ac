/*-------------------------------------------------------------------------
 *
 * prefetch.h
 *	  Requests to the processor for memory that will be read soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PREFETCH_H
#define SPQ_PREFETCH_H

/* Request the cache line of an address. */
#ifdef __GNUC__
#define spq_prefetch(address) __builtin_prefetch(address)
#else
#define spq_prefetch(address) ((void) (address))
#endif

/* Assumed size of a cache line.  Too small is safe. */
#define SPQ_LINE_SIZE	64

#endif							/* SPQ_PREFETCH_H */
