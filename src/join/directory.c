/*-------------------------------------------------------------------------
 *
 * directory.c
 *	  Builds the buckets over items in tile order, and the levels above them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "join/directory.h"

/* Return the largest number of buckets that this number of items can take. */
uint32
spq_join_max_buckets(uint32 count)
{
	return count / SPQ_JOIN_MIN_FILL + 1;
}

/*
 * Return where the bucket that begins at "start" should end: after 16 to 32
 * items, at the border of the largest tile that ends there.  That is where the
 * highest bit of the code changes.
 */
static uint32
bucket_end(const SpqJoinTileCode *codes, uint32 start, uint32 count)
{
	uint32		end = start,
				most = 0;

	if (count - start <= SPQ_JOIN_BUCKET_LANES)
		return count;
	for (uint32 i = start + SPQ_JOIN_MIN_FILL; i <= start + SPQ_JOIN_BUCKET_LANES; i++)
	{
		uint32		change = codes[i - 1].key ^ codes[i].key;

		/*
		 * Compare the highest bits, which are equal if "and" is more than
		 * "xor".  Of equal borders take the last, for fuller buckets.
		 */
		if (change >= most || (change & most) > (change ^ most))
		{
			most = Max(change, most);
			end = i;
		}
	}
	return end;
}

/*
 * Decide where buckets end, and return their number.  first[] gets the first item
 * of each bucket, and one more entry, the count.  Without tile codes, fill each
 * bucket to the end.
 */
uint32
spq_join_cut_buckets(const SpqJoinTileCode *codes, uint32 count, uint32 *first)
{
	uint32		n = 0;

	for (uint32 start = 0; start < count; n++)
	{
		if (n % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		first[n] = start;
		start = codes ? bucket_end(codes, start, count) :
			Min(start + SPQ_JOIN_BUCKET_LANES, count);
	}
	first[n] = count;
	return n;
}

/*
 * Make n buckets of items, each box grown by "slack".  first[] says which items go
 * into each bucket.  bucket_hashes is NULL if the join is not hashed.
 */
void
spq_join_fill_buckets(const SpqJoinItem *items, const uint32 *first, uint32 n,
					  double slack, const SpqJoinOrigin *origin, SpqJoinBucket *buckets,
					  SpqJoinBucketHashes *bucket_hashes)
{
	for (uint32 b = 0; b < n; b++)
	{
		const SpqJoinItem *item = items + first[b];
		uint32		count = first[b + 1] - first[b];

		if (b % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		spq_join_bucket_clear(&buckets[b]);
		for (uint32 i = 0; i < count; i++)
			spq_join_bucket_set(&buckets[b], i, spq_join_bucket_box(&item[i].box, slack, origin));
		if (bucket_hashes)
		{
			spq_join_hashes_clear(&bucket_hashes[b]);
			for (uint32 i = 0; i < count; i++)
				bucket_hashes[b].low[i] = bucket_hashes[b].high[i] =
					(float) spq_join_item_hash(&item[i]);
		}
	}
}

/*
 * Make a level of the directory from the n buckets of the level below.  The
 * arrays of hashes are NULL if the join is not hashed.
 */
void
spq_join_fill_level(const SpqJoinBucket *below, const SpqJoinBucketHashes *below_hashes, uint32 n,
					SpqJoinBucket *above, SpqJoinBucketHashes *above_hashes)
{
	for (uint32 i = 0; i < n; i++)
	{
		uint32		parent = i / SPQ_JOIN_BUCKET_LANES;
		int			lane = i % SPQ_JOIN_BUCKET_LANES;

		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (lane == 0)
		{
			spq_join_bucket_clear(&above[parent]);
			if (above_hashes)
				spq_join_hashes_clear(&above_hashes[parent]);
		}
		spq_join_bucket_set(&above[parent], lane, spq_join_bucket_bounds(&below[i]));
		if (above_hashes)
		{
			SpqJoinHashRange range = spq_join_hashes_range(&below_hashes[i]);

			above_hashes[parent].low[lane] = range.low;
			above_hashes[parent].high[lane] = range.high;
		}
	}
}

/*
 * Add levels, in the current memory context, up to one with a single bucket.
 */
void
spq_join_directory_add_levels(SpqJoinDirectory *directory, bool hashed)
{
	while (directory->nbuckets[directory->nlevels - 1] > 1)
	{
		int			level = directory->nlevels++;
		uint32		nbelow = directory->nbuckets[level - 1],
					n = SPQ_JOIN_BUCKETS_ABOVE(nbelow);

		Assert(level < SPQ_JOIN_DIRECTORY_LEVELS);
		directory->nbuckets[level] = n;
		directory->buckets[level] =
			MemoryContextAllocHuge(CurrentMemoryContext, n * sizeof(SpqJoinBucket));
		if (hashed)
			directory->keys[level] =
				MemoryContextAllocHuge(CurrentMemoryContext, n * sizeof(SpqJoinBucketHashes));
		spq_join_fill_level(directory->buckets[level - 1], directory->keys[level - 1],
							nbelow, directory->buckets[level], directory->keys[level]);
	}
}

/* Build a directory in the current memory context. */
void
spq_join_directory_build(SpqJoinDirectory *directory, const SpqJoinItem *items,
						 const SpqJoinTileCode *codes, uint32 count,
						 const SpqJoinOrigin *origin, bool hashed)
{
	uint32		most = spq_join_max_buckets(count);

	memset(directory, 0, sizeof(SpqJoinDirectory));
	directory->origin = *origin;
	directory->buckets[0] =
		MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(SpqJoinBucket));
	if (hashed)
		directory->keys[0] =
			MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(SpqJoinBucketHashes));
	directory->first =
		MemoryContextAllocHuge(CurrentMemoryContext, (most + 1) * sizeof(uint32));
	directory->nlevels = 1;
	directory->nbuckets[0] = spq_join_cut_buckets(codes, count, directory->first);
	spq_join_fill_buckets(items, directory->first, directory->nbuckets[0], 0, origin,
						  directory->buckets[0], directory->keys[0]);
	spq_join_directory_add_levels(directory, hashed);
}

/* Drop the item in this lane of a bucket of level 0 from the directory. */
void
spq_join_directory_drop(SpqJoinDirectory *directory, uint32 bucket, int lane)
{
	directory->dropped = true;
	for (int level = 0; level < directory->nlevels; level++)
	{
		SpqJoinBucket *at = &directory->buckets[level][bucket];

		spq_join_bucket_drop(at, lane);
		if (!spq_join_bucket_is_empty(at))
			break;
		lane = bucket % SPQ_JOIN_BUCKET_LANES;
		bucket /= SPQ_JOIN_BUCKET_LANES;
	}
}

/* Put back the items that have been dropped. */
void
spq_join_directory_restore(SpqJoinDirectory *directory, const SpqJoinItem *items)
{
	if (!directory->dropped)
		return;
	spq_join_fill_buckets(items, directory->first, directory->nbuckets[0], 0,
						  &directory->origin, directory->buckets[0], directory->keys[0]);
	for (int level = 1; level < directory->nlevels; level++)
		spq_join_fill_level(directory->buckets[level - 1], directory->keys[level - 1],
							directory->nbuckets[level - 1],
							directory->buckets[level], directory->keys[level]);
	directory->dropped = false;
}
