/*-------------------------------------------------------------------------
 *
 * bucket_box.h
 *	  A box as floats, from which buckets are made.
 *
 * Coordinates are relative to an origin near the data, because floats have
 * only 24 bits.  Subtraction and conversion are monotone, rounding included.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_BUCKET_BOX_H
#define SPQ_JOIN_BOXES_BUCKET_BOX_H

#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "join/boxes/dimension.h"

/* Floats in a corner: half a register, or a whole one. */
#define SPQ_JOIN_CORNER		(SPQ_DIM == 2 ? 2 : 4)

/* A box as floats.  The fourth float of a corner is 0. */
typedef struct SpqJoinBucketBox
{
	float		low[SPQ_JOIN_CORNER],
				high[SPQ_JOIN_CORNER];
} SpqJoinBucketBox;

/* The origin of the coordinates in buckets. */
typedef struct SpqJoinOrigin
{
	double		at[SPQ_DIM];
} SpqJoinOrigin;

/* Return the low corner of a box as an origin, or zero if it is not finite. */
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
 * Return the box with these corners, grown by "slack" on each side, relative
 * to an origin.  Corners may be swapped.  NaN, which ~= must find, becomes
 * infinity.
 *
 * Infinity minus an infinite slack is NaN.  A low end at infinity then becomes
 * FLT_MAX, and a high end at minus infinity -FLT_MAX.
 */
#ifdef __SSE2__

/* Round the ends of two intervals to floats, relative to an origin. */
static pg_attribute_always_inline void
spq_join_round(__m128d low, __m128d high, __m128d slack, __m128d origin,
			   __m128 *from, __m128 *to)
{
	const __m128d infinity = _mm_set1_pd(HUGE_VAL);
	__m128d		is_nan = _mm_cmpunord_pd(low, low),
				end;

	low = _mm_or_pd(_mm_andnot_pd(is_nan, low), _mm_and_pd(is_nan, infinity));
	is_nan = _mm_cmpunord_pd(high, high);
	high = _mm_or_pd(_mm_andnot_pd(is_nan, high), _mm_and_pd(is_nan, infinity));

	/* min and max return their second argument if the first is NaN */
	end = _mm_sub_pd(_mm_sub_pd(_mm_min_pd(low, high), slack), origin);
	*from = _mm_cvtpd_ps(_mm_min_pd(end, _mm_set1_pd(FLT_MAX)));
	end = _mm_sub_pd(_mm_add_pd(_mm_max_pd(low, high), slack), origin);
	*to = _mm_cvtpd_ps(_mm_max_pd(end, _mm_set1_pd(-FLT_MAX)));
}

static pg_attribute_always_inline SpqJoinBucketBox
spq_join_bucket_corners(SpqBoxCorners box, double slack, const SpqJoinOrigin *origin)
{
	const __m128d grow = _mm_set1_pd(slack);
	SpqJoinBucketBox result;
	__m128		from,
				to;

	spq_join_round(_mm_loadu_pd(box.low), _mm_loadu_pd(box.high), grow,
				   _mm_loadu_pd(origin->at), &from, &to);
#if SPQ_DIM == 2
	_mm_storeu_ps(result.low, _mm_movelh_ps(from, to));
#else
	{
		__m128		from_z,
					to_z;

		spq_join_round(_mm_load_sd(box.low + 2), _mm_load_sd(box.high + 2), grow,
					   _mm_load_sd(origin->at + 2), &from_z, &to_z);
		_mm_storeu_ps(result.low, _mm_movelh_ps(from, _mm_move_ss(_mm_setzero_ps(), from_z)));
		_mm_storeu_ps(result.high, _mm_movelh_ps(to, _mm_move_ss(_mm_setzero_ps(), to_z)));
	}
#endif
	return result;
}

#else

static inline SpqJoinBucketBox
spq_join_bucket_corners(SpqBoxCorners box, double slack, const SpqJoinOrigin *origin)
{
	const double infinity = HUGE_VAL;
	SpqJoinBucketBox result = {{0}, {0}};

	spq_each_axis(axis)
	{
		double		low = box.low[axis],
					high = box.high[axis],
					from,
					to;

		low = isnan(low) ? infinity : low;
		high = isnan(high) ? infinity : high;
		from = Min(low, high) - slack - origin->at[axis];
		to = Max(low, high) + slack - origin->at[axis];
		result.low[axis] = (float) (from < FLT_MAX ? from : FLT_MAX);
		result.high[axis] = (float) (to > -FLT_MAX ? to : -FLT_MAX);
	}
	return result;
}

#endif							/* SSE2 */

static inline SpqJoinBucketBox
spq_join_bucket_box(const SpqBox *box, double slack, const SpqJoinOrigin *origin)
{
	return spq_join_bucket_corners(spq_box_corners(box), slack, origin);
}

/* Return whether two boxes meet. */
static inline bool
spq_join_bucket_boxes_meet(const SpqJoinBucketBox *a, const SpqJoinBucketBox *b)
{
	bool		meet = true;

	spq_each_axis(axis)
		meet &= (a->low[axis] <= b->high[axis]) & (b->low[axis] <= a->high[axis]);
	return meet;
}

#endif							/* SPQ_JOIN_BOXES_BUCKET_BOX_H */
