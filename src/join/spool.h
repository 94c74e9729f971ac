/*-------------------------------------------------------------------------
 *
 * spool.h
 *	  Rows on disk: written once, then read from the start as often as wanted.
 *
 * A temporary file of the server's (BufFile): it obeys temp_file_limit and
 * temp_tablespaces, and goes away with the resource owner after an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SPOOL_H
#define SPQ_JOIN_SPOOL_H

#include "storage/buffile.h"

#include "join/item.h"

typedef struct SpqSpool
{
	BufFile    *file;			/* NULL as long as nothing was written */
	uint64		count;
	uint64		nread;
} SpqSpool;

/*
 * A payload is stored in memory with its length before it; item->ref points
 * to what comes after the length.
 */
typedef struct SpqPayload
{
	uint64		length;
	char		data[FLEXIBLE_ARRAY_MEMBER];
} SpqPayload;

static inline SpqPayload *
spq_payload_of(uint64 ref)
{
	return (SpqPayload *) ((char *) (uintptr_t) ref - offsetof(SpqPayload, data));
}

extern void spq_spool_write(SpqSpool *spool, const SpqJoinItem *item,
							bool payload, MemoryContext context);
extern bool spq_spool_read(SpqSpool *spool, SpqJoinItem *item, bool payload,
						   MemoryContext context);
extern void spq_spool_rewind(SpqSpool *spool);
extern void spq_spool_close(SpqSpool *spool);
extern uint64 spq_copy_payload(const void *data, Size length,
							   MemoryContext context);

#endif							/* SPQ_JOIN_SPOOL_H */
