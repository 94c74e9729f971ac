/*-------------------------------------------------------------------------
 *
 * bucket_box.h
 *	  A box as floats, from which buckets are made.
 *
 * The map from coordinates to floats (origin.h) is monotone, rounding included.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_BUCKET_BOX_H
#define SPQ_JOIN_BOXES_BUCKET_BOX_H

#include <float.h>
#include <math.h>

#include "box/lanes.h"
#include "join/boxes/dimension.h"
#include "join/boxes/origin.h"

/* Floats of a corner: half of SpqFloats, or one. */
#define SPQ_JOIN_CORNER		(SPQ_DIM == 2 ? 2 : 4)

/* A box as floats.  The fourth float of a corner is 0. */
typedef struct SpqJoinBucketBox
{
	float		low[SPQ_JOIN_CORNER],
				high[SPQ_JOIN_CORNER];
} SpqJoinBucketBox;

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

/* The same for an origin with knots: place the box, grown but relative to 0, on their axes. */
static inline void
spq_join_use_knots(const SpqJoinOrigin *origin, SpqBoxCorners box, double slack,
				   SpqJoinBucketBox *result)
{
	const double zero[SPQ_DIM] = {0};

	spq_each_axis(axis)
	{
		SpqDoubles	low = {box.low[axis]},
					high = {box.high[axis]},
					from,
					to;

		if (origin->nknots[axis] == 0)
			continue;
		spq_join_grow(low, high, spq_doubles_set(slack), spq_doubles_load(zero), &from, &to);
		result->low[axis] = spq_join_position(origin, axis, from[0]);
		result->high[axis] = spq_join_position(origin, axis, to[0]);
	}
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
	if (unlikely(origin->has_knots))
		spq_join_use_knots(origin, box, slack, &result);
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
