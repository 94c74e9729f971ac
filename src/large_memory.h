/*-------------------------------------------------------------------------
 *
 * large_memory.h
 *	  Memory for arrays of many megabytes.
 *
 * The system gives memory in pages when they are first written.  Large arrays are
 * filled once and thrown away, so the time for that counts.  Linux has huge pages
 * for those who ask, if /sys/kernel/mm/transparent_hugepage/enabled is "madvise";
 * these functions ask for them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_LARGE_MEMORY_H
#define SPQ_LARGE_MEMORY_H

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "utils/memutils.h"

/* The size of a huge page; memory that holds fewer is left as it is. */
#define SPQ_HUGE_PAGE	((Size) 2 * 1024 * 1024)

/*
 * Ask for huge pages for memory that has not been written yet.
 *
 * The range is that of all its pages.  If it were smaller than what malloc() maps
 * for a large allocation, the system would keep two areas for one allocation, and
 * mremap() moves one area at most: realloc() would copy.
 */
static inline void
spq_large_advise(void *memory, Size size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t	page = sysconf(_SC_PAGESIZE),
				first = TYPEALIGN_DOWN(page, (uintptr_t) memory),
				end = TYPEALIGN(page, (uintptr_t) memory + size);

	/* advice: without it all works as well */
	if (size >= SPQ_HUGE_PAGE)
		(void) madvise((void *) first, end - first, MADV_HUGEPAGE);
#endif
}

/* Allocate memory of any size. */
static inline void *
spq_large_alloc(MemoryContext context, Size size)
{
	void	   *memory = MemoryContextAllocHuge(context, size);

	spq_large_advise(memory, size);
	return memory;
}

/* Make memory larger, up to any size. */
static inline void *
spq_large_realloc(void *memory, Size size)
{
	memory = repalloc_huge(memory, size);
	spq_large_advise(memory, size);
	return memory;
}

#endif							/* SPQ_LARGE_MEMORY_H */
