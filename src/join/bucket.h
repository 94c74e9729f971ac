/*-------------------------------------------------------------------------
 *
 * bucket.h
 *	  Up to 32 boxes in a form in which one box is compared with all at once.
 *
 * The bounds are floats, rounded outward, which take a quarter of the
 * instructions and half of the memory of doubles.  A bucket answers "maybe";
 * spq_box_related() decides the boxes that remain.
 *
 *		lane	 0	  1	   2  ...	30	 31
 *		low x [	   |	|	 |	  | NaN| NaN]	 lanes without a box are NaN,
 *		low y [	   |	|	 |	  | NaN| NaN]	 which no comparison finds
 *		..
 *		high x[	   |	|	 |	  | NaN| NaN]
 *		high y[	   |	|	 |	  | NaN| NaN]
 *		..
 *
 * In hashed joins the hash is one more dimension: the lowest and the highest hash
 * of what each lane stands for.  It lies beside the bucket, since most joins have
 * no hashes.
 *
 * Coordinates are taken from an origin near the data, because floats have
 * only 24 bits.  Subtraction and conversion are monotone, rounding included.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BUCKET_H
#define SPQ_JOIN_BUCKET_H

#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "box/float4.h"
#include "join/dimension.h"

#define SPQ_JOIN_BUCKET_LANES 32

typedef struct SpqJoinBucket
{
	float		low[SPQ_DIM][SPQ_JOIN_BUCKET_LANES],
				high[SPQ_DIM][SPQ_JOIN_BUCKET_LANES];
} SpqJoinBucket;

/* A box in the bucket's form. */
typedef struct SpqJoinBucketBox
{
	float		low[SPQ_DIM],
				high[SPQ_DIM];
} SpqJoinBucketBox;

/* Where the coordinates of buckets are taken from. */
typedef struct SpqJoinOrigin
{
	double		at[SPQ_DIM];
} SpqJoinOrigin;

/* Return the low corner of a box as an origin, or zero where that is not finite. */
static inline SpqJoinOrigin
spq_join_origin(const SpqBox *box)
{
	const SpqJoinOrigin zero = {{0}};
	SpqJoinOrigin origin;

	spq_each_axis(axis)
	{
		origin.at[axis] = spq_box_low(box)[axis];
		if (!(fabs(origin.at[axis]) <= DBL_MAX))
			return zero;
	}
	return origin;
}

/*
 * Return the nearest float that is at most x, or the nearest that is at least x.
 * A number beyond the floats becomes the largest float on the side where
 * infinity would exclude it.
 *
 * NaN, which is infinity less an infinite slack, counts as what it came from: a
 * low corner at infinity, or a high one at minus infinity.
 */
static inline float
spq_join_float_below(double x)
{
	return spq_box_float4_floor(x < FLT_MAX ? x : FLT_MAX);
}

static inline float
spq_join_float_above(double x)
{
	return spq_box_float4_ceiling(x > -FLT_MAX ? x : -FLT_MAX);
}

/*
 * Return the box with these corners grown by "slack" on each side, relative to an
 * origin.  NaN, which ~= has to find, becomes infinity.  Corners may be the wrong
 * way round.
 */
static inline SpqJoinBucketBox
spq_join_bucket_corners(SpqBoxCorners box, double slack, const SpqJoinOrigin *origin)
{
	const double infinity = HUGE_VAL;
	SpqJoinBucketBox result;

	spq_each_axis(axis)
	{
		double		low = box.low[axis],
					high = box.high[axis];

		low = isnan(low) ? infinity : low;
		high = isnan(high) ? infinity : high;
		result.low[axis] = spq_join_float_below(Min(low, high) - slack - origin->at[axis]);
		result.high[axis] = spq_join_float_above(Max(low, high) + slack - origin->at[axis]);
	}
	return result;
}

static inline SpqJoinBucketBox
spq_join_bucket_box(const SpqBox *box, double slack, const SpqJoinOrigin *origin)
{
	return spq_join_bucket_corners(spq_box_corners(box), slack, origin);
}

/* Take a box out: from now on no comparison finds its lane. */
static inline void
spq_join_bucket_drop(SpqJoinBucket *bucket, int lane)
{
	spq_each_axis(axis)
		bucket->low[axis][lane] = bucket->high[axis][lane] = NAN;
}

static inline void
spq_join_bucket_clear(SpqJoinBucket *bucket)
{
	float	   *number = (float *) bucket;

	for (int i = 0; i < (int) (sizeof(SpqJoinBucket) / sizeof(float)); i++)
		number[i] = NAN;
}

static inline void
spq_join_bucket_set(SpqJoinBucket *bucket, int lane, SpqJoinBucketBox box)
{
	spq_each_axis(axis)
	{
		bucket->low[axis][lane] = box.low[axis];
		bucket->high[axis][lane] = box.high[axis];
	}
}

/* Return whether no lane has a box. */
static inline bool
spq_join_bucket_is_empty(const SpqJoinBucket *bucket)
{
#ifdef __SSE2__
	__m128		boxes = _mm_setzero_ps();

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		__m128		low = _mm_loadu_ps(bucket->low[0] + i);

		boxes = _mm_or_ps(boxes, _mm_cmpeq_ps(low, low));
	}
	return _mm_movemask_ps(boxes) == 0;
#else
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
	{
		if (!isnan(bucket->low[0][i]))
			return false;
	}
	return true;
#endif
}

static inline SpqJoinBucketBox
spq_join_bucket_get(const SpqJoinBucket *bucket, int lane)
{
	SpqJoinBucketBox box;

	spq_each_axis(axis)
	{
		box.low[axis] = bucket->low[axis][lane];
		box.high[axis] = bucket->high[axis][lane];
	}
	return box;
}

#ifdef __SSE2__
static inline float
spq_join_least_of_four(__m128 v)
{
	v = _mm_min_ps(v, _mm_movehl_ps(v, v));
	return _mm_cvtss_f32(_mm_min_ss(v, _mm_shuffle_ps(v, v, 1)));
}

static inline float
spq_join_largest_of_four(__m128 v)
{
	v = _mm_max_ps(v, _mm_movehl_ps(v, v));
	return _mm_cvtss_f32(_mm_max_ss(v, _mm_shuffle_ps(v, v, 1)));
}
#endif

/*
 * Return the box that encloses all boxes of a bucket.  An empty bucket gives a
 * box inside out, which meets no finite box.
 */
static inline SpqJoinBucketBox
spq_join_bucket_bounds(const SpqJoinBucket *bucket)
{
	SpqJoinBucketBox r;

#ifdef __SSE2__
	spq_each_axis(axis)
	{
		__m128		low = _mm_set1_ps(INFINITY),
					high = _mm_set1_ps(-INFINITY);

		/* of a NaN and a number, these return the second argument */
		for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
		{
			low = _mm_min_ps(_mm_loadu_ps(bucket->low[axis] + i), low);
			high = _mm_max_ps(_mm_loadu_ps(bucket->high[axis] + i), high);
		}
		r.low[axis] = spq_join_least_of_four(low);
		r.high[axis] = spq_join_largest_of_four(high);
	}
#else
	spq_each_axis(axis)
	{
		r.low[axis] = INFINITY;
		r.high[axis] = -INFINITY;
		/* in this form, a NaN on the left changes nothing */
		for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		{
			r.low[axis] = bucket->low[axis][i] < r.low[axis] ? bucket->low[axis][i] : r.low[axis];
			r.high[axis] = bucket->high[axis][i] > r.high[axis] ? bucket->high[axis][i] : r.high[axis];
		}
	}
#endif
	return r;
}

/* Return the lanes whose boxes meet this one: bit i stands for lane i. */
static inline uint32
spq_join_bucket_meets(const SpqJoinBucket *bucket, SpqJoinBucketBox box)
{
	uint32		lanes = 0;

#ifdef __SSE2__
	__m128		low[SPQ_DIM],
				high[SPQ_DIM];

	spq_each_axis(axis)
	{
		low[axis] = _mm_set1_ps(box.low[axis]);
		high[axis] = _mm_set1_ps(box.high[axis]);
	}
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		__m128		met = _mm_cmple_ps(low[0], _mm_loadu_ps(bucket->high[0] + i));

		met = _mm_and_ps(met, _mm_cmple_ps(_mm_loadu_ps(bucket->low[0] + i), high[0]));
		for (int axis = 1; axis < SPQ_DIM; axis++)
		{
			met = _mm_and_ps(met, _mm_cmple_ps(low[axis], _mm_loadu_ps(bucket->high[axis] + i)));
			met = _mm_and_ps(met, _mm_cmple_ps(_mm_loadu_ps(bucket->low[axis] + i), high[axis]));
		}
		lanes |= (uint32) _mm_movemask_ps(met) << i;
	}
#else
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
	{
		bool		met = true;

		spq_each_axis(axis)
			met &= (box.low[axis] <= bucket->high[axis][i]) & (bucket->low[axis][i] <= box.high[axis]);
		lanes |= (uint32) met << i;
	}
#endif
	return lanes;
}

/* Hashes of the lanes of a bucket; lanes without a box are NaN here, too. */
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

/* Return the range of the hashes of the lanes in use, which ascend. */
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

#endif							/* SPQ_JOIN_BUCKET_H */
