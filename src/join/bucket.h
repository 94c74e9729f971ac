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
 *		lx	  [	   |	|	 |	  | NaN| NaN]	 lanes without a box are NaN,
 *		ly	  [	   |	|	 |	  | NaN| NaN]	 which no comparison finds
 *		hx	  [	   |	|	 |	  | NaN| NaN]
 *		hy	  [	   |	|	 |	  | NaN| NaN]
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

#include "utils/geo_decls.h"

#include "box/float4.h"

#define SPQ_JOIN_BUCKET_LANES 32

typedef struct SpqJoinBucket
{
	float		lx[SPQ_JOIN_BUCKET_LANES],
				ly[SPQ_JOIN_BUCKET_LANES],
				hx[SPQ_JOIN_BUCKET_LANES],
				hy[SPQ_JOIN_BUCKET_LANES];
} SpqJoinBucket;

/* A box in the bucket's form. */
typedef struct SpqJoinBucketBox
{
	float		lx,
				ly,
				hx,
				hy;
} SpqJoinBucketBox;

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
 * Return the box grown by "slack" on each side, relative to an origin.  NaN,
 * which ~= has to find, becomes infinity.  Corners may be the wrong way round.
 */
static inline SpqJoinBucketBox
spq_join_bucket_box(const BOX *box, double slack, const Point *origin)
{
	const double infinity = HUGE_VAL;
	double		lx = isnan(box->low.x) ? infinity : box->low.x,
				ly = isnan(box->low.y) ? infinity : box->low.y,
				hx = isnan(box->high.x) ? infinity : box->high.x,
				hy = isnan(box->high.y) ? infinity : box->high.y;
	SpqJoinBucketBox result;

	result.lx = spq_join_float_below(Min(lx, hx) - slack - origin->x);
	result.ly = spq_join_float_below(Min(ly, hy) - slack - origin->y);
	result.hx = spq_join_float_above(Max(lx, hx) + slack - origin->x);
	result.hy = spq_join_float_above(Max(ly, hy) + slack - origin->y);
	return result;
}

static inline void
spq_join_bucket_clear(SpqJoinBucket *bucket)
{
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		bucket->lx[i] = bucket->ly[i] = bucket->hx[i] = bucket->hy[i] = NAN;
}

static inline void
spq_join_bucket_set(SpqJoinBucket *bucket, int lane, SpqJoinBucketBox box)
{
	bucket->lx[lane] = box.lx;
	bucket->ly[lane] = box.ly;
	bucket->hx[lane] = box.hx;
	bucket->hy[lane] = box.hy;
}

/* Take a box out: from now on no comparison finds its lane. */
static inline void
spq_join_bucket_drop(SpqJoinBucket *bucket, int lane)
{
	bucket->lx[lane] = bucket->ly[lane] = bucket->hx[lane] = bucket->hy[lane] = NAN;
}

/* Return whether no lane has a box. */
static inline bool
spq_join_bucket_is_empty(const SpqJoinBucket *bucket)
{
#ifdef __SSE2__
	__m128		boxes = _mm_setzero_ps();

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		__m128		lx = _mm_loadu_ps(bucket->lx + i);

		boxes = _mm_or_ps(boxes, _mm_cmpeq_ps(lx, lx));
	}
	return _mm_movemask_ps(boxes) == 0;
#else
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
	{
		if (!isnan(bucket->lx[i]))
			return false;
	}
	return true;
#endif
}

static inline SpqJoinBucketBox
spq_join_bucket_get(const SpqJoinBucket *bucket, int lane)
{
	SpqJoinBucketBox box;

	box.lx = bucket->lx[lane];
	box.ly = bucket->ly[lane];
	box.hx = bucket->hx[lane];
	box.hy = bucket->hy[lane];
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
	SpqJoinBucketBox r = {INFINITY, INFINITY, -INFINITY, -INFINITY};

#ifdef __SSE2__
	__m128		lx = _mm_set1_ps(r.lx),
				ly = _mm_set1_ps(r.ly),
				hx = _mm_set1_ps(r.hx),
				hy = _mm_set1_ps(r.hy);

	/* of a NaN and a number, these return the second argument */
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		lx = _mm_min_ps(_mm_loadu_ps(bucket->lx + i), lx);
		ly = _mm_min_ps(_mm_loadu_ps(bucket->ly + i), ly);
		hx = _mm_max_ps(_mm_loadu_ps(bucket->hx + i), hx);
		hy = _mm_max_ps(_mm_loadu_ps(bucket->hy + i), hy);
	}
	r.lx = spq_join_least_of_four(lx);
	r.ly = spq_join_least_of_four(ly);
	r.hx = spq_join_largest_of_four(hx);
	r.hy = spq_join_largest_of_four(hy);
#else
	/* in this form, a NaN on the left changes nothing */
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
	{
		r.lx = bucket->lx[i] < r.lx ? bucket->lx[i] : r.lx;
		r.ly = bucket->ly[i] < r.ly ? bucket->ly[i] : r.ly;
		r.hx = bucket->hx[i] > r.hx ? bucket->hx[i] : r.hx;
		r.hy = bucket->hy[i] > r.hy ? bucket->hy[i] : r.hy;
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
	__m128		lx = _mm_set1_ps(box.lx),
				ly = _mm_set1_ps(box.ly),
				hx = _mm_set1_ps(box.hx),
				hy = _mm_set1_ps(box.hy);

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 4)
	{
		__m128		x,
					y;

		x = _mm_and_ps(_mm_cmple_ps(lx, _mm_loadu_ps(bucket->hx + i)),
					   _mm_cmple_ps(_mm_loadu_ps(bucket->lx + i), hx));
		y = _mm_and_ps(_mm_cmple_ps(ly, _mm_loadu_ps(bucket->hy + i)),
					   _mm_cmple_ps(_mm_loadu_ps(bucket->ly + i), hy));
		lanes |= (uint32) _mm_movemask_ps(_mm_and_ps(x, y)) << i;
	}
#else
	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		lanes |= (uint32) ((box.lx <= bucket->hx[i]) & (bucket->lx[i] <= box.hx) &
						   (box.ly <= bucket->hy[i]) & (bucket->ly[i] <= box.hy)) << i;
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
