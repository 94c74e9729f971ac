/*-------------------------------------------------------------------------
 *
 * items.h
 *	  A growing array of items with their payloads, and its order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_ITEMS_H
#define SPQ_JOIN_BOXES_ITEMS_H

#include "utils/memutils.h"

#include "join/boxes/directory.h"
#include "join/boxes/payloads.h"

/*
 * Arrays of items begin at a cache line.  In three dimensions an item has 64
 * bytes, and so lies in one line.
 */
typedef struct SpqJoinItems
{
	SpqJoinItem *item;
	void	   *chunk;			/* allocated memory that contains item[] */
	uint32		count;
	uint32		capacity;
	SpqJoinItem *spare;			/* sorting writes the items here */
	void	   *spare_chunk;
	uint32		spare_capacity;
	SpqJoinPayloads payloads;
	uint64		payload_bytes;	/* sum of what was allocated there */
	uint64		kept_bytes;		/* sum of what the caller keeps of the build
								 * side's rows */
	MemoryContext array;		/* for item[] and spare[] */
	MemoryContext context;		/* for payloads and order, which
								 * spq_join_items_clear() frees */
} SpqJoinItems;

/*
 * Memory that counts for an item.  On the build side: two copies of the item
 * and its tile code, while it is sorted.  (Later one copy and its share of a
 * bucket, which is less.  The workspace of the sort, 8 bytes more, does not
 * count.)  In a block of probes, which keeps its spare array: the sum of all.
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
extern void spq_join_items_reserve(SpqJoinItems *items, uint32 capacity);
extern SpqJoinItem *spq_join_items_add(SpqJoinItems *items);
extern void spq_join_items_clear(SpqJoinItems *items);
extern void spq_join_items_free_spare(SpqJoinItems *items);
extern SpqJoinTileCode *spq_join_items_order(SpqJoinItems *items, bool hashed, bool probes,
											 double tile_size, SpqJoinGrid *grid,
											 int *size_classes);

#endif							/* SPQ_JOIN_BOXES_ITEMS_H */
