/*-------------------------------------------------------------------------
 *
 * directory.h
 *	  Finds the boxes of the build side that a bucket of probes may meet.
 *
 * The items lie in tile order.  Neighbors fill a bucket, the bounds of 32
 * neighboring buckets fill a bucket of the next level, and so on:
 *
 *		level 2					   [ . . ]
 *								 /		   \
 *		level 1		  [ . . . . . . ]	   [ . . . ]
 *					   /  |				  \
 *		level 0		[....] [...] [.....] [....] ...		 bounds of boxes
 *					 |		|
 *		items		 0 1 2	3 4 5 ...					 in tile order
 *
 * Invariants: the lanes of bucket i of level 0 have the items first[i] to
 * first[i + 1] - 1, in order.  Lane j of bucket i of level n + 1 encloses all
 * boxes that bucket 32 i + j of level n encloses.
 *
 * In a hashed join, keys[n][i] has the ranges of hashes of the lanes of
 * buckets[n][i].
 *
 * Dropping an item empties its lane.  When the last item below a lane of a
 * higher bucket has been dropped, that lane becomes empty, too.  So searches
 * do not find dropped items, and do not descend to buckets that contain no
 * others.
 *
 * This is a packed R-tree (Kamel, Faloutsos 1993), made by sorting alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_DIRECTORY_H
#define SPQ_JOIN_BOXES_DIRECTORY_H

#include "join/boxes/bucket.h"
#include "join/boxes/tile_order.h"

/* Enough for 2^32 items: buckets of level 0 have at least 8, higher ones 32. */
#define SPQ_JOIN_DIRECTORY_LEVELS 7
#define SPQ_JOIN_MIN_FILL	(SPQ_JOIN_BUCKET_LANES / 4)

/* Number of buckets in the level above n buckets. */
#define SPQ_JOIN_BUCKETS_ABOVE(n) (((n) + SPQ_JOIN_BUCKET_LANES - 1) / SPQ_JOIN_BUCKET_LANES)

typedef struct SpqJoinDirectory
{
	SpqJoinOrigin origin;		/* of the coordinates in buckets */
	int			nlevels;
	bool		dropped;		/* some items have been dropped */
	uint32		nbuckets[SPQ_JOIN_DIRECTORY_LEVELS];
	SpqJoinBucket *buckets[SPQ_JOIN_DIRECTORY_LEVELS];
	SpqJoinBucketBox *bounds[SPQ_JOIN_DIRECTORY_LEVELS];	/* of each bucket */
	SpqJoinBucketHashes *keys[SPQ_JOIN_DIRECTORY_LEVELS];	/* if hashed */
	uint32	   *first;			/* first item of each bucket of level 0, and
								 * the number of items */
} SpqJoinDirectory;

extern SpqJoinBucket *spq_join_alloc_buckets(MemoryContext context, uint32 n);
extern uint32 spq_join_max_buckets(uint32 count);
extern uint32 spq_join_cut_buckets(const SpqJoinTileCode *codes, uint32 count, uint32 *first);
extern void spq_join_fill_buckets(const SpqJoinItem *items, const uint32 *first, uint32 n,
								  double slack, const SpqJoinOrigin *origin, SpqJoinBucket *buckets,
								  SpqJoinBucketBox *bounds, SpqJoinBucketBox *boxes,
								  SpqJoinBucketHashes *bucket_hashes);
extern void spq_join_fill_level(const SpqJoinBucketBox *below,
								const SpqJoinBucketHashes *below_hashes, uint32 n,
								SpqJoinBucket *above, SpqJoinBucketBox *above_bounds,
								SpqJoinBucketHashes *above_hashes);
extern void spq_join_directory_add_levels(SpqJoinDirectory *directory, bool hashed);
extern void spq_join_directory_build(SpqJoinDirectory *directory,
									 const SpqJoinItem *items, const SpqJoinTileCode *codes,
									 uint32 count, const SpqJoinOrigin *origin, bool hashed);
extern void spq_join_directory_drop(SpqJoinDirectory *directory, uint32 bucket, int lane);
extern void spq_join_directory_restore(SpqJoinDirectory *directory,
									   const SpqJoinItem *items);

/* Return whether the directory is empty, or all its items have been dropped. */
static inline bool
spq_join_directory_is_empty(const SpqJoinDirectory *directory)
{
	return directory->nlevels == 0 ||
		spq_join_bucket_lanes(&directory->buckets[directory->nlevels - 1][0]) == 0;
}

#endif							/* SPQ_JOIN_BOXES_DIRECTORY_H */
