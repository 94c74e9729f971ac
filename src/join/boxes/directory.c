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

#include "join/boxes/directory.h"
#include "large_memory.h"
#include "prefetch.h"

/* Allocate memory for this number of buckets, aligned to a cache line. */
SpqJoinBucket *
spq_join_alloc_buckets(MemoryContext context, uint32 n)
{
	return (SpqJoinBucket *)
		TYPEALIGN(SPQ_LINE_SIZE,
				  spq_large_alloc(context, n * sizeof(SpqJoinBucket) + SPQ_LINE_SIZE));
}

/* Return the largest number of buckets that this number of items can fill. */
uint32
spq_join_max_buckets(uint32 count)
{
	return count / SPQ_JOIN_MIN_FILL + 1;
}

/*
 * Return the end of the bucket that begins at "start": after 8 to 32 items, at
 * the border of the largest tile that ends there.  That is where the highest
 * bit of the code changes.  The last bucket takes whatever is left.
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
		 * The highest bits are equal if "and" is more than "xor".  Take the
		 * last of equal borders, for fuller buckets.
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
 * Decide where buckets end, and return their number.  first[] gets the first
 * item of each bucket, and finally the count.  Without tile codes, each bucket
 * but the last gets 32 items.
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
 * Fill n buckets with items, each box grown by "slack".  first[] gives the
 * items of each bucket.  bounds[] receives the bounds of the buckets, and
 * boxes[], unless it is NULL, the boxes of the items as floats.  bucket_hashes
 * is NULL if the join is not hashed.
 */
void
spq_join_fill_buckets(const SpqJoinItem *items, const uint32 *first, uint32 n,
					  double slack, const SpqJoinOrigin *origin, SpqJoinBucket *buckets,
					  SpqJoinBucketBox *bounds, SpqJoinBucketBox *boxes,
					  SpqJoinBucketHashes *bucket_hashes)
{
	SpqJoinBucketBox own[SPQ_JOIN_BUCKET_LANES];

	for (uint32 b = 0; b < n; b++)
	{
		const SpqJoinItem *item = items + first[b];
		SpqJoinBucketBox *box = boxes ? boxes + first[b] : own;
		uint32		count = first[b + 1] - first[b];

		if (b % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < count; i++)
			box[i] = spq_join_bucket_box(&item[i].box, slack, origin);
		bounds[b] = spq_join_bucket_fill(&buckets[b], box, count);
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
 * Fill a level of the directory from the bounds of the n buckets below it.
 * The arrays of hashes are NULL if the join is not hashed.
 */
void
spq_join_fill_level(const SpqJoinBucketBox *below, const SpqJoinBucketHashes *below_hashes,
					uint32 n, SpqJoinBucket *above, SpqJoinBucketBox *above_bounds,
					SpqJoinBucketHashes *above_hashes)
{
	for (uint32 start = 0; start < n; start += SPQ_JOIN_BUCKET_LANES)
	{
		uint32		parent = start / SPQ_JOIN_BUCKET_LANES,
					count = Min(n - start, SPQ_JOIN_BUCKET_LANES);

		if (parent % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		above_bounds[parent] = spq_join_bucket_fill(&above[parent], below + start, count);
		if (above_hashes)
		{
			spq_join_hashes_clear(&above_hashes[parent]);
			for (uint32 lane = 0; lane < count; lane++)
			{
				SpqJoinHashRange range = spq_join_hashes_range(&below_hashes[start + lane]);

				above_hashes[parent].low[lane] = range.low;
				above_hashes[parent].high[lane] = range.high;
			}
		}
	}
}

/* Add levels in the current memory context, up to one with a single bucket. */
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
		directory->buckets[level] = spq_join_alloc_buckets(CurrentMemoryContext, n);
		directory->bounds[level] =
			spq_large_alloc(CurrentMemoryContext, n * sizeof(SpqJoinBucketBox));
		if (hashed)
			directory->keys[level] =
				spq_large_alloc(CurrentMemoryContext, n * sizeof(SpqJoinBucketHashes));
		spq_join_fill_level(directory->bounds[level - 1], directory->keys[level - 1], nbelow,
							directory->buckets[level], directory->bounds[level],
							directory->keys[level]);
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
	directory->buckets[0] = spq_join_alloc_buckets(CurrentMemoryContext, most);
	directory->bounds[0] =
		spq_large_alloc(CurrentMemoryContext, most * sizeof(SpqJoinBucketBox));
	if (hashed)
		directory->keys[0] =
			spq_large_alloc(CurrentMemoryContext, most * sizeof(SpqJoinBucketHashes));
	directory->first =
		spq_large_alloc(CurrentMemoryContext, (most + 1) * sizeof(uint32));
	directory->nlevels = 1;
	directory->nbuckets[0] = spq_join_cut_buckets(codes, count, directory->first);
	spq_join_fill_buckets(items, directory->first, directory->nbuckets[0], 0, origin,
						  directory->buckets[0], directory->bounds[0], NULL, directory->keys[0]);
	spq_join_directory_add_levels(directory, hashed);
}

/* Drop the item in this lane of a bucket of level 0. */
void
spq_join_directory_drop(SpqJoinDirectory *directory, uint32 bucket, int lane)
{
	directory->dropped = true;
	for (int level = 0; level < directory->nlevels; level++)
	{
		SpqJoinBucket *at = &directory->buckets[level][bucket];

		spq_join_bucket_drop(at, lane);
		if (spq_join_bucket_lanes(at) != 0)
			break;
		lane = bucket % SPQ_JOIN_BUCKET_LANES;
		bucket /= SPQ_JOIN_BUCKET_LANES;
	}
}

/* Restore the items that have been dropped. */
void
spq_join_directory_restore(SpqJoinDirectory *directory, const SpqJoinItem *items)
{
	if (!directory->dropped)
		return;
	spq_join_fill_buckets(items, directory->first, directory->nbuckets[0], 0,
						  &directory->origin, directory->buckets[0], directory->bounds[0], NULL,
						  directory->keys[0]);
	for (int level = 1; level < directory->nlevels; level++)
		spq_join_fill_level(directory->bounds[level - 1], directory->keys[level - 1],
							directory->nbuckets[level - 1], directory->buckets[level],
							directory->bounds[level], directory->keys[level]);
	directory->dropped = false;
}
