/*-------------------------------------------------------------------------
 *
 * directory_test.c
 *	  Buckets of boxes in tile order, and the levels above them:
 *	  join/boxes/directory.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "utils/memutils.h"

#include "join/boxes/directory.h"
#include "join/boxes/items.h"
#include "joined.h"
#include "stubs.h"

static void
check_directory(const SpqJoinDirectory *directory, const SpqJoinItem *items,
				uint32 count)
{
	uint32		nbuckets = directory->nbuckets[0];

	check(nbuckets <= spq_join_max_buckets(count), "%u of %u", nbuckets, count);
	check(directory->first[0] == 0 && directory->first[nbuckets] == count,
		  "%u items", count);
	for (uint32 i = 0; i < nbuckets; i++)
	{
		const SpqJoinBucket *bucket = &directory->buckets[0][i];
		uint32		start = directory->first[i],
					n = directory->first[i + 1] - start;

		check(n >= 1 && n <= SPQ_JOIN_BUCKET_LANES &&
			  (n >= SPQ_JOIN_MIN_FILL || i == nbuckets - 1),
			  "bucket %u of %u: %u items", i, nbuckets, n);
		for (uint32 lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		{
			const SpqJoinBucketBox *bounds = &directory->bounds[0][i];
			SpqJoinBucketFrame frame = spq_join_bucket_frame(bounds);
			SpqJoinBucketBytes bytes;
			SpqJoinBucketBox box;

			if (lane >= n)
			{
				check(bucket->low[0][lane] == SPQ_JOIN_NO_BYTE &&
					  bucket->high[SPQ_DIM - 1][lane] == 0, "bucket %u lane %u", i, lane);
				continue;
			}
			box = spq_join_bucket_box(&items[start + lane].box, 0, &directory->origin);
			bytes = spq_join_bucket_bytes(&frame, &box);
			for (int axis = 0; axis < SPQ_DIM; axis++)
				check(bucket->low[axis][lane] == bytes.low[axis] &&
					  bucket->high[axis][lane] == bytes.high[axis] &&
					  bounds->low[axis] <= box.low[axis] && bounds->high[axis] >= box.high[axis],
					  "bucket %u lane %u", i, lane);
		}
	}

	for (int level = 1; level < directory->nlevels; level++)
	{
		uint32		below = directory->nbuckets[level - 1];

		check(directory->nbuckets[level] ==
			  (below + SPQ_JOIN_BUCKET_LANES - 1) / SPQ_JOIN_BUCKET_LANES, "level %d", level);
		for (uint32 i = 0; i < below; i++)
		{
			uint32		parent = i / SPQ_JOIN_BUCKET_LANES;
			const SpqJoinBucketBox *above = &directory->bounds[level][parent],
					   *below = &directory->bounds[level - 1][i];
			SpqJoinBucketFrame frame = spq_join_bucket_frame(above);

			check(spq_join_bucket_meets(&directory->buckets[level][parent], &frame, below) &
				  (uint32) 1 << i % SPQ_JOIN_BUCKET_LANES, "level %d bucket %u", level, i);
			for (int axis = 0; axis < SPQ_DIM; axis++)
				check(above->low[axis] <= below->low[axis] && above->high[axis] >= below->high[axis],
					  "level %d bucket %u", level, i);
		}
	}
	check(directory->nlevels <= SPQ_JOIN_DIRECTORY_LEVELS &&
		  directory->nbuckets[directory->nlevels - 1] == 1, "no root");
}

/* Return a hash of 24 bits. */
static uint32
hash_of(int number)
{
	return ((1 << SPQ_JOIN_HASH_BITS) - 1) ^ (uint32) (number * 340000);
}

/* Check the ranges of hashes: exact for items, enclosing on higher levels. */
static void
check_keys(const SpqJoinDirectory *directory, const SpqJoinItem *items, bool hashed)
{
	for (int level = 0; level < directory->nlevels; level++)
	{
		check((directory->keys[level] != NULL) == hashed, "level %d", level);
		for (uint32 i = 0; hashed && i < directory->nbuckets[level]; i++)
		{
			const SpqJoinBucketHashes *keys = &directory->keys[level][i];

			for (uint32 lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
			{
				uint32		start,
							end;

				if (level == 0)
				{
					start = directory->first[i] + lane;
					end = Min(start + 1, directory->first[i + 1]);
				}
				else
				{
					uint32		bucket = i * SPQ_JOIN_BUCKET_LANES + lane;
					uint32		width = 1 << 5 * (level - 1);

					bucket = Min(bucket * width, directory->nbuckets[0]);
					start = directory->first[bucket];
					end = directory->first[Min(bucket + width, directory->nbuckets[0])];
				}
				if (start >= end)
					check(isnan(keys->low[lane]) && isnan(keys->high[lane]), "lane %u", lane);
				else
					check(keys->low[lane] == spq_join_item_hash(&items[start]) &&
						  keys->high[lane] == spq_join_item_hash(&items[end - 1]),
						  "level %d, bucket %u, lane %u", level, i, lane);
			}
		}
	}
}

static void
test_directory(void)
{
	static const uint32 counts[] = {
		1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 511, 512, 513, 1024, 1025
	};

	for (int i = 0; i < 120; i++)
	{
		uint32		count = i < (int) lengthof(counts) ? counts[i] :
			(uint32) random_int(1, 3000);
		SpqJoinItem *unsorted = malloc(count * sizeof(SpqJoinItem));
		SpqJoinItem *items = malloc(count * sizeof(SpqJoinItem));
		SpqJoinTileCode *keys = malloc(count * sizeof(SpqJoinTileCode));
		SpqJoinTileCode *workspace = malloc(count * sizeof(SpqJoinTileCode));
		MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "test",
													  ALLOCSET_DEFAULT_SIZES);
		MemoryContext old;
		SpqJoinGrid lattice;
		SpqJoinDirectory directory;
		SpqJoinOrigin origin = odd_origin();
		bool		hashed = random_int(0, 1);

		for (uint32 j = 0; j < count; j++)
		{
			unsorted[j].ref = unsorted[j].tag = j;
			if (hashed)
				unsorted[j].tag |= (uint64) hash_of(random_int(0, 50)) << SPQ_JOIN_HASH_SHIFT;
			unsorted[j].box = odd_box();
			if (i % 3 != 0)
			{
				double		place = random_int(0, i % 3 == 1 ? 3 : 1000);

				unsorted[j].box = box_at(place, place, place, 1, 1, 1);
			}
		}
		if (hashed)
			spq_join_hashed_order(unsorted, items, count, 0, keys, workspace, &lattice);
		else
		{
			lattice = spq_join_fit_grid(unsorted, count, 0);
			spq_join_tile_order(unsorted, items, count, &lattice, 0, keys, workspace);
		}
		free(unsorted);
		free(workspace);

		old = MemoryContextSwitchTo(context);
		spq_join_directory_build(&directory, items, keys, count, &origin, hashed);
		MemoryContextSwitchTo(old);
		check_directory(&directory, items, count);
		check_keys(&directory, items, hashed);
		/* the memory is charged as that of the sort, so it must not be more */
		check(count < 1000 ||
			  stub_bytes <= (long) (count * (SPQ_JOIN_ITEM_BYTES - sizeof(SpqJoinItem) +
											 (hashed ? 8 : 0))),
			  "%u items: %ld bytes", count, stub_bytes);
		MemoryContextDelete(context);
		free(items);
		free(keys);
	}
	finish_test("each item is in one bucket, each bucket is enclosed");
}

/* Check that a bucket ends where the code changes most. */
static void
test_borders(void)
{
	for (int i = 0; i < 2000; i++)
	{
		SpqJoinTileCode keys[70];
		uint32		first[70 / SPQ_JOIN_MIN_FILL + 2],
					count = random_int(33, 70),
					border = random_int(SPQ_JOIN_MIN_FILL, SPQ_JOIN_BUCKET_LANES),
					key = 0;

		for (uint32 j = 0; j < count; j++)
		{
			/* only the border changes a high bit */
			if (j == border)
				key += 1 << 20;
			else
				key += random_int(0, 100);
			keys[j].key = key;
		}
		spq_join_cut_buckets(keys, count, first);
		check(first[1] == border, "%u, not %u", first[1], border);

		/* without codes, buckets are full */
		check(spq_join_cut_buckets(NULL, count, first) ==
			  (count + SPQ_JOIN_BUCKET_LANES - 1) / SPQ_JOIN_BUCKET_LANES, "%u", count);
		check(first[1] == SPQ_JOIN_BUCKET_LANES, "%u", first[1]);
	}
	finish_test("buckets end at borders of large tiles");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_directory();
	test_borders();
	return tests_failed > 0;
}
