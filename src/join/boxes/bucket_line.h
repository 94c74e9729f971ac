/*-------------------------------------------------------------------------
 *
 * bucket_line.h
 *	  Which boxes of a bucket a line may meet.
 *
 * A line misses a box if and only if it misses the box's projection along one of
 * the axes, or is parallel to a side and beyond it, which the bounds of a segment
 * tell.  In a projection, with the line's direction (u, v) and its point (x, y),
 *
 *		v X - u Y = v x - u y
 *
 * for all points (X, Y) of the line.  The line meets a rectangle if the left side
 * is not above the right one at all four corners, and not below it.  The signs of
 * u and v tell for which two corners it is least and largest.
 *
 * All this is computed in the bytes of the bucket, with v and u as integers up to
 * 64, for 8 boxes at once.  Whatever is rounded widens the line:
 *
 *	- an end of a box is its byte, or up to 1 more;
 *	- floats are rounded to within 2^-24 of their distance from the origin;
 *	- u or v is rounded by half of a 64th, and bytes are at most 254: by 2;
 *	- the right side is a sum of products of doubles, each with an error that is
 *	  far less than 1e-12 of the product.
 *
 * NaN and infinities widen it without limit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_BUCKET_LINE_H
#define SPQ_JOIN_BOXES_BUCKET_LINE_H

#include "box/line.h"
#include "join/boxes/bucket.h"

#define SPQ_JOIN_LINE_UNIT	64
#define SPQ_JOIN_LINE_ROUNDING	1e-12

/* Converts lines to the bytes of a bucket. */
typedef struct SpqJoinLineFrame
{
	double		from[SPQ_DIM],
				scale[SPQ_DIM],
				width[SPQ_DIM]; /* of every line, in bytes */
} SpqJoinLineFrame;

static inline SpqJoinLineFrame
spq_join_line_frame(const SpqJoinBucketFrame *frame, const SpqJoinBucketBox *bounds,
					const SpqJoinOrigin *origin)
{
	SpqJoinLineFrame result;
	double		reach = 0;

#if SPQ_DIM == 2
	/* as in spq_shape_segment_reaches() */
	spq_each_axis(axis)
		reach = Max(reach, (double) bounds->high[axis] - bounds->low[axis]);
	reach = spq_line_reach(reach);
#endif
	spq_each_axis(axis)
	{
		double		scale = frame->scale[axis],
					farthest = Max(fabs(bounds->low[axis]), fabs(bounds->high[axis]));

		result.from[axis] = frame->from[axis];
		result.scale[axis] = scale;
		result.width[axis] = 1.01 + scale *
			(reach + farthest * (4 * FLT_EPSILON) +
			 (SPQ_DIM == 2 ? fabs(origin->at[axis]) * SPQ_JOIN_LINE_ROUNDING : 0));
		/* the difference of the bounds is infinite: bytes tell nothing */
		if (frame->scale[axis] <= FLT_MIN)
			result.width[axis] = HUGE_VAL;
	}
	return result;
}

/*
 * Return the lanes of a bucket whose boxes may satisfy low <= v X - u Y <= high
 * in the projection on two axes.
 */
static pg_attribute_always_inline uint32
spq_join_lanes_between(const SpqJoinBucket *bucket, int x, int y, int v, int minus_u,
					   int low, int high)
{
	const SpqShorts factor_x = spq_shorts_set(v),
				factor_y = spq_shorts_set(minus_u),
				lowest = spq_shorts_set(low),
				highest = spq_shorts_set(high);
	const uint8 *least_x = v > 0 ? bucket->low[x] : bucket->high[x],
			   *most_x = v > 0 ? bucket->high[x] : bucket->low[x],
			   *least_y = minus_u > 0 ? bucket->low[y] : bucket->high[y],
			   *most_y = minus_u > 0 ? bucket->high[y] : bucket->low[y];
	uint32		outside = 0;

	for (int i = 0; i < SPQ_JOIN_BUCKET_LANES; i += 2 * SPQ_SHORTS)
	{
		SpqShorts	apart[2];

		for (int j = 0; j < 2; j++)
		{
			int			at = i + j * SPQ_SHORTS;
			SpqShorts	least = factor_x * spq_shorts_of_bytes(least_x + at) +
				factor_y * spq_shorts_of_bytes(least_y + at),
						most = factor_x * spq_shorts_of_bytes(most_x + at) +
				factor_y * spq_shorts_of_bytes(most_y + at);

			apart[j] = (SpqShorts) ((least > highest) | (most < lowest));
		}
		outside |= spq_shorts_negative(apart[0], apart[1]) << i;
	}
	return ~outside;
}

/* Return the lanes whose boxes a line may meet.  Lanes without a box count, too. */
static pg_attribute_always_inline uint32
spq_join_bucket_on_line(const SpqJoinBucket *bucket, const SpqJoinLineFrame *frame,
						const SpqJoinOrigin *origin, const SpqLine *line)
{
	double		at[SPQ_DIM],
				along[SPQ_DIM],
				width[SPQ_DIM];
	uint32		lanes = PG_UINT32_MAX;

	spq_each_axis(axis)
	{
		at[axis] = (line->at[axis] - origin->at[axis] - frame->from[axis]) * frame->scale[axis];
		along[axis] = line->along[axis] * frame->scale[axis];
		width[axis] = frame->width[axis] + line->reach * frame->scale[axis];
	}
	for (int y = 1; y < SPQ_DIM; y++)
		for (int x = 0; x < y; x++)
		{
			double		largest = Max(fabs(along[x]), fabs(along[y])),
						v = along[y] * (SPQ_JOIN_LINE_UNIT / largest),
						minus_u = -along[x] * (SPQ_JOIN_LINE_UNIT / largest),
						part_x = v * at[x],
						part_y = minus_u * at[y],
						beside = fabs(v) * width[x] + fabs(minus_u) * width[y] +
				2.01 * SPQ_JOIN_LINE_UNIT +
				SPQ_JOIN_LINE_ROUNDING * (fabs(part_x) + fabs(part_y)),
						low = part_x + part_y - beside,
						high = part_x + part_y + beside;

			/* it is a point in this projection, or unknown */
			if (!(largest > 0 && largest <= DBL_MAX))
				continue;
			lanes &= spq_join_lanes_between(bucket, x, y, (int) rint(v), (int) rint(minus_u),
											low > -PG_INT16_MAX ?
											(int) Min(low, PG_INT16_MAX) : -PG_INT16_MAX,
											high < PG_INT16_MAX ?
											(int) Max(high, -PG_INT16_MAX) + 1 : PG_INT16_MAX);
			if (lanes == 0)
				break;
		}
	return lanes;
}

#endif							/* SPQ_JOIN_BOXES_BUCKET_LINE_H */
