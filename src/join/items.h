/*-------------------------------------------------------------------------
 *
 * items.h
 *	  A growing array of items with their payloads, and its order and buckets.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ITEMS_H
#define SPQ_JOIN_ITEMS_H

#include "utils/memutils.h"

#include "join/directory.h"

typedef struct SpqJoinItems
{
	SpqJoinItem *item;
	uint32		count;
	uint32		capacity;
	SpqJoinItem *spare;			/* where they are sorted to */
	uint32		spare_capacity;
	uint64		payload_bytes;
	MemoryContext array;		/* holds item[] and spare[] */
	MemoryContext context;		/* what is made anew each time: payloads,
								 * order */
} SpqJoinItems;

/*
 * Memory that an item takes, at the most.  On the build side: twice itself and
 * its key while it is sorted; later itself and its share of a bucket, which is
 * less.  In a block of probes, where nothing is given back: all of it.
 */
#define SPQ_JOIN_ITEM_BYTES	(2 * sizeof(SpqJoinItem) + sizeof(SpqJoinTileCode))
#define SPQ_JOIN_PROBE_BYTES(hashed) \
	(SPQ_JOIN_ITEM_BYTES + sizeof(SpqJoinTileCode) + \
	 (sizeof(SpqJoinBucket) + ((hashed) ? sizeof(SpqJoinBucketHashes) : 0) + \
	  sizeof(uint32)) / SPQ_JOIN_MIN_FILL)

static inline uint64
spq_join_items_bytes(const SpqJoinItems *items)
{
	return items->count * (uint64) SPQ_JOIN_ITEM_BYTES + items->payload_bytes;
}

extern void spq_join_items_init(SpqJoinItems *items, MemoryContext parent);
extern SpqJoinItem *spq_join_items_add(SpqJoinItems *items);
extern void spq_join_items_clear(SpqJoinItems *items);
extern void spq_join_items_free_spare(SpqJoinItems *items);
extern SpqJoinTileCode *spq_join_items_order(SpqJoinItems *items, bool hashed,
											 double tile_size, SpqJoinLattice *lattice,
											 int *levels);

#endif							/* SPQ_JOIN_ITEMS_H */
