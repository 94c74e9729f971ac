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

#include "box/lanes.h"
#include "join/boxes/dimension.h"

/* Floats of a corner: half of SpqFloats, or one. */
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

/* Return two numbers, with infinity for NaN. */
static pg_attribute_always_inline SpqDoubles
spq_join_without_nan(SpqDoubles numbers)
{
	return spq_doubles_choose(numbers == numbers, numbers, spq_doubles_set(HUGE_VAL));
}

/* Set two low ends and two high ends of a grown box, relative to an origin. */
static pg_attribute_always_inline void
spq_join_grow(SpqDoubles low, SpqDoubles high, SpqDoubles slack, SpqDoubles origin,
			  SpqDoubles *from, SpqDoubles *to)
{
	low = spq_join_without_nan(low);
	high = spq_join_without_nan(high);

	/* of NaN and a number, "min" and "max" return the second */
	*from = spq_doubles_min(spq_doubles_min(low, high) - slack - origin, spq_doubles_set(FLT_MAX));
	*to = spq_doubles_max(spq_doubles_max(low, high) + slack - origin, spq_doubles_set(-FLT_MAX));
}

/*
 * Return the box with these corners, grown by "slack" on each side, relative
 * to an origin.  Corners may be swapped.  NaN, which ~= must find, becomes
 * infinity.
 *
 * Infinity minus an infinite slack is NaN.  A low end at infinity then becomes
 * FLT_MAX, and a high end at minus infinity -FLT_MAX.
 */
static pg_attribute_always_inline SpqJoinBucketBox
spq_join_bucket_corners(SpqBoxCorners box, double slack, const SpqJoinOrigin *origin)
{
	SpqJoinBucketBox result;
	SpqDoubles	from,
				to;

	spq_join_grow(spq_doubles_load(box.low), spq_doubles_load(box.high), spq_doubles_set(slack),
				  spq_doubles_load(origin->at), &from, &to);
#if SPQ_DIM == 2
	spq_floats_store(result.low, spq_floats_of_doubles(from, to));
#else
	{
		/* behind the last axis all is 0 */
		const SpqDoubles low = {box.low[2]},
					high = {box.high[2]},
					slack_z = {slack},
					origin_z = {origin->at[2]};
		SpqDoubles	from_z,
					to_z;

		spq_join_grow(low, high, slack_z, origin_z, &from_z, &to_z);
		spq_floats_store(result.low, spq_floats_of_doubles(from, from_z));
		spq_floats_store(result.high, spq_floats_of_doubles(to, to_z));
	}
#endif
	return result;
}

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
