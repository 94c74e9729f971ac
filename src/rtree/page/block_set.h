/*-------------------------------------------------------------------------
 *
 * block_set.h
 *	  A set of blocks of an index: a bit each, so 16 MB for a terabyte.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_BLOCK_SET_H
#define SPQ_RTREE_PAGE_BLOCK_SET_H

#include "storage/block.h"
#include "utils/palloc.h"

/* It grows in its memory context.  If all other fields are zero, it is empty. */
typedef struct SpqRtreeBlockSet
{
	MemoryContext context;
	uint8	   *bits;
	Size		size;			/* of the bits, in bytes */
} SpqRtreeBlockSet;

static inline void
spq_rtree_block_set_add(SpqRtreeBlockSet *set, BlockNumber block)
{
	Size		byte = block / 8;

	if (byte >= set->size)
	{
		Size		size = Max(2 * set->size, byte + 1024);

		set->bits = set->bits == NULL ? MemoryContextAllocHuge(set->context, size) :
			repalloc_huge(set->bits, size);
		memset(set->bits + set->size, 0, size - set->size);
		set->size = size;
	}
	set->bits[byte] |= 1 << block % 8;
}

static inline bool
spq_rtree_block_set_has(const SpqRtreeBlockSet *set, BlockNumber block)
{
	return block / 8 < set->size && (set->bits[block / 8] & (1 << block % 8)) != 0;
}

static inline void
spq_rtree_block_set_remove(SpqRtreeBlockSet *set, BlockNumber block)
{
	if (spq_rtree_block_set_has(set, block))
		set->bits[block / 8] &= ~(1 << block % 8);
}

static inline void
spq_rtree_block_set_free(SpqRtreeBlockSet *set)
{
	if (set->bits)
		pfree(set->bits);
	set->bits = NULL;
	set->size = 0;
}

#endif							/* SPQ_RTREE_PAGE_BLOCK_SET_H */
