/*-------------------------------------------------------------------------
 *
 * shared_payload.c
 *	  Keeps the payloads of a shared build side.
 *
 * Payloads are stored one after another in chunks of dynamic shared memory.
 * The size of chunks grows.  An item refers to its payload by a dsa_pointer,
 * since each process maps this memory at a different address.  The chunks of a
 * participant form a list, by which they are freed:
 *
 *		participant -> [ next | payload | payload | ... ] -> [ 0 | ... ]
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/shared/shared_state.h"

#define FIRST_CHUNK		((Size) 16 * 1024)
#define MAX_CHUNK	((Size) 1024 * 1024)

typedef struct Chunk
{
	dsa_pointer next;
	uint64		data[FLEXIBLE_ARRAY_MEMBER];
} Chunk;

static void
new_chunk(SpqSharedSide *side, Size least)
{
	Size		size = Max(side->chunk_size, offsetof(Chunk, data) + least);
	dsa_pointer pointer = dsa_allocate_extended(side->area, size, DSA_ALLOC_HUGE);
	Chunk	   *chunk = dsa_get_address(side->area, pointer);

	chunk->next = side->own->payloads;
	side->own->payloads = pointer;
	side->chunk = (char *) chunk->data;
	side->chunk_pointer = pointer + offsetof(Chunk, data);
	side->chunk_left = size - offsetof(Chunk, data);
	side->chunk_size = Min(side->chunk_size * 2, MAX_CHUNK);
}

/* Copy a payload into shared memory, and return a reference to the copy. */
uint64
spq_shared_payload(SpqSharedSide *side, const void *payload, Size length)
{
	Size		size = MAXALIGN(offsetof(SpqJoinPayload, data) + length);
	SpqJoinPayload *copy;
	uint64		ref;

	side->chunk_size = Max(side->chunk_size, FIRST_CHUNK);
	if (side->chunk_left < size)
		new_chunk(side, size);
	copy = (SpqJoinPayload *) side->chunk;
	copy->length = length;
	if (length > 0)
		memcpy(copy->data, payload, length);
	ref = side->chunk_pointer + offsetof(SpqJoinPayload, data);
	side->chunk += size;
	side->chunk_pointer += size;
	side->chunk_left -= size;
	return ref;
}

void
spq_shared_free_payloads(SpqSharedParticipant *participant, dsa_area *area)
{
	while (DsaPointerIsValid(participant->payloads))
	{
		dsa_pointer pointer = participant->payloads;

		participant->payloads = ((Chunk *) dsa_get_address(area, pointer))->next;
		dsa_free(area, pointer);
	}
}
