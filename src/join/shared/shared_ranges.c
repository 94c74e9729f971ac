/*-------------------------------------------------------------------------
 *
 * shared_ranges.c
 *	  How several participants sort one array: by ranges of the cell order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/shared/shared_ranges.h"
#include "utils/memutils.h"

#define OFTEN	65536			/* rows between two looks at interrupts */

StaticAssertDecl(SPQ_MOST_RANGES <= 256, "a range's number is a byte");

/* Rows from everywhere in the input, at most SPQ_SHARED_SAMPLE. */
uint32
spq_take_sample(const SpqJoinItem *items, uint32 count, SpqJoinItem *sample)
{
	uint32		n = Min(count, SPQ_SHARED_SAMPLE);

	for (uint32 i = 0; i < n; i++)
		sample[i] = items[(uint64) i * count / n];
	return n;
}

/*
 * Divides by a sample of all rows.  Who has the same sample gets the same
 * result.  The origin is where boxes are.
 *
 * One range is enough for few rows, and all there can be if their centres are
 * the same.
 */
void
spq_divide_into_ranges(SpqDivision *division, SpqJoinItem *sample, uint32 nsampled,
					   uint64 rows, double cell_size, bool keyed, Point *origin)
{
	uint64		most = Min(rows / SPQ_ROWS_OF_RANGE, SPQ_MOST_RANGES);

	if (most < 2 || !spq_divide(division, sample, nsampled, most, cell_size, keyed))
	{
		memset(division, 0, sizeof(SpqDivision));
		division->nparts = 1;
	}
	origin->x = origin->y = 0;
	if (nsampled > 0)
		*origin = sample[nsampled / 2].box.low;
	if (!(fabs(origin->x) <= DBL_MAX && fabs(origin->y) <= DBL_MAX))
		origin->x = origin->y = 0;
}

/* Finds the range of each row, and counts the rows of each range. */
void
spq_count_ranges(const SpqDivision *division, const SpqJoinItem *items,
				 uint32 count, uint8 *range_of, uint32 *in_range)
{
	memset(in_range, 0, division->nparts * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
	{
		int			range;

		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		range = division->nparts > 1 ? spq_part_of(division, &items[i]) : 0;
		range_of[i] = (uint8) range;
		in_range[range]++;
	}
}

/*
 * Where the rows of a participant go, by range; those of participant 0 go to
 * where ranges begin.  in_range points to the counts of the first participant,
 * and "stride" bytes further are those of the next.
 */
void
spq_find_places(const uint32 *in_range, Size stride, int nparticipants,
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

/* Puts rows where their ranges are; place[] is where to go on in each. */
void
spq_scatter(const SpqJoinItem *items, uint32 count, const uint8 *range_of,
			uint32 *place, SpqJoinItem *array)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		array[place[range_of[i]]++] = items[i];
	}
}

/* Room for sorting so many rows, in the current memory context. */
static void
reserve(SpqSortSpace *space, uint32 count)
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
	space->keys = MemoryContextAllocHuge(context, count * sizeof(SpqCellKey));
	space->workspace = MemoryContextAllocHuge(context, count * sizeof(SpqCellKey));
	space->first = MemoryContextAllocHuge(context,
										  (spq_most_buckets(count) + 1) * sizeof(uint32));
	space->capacity = count;
}

/*
 * Sorts a range into cell order, by a lattice of its own.  Returns how many
 * buckets it takes; space->first says where they begin.
 *
 * A range of usual size stays in the processor's cache meanwhile, so that to
 * sort it elsewhere and copy it back costs little.
 */
uint32
spq_sort_range(SpqJoinItem *items, uint32 count, double cell_size, bool keyed,
			   SpqSortSpace *space, SpqCellLattice *lattice, int *levels)
{
	if (count == 0)
		return 0;
	reserve(space, count);
	*levels = spq_order_items(items, space->spare, count, cell_size, keyed,
							  space->keys, space->workspace, lattice);
	memcpy(items, space->spare, count * sizeof(SpqJoinItem));
	return spq_cut_buckets(space->keys, count, space->first);
}
