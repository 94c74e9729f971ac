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

static const SpqRelation predicates[] = {
	SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED, SPQ_BOX_SAME,
	SPQ_BOX_MEETS, SPQ_BOX_WITHIN
};

/* Return a box that just matches the other one, or just does not. */
static BOX
near_box(const BOX *other, double distance)
{
	BOX			box;
	double		xs[] = {other->low.x, other->high.x},
				ys[] = {other->low.y, other->high.y},
				x1 = near(xs[random_int(0, 1)], distance),
				x2 = random_int(0, 1) ? near(xs[random_int(0, 1)], distance) : any_number(),
				y1 = random_int(0, 3) ? near(ys[random_int(0, 1)], distance) : other->low.y,
				y2 = random_int(0, 1) ? near(ys[random_int(0, 1)], distance) : any_number();

	box.low.x = float8_min(x1, x2);
	box.high.x = float8_max(x1, x2);
	box.low.y = float8_min(y1, y2);
	box.high.y = float8_max(y1, y2);
	return box;
}

/* Let corners be the wrong way round along x. */
static void
exchange_corners(BOX *box)
{
	double		low = box->low.x;

	box->low.x = box->high.x;
	box->high.x = low;
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
		BOX			probe = any_box(),
					boxes[SPQ_JOIN_BUCKET_LANES];
		SpqJoinBucket bucket;
		SpqJoinBucketBox bounds;
		double		distance = some_distance();
		Point		origin = {odd_number(), odd_number()};
		int			nboxes = random_int(1, SPQ_JOIN_BUCKET_LANES);

		/* as a rule the origin is near the boxes, and then floats are finer */
		if (random_int(0, 1) && fabs(probe.low.x) <= DBL_MAX &&
			fabs(probe.low.y) <= DBL_MAX)
			origin = probe.low;
		if (random_int(0, 7) == 0)
			exchange_corners(&probe);
		spq_join_bucket_clear(&bucket);
		for (int lane = 0; lane < nboxes; lane++)
		{
			boxes[lane] = random_int(0, 7) ? near_box(&probe, distance) : any_box();
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
				const BOX  *box = &boxes[lane];

				if (!spq_box_can_match(predicate, box) ||
					!spq_box_related(predicate, distance, &probe, box))
					continue;
				found[j]++;
				check(lanes & (uint32) 1 << lane,
					  "missed %d, %.17g: (%.17g,%.17g)(%.17g,%.17g) (%.17g,%.17g)(%.17g,%.17g)",
					  predicate, distance,
					  probe.low.x, probe.low.y, probe.high.x, probe.high.y,
					  box->low.x, box->low.y, box->high.x, box->high.y);
				check(hit != 0, "the bounds were missed");
			}
		}
	}
	for (int j = 0; j < (int) lengthof(predicates); j++)
		check(found[j] > 1000, "condition %d: only %ld", j, found[j]);
	finish_test("a probe meets all boxes that it matches");
}

static void
test_lanes(void)
{
	const double infinity = get_float8_infinity();
	const SpqJoinBucketBox everything = {-infinity, -infinity, infinity, infinity};

	for (int i = 0; i < 20000; i++)
	{
		SpqJoinBucket bucket;
		uint32		set = lrand48() ^ lrand48() << 8,
					brute = 0;
		SpqJoinBucketBox bounds,
					query;
		Point		origin = {odd_number(), odd_number()};
		BOX			box = any_box();

		if (i == 0)
			set = 0;
		if (i == 1)
			set = PG_UINT32_MAX;
		query = spq_join_bucket_box(&box, 0, &origin);
		spq_join_bucket_clear(&bucket);
		for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		{
			box = any_box();
			if (set & (uint32) 1 << lane)
			{
				SpqJoinBucketBox b = spq_join_bucket_box(&box, 0, &origin),
							back;

				spq_join_bucket_set(&bucket, lane, b);
				back = spq_join_bucket_get(&bucket, lane);
				check(memcmp(&b, &back, sizeof(b)) == 0, "lane %d", lane);
				check(b.lx <= b.hx && b.ly <= b.hy, "lane %d", lane);
				if (b.lx <= query.hx && query.lx <= b.hx &&
					b.ly <= query.hy && query.ly <= b.hy)
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
			if (set & (uint32) 1 << lane)
				check(bounds.lx <= bucket.lx[lane] && bounds.hx >= bucket.hx[lane] &&
					  bounds.ly <= bucket.ly[lane] && bounds.hy >= bucket.hy[lane],
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
