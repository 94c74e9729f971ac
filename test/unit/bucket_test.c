/*-------------------------------------------------------------------------
 *
 * bucket_test.c
 *	  Buckets, which select the candidates of joins: join/boxes/bucket.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"
#include "join/boxes/bucket.h"
#include "joined.h"

static const SpqRelation predicates[] = {
	SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED, SPQ_BOX_SAME,
	SPQ_BOX_MEETS, SPQ_BOX_WITHIN
};

/* Return a box that just matches the other one, or just does not. */
static SpqBox
near_box(SpqBox *other, double distance)
{
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		ends[] = {low(other)[axis], high(other)[axis]},
					x1 = axis == 0 || random_int(0, 3) ?
			near(ends[random_int(0, 1)], distance) : ends[0],
					x2 = random_int(0, 1) ? near(ends[random_int(0, 1)], distance) : any_number();

		low(&box)[axis] = float8_min(x1, x2);
		high(&box)[axis] = float8_max(x1, x2);
	}
	return box;
}

/* Swap the corners along x. */
static void
exchange_corners(SpqBox *box)
{
	double		end = low(box)[0];

	low(box)[0] = high(box)[0];
	high(box)[0] = end;
}

/* Return a box with x as one of its numbers. */
static SpqBox
box_with(double x)
{
	SpqBox		box = odd_box();

	(random_int(0, 1) ? low(&box) : high(&box))[random_int(0, SPQ_DIM - 1)] = x;
	return box;
}

/*
 * Check that floats keep the order of the numbers, and that infinities are
 * never excluded.
 */
static void
test_floats(void)
{
	const double infinity = get_float8_infinity();

	for (int i = 0; i < 300000; i++)
	{
		double		x = any_number(),
					slack = random_int(0, 1) ? 0 : any_number(),
					before[SPQ_DIM],
					after[SPQ_DIM];
		SpqBox		a = box_with(x),
					b = box_with(nearly(x));
		SpqJoinOrigin origin = odd_origin();
		SpqJoinBucketBox fa,
					fb;

		/* spq_box_slack() is neither NaN nor negative */
		slack = isnan(slack) ? infinity : fabs(slack);
		fa = spq_join_bucket_box(&a, slack, &origin);
		fb = spq_join_bucket_box(&b, 0, &origin);
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			before[axis] = float8_min(low(&a)[axis], high(&a)[axis]);
			after[axis] = float8_max(low(&b)[axis], high(&b)[axis]);
			check(fa.low[axis] < infinity && fa.high[axis] > -infinity,
				  "box %d: %.9g %.9g", i, fa.low[axis], fa.high[axis]);
			check(fa.low[axis] <= fa.high[axis], "box %d: %.9g %.9g", i, fa.low[axis],
				  fa.high[axis]);
			if (before[axis] - slack <= after[axis])
				check(fa.low[axis] <= fb.high[axis], "box %d: %.17g %.17g", i,
					  before[axis], after[axis]);
		}
		for (int axis = SPQ_DIM; axis < SPQ_JOIN_CORNER; axis++)
			check(fa.low[axis] == 0 && fa.high[axis] == 0, "box %d", i);
	}
	finish_test("floats are in the order of the numbers");
}

/* Return arbitrary floats for a box. */
static SpqJoinBucketBox
odd_floats(void)
{
	SpqBox		box = odd_box();
	SpqJoinOrigin origin = odd_origin();

	return spq_join_bucket_box(&box, random_int(0, 3) ? 0 : 1e300, &origin);
}

/* Check that bytes keep the order of the floats, whatever the bounds. */
static void
test_bytes(void)
{
	long		different = 0;

	for (int i = 0; i < 300000; i++)
	{
		SpqJoinBucketBox bounds = odd_floats(),
					a = odd_floats(),
					b = random_int(0, 1) ? a : odd_floats();
		SpqJoinBucketFrame frame;
		SpqJoinBucketBytes x,
					y;

		/* some are just inside the bounds, or one float beyond them */
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			if (random_int(0, 3) == 0)
				b.low[axis] = random_int(0, 1) ? bounds.low[axis] : bounds.high[axis];
			if (random_int(0, 3) == 0)
				a.low[axis] = nextafterf(b.low[axis], random_int(0, 1) ? 1e38f : -1e38f);
			if (random_int(0, 3) == 0)
				a.high[axis] = bounds.low[axis] / 2 + bounds.high[axis] / 2;
			if (isnan(a.high[axis]))
				a.high[axis] = 0;
		}
		frame = spq_join_bucket_frame(&bounds);
		x = spq_join_bucket_bytes(&frame, &a);
		y = spq_join_bucket_bytes(&frame, &b);
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			const float from[] = {a.low[axis], a.high[axis], b.low[axis], b.high[axis]};
			const uint8 to[] = {x.low[axis], x.high[axis], y.low[axis], y.high[axis]};

			for (int j = 0; j < 4; j++)
			{
				check(to[j] <= SPQ_JOIN_LAST_BYTE, "box %d: %d", i, to[j]);
				for (int k = 0; k < 4; k++)
				{
					check(!(from[j] <= from[k]) || to[j] <= to[k],
						  "box %d: %.9g -> %d, %.9g -> %d", i, from[j], to[j], from[k], to[k]);
					different += to[j] != to[k];
				}
			}
		}
	}
	check(different > 100000, "only %ld", different);
	finish_test("bytes are in the order of the floats");
}

/*
 * Check that a probe grown by the slack meets each box that it matches, in any
 * lane.
 */
static void
test_meets(void)
{
	long		found[lengthof(predicates)] = {0};

	for (int i = 0; i < 40000; i++)
	{
		SpqBox		probe = odd_box(),
					boxes[SPQ_JOIN_BUCKET_LANES];
		SpqJoinBucket bucket;
		SpqJoinBucketBox floats[SPQ_JOIN_BUCKET_LANES],
					bounds;
		SpqJoinBucketFrame frame;
		double		distance = some_distance();
		SpqJoinOrigin origin = odd_origin();
		int			nboxes = random_int(1, SPQ_JOIN_BUCKET_LANES);

		/*
		 * in joins the origin is usually near the boxes, where floats are
		 * finer
		 */
		if (random_int(0, 1))
			origin = spq_join_origin(&probe);
		if (random_int(0, 7) == 0)
			exchange_corners(&probe);
		for (int lane = 0; lane < nboxes; lane++)
		{
			boxes[lane] = random_int(0, 7) ? near_box(&probe, distance) : odd_box();
			if (random_int(0, 7) == 0)
				exchange_corners(&boxes[lane]);
			floats[lane] = spq_join_bucket_box(&boxes[lane], 0, &origin);
		}
		bounds = spq_join_bucket_fill(&bucket, floats, nboxes);
		frame = spq_join_bucket_frame(&bounds);

		for (int j = 0; j < (int) lengthof(predicates); j++)
		{
			SpqRelation predicate = predicates[j];
			SpqJoinBucketBox query = spq_join_bucket_box(&probe,
														 spq_box_slack(predicate, distance),
														 &origin);
			uint32		lanes = spq_join_bucket_meets(&bucket, &frame, &query);
			SpqJoinBucket other;
			SpqJoinBucketBox others[3];
			SpqJoinBucketFrame other_frame;
			uint32		hit;

			others[0] = others[1] = odd_floats();
			others[2] = query;
			others[0] = spq_join_bucket_fill(&other, others, 3);
			other_frame = spq_join_bucket_frame(&others[0]);
			hit = spq_join_bucket_meets(&other, &other_frame, &bounds) & 1 << 2;
			check((lanes & ~(uint32) ((UINT64CONST(1) << nboxes) - 1)) == 0,
				  "a blank lane was hit: %x, %d boxes", lanes, nboxes);
			if (!spq_box_can_match(predicate, &probe))
				continue;
			for (int lane = 0; lane < nboxes; lane++)
			{
				const SpqBox *box = &boxes[lane];

				if (!spq_box_can_match(predicate, box) ||
					!spq_box_related(predicate, distance, &probe, box))
					continue;
				found[j]++;
				check(lanes & (uint32) 1 << lane,
					  "missed %d, %.17g: box %d of %d", predicate, distance, i, lane);
				check(hit != 0, "the bounds were missed");
			}
		}
	}
	for (int j = 0; j < (int) lengthof(predicates); j++)
		check(found[j] > (SPQ_DIM == 2 ? 1000 : 100), "condition %d: only %ld", j, found[j]);
	finish_test("a probe meets all boxes that it matches");
}

static void
test_lanes(void)
{
	const float infinity = get_float4_infinity();
	SpqJoinBucketBox everything = {{0}, {0}};

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		everything.low[axis] = -infinity;
		everything.high[axis] = infinity;
	}

	for (int i = 0; i < 20000; i++)
	{
		SpqJoinBucket bucket;
		SpqJoinBucketBox boxes[SPQ_JOIN_BUCKET_LANES],
					bounds,
					query = odd_floats();
		SpqJoinBucketFrame frame;
		int			count = i == 0 ? SPQ_JOIN_BUCKET_LANES : random_int(1, SPQ_JOIN_BUCKET_LANES);
		uint32		lanes = spq_join_first_lanes(count),
					exact = 0;

		check(lanes == (uint32) ((UINT64CONST(1) << count) - 1), "%d: %x", count, lanes);
		for (int lane = 0; lane < count; lane++)
		{
			boxes[lane] = odd_floats();
			if (spq_join_bucket_boxes_meet(&boxes[lane], &query))
				exact |= (uint32) 1 << lane;
		}
		bounds = spq_join_bucket_fill(&bucket, boxes, count);
		frame = spq_join_bucket_frame(&bounds);
		for (int dropped = 0; dropped < 4 && lanes != 0; dropped++)
		{
			uint32		met = spq_join_bucket_meets(&bucket, &frame, &query);
			int			lane;

			check(spq_join_bucket_lanes(&bucket) == lanes, "%x", lanes);
			check(spq_join_bucket_meets(&bucket, &frame, &everything) == lanes, "%x", lanes);
			check((met & ~lanes) == 0 && (exact & lanes & ~met) == 0, "%x, %x of %x", met, exact,
				  lanes);
			bounds = spq_join_bucket_bounds(boxes, lanes);
			for (lane = 0; lane < count; lane++)
			{
				for (int axis = 0; axis < SPQ_DIM && (lanes & (uint32) 1 << lane); axis++)
					check(bounds.low[axis] <= boxes[lane].low[axis] &&
						  bounds.high[axis] >= boxes[lane].high[axis], "lane %d", lane);
			}
			lane = random_int(0, count - 1);
			spq_join_bucket_drop(&bucket, lane);
			lanes &= ~((uint32) 1 << lane);
		}
	}
	finish_test("lanes: blank ones are never hit, bounds enclose the others");
}

/*
 * Check that bytes are fine enough: among small boxes in a row, a box meets
 * only those near it.
 */
static void
test_choice(void)
{
	SpqJoinBucket bucket;
	SpqJoinBucketBox boxes[SPQ_JOIN_BUCKET_LANES],
				bounds;
	SpqJoinBucketFrame frame;

	for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
	{
		SpqBox		box = box_at(lane, -lane, 7 * lane, 0.5, 0.5, 0.5);
		SpqJoinOrigin origin = {{0}};

		boxes[lane] = spq_join_bucket_box(&box, 0, &origin);
	}
	bounds = spq_join_bucket_fill(&bucket, boxes, SPQ_JOIN_BUCKET_LANES);
	frame = spq_join_bucket_frame(&bounds);
	for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		check(spq_join_bucket_meets(&bucket, &frame, &boxes[lane]) == (uint32) 1 << lane,
			  "lane %d", lane);
	finish_test("a box meets no others than those near it");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_floats();
	test_bytes();
	test_meets();
	test_lanes();
	test_choice();
	return tests_failed > 0;
}
