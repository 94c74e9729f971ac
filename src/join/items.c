/*-------------------------------------------------------------------------
 *
 * items.c
 *	  A growing array of items with their payloads, and its order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/items.h"

#define FIRST_CAPACITY	1024

void
spq_join_items_init(SpqJoinItems *items, MemoryContext parent)
{
	memset(items, 0, sizeof(SpqJoinItems));
	items->array = parent;
	items->context = AllocSetContextCreate(parent, "spatial join items",
										   ALLOCSET_DEFAULT_SIZES);
}

/* Return room for one more item. */
SpqJoinItem *
spq_join_items_add(SpqJoinItems *items)
{
	if (items->count == items->capacity)
	{
		items->capacity = Max(FIRST_CAPACITY, items->capacity * 2);
		if (items->item == NULL)
			items->item = MemoryContextAlloc(items->array,
											 items->capacity * sizeof(SpqJoinItem));
		else
			items->item = repalloc_huge(items->item,
										items->capacity * sizeof(SpqJoinItem));
	}
	return &items->item[items->count++];
}

/* Forget all items.  Keep the array for the next ones. */
void
spq_join_items_clear(SpqJoinItems *items)
{
	items->count = 0;
	items->payload_bytes = 0;
	MemoryContextReset(items->context);
}

/* Free the memory that sorting took. */
void
spq_join_items_free_spare(SpqJoinItems *items)
{
	if (items->spare)
		pfree(items->spare);
	items->spare = NULL;
	items->spare_capacity = 0;
}

/*
 * Sort the items into tile order, in a hashed join by hash first.  Return their
 * tile codes, which are in items->context.
 */
SpqJoinTileCode *
spq_join_items_order(SpqJoinItems *items, bool hashed, double tile_size,
					 SpqJoinLattice *lattice, int *size_classes)
{
	Size		size = Max(items->count, 1) * sizeof(SpqJoinTileCode);
	SpqJoinTileCode *codes = MemoryContextAllocHuge(items->context, size);
	SpqJoinTileCode *workspace = MemoryContextAllocHuge(items->context, size);
	SpqJoinItem *sorted;
	uint32		capacity;

	if (items->spare_capacity < items->count)
	{
		spq_join_items_free_spare(items);
		items->spare = MemoryContextAllocHuge(items->array,
											  items->count * sizeof(SpqJoinItem));
		items->spare_capacity = items->count;
	}

	*size_classes = spq_join_order_items(items->item, items->spare, items->count, tile_size,
										 hashed, codes, workspace, lattice);
	pfree(workspace);

	sorted = items->spare;
	capacity = items->spare_capacity;
	items->spare = items->item;
	items->spare_capacity = items->capacity;
	items->item = sorted;
	items->capacity = capacity;
	return codes;
}
