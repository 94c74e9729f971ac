/*-------------------------------------------------------------------------
 *
 * shared_ranges.c
 *	  Sorts one array with several participants: by ranges of the tile order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/shared/shared_ranges.h"
#include "utils/memutils.h"

#define INTERRUPT_STEP	65536	/* rows between checks for interrupts */

StaticAssertDecl(SPQ_SHARED_MAX_RANGES <= 256, "a range's number is a byte");

static int
compare_codes(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a,
				y = *(const uint64 *) b;

	return x < y ? -1 : x > y ? 1 : 0;
}

/*
 * Return the code by which rows are divided: the tile, in a hashed join after
 * the hash.
 */
static inline uint64
division_code(const SpqSharedDivision *division, const SpqJoinItem *item)
{
	uint64		tile = spq_join_tile_code(&division->grid, &item->box);

	return division->hashed ? (uint64) spq_join_item_hash(item) << 32 | tile : tile;
}

/*
 * Choose at most "most" ranges, 2 to SPQ_SHARED_MAX_RANGES, that have about
 * equal numbers of rows, judging by the sample.  Return false if
 * all rows of the sample are in one tile (in a hashed join, in one tile of one
 * hash): then a division would not help.  After true, at least two ranges
 * have a row of the sample.
 */
bool
spq_shared_choose_ranges(SpqSharedDivision *division, const SpqJoinItem *sample, uint32 count,
						 uint32 most, double tile_size, bool hashed)
{
	uint64	   *codes;

	if (count < 2)
		return false;
	division->grid = spq_join_fit_grid(sample, count, tile_size);
	division->hashed = hashed;
	codes = palloc(count * sizeof(uint64));
	for (uint32 i = 0; i < count; i++)
		codes[i] = division_code(division, &sample[i]);
	qsort(codes, count, sizeof(uint64), compare_codes);

	division->first_code[0] = 0;
	division->nranges = 1;
	for (uint32 i = 1; i < most; i++)
	{
		uint64		code = codes[(uint64) i * count / most];

		/* above the lowest code, so that the range before it has a row, too */
		if (code > division->first_code[division->nranges - 1] && code > codes[0])
			division->first_code[division->nranges++] = code;
	}
	/* if most rows are in the first tile, divide after it */
	if (division->nranges == 1 && codes[count - 1] > codes[0])
		division->first_code[division->nranges++] = codes[count - 1];
	pfree(codes);
	return division->nranges > 1;
}

int
spq_shared_range_of(const SpqSharedDivision *division, const SpqJoinItem *item)
{
	uint64		code = division_code(division, item);
	int			low = 0,
				high = division->nranges;

	/* first_code[low] <= code < first_code[high] */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (division->first_code[middle] <= code)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Take a sample of at most SPQ_SHARED_SAMPLE rows, evenly from the input.
 * Return its size.
 */
uint32
spq_shared_take_sample(const SpqJoinItem *items, uint32 count, SpqJoinItem *sample)
{
	uint32		n = Min(count, SPQ_SHARED_SAMPLE);

	for (uint32 i = 0; i < n; i++)
		sample[i] = items[(uint64) i * count / n];
	return n;
}

/*
 * Choose the ranges by a sample of all rows, and the origin of floats.  Participants with
 * the same sample get the same ranges.
 *
 * If there are few rows, or all centers are the same, there is a single range.
 */
void
spq_shared_divide(SpqSharedDivision *division, SpqJoinItem *sample, uint32 nsampled,
				  uint64 rows, double tile_size, bool hashed, bool lines,
				  SpqJoinOrigin *origin)
{
	uint64		most = Min(rows / SPQ_SHARED_RANGE_ROWS, SPQ_SHARED_MAX_RANGES);

	if (most < 2 || !spq_shared_choose_ranges(division, sample, nsampled, most, tile_size, hashed))
	{
		memset(division, 0, sizeof(SpqSharedDivision));
		division->nranges = 1;
	}
	memset(origin, 0, sizeof(SpqJoinOrigin));
	if (nsampled > 0)
		spq_join_choose_origin(origin, sample, nsampled, rows, lines);
}

/* Find the range of each row, and count the rows in each range. */
void
spq_shared_count_ranges(const SpqSharedDivision *division, const SpqJoinItem *items,
						uint32 count, uint8 *range_of, uint32 *in_range)
{
	memset(in_range, 0, division->nranges * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
	{
		int			range;

		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		range = division->nranges > 1 ? spq_shared_range_of(division, &items[i]) : 0;
		range_of[i] = (uint8) range;
		in_range[range]++;
	}
}

/*
 * Find where the rows of a participant go in each range; those of participant
 * 0 go to its start.  in_range points to the counts of participant 0; the
 * counts of each next participant are "stride" bytes further.
 */
void
spq_shared_find_places(const uint32 *in_range, Size stride, int nparticipants,
					   int nranges, int participant, uint32 *place)
{
	uint32		start = 0;

	for (int range = 0; range < nranges; range++)
	{
		place[range] = start;
		for (int i = 0; i < nparticipants; i++)
		{
			const uint32 *counts = (const uint32 *) ((const char *) in_range + i * stride);

			start += counts[range];
			if (i < participant)
				place[range] += counts[range];
		}
	}
}

/*
 * Copy rows into their ranges.  place[] has the next free index in each range.
 */
void
spq_shared_scatter(const SpqJoinItem *items, uint32 count, const uint8 *range_of,
				   uint32 *place, SpqJoinItem *array)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		array[place[range_of[i]]++] = items[i];
	}
}

/*
 * Make the sort space large enough for "count" rows, in the current memory
 * context.
 */
static void
reserve(SpqSharedSortSpace *space, uint32 count)
{
	MemoryContext context = CurrentMemoryContext;

	if (space->capacity >= count)
		return;
	if (space->capacity > 0)
	{
		pfree(space->spare);
		pfree(space->keys);
		pfree(space->workspace);
		pfree(space->first);
	}
	space->spare = MemoryContextAllocHuge(context, count * sizeof(SpqJoinItem));
	space->keys = MemoryContextAllocHuge(context, count * sizeof(SpqJoinTileCode));
	space->workspace = MemoryContextAllocHuge(context, count * sizeof(SpqJoinTileCode));
	space->first = MemoryContextAllocHuge(context,
										  (spq_join_max_buckets(count) + 1) * sizeof(uint32));
	space->capacity = count;
}

/*
 * Sort a range into tile order, by a grid of its own.  Return the number of
 * its buckets; space->first[] has the first item of each.
 *
 * A range of the usual size stays in the processor's cache, so sorting it into
 * spare memory and copying it back costs little.
 */
uint32
spq_shared_sort_range(SpqJoinItem *items, uint32 count, double tile_size, bool hashed,
					  SpqSharedSortSpace *space, SpqJoinGrid *grid, int *size_classes)
{
	if (count == 0)
		return 0;
	reserve(space, count);
	*size_classes = spq_join_order_items(items, space->spare, count, tile_size, hashed, false,
										 space->keys, space->workspace, grid);
	memcpy(items, space->spare, count * sizeof(SpqJoinItem));
	return spq_join_cut_buckets(space->keys, count, space->first);
}
