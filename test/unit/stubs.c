/*-------------------------------------------------------------------------
 *
 * stubs.c
 *	  Stand-ins for the server functions that the tested code calls: errors,
 *	  which the code must not raise, memory contexts, temporary files.
 *
 * Each chunk of memory is a malloc() of its own, so that AddressSanitizer finds
 * accesses beyond its end, or after its context is deleted.  Temporary files
 * are in memory, because joins with little memory make many of them.  Chunks,
 * contexts and files are counted, because LeakSanitizer does not report memory
 * that a context still refers to.
 *
 * With assertions, new memory is filled with garbage, and repalloc() always
 * moves.  bench/kernel uses these functions without assertions to measure the
 * same code.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <stdio.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "storage/bufpage.h"
#include "utils/memutils.h"

#include "stubs.h"

/* the C library's, not the server's */
#undef printf
#undef fprintf
#undef snprintf
#undef vsnprintf

/*
 * Errors
 */

bool
errstart(int elevel, const char *domain)
{
	fprintf(stderr, "the code raised an error\n");
	abort();
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

int
errcode_for_file_access(void)
{
	return 0;
}

int
errmsg(const char *fmt,...)
{
	return 0;
}

int
errmsg_internal(const char *fmt,...)
{
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
}

void
ExceptionalCondition(const char *conditionName,
#if PG_VERSION_NUM < 160000
					 const char *errorType,
#endif
					 const char *fileName, int lineNumber)
{
	fprintf(stderr, "%s:%d: failed assertion %s\n", fileName, lineNumber,
			conditionName);
	abort();
}

/*
 * Interrupts, stack
 */

volatile sig_atomic_t InterruptPending = false;

void
ProcessInterrupts(void)
{
}

/* The server's default limit is 2 MB, without sanitizers. */
void
check_stack_depth(void)
{
	static char *base = NULL;
	char	   *here = __builtin_frame_address(0);

	if (base == NULL || here > base)
		base = here;
	if (base - here > 2 * 1024 * 1024)
	{
		fprintf(stderr, "the code calls itself too often\n");
		abort();
	}
}

/*
 * Values: none is toasted, and no function has an OID
 */

struct varlena *
pg_detoast_datum(struct varlena *datum)
{
	return datum;
}

struct varlena *
pg_detoast_datum_packed(struct varlena *datum)
{
	return datum;
}

struct varlena *
pg_detoast_datum_slice(struct varlena *datum, int32 first, int32 count)
{
	return datum;
}

void
fmgr_info(Oid functionId, FmgrInfo *finfo)
{
	abort();
}

Datum
FunctionCall1Coll(FmgrInfo *flinfo, Oid collation, Datum arg1)
{
	abort();
}

/*
 * Pages
 */

void
PageInit(Page page, Size pageSize, Size specialSize)
{
	PageHeader	header = (PageHeader) page;

	specialSize = MAXALIGN(specialSize);
	memset(header, 0, pageSize);
	header->pd_lower = SizeOfPageHeaderData;
	header->pd_upper = header->pd_special = pageSize - specialSize;
	PageSetPageSizeAndVersion(page, pageSize, PG_PAGE_LAYOUT_VERSION);
}

/*
 * Memory contexts
 */

typedef struct Chunk
{
	struct Chunk *previous;
	struct Chunk *next;
	MemoryContext context;
	Size		size;
} Chunk;

typedef struct Context
{
	MemoryContextData data;		/* only the family links are used */
	Chunk		chunks;			/* head of a ring */
} Context;

long		stub_bytes = 0;
long		stub_chunks = 0;
long		stub_contexts = 0;
long		stub_peak_bytes = 0;

static Context root = {
	.chunks.previous = &root.chunks,
	.chunks.next = &root.chunks
};

MemoryContext CurrentMemoryContext = &root.data;

static void *
allocate(MemoryContext context, Size size)
{
	Chunk	   *head = &((Context *) context)->chunks;
	Chunk	   *chunk = malloc(sizeof(Chunk) + size);

#ifdef USE_ASSERT_CHECKING
	memset(chunk + 1, 0x5a, size);
#endif
	chunk->size = size;
	chunk->context = context;
	chunk->previous = head->previous;
	chunk->next = head;
	head->previous->next = chunk;
	head->previous = chunk;
	stub_chunks++;
	stub_bytes += size;
	stub_peak_bytes = Max(stub_peak_bytes, stub_bytes);
	return chunk + 1;
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	if (!AllocHugeSizeIsValid(size))
		elog(ERROR, "invalid size");
	return allocate(context, size);
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	if (!AllocSizeIsValid(size))
		elog(ERROR, "invalid size");
	return allocate(context, size);
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return memset(MemoryContextAlloc(context, size), 0, size);
}

void *
palloc(Size size)
{
	return MemoryContextAlloc(CurrentMemoryContext, size);
}

void *
palloc0(Size size)
{
	return MemoryContextAllocZero(CurrentMemoryContext, size);
}

void
pfree(void *pointer)
{
	Chunk	   *chunk = (Chunk *) pointer - 1;

	chunk->previous->next = chunk->next;
	chunk->next->previous = chunk->previous;
	stub_chunks--;
	stub_bytes -= chunk->size;
	free(chunk);
}

/*
 * With assertions, always move the chunk, so that AddressSanitizer finds uses
 * of the old address.
 */
void *
repalloc_huge(void *pointer, Size size)
{
	Chunk	   *chunk = (Chunk *) pointer - 1;
#ifdef USE_ASSERT_CHECKING
	void	   *result = MemoryContextAllocHuge(chunk->context, size);

	memcpy(result, pointer, Min(size, chunk->size));
	pfree(pointer);
	return result;
#else
	if (!AllocHugeSizeIsValid(size))
		elog(ERROR, "invalid size");
	chunk = realloc(chunk, sizeof(Chunk) + size);
	stub_bytes += size - chunk->size;
	stub_peak_bytes = Max(stub_peak_bytes, stub_bytes);
	chunk->size = size;
	chunk->previous->next = chunk;
	chunk->next->previous = chunk;
	return chunk + 1;
#endif
}

void *
repalloc(void *pointer, Size size)
{
	if (!AllocSizeIsValid(size))
		elog(ERROR, "invalid size");
	return repalloc_huge(pointer, size);
}

MemoryContext
AllocSetContextCreateInternal(MemoryContext parent, const char *name,
							  Size minContextSize, Size initBlockSize,
							  Size maxBlockSize)
{
	Context    *context = calloc(1, sizeof(Context));

	context->chunks.previous = context->chunks.next = &context->chunks;
	context->data.name = name;
	context->data.parent = parent;
	context->data.nextchild = parent->firstchild;
	parent->firstchild = &context->data;
	stub_contexts++;
	return &context->data;
}

void
MemoryContextReset(MemoryContext context)
{
	Chunk	   *head = &((Context *) context)->chunks;

	while (context->firstchild != NULL)
		MemoryContextDelete(context->firstchild);
	while (head->next != head)
		pfree(head->next + 1);
}

void
MemoryContextDelete(MemoryContext context)
{
	MemoryContext *link = &context->parent->firstchild;

	MemoryContextReset(context);
	while (*link != context)
		link = &(*link)->nextchild;
	*link = context->nextchild;
	if (CurrentMemoryContext == context)
		elog(ERROR, "deleting the current memory context");
	stub_contexts--;
	free(context);
}

/*
 * Texts.  The libraries' own versions would link their memory functions, too.
 */

char *
psprintf(const char *fmt,...)
{
	char text[	1024];
	va_list		args;
	int			length;

	va_start(args, fmt);
	length = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (length < 0 || length >= (int) sizeof(text))
		elog(ERROR, "text is too long");
	return pstrdup(text);
}

char *
pstrdup(const char *in)
{
	return strcpy(palloc(strlen(in) + 1), in);
}

/*
 * Temporary files
 */

long		stub_files = 0;
long		stub_files_made = 0;

BufFile *
BufFileCreateTemp(bool interXact)
{
	stub_files++;
	stub_files_made++;
	return palloc0(sizeof(BufFile));
}

void
BufFileClose(BufFile *file)
{
	free(file->data);
	pfree(file);
	stub_files--;
}

#if PG_VERSION_NUM >= 160000
void
BufFileWrite(BufFile *file, const void *data, size_t size)
#else
void
BufFileWrite(BufFile *file, void *data, size_t size)
#endif
{
	if (file->position + size > file->capacity)
	{
		file->capacity = Max(file->position + size, 2 * file->capacity);
		file->data = realloc(file->data, file->capacity);
	}
	memcpy(file->data + file->position, data, size);
	file->position += size;
	file->size = Max(file->size, file->position);
}

size_t
BufFileRead(BufFile *file, void *data, size_t size)
{
	size = Min(size, file->size - file->position);
	if (size > 0)
		memcpy(data, file->data + file->position, size);
	file->position += size;
	return size;
}

#if PG_VERSION_NUM >= 160000
void
BufFileReadExact(BufFile *file, void *data, size_t size)
{
	if (BufFileRead(file, data, size) != size)
		elog(ERROR, "the file ended too soon");
}
#endif

int
BufFileSeek(BufFile *file, int fileno, off_t offset, int whence)
{
	if (fileno != 0 || whence != SEEK_SET || offset < 0 ||
		(size_t) offset > file->size)
		return EOF;
	file->position = offset;
	return 0;
}
