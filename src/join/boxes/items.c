/*-------------------------------------------------------------------------
 *
 * items.c
 *	  A growing array of items with their payloads, and its order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/boxes/items.h"
#include "large_memory.h"
#include "prefetch.h"

#define FIRST_CAPACITY	1024
#define MOST_RESERVED	(1 << 22)

void
spq_join_items_init(SpqJoinItems *items, MemoryContext parent)
{
	memset(items, 0, sizeof(SpqJoinItems));
	items->array = parent;
	items->context = AllocSetContextCreate(parent, "spatial join items",
										   ALLOCSET_DEFAULT_SIZES);
	spq_join_payloads_init(&items->payloads, items->context);
}

/*
 * Return the size of a chunk for an array of items; array_in() returns where
 * in the chunk the array begins.
 */
static inline Size
chunk_size(uint32 capacity)
{
	return capacity * sizeof(SpqJoinItem) + SPQ_LINE_SIZE;
}

static inline SpqJoinItem *
array_in(void *chunk)
{
	return (SpqJoinItem *) TYPEALIGN(SPQ_LINE_SIZE, chunk);
}

static void
enlarge(SpqJoinItems *items)
{
	Size		before = (char *) items->item - (char *) items->chunk;
	char	   *chunk;

	items->capacity = Max(FIRST_CAPACITY, items->capacity * 2);
	if (items->chunk == NULL)
		chunk = spq_large_alloc(items->array, chunk_size(items->capacity));
	else
		chunk = spq_large_realloc(items->chunk, chunk_size(items->capacity));
	items->chunk = chunk;
	items->item = array_in(chunk);
	if ((char *) items->item != chunk + before)
		memmove(items->item, chunk + before, items->count * sizeof(SpqJoinItem));
}

/*
 * Make room in an empty array, for as many items as will probably come.  Memory
 * that is never written costs nothing, but an array that grows may have to be
 * copied.  Estimates can be far too high, so there is a limit.
 */
void
spq_join_items_reserve(SpqJoinItems *items, uint32 capacity)
{
	Assert(items->count == 0);
	capacity = Min(capacity, MOST_RESERVED);
	if (capacity <= Max(items->capacity, FIRST_CAPACITY))
		return;
	if (items->chunk != NULL)
		pfree(items->chunk);
	items->capacity = capacity;
	items->chunk = spq_large_alloc(items->array, chunk_size(capacity));
	items->item = array_in(items->chunk);
}

/* Append an item, and return it for the caller to fill. */
SpqJoinItem *
spq_join_items_add(SpqJoinItems *items)
{
	if (items->count == items->capacity)
		enlarge(items);
	return &items->item[items->count++];
}

/* Remove all items and their payloads.  Keep the array for the next ones. */
void
spq_join_items_clear(SpqJoinItems *items)
{
	items->count = 0;
	items->payload_bytes = 0;
	items->kept_bytes = 0;
	MemoryContextReset(items->context);
	spq_join_payloads_init(&items->payloads, items->context);
}

/* Free the memory that sorting took. */
void
spq_join_items_free_spare(SpqJoinItems *items)
{
	if (items->spare_chunk)
		pfree(items->spare_chunk);
	items->spare_chunk = NULL;
	items->spare = NULL;
	items->spare_capacity = 0;
}

/*
 * Sort the items into tile order; in a hashed join, by hash first.  Return
 * their tile codes, allocated in items->context.
 */
SpqJoinTileCode *
spq_join_items_order(SpqJoinItems *items, bool hashed, bool probes, double tile_size,
					 SpqJoinGrid *grid, int *size_classes)
{
	Size		size = Max(items->count, 1) * sizeof(SpqJoinTileCode);
	SpqJoinTileCode *codes = spq_large_alloc(items->context, size);
	SpqJoinTileCode *workspace = spq_large_alloc(items->context, size);
	SpqJoinItem *sorted;
	void	   *chunk;
	uint32		capacity;

	if (items->spare_capacity < items->count)
	{
		spq_join_items_free_spare(items);
		items->spare_chunk = spq_large_alloc(items->array, chunk_size(items->count));
		items->spare = array_in(items->spare_chunk);
		items->spare_capacity = items->count;
	}

	*size_classes = spq_join_order_items(items->item, items->spare, items->count, tile_size,
										 hashed, probes, codes, workspace, grid);
	pfree(workspace);

	sorted = items->spare;
	chunk = items->spare_chunk;
	capacity = items->spare_capacity;
	items->spare = items->item;
	items->spare_chunk = items->chunk;
	items->spare_capacity = items->capacity;
	items->item = sorted;
	items->chunk = chunk;
	items->capacity = capacity;
	return codes;
}
