/*-------------------------------------------------------------------------
 *
 * shared_order.c
 *	  Orders the rows that the participants have read, and builds the directory
 *	  over them.  See shared_state.h for the phases, shared_ranges.h for the
 *	  idea.
 *
 * One participant allocates shared memory while the others do other work: the
 * system clears each page of it, which for a million rows takes tens of
 * milliseconds.  The memory for buckets is allocated before they are counted,
 * for the largest possible number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/shared/shared_state.h"

/* Choose ranges by the samples of all participants. */
static void
divide(SpqJoin *join, bool elected)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	uint32		nsampled;
	uint64		rows;
	SpqJoinItem *sample = spq_shared_samples(side, &nsampled, &rows);
	SpqJoinOrigin *origin = palloc(sizeof(SpqJoinOrigin));

	spq_shared_divide(&side->division, sample, nsampled, rows, join->spec.tile_size,
					  join->spec.hashed, join->spec.probe_lines, origin);
	pfree(sample);
	if (elected)
	{
		shared->nranges = side->division.nranges;
		shared->origin = *origin;
		spq_shared_get_items(side);
	}
	pfree(origin);
}

/* COUNT: find the range of each row of this participant. */
static void
count_rows(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;

	side->range_of = MemoryContextAllocHuge(join->context, Max(join->build.count, 1));
	spq_shared_count_ranges(&side->division, join->build.item, join->build.count,
							side->range_of, side->own->in_range);
}

/*
 * Find where the rows of a participant go in each range.  For participant 0,
 * this is where ranges begin.
 */
static void
find_places(const SpqSharedBuild *shared, int participant, uint32 *place)
{
	spq_shared_find_places(shared->participant[0].in_range, sizeof(SpqSharedParticipant),
						   shared->nparticipants, shared->nranges, participant, place);
}

/* SCATTER: copy this participant's rows into the common array. */
static void
scatter_rows(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	uint32		place[SPQ_SHARED_MAX_RANGES];

	if (join->build.count > 0)
	{
		find_places(side->shared, side->participant, place);
		spq_shared_scatter(join->build.item, join->build.count, side->range_of, place,
						   spq_shared_address(side, side->shared->items));
	}
	pfree(side->range_of);
	spq_shared_forget_rows(join);
}

/* SORT, in the elected participant: allocate memory for the directory. */
static void
get_directory(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	uint32		most = spq_shared_max_buckets(shared->count, shared->nranges);

	shared->buckets = spq_shared_get_memory(side, most * sizeof(SpqJoinBucket));
	shared->bounds = spq_shared_get_memory(side, most * sizeof(SpqJoinBucketBox));
	shared->first = spq_shared_get_memory(side, (most + 1) * sizeof(uint32));
	if (join->spec.hashed)
		shared->keys = spq_shared_get_memory(side, most * sizeof(SpqJoinBucketHashes));
}

/* SORT: sort ranges that no other participant has taken, one after another. */
static void
sort_ranges(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinItem *items = spq_shared_address(side, shared->items);
	MemoryContext scratch = AllocSetContextCreate(join->context, "spatial join sort",
												  ALLOCSET_DEFAULT_SIZES);
	SpqSharedSortSpace space = {0};
	uint32		range;

	while ((range = pg_atomic_fetch_add_u32(&shared->next_range, 1)) <
		   (uint32) shared->nranges)
	{
		SpqSharedRange *sorted = &side->sorted[side->nsorted++];
		uint32		start = side->range_start[range],
					count = side->range_start[range + 1] - start;
		MemoryContext old = MemoryContextSwitchTo(scratch);
		SpqJoinGrid grid;
		int			size_classes;

		sorted->range = range;
		sorted->nbuckets = spq_shared_sort_range(items + start, count, join->spec.tile_size,
												 join->spec.hashed, &space, &grid, &size_classes);
		MemoryContextSwitchTo(old);
		shared->range_buckets[range] = sorted->nbuckets;
		if (count > 0)
		{
			Size		size = (sorted->nbuckets + 1) * sizeof(uint32);

			sorted->first = MemoryContextAllocHuge(join->context, size);
			memcpy(sorted->first, space.first, size);
			if (join->stats.tile_size == 0)
				join->stats.tile_size = spq_join_grid_tile_size(&grid);
			join->stats.size_classes = Max(join->stats.size_classes, size_classes);
		}
	}
	MemoryContextDelete(scratch);
}

/* FILL: fill the buckets of the ranges that this participant has sorted. */
static void
fill_ranges(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinDirectory *directory = &join->directory;
	uint32		bucket_start[SPQ_SHARED_MAX_RANGES];
	uint32		sum = 0;

	for (int range = 0; range < shared->nranges; range++)
	{
		bucket_start[range] = sum;
		sum += shared->range_buckets[range];
	}
	directory->nbuckets[0] = sum;
	directory->nlevels = 1;

	for (int i = 0; i < side->nsorted; i++)
	{
		SpqSharedRange *sorted = &side->sorted[i];
		uint32		start = side->range_start[sorted->range],
					bucket = bucket_start[sorted->range];

		spq_join_fill_buckets(join->build.item + start, sorted->first, sorted->nbuckets, 0,
							  &directory->origin, directory->buckets[0] + bucket,
							  directory->bounds[0] + bucket, NULL,
							  directory->keys[0] ? directory->keys[0] + bucket : NULL);
		for (uint32 j = 0; j < sorted->nbuckets; j++)
			directory->first[bucket + j] = start + sorted->first[j];
		if (sorted->range == shared->nranges - 1)
			directory->first[sum] = shared->count;
		if (sorted->first)
			pfree(sorted->first);
	}
}

/* Set the addresses of the shared items and directory in this process. */
static void
look_at_directory(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinDirectory *directory = &join->directory;

	directory->origin = shared->origin;
	directory->buckets[0] = spq_shared_address(side, shared->buckets);
	directory->bounds[0] = spq_shared_address(side, shared->bounds);
	directory->keys[0] = spq_shared_address(side, shared->keys);
	directory->first = spq_shared_address(side, shared->first);
	join->build.item = spq_shared_address(side, shared->items);
	join->build.count = shared->count;
}

/*
 * USE: add the higher buckets, in this process's own memory.  They are so few that
 * sharing the work gains nothing.
 */
static void
use_directory(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	MemoryContext old = MemoryContextSwitchTo(join->context);
	uint32		most = spq_shared_max_buckets(shared->count, shared->nranges);
	uint64		items = shared->count * (uint64) SPQ_JOIN_ITEM_BYTES;

	spq_join_directory_add_levels(&join->directory, join->spec.hashed);
	MemoryContextSwitchTo(old);

	/*
	 * the sum of bytes counts items and payloads; only the payloads stay as
	 * counted
	 */
	join->stats.shared_memory = pg_atomic_read_u64(&shared->bytes) - items +
		shared->count * sizeof(SpqJoinItem) + (most + 1) * sizeof(uint32) +
		most * (sizeof(SpqJoinBucket) + sizeof(SpqJoinBucketBox) +
				(join->spec.hashed ? sizeof(SpqJoinBucketHashes) : 0));
}

/*
 * Take part in the remaining phases, beginning with the one in which this
 * participant has arrived.  "elected" says whether it is elected for the phase
 * after READ.
 */
void
spq_shared_order(SpqJoin *join, bool elected)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;

	memset(&join->directory, 0, sizeof(SpqJoinDirectory));
	if (side->phase == SPQ_SHARED_COUNT)
	{
		divide(join, elected);
		count_rows(join);
		spq_shared_wait(side);
		scatter_rows(join);
		elected = spq_shared_wait(side);
	}
	else if (side->phase == SPQ_SHARED_SCATTER)
		elected = spq_shared_wait(side);	/* late: it has no rows */

	join->build_is_shared = true;
	if (shared->count > 0)
	{
		find_places(shared, 0, side->range_start);
		side->range_start[shared->nranges] = shared->count;
		if (side->phase == SPQ_SHARED_SORT)
		{
			if (elected)
				get_directory(join);
			sort_ranges(join);
			spq_shared_wait(side);
		}
		look_at_directory(join);
		if (side->phase >= SPQ_SHARED_FILL)
			fill_ranges(join);
		if (side->phase == SPQ_SHARED_FILL)
			spq_shared_wait(side);
		use_directory(join);
	}
}
