/*-------------------------------------------------------------------------
 *
 * directory.h
 *	  Finds the boxes of the build side that a group of probes may meet.
 *
 * The items lie in cell order.  Neighbours fill a bucket, the bounds of 32
 * neighbouring buckets fill a bucket of the next level, and so on:
 *
 *		level 2					   [ . . ]
 *								 /		   \
 *		level 1		  [ . . . . . . ]	   [ . . . ]
 *					   /  |				  \
 *		level 0		[....] [...] [.....] [....] ...		 bounds of boxes
 *					 |		|
 *		items		 0 1 2	3 4 5 ...					 in cell order
 *
 * Invariants: bucket i of level 0 has the items first[i] to first[i + 1] - 1,
 * in its lanes in order; lane j of bucket i of level n + 1 encloses all that
 * bucket 32 i + j of level n does.
 *
 * In a keyed join, keys[n][i] has the lanes' ranges of keys for buckets[n][i].
 *
 * An item can be dropped: its lane becomes empty, and so does the lane of a
 * bucket above whose last item that was.  No search finds it any more, nor goes
 * to where all have been dropped.
 *
 * It is a packed R-tree (Kamel, Faloutsos 1993), made by sorting alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_DIRECTORY_H
#define SPQ_JOIN_DIRECTORY_H

#include "join/bucket.h"
#include "join/cell_order.h"

/* Levels are shared out by 32; the items of level 0 by no less than 16. */
#define SPQ_DIRECTORY_LEVELS 7
#define SPQ_LEAST_FILL	(SPQ_BUCKET_LANES / 2)

/* Buckets of the level above n buckets. */
#define SPQ_BUCKETS_ABOVE(n) (((n) + SPQ_BUCKET_LANES - 1) / SPQ_BUCKET_LANES)

typedef struct SpqDirectory
{
	Point		origin;			/* of the coordinates in buckets */
	int			nlevels;
	bool		dropped;		/* some items are */
	uint32		nbuckets[SPQ_DIRECTORY_LEVELS];
	SpqBucket  *buckets[SPQ_DIRECTORY_LEVELS];
	SpqBucketKeys *keys[SPQ_DIRECTORY_LEVELS];	/* NULL if not keyed */
	uint32	   *first;
} SpqDirectory;

extern uint32 spq_most_buckets(uint32 count);
extern uint32 spq_cut_buckets(const SpqCellKey *keys, uint32 count, uint32 *first);
extern void spq_fill_buckets(const SpqJoinItem *items, const uint32 *first, uint32 n,
							 double slack, const Point *origin, SpqBucket *buckets,
							 SpqBucketKeys *bucket_keys);
extern void spq_fill_level(const SpqBucket *below, const SpqBucketKeys *below_keys,
						   uint32 n, SpqBucket *above, SpqBucketKeys *above_keys);
extern void spq_add_levels(SpqDirectory *directory, bool keyed);
extern void spq_build_directory(SpqDirectory *directory,
								const SpqJoinItem *items, const SpqCellKey *keys,
								uint32 count, const Point *origin, bool keyed);
extern void spq_directory_drop(SpqDirectory *directory, uint32 bucket, int lane);
extern void spq_directory_restore(SpqDirectory *directory,
								  const SpqJoinItem *items);

/* Return whether no item is left that a probe could meet. */
static inline bool
spq_directory_is_empty(const SpqDirectory *directory)
{
	return directory->nlevels == 0 ||
		spq_bucket_is_empty(&directory->buckets[directory->nlevels - 1][0]);
}

#endif							/* SPQ_JOIN_DIRECTORY_H */
