/*-------------------------------------------------------------------------
 *
 * bucket_hashes.h
 *	  Hashes of the rows of a bucket.
 *
 * In hashed joins the hash is one more dimension: each lane has the lowest and
 * the highest hash of the rows below it.  The hashes are stored beside the
 * bucket, since most joins have none.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_BUCKET_HASHES_H
#define SPQ_JOIN_BOXES_BUCKET_HASHES_H

#include "join/boxes/bucket.h"

/*
 * Hashes of the lanes of a bucket.  Lanes without a box are NaN, which no
 * comparison finds.
 */
typedef struct SpqJoinBucketHashes
{
	float		low[SPQ_JOIN_BUCKET_LANES],
				high[SPQ_JOIN_BUCKET_LANES];
} SpqJoinBucketHashes;

typedef struct SpqJoinHashRange
{
	float		low,
				high;
} SpqJoinHashRange;

static inline void
spq_join_hashes_clear(SpqJoinBucketHashes *hashes)
{
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		hashes->low[i] = hashes->high[i] = NAN;
}

static inline SpqJoinHashRange
spq_join_hashes_get(const SpqJoinBucketHashes *hashes, int lane)
{
	SpqJoinHashRange range = {hashes->low[lane], hashes->high[lane]};

	return range;
}

/*
 * Return the range of the hashes of the lanes in use, which are in ascending
 * order.
 */
static inline SpqJoinHashRange
spq_join_hashes_range(const SpqJoinBucketHashes *hashes)
{
	SpqJoinHashRange range = {hashes->low[0], hashes->high[0]};

	for (int i = 1; i < SPQ_JOIN_BUCKET_LANES && !isnan(hashes->high[i]); i++)
		range.high = hashes->high[i];
	return range;
}

/* Return the lanes whose hashes meet this range. */
static inline uint32
spq_join_hashes_meet(const SpqJoinBucketHashes *hashes, SpqJoinHashRange range)
{
	SpqFloats	low = spq_floats_set(range.low),
				high = spq_floats_set(range.high);
	uint32		lanes = 0;

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += SPQ_FLOATS)
	{
		SpqFloatsMask met = (low <= spq_floats_load(hashes->high + i)) &
			(spq_floats_load(hashes->low + i) <= high);

		lanes |= spq_floats_bits(met) << i;
	}
	return lanes;
}

#endif							/* SPQ_JOIN_BOXES_BUCKET_HASHES_H */
