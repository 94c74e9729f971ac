/*-------------------------------------------------------------------------
 *
 * sweep.h
 *	  Joins a block of probes with the build side in memory, a bufferful of
 *	  pairs at a time.
 *
 * The block is also in tile order and cut into buckets.  A bucket of probes
 * descends the directory as one box.  At the bottom, the bounds of a build
 * bucket select probes, each probe selects boxes, and the predicate decides:
 *
 *		bucket of probes  x  directory		 32 build buckets a comparison
 *		bucket of probes  x  build bucket	 which probes meet its bounds?
 *		probe			  x  build bucket	 which of its boxes meet the probe?
 *		probe			  x  box			 spq_box_related()
 *
 * Usually neither the build buckets nor the boxes that the predicate needs are
 * in the processor's cache.  So they are prefetched when they are found, and
 * the last two steps come later: a build bucket is held until some others have
 * been found, and the predicate decides a bufferful of candidates at a time.
 *
 * In hashed joins the first three steps compare hashes as well: ranges for
 * buckets, and single hashes for a probe and a box.
 *
 * If probes have lines (box/line.h), their boxes say little, and each probe of a
 * bucket is compared by itself, from the root on.  The probes of a bucket descend
 * together, but each entry on the stack has only those whose lines may meet it.
 *
 * The first three steps cannot miss a pair, because bounds enclose what is
 * below them and all roundings are monotone.  The last step is exact.  Each
 * probe is in one bucket, each box is in one bucket, and each bucket is below
 * one parent, so each pair is compared once.
 *
 * If one accepted pair of a row is enough (first_of_probe, first_of_build),
 * the sweep returns at most one pair of the row at a time, and continues when
 * the caller has decided.  If the caller accepts the pair, the row's lane
 * becomes empty, in the bucket of probes or in the directory, and no
 * comparison finds it from then on.  So the row's candidates are decided one
 * by one until one is accepted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_SWEEP_H
#define SPQ_JOIN_BOXES_SWEEP_H

#include "box/relation.h"
#include "join/boxes/directory.h"

/*
 * Which of the two orders of a pair to return, in a join of a set with itself.
 */
typedef enum SpqJoinSelfJoin
{
	SPQ_JOIN_TWO_SETS,			/* not a join with itself */
	SPQ_JOIN_SELF_BY_POSITION,	/* probes are the build items themselves */
	SPQ_JOIN_SELF_BY_ORDINAL	/* probes are copies: compare tags */
} SpqJoinSelfJoin;

typedef struct SpqJoinMatch
{
	uint32		probe;			/* index of a probe in the block */
	uint32		build;			/* index of a build item */
} SpqJoinMatch;

/* All pairs of two buckets fit into a buffer of this size. */
#define SPQ_JOIN_MAX_BUCKET_PAIRS (SPQ_JOIN_BUCKET_LANES * SPQ_JOIN_BUCKET_LANES)

typedef struct SpqJoinSweepStack
{
	int			level;
	uint32		bucket;
	uint32		probes;			/* lanes whose lines may meet it; only if
								 * probes have lines */
	SpqJoinHashRange keys;		/* only in a hashed join */
} SpqJoinSweepStack;

/*
 * Two buckets that are compared when the bucket of boxes has arrived from
 * memory.
 */
#define SPQ_JOIN_HELD	4

typedef struct SpqJoinHeld
{
	SpqJoinSweepStack at;		/* bucket of the directory */
	uint32		bucket;			/* of the probes */
	uint32		probes;			/* lanes of that bucket; 0: nothing is held */
	bool		compare_hashes;
} SpqJoinHeld;

typedef struct SpqJoinSweep
{
	/* constant during a block */
	SpqRelation predicate;
	double		distance;
	SpqJoinSelfJoin self;
	bool		first_of_probe; /* a probe drops out at its first accepted
								 * pair */
	bool		first_of_build; /* a build row does */
	SpqJoinDirectory *directory;
	const SpqJoinItem *build;
	const SpqJoinItem *probes;
	uint32		position;		/* of the first probe;
								 * SPQ_JOIN_SELF_BY_POSITION only */
	SpqJoinBucket *buckets;		/* buckets of probes, grown by the slack */
	const SpqJoinBucketBox *bucket_bounds;	/* of each bucket of probes */
	const SpqJoinBucketBox *boxes;	/* of each probe */
	const SpqJoinBucketHashes *keys;	/* of the probes; NULL if not hashed */
	bool		lines;			/* the payloads of probes end with their lines */
	const uint32 *first;
	uint32		nbuckets;

	/* current position */
	uint32		bucket;			/* number of the next bucket of probes */
	SpqJoinBucketBox bounds;	/* of the current one */
	SpqJoinBucketFrame frame;	/* for its bytes */
	bool		shrunk;			/* a lane has become empty since bounds were
								 * computed */
	SpqJoinHashRange key_range; /* of its hashes, if hashed */
	int			depth;
	SpqJoinSweepStack stack[SPQ_JOIN_DIRECTORY_LEVELS * SPQ_JOIN_BUCKET_LANES];

	SpqJoinHeld held[SPQ_JOIN_HELD];	/* a ring */
	uint32		oldest;			/* the next place in the ring */
	uint32		nleft;			/* after the last bucket of probes: places to
								 * be visited */

	/*
	 * If rows drop out: candidates of the last two buckets compared, whose
	 * boxes are being prefetched.  A bit for each lane of probes that has
	 * candidates, and for each of these lanes, the lanes of boxes.
	 */
	uint32		pending;
	uint32		pending_probe;	/* probe in lane 0 */
	uint32		pending_build;	/* build item in lane 0 */
	uint32		pending_lanes[SPQ_JOIN_BUCKET_LANES];
	uint32		pending_bucket; /* of the probes */
	uint32		pending_leaf;	/* bucket of boxes in the directory */
	uint32		dropped;		/* lanes of boxes that have dropped out since
								 * then */

	/* counts since the caller last reset them */
	uint64		candidates;		/* pairs given to the predicate */
} SpqJoinSweep;

extern void spq_join_sweep_start(SpqJoinSweep *sweep);
extern uint32 spq_join_sweep(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 room);
extern void spq_join_sweep_accept(SpqJoinSweep *sweep, const SpqJoinMatch *match);

#endif							/* SPQ_JOIN_BOXES_SWEEP_H */
