/*-------------------------------------------------------------------------
 *
 * bucket.h
 *	  Up to 32 boxes, stored so that one box is compared with all at once.
 *
 * A bucket stores each end of a box as one byte: its position between the
 * bucket's own bounds.  One instruction compares 16 bytes, and 32 boxes take
 * two cache lines, or three in three dimensions.
 *
 *		bounds	 low |------------------------------| high
 *		byte		 0	1  2			...		  253 254
 *
 *		lane	 0	  1	   2  ...	30	 31
 *		low x [	   |	|	 |	  | 255| 255]	 lanes without a box:
 *		low y [	   |	|	 |	  | 255| 255]	 no comparison finds them
 *		..
 *		high x[	   |	|	 |	  |   0|   0]
 *		high y[	   |	|	 |	  |   0|   0]
 *		..
 *
 * A box that is compared with the bucket is placed between the same bounds by
 * the same arithmetic.  Every step is monotone: from a number to the float
 * (bucket_box.h), and from the float to the byte.  So a <= b for two numbers
 * implies the same for their bytes.  A bucket can only answer "maybe";
 * spq_box_related() decides the remaining boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_BUCKET_H
#define SPQ_JOIN_BOXES_BUCKET_H

#include "port/pg_bitutils.h"

#include "join/boxes/bucket_box.h"

#define SPQ_JOIN_BUCKET_LANES 32

/* Ends of boxes become bytes from 0 to 254; 255 marks a lane without a box. */
#define SPQ_JOIN_LAST_BYTE	254
#define SPQ_JOIN_NO_BYTE	255

typedef struct SpqJoinBucket
{
	uint8		low[SPQ_DIM][SPQ_JOIN_BUCKET_LANES],
				high[SPQ_DIM][SPQ_JOIN_BUCKET_LANES];
} SpqJoinBucket;

/* A box as bytes, relative to the bounds of a bucket. */
typedef struct SpqJoinBucketBytes
{
	uint8		low[SPQ_JOIN_CORNER],
				high[SPQ_JOIN_CORNER];
} SpqJoinBucketBytes;

/*
 * Converts floats to bytes: the bounds of a bucket in another form.  Each
 * array fills a register.  In two dimensions each number occurs twice, once
 * for each corner of a box.
 */
typedef struct SpqJoinBucketFrame
{
	float		from[4],		/* finite */
				scale[4];		/* finite, more than 0 */
} SpqJoinBucketFrame;

/* Return the lanes of a bucket that contains this number of boxes. */
static inline uint32
spq_join_first_lanes(uint32 count)
{
	return count < SPQ_JOIN_BUCKET_LANES ? ((uint32) 1 << count) - 1 : PG_UINT32_MAX;
}

#ifdef __SSE2__

/* Registers that a box takes: one for both corners, or one for each. */
#if SPQ_DIM == 2
#define SPQ_JOIN_BOX_REGISTERS 1
#else
#define SPQ_JOIN_BOX_REGISTERS 2
#endif

/* Return the frame of a bucket with these bounds. */
static pg_attribute_always_inline SpqJoinBucketFrame
spq_join_bucket_frame(const SpqJoinBucketBox *bounds)
{
	const __m128 largest = _mm_set1_ps(FLT_MAX),
				smallest = _mm_set1_ps(-FLT_MAX);
	SpqJoinBucketFrame frame;
	__m128		low = _mm_loadu_ps(bounds->low),
				high,
				scale;

#if SPQ_DIM == 2
	high = _mm_movehl_ps(low, low);
	low = _mm_movelh_ps(low, low);
	high = _mm_movelh_ps(high, high);
#else
	high = _mm_loadu_ps(bounds->high);
#endif
	low = _mm_max_ps(_mm_min_ps(low, largest), smallest);
	scale = _mm_div_ps(_mm_set1_ps(SPQ_JOIN_LAST_BYTE), _mm_sub_ps(high, low));
	scale = _mm_max_ps(_mm_min_ps(scale, largest), _mm_set1_ps(FLT_MIN));
	_mm_storeu_ps(frame.from, low);
	_mm_storeu_ps(frame.scale, scale);
	return frame;
}

/* Return the bytes of a box, in the lower half of a register. */
static pg_attribute_always_inline __m128i
spq_join_bytes_of(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *box)
{
	const __m128 from = _mm_loadu_ps(frame->from),
				scale = _mm_loadu_ps(frame->scale),
				last = _mm_set1_ps(SPQ_JOIN_LAST_BYTE);
	__m128i		number[SPQ_JOIN_BOX_REGISTERS];

	/* a number too low for an integer becomes INT_MIN, and then 0 */
	for (int i = 0; i < SPQ_JOIN_BOX_REGISTERS; i++)
	{
		__m128		position = _mm_sub_ps(_mm_loadu_ps(box->low + 4 * i), from);

		position = _mm_min_ps(_mm_mul_ps(position, scale), last);
		number[i] = _mm_cvttps_epi32(position);
	}
	number[0] = _mm_packs_epi32(number[0], number[SPQ_JOIN_BOX_REGISTERS - 1]);
	return _mm_packus_epi16(number[0], number[0]);
}

/* Return the bytes of a box, relative to the bounds of a bucket. */
static pg_attribute_always_inline SpqJoinBucketBytes
spq_join_bucket_bytes(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *box)
{
	union
	{
		SpqJoinBucketBytes bytes;
		uint8		eight[8];
	}			u;

	_mm_storel_epi64((__m128i *) u.eight, spq_join_bytes_of(frame, box));
	return u.bytes;
}

/* Return the lanes whose boxes meet this one: bit i for lane i. */
static pg_attribute_always_inline uint32
spq_join_bucket_meets(const SpqJoinBucket *bucket, const SpqJoinBucketFrame *frame,
					  const SpqJoinBucketBox *box)
{
	__m128i		bytes = spq_join_bytes_of(frame, box),
				twice = _mm_unpacklo_epi8(bytes, bytes),
				low[SPQ_DIM],
				high[SPQ_DIM];
	uint32		lanes = 0;

	/* copy each byte to all lanes */
#if SPQ_DIM == 2
	twice = _mm_unpacklo_epi16(twice, twice);
	low[0] = _mm_shuffle_epi32(twice, 0x00);
	low[1] = _mm_shuffle_epi32(twice, 0x55);
	high[0] = _mm_shuffle_epi32(twice, 0xaa);
	high[1] = _mm_shuffle_epi32(twice, 0xff);
#else
	{
		__m128i		l = _mm_unpacklo_epi16(twice, twice),
					h = _mm_unpackhi_epi16(twice, twice);

		low[0] = _mm_shuffle_epi32(l, 0x00);
		low[1] = _mm_shuffle_epi32(l, 0x55);
		low[2] = _mm_shuffle_epi32(l, 0xaa);
		high[0] = _mm_shuffle_epi32(h, 0x00);
		high[1] = _mm_shuffle_epi32(h, 0x55);
		high[2] = _mm_shuffle_epi32(h, 0xaa);
	}
#endif
	_Pragma("GCC unroll 2")
		for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 16)
	{
		/* not 0 where a low end is above the other box's high end */
		__m128i		apart = _mm_setzero_si128();

		spq_each_axis(axis)
		{
			__m128i		lows = _mm_loadu_si128((const __m128i *) (bucket->low[axis] + i)),
						highs = _mm_loadu_si128((const __m128i *) (bucket->high[axis] + i));

			apart = _mm_or_si128(apart, _mm_subs_epu8(low[axis], highs));
			apart = _mm_or_si128(apart, _mm_subs_epu8(lows, high[axis]));
		}
		apart = _mm_cmpeq_epi8(apart, _mm_setzero_si128());
		lanes |= (uint32) _mm_movemask_epi8(apart) << i;
	}
	return lanes;
}

/* Return the box that encloses the boxes of some lanes, at least one. */
static inline SpqJoinBucketBox
spq_join_bucket_bounds(const SpqJoinBucketBox *boxes, uint32 lanes)
{
	SpqJoinBucketBox bounds = boxes[pg_rightmost_one_pos32(lanes)];
	__m128		low = _mm_loadu_ps(bounds.low),
				high = _mm_loadu_ps(bounds.low + 4 * (SPQ_JOIN_BOX_REGISTERS - 1));

	for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
	{
		const float *box = boxes[pg_rightmost_one_pos32(lanes)].low;

		low = _mm_min_ps(low, _mm_loadu_ps(box));
		high = _mm_max_ps(high, _mm_loadu_ps(box + 4 * (SPQ_JOIN_BOX_REGISTERS - 1)));
	}
#if SPQ_DIM == 2
	_mm_storeu_ps(bounds.low, _mm_shuffle_ps(low, high, 0xe4));
#else
	_mm_storeu_ps(bounds.low, low);
	_mm_storeu_ps(bounds.high, high);
#endif
	return bounds;
}

#else							/* no SSE2 */

static inline SpqJoinBucketFrame
spq_join_bucket_frame(const SpqJoinBucketBox *bounds)
{
	SpqJoinBucketFrame frame;

	for (int i = 0; i < SPQ_JOIN_CORNER; i++)
	{
		float		scale;

		frame.from[i] = Max(Min(bounds->low[i], FLT_MAX), -FLT_MAX);
		scale = SPQ_JOIN_LAST_BYTE / (bounds->high[i] - frame.from[i]);
		frame.scale[i] = Max(Min(scale, FLT_MAX), FLT_MIN);
	}
	return frame;
}

static inline uint8
spq_join_byte_of(float x, float from, float scale)
{
	float		position = (x - from) * scale;

	return position > 0 ? (uint8) Min(position, SPQ_JOIN_LAST_BYTE) : 0;
}

static inline SpqJoinBucketBytes
spq_join_bucket_bytes(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *box)
{
	SpqJoinBucketBytes bytes;

	for (int i = 0; i < SPQ_JOIN_CORNER; i++)
	{
		bytes.low[i] = spq_join_byte_of(box->low[i], frame->from[i], frame->scale[i]);
		bytes.high[i] = spq_join_byte_of(box->high[i], frame->from[i], frame->scale[i]);
	}
	return bytes;
}

static inline uint32
spq_join_bucket_meets(const SpqJoinBucket *bucket, const SpqJoinBucketFrame *frame,
					  const SpqJoinBucketBox *box)
{
	SpqJoinBucketBytes bytes = spq_join_bucket_bytes(frame, box);
	uint32		lanes = 0;

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
	{
		bool		met = true;

		spq_each_axis(axis)
			met &= (bytes.low[axis] <= bucket->high[axis][i]) & (bucket->low[axis][i] <= bytes.high[axis]);
		lanes |= (uint32) met << i;
	}
	return lanes;
}

static inline SpqJoinBucketBox
spq_join_bucket_bounds(const SpqJoinBucketBox *boxes, uint32 lanes)
{
	SpqJoinBucketBox bounds = boxes[pg_rightmost_one_pos32(lanes)];

	for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
	{
		const SpqJoinBucketBox *box = &boxes[pg_rightmost_one_pos32(lanes)];

		spq_each_axis(axis)
		{
			bounds.low[axis] = Min(bounds.low[axis], box->low[axis]);
			bounds.high[axis] = Max(bounds.high[axis], box->high[axis]);
		}
	}
	return bounds;
}

#endif							/* SSE2 */

/* Remove a box: from now on no comparison finds its lane. */
static inline void
spq_join_bucket_drop(SpqJoinBucket *bucket, int lane)
{
	spq_each_axis(axis)
	{
		bucket->low[axis][lane] = SPQ_JOIN_NO_BYTE;
		bucket->high[axis][lane] = 0;
	}
}

/* Return the lanes that contain a box. */
static inline uint32
spq_join_bucket_lanes(const SpqJoinBucket *bucket)
{
	uint32		lanes = 0;

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i++)
		lanes |= (uint32) (bucket->low[0][i] != SPQ_JOIN_NO_BYTE) << i;
	return lanes;
}

/* Fill a bucket with boxes, at least one, and return its bounds. */
static inline SpqJoinBucketBox
spq_join_bucket_fill(SpqJoinBucket *bucket, const SpqJoinBucketBox *boxes, uint32 count)
{
	SpqJoinBucketBox bounds = spq_join_bucket_bounds(boxes, spq_join_first_lanes(count));
	SpqJoinBucketFrame frame = spq_join_bucket_frame(&bounds);

	for (uint32 lane = 0; lane < count; lane++)
	{
		SpqJoinBucketBytes bytes = spq_join_bucket_bytes(&frame, &boxes[lane]);

		spq_each_axis(axis)
		{
			bucket->low[axis][lane] = bytes.low[axis];
			bucket->high[axis][lane] = bytes.high[axis];
		}
	}
	for (uint32 lane = count; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		spq_join_bucket_drop(bucket, lane);
	return bounds;
}

#endif							/* SPQ_JOIN_BOXES_BUCKET_H */
