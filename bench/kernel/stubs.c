/*-------------------------------------------------------------------------
 *
 * stubs.c
 *	  What the join engine takes from the server: memory contexts over malloc().
 *
 * With memory enough it needs no files, and no errors: these end the program.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

/* A piece of memory, in the ring of its context's pieces. */
typedef struct Piece
{
	struct Piece *next,
			   *previous;
} Piece;

/* Palloc'd memory is aligned to 8; so is this. */
typedef struct Context
{
	struct Context *parent,
			   *child,
			   *sibling;
	Piece		ring;
} Context;

static Context top = {.ring = {&top.ring, &top.ring}};
MemoryContext CurrentMemoryContext = (MemoryContext) &top;
volatile sig_atomic_t InterruptPending = false;

void
ProcessInterrupts(void)
{
}

void
check_stack_depth(void)
{
}

MemoryContext
AllocSetContextCreateInternal(MemoryContext parent, const char *name,
							  Size minContextSize, Size initBlockSize, Size maxBlockSize)
{
	Context    *context = calloc(1, sizeof(Context));

	context->parent = (Context *) parent;
	context->sibling = context->parent->child;
	context->parent->child = context;
	context->ring.next = context->ring.previous = &context->ring;
	return (MemoryContext) context;
}

void
MemoryContextReset(MemoryContext memory)
{
	Context    *context = (Context *) memory;

	while (context->child)
		MemoryContextDelete((MemoryContext) context->child);
	while (context->ring.next != &context->ring)
		pfree(context->ring.next + 1);
}

void
MemoryContextDelete(MemoryContext memory)
{
	Context    *context = (Context *) memory;
	Context   **link = &context->parent->child;

	MemoryContextReset(memory);
	while (*link != context)
		link = &(*link)->sibling;
	*link = context->sibling;
	free(context);
}

void *
MemoryContextAllocHuge(MemoryContext memory, Size size)
{
	Piece	   *head = &((Context *) memory)->ring;
	Piece	   *piece = malloc(sizeof(Piece) + size);

	piece->next = head->next;
	piece->previous = head;
	piece->next->previous = piece->previous->next = piece;
	return piece + 1;
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	return MemoryContextAllocHuge(context, size);
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return memset(MemoryContextAllocHuge(context, size), 0, size);
}

void *
palloc(Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, size);
}

void *
palloc0(Size size)
{
	return MemoryContextAllocZero(CurrentMemoryContext, size);
}

void *
repalloc_huge(void *pointer, Size size)
{
	Piece	   *piece = realloc((Piece *) pointer - 1, sizeof(Piece) + size);

	piece->next->previous = piece->previous->next = piece;
	return piece + 1;
}

void
pfree(void *pointer)
{
	Piece	   *piece = (Piece *) pointer - 1;

	piece->next->previous = piece->previous;
	piece->previous->next = piece->next;
	free(piece);
}

/*
 * What is only called by an engine that goes to disk, shares its build side or
 * fails.  Linked by
 * name, whatever their arguments: versions differ in these.
 */
#define NEVER(name) \
	void never_##name(void) __asm__(#name); \
	void never_##name(void) { abort(); }

NEVER(BarrierArriveAndWait)
NEVER(BarrierAttach)
NEVER(BarrierDetach)
NEVER(BarrierInit)
NEVER(BufFileCreateFileSet)
NEVER(BufFileExportFileSet)
NEVER(BufFileOpenFileSet)
NEVER(SharedFileSetAttach)
NEVER(SharedFileSetDeleteAll)
NEVER(SharedFileSetInit)
NEVER(dsm_find_mapping)
NEVER(dsm_segment_handle)
NEVER(dsa_allocate_extended)
NEVER(dsa_free)
NEVER(dsa_get_address)
NEVER(pg_snprintf)
NEVER(BufFileCreateTemp)
NEVER(BufFileClose)
NEVER(BufFileRead)
NEVER(BufFileReadExact)
NEVER(BufFileSeek)
NEVER(BufFileWrite)
NEVER(errstart)
NEVER(errstart_cold)
NEVER(errmsg)
NEVER(errmsg_internal)
NEVER(errcode_for_file_access)
NEVER(errfinish)
NEVER(pg_qsort)
NEVER(pg_prng_uint64_range)

/* "random" is seeded in any case */
void
pg_prng_seed(pg_prng_state *random, uint64 seed)
{
}
