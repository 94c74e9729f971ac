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

typedef struct SpqItems
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
} SpqItems;

/*
 * Memory that an item takes, at the most.  On the build side: twice itself and
 * its key while it is sorted; later itself and its share of a bucket, which is
 * less.  In a block of probes, where nothing is given back: all of it.
 */
#define SPQ_ITEM_BYTES	(2 * sizeof(SpqJoinItem) + sizeof(SpqCellKey))
#define SPQ_PROBE_BYTES(keyed) \
	(SPQ_ITEM_BYTES + sizeof(SpqCellKey) + \
	 (sizeof(SpqBucket) + ((keyed) ? sizeof(SpqBucketKeys) : 0) + \
	  sizeof(uint32)) / SPQ_LEAST_FILL)

static inline uint64
spq_items_bytes(const SpqItems *items)
{
	return items->count * (uint64) SPQ_ITEM_BYTES + items->payload_bytes;
}

extern void spq_items_init(SpqItems *items, MemoryContext parent);
extern SpqJoinItem *spq_items_add(SpqItems *items);
extern void spq_items_clear(SpqItems *items);
extern void spq_items_free_spare(SpqItems *items);
extern SpqCellKey *spq_items_order(SpqItems *items, bool keyed,
								   double cell_size, SpqCellLattice *lattice,
								   int *levels);

#endif							/* SPQ_JOIN_ITEMS_H */
