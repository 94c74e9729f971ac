/*-------------------------------------------------------------------------
 *
 * build_memory.h
 *	  A sort of byte strings in memory, for CREATE INDEX.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_MEMORY_H
#define SPQ_RTREE_BULK_LOAD_BUILD_MEMORY_H

typedef struct SpqRtreeMemorySort SpqRtreeMemorySort;

/* Begin a sort in the current memory context; "memory" is in kilobytes. */
extern SpqRtreeMemorySort *spq_rtree_memory_sort_begin(int memory);

/*
 * Return a place for the next value, a varlena of this size, which the caller
 * writes.  Return NULL if memory does not suffice to sort one more.
 */
extern struct varlena *spq_rtree_memory_sort_add(SpqRtreeMemorySort *sort, Size size);

/* Sort the values as memcmp() orders their contents. */
extern void spq_rtree_memory_sort_perform(SpqRtreeMemorySort *sort);

/* Return the next value, or NULL if none is left. */
extern struct varlena *spq_rtree_memory_sort_next(SpqRtreeMemorySort *sort);

/*
 * Take all values out of a sort that was not performed: pass them to "take", in
 * the order in which they were added.  From time to time, after a call of
 * "flush", the memory of those passed before is freed.
 */
extern void spq_rtree_memory_sort_empty(SpqRtreeMemorySort *sort,
										void (*take) (void *arg, struct varlena *value),
										void (*flush) (void *arg), void *arg);

extern void spq_rtree_memory_sort_end(SpqRtreeMemorySort *sort);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_MEMORY_H */
