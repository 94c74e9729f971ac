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
 * Converts floats to bytes: the bounds of a bucket in another form.  In two
 * dimensions each number occurs twice, once for each corner of a box.
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

/* SpqFloats of a box: one for both corners, or one for each. */
#define SPQ_JOIN_BOX_FLOATS	(SPQ_DIM == 2 ? 1 : 2)

/* Return the frame of a bucket with these bounds. */
static pg_attribute_always_inline SpqJoinBucketFrame
spq_join_bucket_frame(const SpqJoinBucketBox *bounds)
{
	const SpqFloats largest = spq_floats_set(FLT_MAX),
				smallest = spq_floats_set(-FLT_MAX);
	SpqJoinBucketFrame frame;
	SpqFloats	low = spq_floats_load(bounds->low),
				high,
				scale;

#if SPQ_DIM == 2
	high = spq_floats_second_half(low);
	low = spq_floats_first_half(low);
#else
	high = spq_floats_load(bounds->high);
#endif
	low = spq_floats_max(spq_floats_min(low, largest), smallest);
	scale = spq_floats_set(SPQ_JOIN_LAST_BYTE) / (high - low);
	scale = spq_floats_max(spq_floats_min(scale, largest), spq_floats_set(FLT_MIN));
	spq_floats_store(frame.from, low);
	spq_floats_store(frame.scale, scale);
	return frame;
}

/* Return the bytes of a box between the bounds of a bucket, at the front. */
static pg_attribute_always_inline SpqBytes
spq_join_bytes_of(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *box)
{
	const SpqFloats from = spq_floats_load(frame->from),
				scale = spq_floats_load(frame->scale),
				last = spq_floats_set(SPQ_JOIN_LAST_BYTE);
	SpqFloats	position[SPQ_JOIN_BOX_FLOATS];

	for (int i = 0; i < SPQ_JOIN_BOX_FLOATS; i++)
	{
		position[i] = spq_floats_load(box->low + SPQ_FLOATS * i) - from;
		position[i] = spq_floats_min(position[i] * scale, last);
	}
	return spq_bytes_of_floats(position[0], position[SPQ_JOIN_BOX_FLOATS - 1]);
}

/* Return the bytes of a box, relative to the bounds of a bucket. */
static pg_attribute_always_inline SpqJoinBucketBytes
spq_join_bucket_bytes(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *box)
{
	union
	{
		SpqJoinBucketBytes bytes;
		uint8		half[SPQ_BYTES / 2];
	}			u;

	spq_bytes_store_half(u.half, spq_join_bytes_of(frame, box));
	return u.bytes;
}

/* Return the lanes whose boxes meet this one: bit i for lane i. */
static pg_attribute_always_inline uint32
spq_join_bucket_meets(const SpqJoinBucket *bucket, const SpqJoinBucketFrame *frame,
					  const SpqJoinBucketBox *box)
{
	SpqBytes	each[SPQ_BYTES / 2],
			   *low = each,
			   *high = each + SPQ_JOIN_CORNER;
	uint32		lanes = 0;

	spq_bytes_spread(spq_join_bytes_of(frame, box), each);
	_Pragma("GCC unroll 2")
		for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += SPQ_BYTES)
	{
		/* more than 0 where a low end is above the other's high end */
		SpqBytes	apart = {0};

		spq_each_axis(axis)
		{
			SpqBytes	lows = spq_bytes_load(bucket->low[axis] + i),
						highs = spq_bytes_load(bucket->high[axis] + i);

			apart |= spq_bytes_excess(low[axis], highs);
			apart |= spq_bytes_excess(lows, high[axis]);
		}
		lanes |= spq_bytes_zero_bits(apart) << i;
	}
	return lanes;
}

/* Return the box that encloses the boxes of some lanes, at least one. */
static inline SpqJoinBucketBox
spq_join_bucket_bounds(const SpqJoinBucketBox *boxes, uint32 lanes)
{
	/* where the floats with the high corner begin */
	const int	second = SPQ_FLOATS * (SPQ_JOIN_BOX_FLOATS - 1);
	SpqJoinBucketBox bounds = boxes[pg_rightmost_one_pos32(lanes)];
	SpqFloats	low = spq_floats_load(bounds.low),
				high = spq_floats_load(bounds.low + second);

	for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
	{
		const float *box = boxes[pg_rightmost_one_pos32(lanes)].low;

		low = spq_floats_min(low, spq_floats_load(box));
		high = spq_floats_max(high, spq_floats_load(box + second));
	}
#if SPQ_DIM == 2
	spq_floats_store(bounds.low, spq_floats_halves(low, high));
#else
	spq_floats_store(bounds.low, low);
	spq_floats_store(bounds.high, high);
#endif
	return bounds;
}

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

/*
 * In hashed joins the hash is one more dimension: each lane has the lowest and
 * the highest hash of the rows below it.  The hashes are stored beside the
 * bucket, since most joins have none.
 */

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

#endif							/* SPQ_JOIN_BOXES_BUCKET_H */
