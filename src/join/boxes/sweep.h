/*-------------------------------------------------------------------------
 *
 * sweep.h
 *	  Joins a block of probes with the build side in memory, a bufferful of
 *	  pairs at a time.
 *
 * The block is in tile order too, and cut into buckets.  A bucket of probes
 * goes down the directory as one box; below, the bucket's bounds choose
 * probes, a probe chooses boxes, and the predicate decides:
 *
 *		bucket of probes  x  directory		 32 build buckets a comparison
 *		bucket of probes  x  build bucket	 which probes meet its bounds?
 *		probe			  x  build bucket	 which of its boxes meet the probe?
 *		probe			  x  box			 spq_box_related()
 *
 * Neither the build buckets nor the boxes that the predicate needs are, as a rule,
 * in the processor's cache.  So they are fetched when they are found, and the two
 * last steps are late: a build bucket is held until some others have been found,
 * and the predicate decides a bufferful of candidates at a time.
 *
 * In hashed joins the first three steps compare hashes as well, as ranges that
 * enclose those below; the hashes of a probe and a box are exact.
 *
 * The first three cannot miss a pair, as bounds enclose what they stand for
 * and all roundings are monotone; the last is exact.  Each probe is in one
 * bucket, each box in one bucket, each bucket below one parent: so each pair is
 * compared once.
 *
 * Where one accepted pair of a row is enough (first_of_probe, first_of_build),
 * the sweep returns at most one pair of the row at a time, and continues after
 * the caller has decided.  If the caller accepts the pair, the row's lane becomes
 * empty, in the bucket of probes or in the directory, and no comparison finds it
 * from then on.  So a row has one candidate after another until one is accepted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_SWEEP_H
#define SPQ_JOIN_BOXES_SWEEP_H

#include "box/relation.h"
#include "join/boxes/directory.h"

/* In a join of a set with itself, which of the two orders of a pair to return. */
typedef enum SpqJoinSelfJoin
{
	SPQ_JOIN_TWO_SETS,			/* not a join with itself */
	SPQ_JOIN_SELF_BY_POSITION,	/* probes are the build items themselves */
	SPQ_JOIN_SELF_BY_ORDINAL	/* probes are copies: compare tags */
} SpqJoinSelfJoin;

typedef struct SpqJoinMatch
{
	uint32		probe;			/* of the block's items */
	uint32		build;			/* of the build items */
} SpqJoinMatch;

/* All pairs of two buckets fit into a buffer of this size. */
#define SPQ_JOIN_MAX_BUCKET_PAIRS (SPQ_JOIN_BUCKET_LANES * SPQ_JOIN_BUCKET_LANES)

typedef struct SpqJoinSweepStack
{
	int			level;
	uint32		bucket;
	SpqJoinHashRange keys;		/* hashes, only if hashed */
} SpqJoinSweepStack;

/* Two buckets that will be compared when that of boxes has arrived from memory. */
#define SPQ_JOIN_HELD	4

typedef struct SpqJoinHeld
{
	SpqJoinSweepStack at;		/* bucket of the directory */
	uint32		bucket;			/* of the probes */
	uint32		probes;			/* lanes of it; 0: nothing is held */
	bool		compare_hashes;
} SpqJoinHeld;

typedef struct SpqJoinSweep
{
	/* what does not change during a block */
	SpqRelation predicate;
	double		distance;
	SpqJoinSelfJoin self;
	bool		first_of_probe; /* a probe drops out with an accepted pair */
	bool		first_of_build; /* a build row does */
	SpqJoinDirectory *directory;
	const SpqJoinItem *build;
	const SpqJoinItem *probes;
	uint32		position;		/* of the first probe, if by position */
	SpqJoinBucket *buckets;		/* of the probes, grown by the slack */
	const SpqJoinBucketBox *bucket_bounds;	/* of each of these */
	const SpqJoinBucketBox *boxes;	/* of each probe */
	const SpqJoinBucketHashes *keys;	/* hashes of the probes; NULL if not
										 * hashed */
	const uint32 *first;
	uint32		nbuckets;

	/* current position */
	uint32		bucket;			/* of the probes, the next one */
	SpqJoinBucketBox bounds;	/* of the one at work */
	SpqJoinBucketFrame frame;	/* of its bytes */
	bool		shrunk;			/* a lane of it is empty since they were taken */
	SpqJoinHashRange key_range; /* of its hashes, if hashed */
	int			depth;
	SpqJoinSweepStack stack[SPQ_JOIN_DIRECTORY_LEVELS * SPQ_JOIN_BUCKET_LANES];

	SpqJoinHeld held[SPQ_JOIN_HELD];	/* a ring */
	uint32		oldest;			/* the place in it that is next */
	uint32		nleft;			/* after the last bucket of probes: places not
								 * yet looked at */

	/*
	 * Where rows drop out: candidates of the last two buckets compared, whose
	 * boxes are on their way from memory.  A bit for each lane of probes that
	 * has any, and for each of these the lanes of boxes.
	 */
	uint32		pending;
	uint32		pending_probe;	/* that lane 0 of the probes stands for */
	uint32		pending_build;	/* that lane 0 of the boxes stands for */
	uint32		pending_lanes[SPQ_JOIN_BUCKET_LANES];
	uint32		pending_bucket; /* of the probes */
	uint32		pending_leaf;	/* bucket of the boxes */
	uint32		dropped;		/* lanes of boxes that have dropped out since */

	/* counts, since the caller last took them */
	uint64		candidates;		/* pairs given to the predicate */
} SpqJoinSweep;

extern void spq_join_sweep_start(SpqJoinSweep *sweep);
extern uint32 spq_join_sweep(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 room);
extern void spq_join_sweep_accept(SpqJoinSweep *sweep, const SpqJoinMatch *match);

#endif							/* SPQ_JOIN_BOXES_SWEEP_H */
