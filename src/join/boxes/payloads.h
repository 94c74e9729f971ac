/*-------------------------------------------------------------------------
 *
 * payloads.h
 *	  The callers' data of rows, stored one after another in pieces of memory.
 *
 *		piece	[ length data | length data | ...	   next-> .......... ]
 *
 * A row's payload is freed with all others, when their memory context is reset,
 * or right after it was made.  So it needs no header of its own, and no rounding
 * to a power of two as palloc() does, and the pieces can be large.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_PAYLOADS_H
#define SPQ_JOIN_BOXES_PAYLOADS_H

#include "utils/palloc.h"

/*
 * In memory, the length precedes a payload; item->ref points behind the
 * length.
 */
typedef struct SpqJoinPayload
{
	uint64		length;
	char		data[FLEXIBLE_ARRAY_MEMBER];
} SpqJoinPayload;

typedef struct SpqJoinPayloads
{
	MemoryContext context;		/* owns the pieces */
	char	   *next;			/* free memory in the last piece */
	Size		room;
	Size		piece;			/* size of the last piece */
} SpqJoinPayloads;

static inline SpqJoinPayload *
spq_join_payload_of(uint64 ref)
{
	return (SpqJoinPayload *) ((char *) (uintptr_t) ref - offsetof(SpqJoinPayload, data));
}

extern void spq_join_payloads_init(SpqJoinPayloads *payloads, MemoryContext context);
extern SpqJoinPayload *spq_join_new_payload(SpqJoinPayloads *payloads, Size length);
extern uint64 spq_join_copy_payload(SpqJoinPayloads *payloads, const void *data, Size length);
extern void spq_join_free_last_payload(SpqJoinPayloads *payloads, uint64 ref);

#endif							/* SPQ_JOIN_BOXES_PAYLOADS_H */
