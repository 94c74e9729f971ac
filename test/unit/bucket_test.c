/*-------------------------------------------------------------------------
 *
 * bucket_test.c
 *	  The buckets that choose candidates for joins: join/bucket.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "near.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"
#include "join/bucket.h"
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

/* Let corners be the wrong way round along x. */
static void
exchange_corners(SpqBox *box)
{
	double		end = low(box)[0];

	low(box)[0] = high(box)[0];
	high(box)[0] = end;
}

static void
test_floats(void)
{
	const double infinity = get_float8_infinity();

	for (int i = 0; i < 300000; i++)
	{
		double		x = any_number();
		float		below,
					above;

		if (isnan(x))
			continue;
		if (random_int(0, 3) == 0)
			x = nearly(ldexp(FLT_MAX, -random_int(0, 1)) * (random_int(0, 1) ? 1 : -1));
		below = spq_join_float_below(x);
		above = spq_join_float_above(x);
		check(below <= x && above >= x, "%.17g: %.9g %.9g", x, below, above);
		/* infinity on the wrong side would exclude what it should not */
		check(below < infinity && above > -infinity, "%.17g", x);
		/* not too far away either */
		if (fabs(x) < 1e38)
			check(above - (double) below <= fabs(x) * 1e-6 + 1e-37,
				  "%.17g: %.9g %.9g", x, below, above);
	}
	check(spq_join_float_above(infinity) == infinity, "above infinity");
	check(spq_join_float_below(-infinity) == -infinity, "below infinity");
	finish_test("floats bound the numbers that they stand for");
}

/* Probes grown by the slack meet the boxes that they match, in any lane. */
static void
test_meets(void)
{
	long		found[lengthof(predicates)] = {0};

	for (int i = 0; i < 40000; i++)
	{
		SpqBox		probe = odd_box(),
					boxes[SPQ_JOIN_BUCKET_LANES];
		SpqJoinBucket bucket;
		SpqJoinBucketBox bounds;
		double		distance = some_distance();
		SpqJoinOrigin origin = odd_origin();
		int			nboxes = random_int(1, SPQ_JOIN_BUCKET_LANES);

		/* as a rule the origin is near the boxes, and then floats are finer */
		if (random_int(0, 1))
			origin = spq_join_origin(&probe);
		if (random_int(0, 7) == 0)
			exchange_corners(&probe);
		spq_join_bucket_clear(&bucket);
		for (int lane = 0; lane < nboxes; lane++)
		{
			boxes[lane] = random_int(0, 7) ? near_box(&probe, distance) : odd_box();
			if (random_int(0, 7) == 0)
				exchange_corners(&boxes[lane]);
			spq_join_bucket_set(&bucket, lane, spq_join_bucket_box(&boxes[lane], 0, &origin));
		}
		bounds = spq_join_bucket_bounds(&bucket);

		for (int j = 0; j < (int) lengthof(predicates); j++)
		{
			SpqRelation predicate = predicates[j];
			SpqJoinBucketBox query = spq_join_bucket_box(&probe,
														 spq_box_slack(predicate, distance),
														 &origin);
			uint32		lanes = spq_join_bucket_meets(&bucket, query);
			SpqJoinBucket other;
			uint32		hit;

			spq_join_bucket_clear(&other);
			spq_join_bucket_set(&other, 7, query);
			hit = spq_join_bucket_meets(&other, bounds);
			check(hit == 0 || hit == 1 << 7, "%x", hit);
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
	const double infinity = get_float8_infinity();
	SpqJoinBucketBox everything;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		everything.low[axis] = -infinity;
		everything.high[axis] = infinity;
	}

	for (int i = 0; i < 20000; i++)
	{
		SpqJoinBucket bucket;
		uint32		set = lrand48() ^ lrand48() << 8,
					brute = 0;
		SpqJoinBucketBox bounds,
					query;
		SpqJoinOrigin origin = odd_origin();
		SpqBox		box = odd_box();

		if (i == 0)
			set = 0;
		if (i == 1)
			set = PG_UINT32_MAX;
		query = spq_join_bucket_box(&box, 0, &origin);
		spq_join_bucket_clear(&bucket);
		for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		{
			box = odd_box();
			if (set & (uint32) 1 << lane)
			{
				SpqJoinBucketBox b = spq_join_bucket_box(&box, 0, &origin),
							back;
				bool		meets = true;

				spq_join_bucket_set(&bucket, lane, b);
				back = spq_join_bucket_get(&bucket, lane);
				check(memcmp(&b, &back, sizeof(b)) == 0, "lane %d", lane);
				for (int axis = 0; axis < SPQ_DIM; axis++)
				{
					check(b.low[axis] <= b.high[axis], "lane %d", lane);
					meets = meets && b.low[axis] <= query.high[axis] &&
						query.low[axis] <= b.high[axis];
				}
				if (meets)
					brute |= (uint32) 1 << lane;
			}
		}
		check(spq_join_bucket_meets(&bucket, everything) == set, "%x", set);
		check(spq_join_bucket_meets(&bucket, query) == brute, "%x", brute);

		/* lanes are filled from the first on, so that one always has a box */
		if (!(set & 1))
			continue;
		bounds = spq_join_bucket_bounds(&bucket);
		for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		{
			for (int axis = 0; axis < SPQ_DIM && (set & (uint32) 1 << lane); axis++)
				check(bounds.low[axis] <= bucket.low[axis][lane] &&
					  bounds.high[axis] >= bucket.high[axis][lane],
					  "lane %d", lane);
		}
	}
	finish_test("lanes: blank ones are never hit, bounds enclose the others");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_floats();
	test_meets();
	test_lanes();
	return tests_failed > 0;
}
