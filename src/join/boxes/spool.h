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
#ifndef SPQ_JOIN_BOXES_SPOOL_H
#define SPQ_JOIN_BOXES_SPOOL_H

#include "storage/buffile.h"

#include "join/boxes/item.h"

typedef struct SpqJoinSpool
{
	BufFile    *file;			/* NULL until something is written */
	uint64		count;
	uint64		nread;
} SpqJoinSpool;

/*
 * In memory, the length precedes a payload; item->ref points behind the
 * length.
 */
typedef struct SpqJoinPayload
{
	uint64		length;
	char		data[FLEXIBLE_ARRAY_MEMBER];
} SpqJoinPayload;

static inline SpqJoinPayload *
spq_join_payload_of(uint64 ref)
{
	return (SpqJoinPayload *) ((char *) (uintptr_t) ref - offsetof(SpqJoinPayload, data));
}

extern void spq_join_spool_write(SpqJoinSpool *spool, const SpqJoinItem *item,
								 bool payload, MemoryContext context);
extern bool spq_join_spool_read(SpqJoinSpool *spool, SpqJoinItem *item, bool payload,
								MemoryContext context);
extern void spq_join_spool_rewind(SpqJoinSpool *spool);
extern void spq_join_spool_close(SpqJoinSpool *spool);
extern uint64 spq_join_copy_payload(const void *data, Size length,
									MemoryContext context);

#endif							/* SPQ_JOIN_BOXES_SPOOL_H */
