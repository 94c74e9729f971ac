/*-------------------------------------------------------------------------
 *
 * directory.c
 *	  Builds the buckets over items in cell order, and the levels above.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "join/directory.h"

/* How many buckets can that many items take? */
uint32
spq_most_buckets(uint32 count)
{
	return count / SPQ_LEAST_FILL + 1;
}

/*
 * Where the bucket that starts at "start" should end: after 16 to 32 items, at
 * the border of the largest cell that ends there.  That is where the highest
 * bit of the key changes.
 */
static uint32
bucket_end(const SpqCellKey *keys, uint32 start, uint32 count)
{
	uint32		end = start,
				most = 0;

	if (count - start <= SPQ_BUCKET_LANES)
		return count;
	for (uint32 i = start + SPQ_LEAST_FILL; i <= start + SPQ_BUCKET_LANES; i++)
	{
		uint32		change = keys[i - 1].key ^ keys[i].key;

		/*
		 * Compares highest bits, which are equal if "and" is more than "xor".
		 * Of equal borders the last, for fuller buckets.
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
 * Makes buckets of the items, each grown by "slack".  first[] gets the first
 * item of each bucket, and one more entry, the count.  Without cell keys,
 * buckets are simply filled.  bucket_keys is NULL if the join is not keyed.
 */
uint32
spq_fill_buckets(const SpqJoinItem *items, const SpqCellKey *keys, uint32 count,
				 double slack, const Point *origin, SpqBucket *buckets,
				 SpqBucketKeys *bucket_keys, uint32 *first)
{
	uint32		n = 0;

	for (uint32 start = 0; start < count; n++)
	{
		uint32		end = keys ? bucket_end(keys, start, count) :
			Min(start + SPQ_BUCKET_LANES, count);

		if (n % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		spq_bucket_clear(&buckets[n]);
		for (uint32 i = start; i < end; i++)
			spq_bucket_set(&buckets[n], i - start,
						   spq_bucket_box(&items[i].box, slack, origin));
		if (bucket_keys)
		{
			spq_keys_clear(&bucket_keys[n]);
			for (uint32 i = start; i < end; i++)
				bucket_keys[n].low[i - start] = bucket_keys[n].high[i - start] =
					(float) spq_item_key(&items[i]);
		}
		first[n] = start;
		start = end;
	}
	first[n] = count;
	return n;
}

/*
 * Makes a level of the directory from the n buckets of the level below.  The
 * arrays of keys are NULL if the join is not keyed.
 */
void
spq_fill_level(const SpqBucket *below, const SpqBucketKeys *below_keys, uint32 n,
			   SpqBucket *above, SpqBucketKeys *above_keys)
{
	for (uint32 i = 0; i < n; i++)
	{
		uint32		parent = i / SPQ_BUCKET_LANES;
		int			lane = i % SPQ_BUCKET_LANES;

		if (lane == 0)
		{
			spq_bucket_clear(&above[parent]);
			if (above_keys)
				spq_keys_clear(&above_keys[parent]);
		}
		spq_bucket_set(&above[parent], lane, spq_bucket_bounds(&below[i]));
		if (above_keys)
		{
			SpqKeyRange range = spq_keys_range(&below_keys[i]);

			above_keys[parent].low[lane] = range.low;
			above_keys[parent].high[lane] = range.high;
		}
	}
}

/* Builds a directory in the current memory context. */
void
spq_build_directory(SpqDirectory *directory, const SpqJoinItem *items,
					const SpqCellKey *keys, uint32 count, const Point *origin,
					bool keyed)
{
	uint32		most = spq_most_buckets(count),
				n;

	memset(directory, 0, sizeof(SpqDirectory));
	directory->origin = *origin;
	directory->buckets[0] =
		MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(SpqBucket));
	if (keyed)
		directory->keys[0] =
			MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(SpqBucketKeys));
	directory->first =
		MemoryContextAllocHuge(CurrentMemoryContext, (most + 1) * sizeof(uint32));
	n = spq_fill_buckets(items, keys, count, 0, origin, directory->buckets[0],
						 directory->keys[0], directory->first);
	directory->nbuckets[0] = n;
	directory->nlevels = 1;

	while (n > 1)
	{
		int			level = directory->nlevels++;
		uint32		nabove = SPQ_BUCKETS_ABOVE(n);

		Assert(level < SPQ_DIRECTORY_LEVELS);
		directory->buckets[level] =
			MemoryContextAllocHuge(CurrentMemoryContext, nabove * sizeof(SpqBucket));
		if (keyed)
			directory->keys[level] =
				MemoryContextAllocHuge(CurrentMemoryContext,
									   nabove * sizeof(SpqBucketKeys));
		spq_fill_level(directory->buckets[level - 1], directory->keys[level - 1], n,
					   directory->buckets[level], directory->keys[level]);
		directory->nbuckets[level] = nabove;
		n = nabove;
	}
}
