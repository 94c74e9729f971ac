/*-------------------------------------------------------------------------
 *
 * spool.h
 *	  Rows on disk: written once, then read from the start any number of times.
 *
 * Rows may be appended after the last row has been written or read.
 *
 * A spool is a temporary file of PostgreSQL (BufFile): it obeys temp_file_limit
 * and temp_tablespaces, and the resource owner removes it after an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BINS_SPOOL_H
#define SPQ_JOIN_BINS_SPOOL_H

#include "storage/buffile.h"

#include "join/boxes/item.h"
#include "join/boxes/payloads.h"

typedef struct SpqJoinSpool
{
	BufFile    *file;			/* NULL until something is written */
	uint64		count;
	uint64		nread;
} SpqJoinSpool;

extern void spq_join_spool_write(SpqJoinSpool *spool, const SpqJoinItem *item,
								 bool payload, MemoryContext context);
extern bool spq_join_spool_read(SpqJoinSpool *spool, SpqJoinItem *item, bool payload,
								SpqJoinPayloads *payloads);
extern void spq_join_spool_rewind(SpqJoinSpool *spool);
extern void spq_join_spool_close(SpqJoinSpool *spool);

#endif							/* SPQ_JOIN_BINS_SPOOL_H */
