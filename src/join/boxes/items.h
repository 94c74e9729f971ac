/*-------------------------------------------------------------------------
 *
 * items.h
 *	  A growing array of items with their payloads, and its order and buckets.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_ITEMS_H
#define SPQ_JOIN_BOXES_ITEMS_H

#include "utils/memutils.h"

#include "join/boxes/directory.h"

/*
 * Arrays of items begin at a cache line: then each of 64 bytes is in one, as in
 * three dimensions they are.
 */
typedef struct SpqJoinItems
{
	SpqJoinItem *item;
	void	   *chunk;			/* in which item[] is */
	uint32		count;
	uint32		capacity;
	SpqJoinItem *spare;			/* they are sorted into this */
	void	   *spare_chunk;
	uint32		spare_capacity;
	uint64		payload_bytes;
	MemoryContext array;		/* holds item[] and spare[] */
	MemoryContext context;		/* holds what spq_join_items_clear() frees:
								 * payloads, order */
} SpqJoinItems;

/*
 * The most memory that an item takes.  On the build side: two copies of the item
 * and its tile code while it is sorted; later one copy and its share of a bucket,
 * which is less.  In a block of probes, where nothing is freed: all of that.
 */
#define SPQ_JOIN_ITEM_BYTES	(2 * sizeof(SpqJoinItem) + sizeof(SpqJoinTileCode))
#define SPQ_JOIN_PROBE_BYTES(hashed) \
	(SPQ_JOIN_ITEM_BYTES + sizeof(SpqJoinTileCode) + sizeof(SpqJoinBucketBox) + \
	 (sizeof(SpqJoinBucket) + sizeof(SpqJoinBucketBox) + \
	  ((hashed) ? sizeof(SpqJoinBucketHashes) : 0) + sizeof(uint32)) / SPQ_JOIN_MIN_FILL)

static inline uint64
spq_join_items_bytes(const SpqJoinItems *items)
{
	return items->count * (uint64) SPQ_JOIN_ITEM_BYTES + items->payload_bytes;
}

extern void spq_join_items_init(SpqJoinItems *items, MemoryContext parent);
extern SpqJoinItem *spq_join_items_add(SpqJoinItems *items);
extern void spq_join_items_clear(SpqJoinItems *items);
extern void spq_join_items_free_spare(SpqJoinItems *items);
extern SpqJoinTileCode *spq_join_items_order(SpqJoinItems *items, bool hashed, bool probes,
											 double tile_size, SpqJoinLattice *lattice,
											 int *size_classes);

#endif							/* SPQ_JOIN_BOXES_ITEMS_H */
