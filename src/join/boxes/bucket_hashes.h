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
	uint32		lanes = 0;

#ifdef __SSE2__
	__m128		low = _mm_set1_ps(range.low),
				high = _mm_set1_ps(range.high);

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		__m128		met = _mm_and_ps(_mm_cmple_ps(low, _mm_loadu_ps(hashes->high + i)),
									 _mm_cmple_ps(_mm_loadu_ps(hashes->low + i), high));

		lanes |= (uint32) _mm_movemask_ps(met) << i;
	}
#else
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		lanes |= (uint32) ((range.low <= hashes->high[i]) & (hashes->low[i] <= range.high)) << i;
#endif
	return lanes;
}

#endif							/* SPQ_JOIN_BOXES_BUCKET_HASHES_H */
