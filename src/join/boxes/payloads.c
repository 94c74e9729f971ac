/*-------------------------------------------------------------------------
 *
 * payloads.c
 *	  The callers' data of rows, stored one after another in pieces of memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/boxes/payloads.h"
#include "large_memory.h"

/*
 * Each piece is twice as large as the one before.  The last ones are a few huge
 * pages.
 */
#define FIRST_PIECE		8192
#define LAST_PIECE		(8 * SPQ_HUGE_PAGE)
#define ALONE			(FIRST_PIECE / 4)	/* from here on a piece of its own */

/* Begin with no piece: at first, and after the context has been reset. */
void
spq_join_payloads_init(SpqJoinPayloads *payloads, MemoryContext context)
{
	memset(payloads, 0, sizeof(SpqJoinPayloads));
	payloads->context = context;
}

/* Return the memory that a payload takes. */
static inline Size
payload_size(Size length)
{
	return MAXALIGN(offsetof(SpqJoinPayload, data) + length);
}

/* Allocate a payload; the caller fills its data. */
SpqJoinPayload *
spq_join_new_payload(SpqJoinPayloads *payloads, Size length)
{
	Size		size = payload_size(length);
	SpqJoinPayload *payload;

	if (size >= ALONE)
		payload = spq_large_alloc(payloads->context, size);
	else
	{
		if (size > payloads->room)
		{
			payloads->piece = Min(Max(2 * payloads->piece, FIRST_PIECE), LAST_PIECE);
			payloads->next = spq_large_alloc(payloads->context, payloads->piece);
			payloads->room = payloads->piece;
		}
		payload = (SpqJoinPayload *) payloads->next;
		payloads->next += size;
		payloads->room -= size;
	}
	payload->length = length;
	return payload;
}

/* Copy data into a payload, and return the reference of an item. */
uint64
spq_join_copy_payload(SpqJoinPayloads *payloads, const void *data, Size length)
{
	SpqJoinPayload *payload = spq_join_new_payload(payloads, length);

	if (length > 0)
		memcpy(payload->data, data, length);
	return (uint64) (uintptr_t) payload->data;
}

/* Free the payload that was allocated last. */
void
spq_join_free_last_payload(SpqJoinPayloads *payloads, uint64 ref)
{
	SpqJoinPayload *payload = spq_join_payload_of(ref);
	Size		size = payload_size(payload->length);

	if (size >= ALONE)
		pfree(payload);
	else
	{
		Assert((char *) payload + size == payloads->next);
		payloads->next -= size;
		payloads->room += size;
	}
}
