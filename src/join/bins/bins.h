/*-------------------------------------------------------------------------
 *
 * bins.h
 *	  Bins of a build side that is too large for memory, and those that a probe
 *	  may meet.
 *
 * Cuts (cuts.c) put each box into exactly one bin.  Bounds enclose the boxes of a
 * bin, and a probe goes to all bins whose bounds it meets.  In a hashed join, bounds
 * include a range of hashes.
 *
 * This file only decides; the caller owns the rows and the files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BINS_BINS_H
#define SPQ_JOIN_BINS_BINS_H

#include "common/pg_prng.h"

#include "join/boxes/directory.h"
#include "join/boxes/item.h"

#define SPQ_JOIN_BIN_SAMPLE		128

/* Bounds of the rows of a bin. */
typedef struct SpqJoinBinBounds
{
	double		low[SPQ_DIM],	/* NaN counts as infinity */
				high[SPQ_DIM];
	uint32		low_key,		/* least and largest hash */
				high_key;
} SpqJoinBinBounds;

/* A bin, as far as known without reading it. */
typedef struct SpqJoinBin
{
	uint64		count;
	uint64		bytes;			/* memory that its rows will take */
	SpqJoinBinBounds bounds;
	uint32		nsampled;
	SpqJoinItem sample[SPQ_JOIN_BIN_SAMPLE];
} SpqJoinBin;

/* Finds the bins that a probe may meet. */
typedef struct SpqJoinRouter
{
	SpqJoinOrigin origin;
	double		slack;
	uint32		nbins;
	SpqJoinBucketBox *bins;		/* bounds of each bin */
	SpqJoinBucket *buckets;		/* each with 32 bins */
	SpqJoinBucketBox *bounds;	/* of each bucket */
	SpqJoinBucketHashes *keys;	/* ranges of hashes; NULL if not hashed */
} SpqJoinRouter;

extern void spq_join_bin_clear(SpqJoinBin *bin);
extern void spq_join_bin_add(SpqJoinBin *bin, const SpqJoinItem *item, uint64 bytes,
							 pg_prng_state *random);
extern uint32 spq_join_bins_that_fit(const uint64 *bytes, uint32 nbins,
									 uint64 limit);
extern void spq_join_make_router(SpqJoinRouter *router, const SpqJoinBinBounds *bounds,
								 uint32 nbins, double slack, bool hashed);

/* Return which of the bins 32 i to 32 i + 31 a probe may meet, as bits. */
static inline uint32
spq_join_route_probe(const SpqJoinRouter *router, uint32 i, const SpqJoinItem *probe)
{
	SpqJoinBucketFrame frame = spq_join_bucket_frame(&router->bounds[i]);
	SpqJoinBucketBox box = spq_join_bucket_box(&probe->box, router->slack, &router->origin);
	uint32		maybe = spq_join_bucket_meets(&router->buckets[i], &frame, &box),
				lanes = 0;

	/*
	 * compare floats, too: bytes are coarse, and each bin found in vain gets
	 * a copy of the probe
	 */
	for (; maybe != 0; maybe &= maybe - 1)
	{
		int			lane = pg_rightmost_one_pos32(maybe);

		if (spq_join_bucket_boxes_meet(&box, &router->bins[i * SPQ_JOIN_BUCKET_LANES + lane]))
			lanes |= (uint32) 1 << lane;
	}

	if (router->keys != NULL)
	{
		float		hash = (float) spq_join_item_hash(probe);
		SpqJoinHashRange range = {hash, hash};

		lanes &= spq_join_hashes_meet(&router->keys[i], range);
	}
	return lanes;
}

/*
 * cuts.c
 *
 * A bin is what a tree of cuts leaves.  A box is in exactly one bin, because
 * each cut puts it, by its center, on one side:
 *
 *			+-------+-----------+
 *			|		|	  3		|				 x < 8
 *			|	1	|-----------|  y = 6	   /	   \
 *			|		|			|		   y < 4	   y < 6
 *			|-------|	  2		|		   /   \	   /   \
 *			|	0	|			|		  0		1	  2		3
 *			+-------+-----------+
 *				   x = 8
 *
 * A cut may also divide by size: large boxes, which reach into many bins, are better
 * in a few bins of their own.  In a hashed join, the first cuts divide by hash.
 */

#define SPQ_JOIN_MAX_BINS	32	/* of a tree of cuts */

/* What a cut compares, if not the center on an axis. */
#define SPQ_JOIN_CUT_BY_SIZE	SPQ_DIM
#define SPQ_JOIN_CUT_BY_HASH	(SPQ_DIM + 1)

typedef struct SpqJoinCut
{
	double		at;				/* rows below it are on the left */
	int			by;				/* axis, SPQ_JOIN_CUT_BY_SIZE or _HASH */
	int			left,			/* number of a cut, or ~number of a bin */
				right;
} SpqJoinCut;

typedef struct SpqJoinCuts
{
	int			nbins;			/* one more than cuts; the first cut is that
								 * of all rows */
	SpqJoinCut	cut[SPQ_JOIN_MAX_BINS - 1];
} SpqJoinCuts;

/*
 * Choose cuts into at most "most" bins that have about equal numbers of rows,
 * judging by a sample.  Return false if all rows of the sample are alike; then there
 * is one bin.  After true, each bin has a row of the sample.
 */
extern bool spq_join_choose_cuts(SpqJoinCuts *cuts, const SpqJoinItem *sample, uint32 count,
								 int most, bool hashed);

/* Return the bin of a row. */
extern int	spq_join_bin_of(const SpqJoinCuts *cuts, const SpqJoinItem *item);

#endif							/* SPQ_JOIN_BINS_BINS_H */
