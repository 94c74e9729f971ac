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
#include "join/boxes/bucket_line.h"
#include "joined.h"
#if SPQ_DIM == 3
#include "solid/geometry/shapes3.h"
#endif
#include "types/type.h"

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
static int
compare_numbers(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Give an origin knots on some axes: ends of this box, of others near it, and of odd ones. */
static void
add_knots(SpqJoinOrigin *origin, SpqBox *probe, double distance)
{
	spq_each_axis(axis)
	{
		double		ends[40];
		int			n = 0;

		if (random_int(0, 2) == 0)
			continue;
		while (n < random_int(2, (int) lengthof(ends)))
		{
			SpqBox		box = n == 0 ? *probe : random_int(0, 1) ? near_box(probe, distance) : odd_box();
			double		end = random_int(0, 1) ? spq_box_low(&box)[axis] : spq_box_high(&box)[axis];

			ends[n] = fabs(end) <= DBL_MAX ? end : n;
			n++;
		}
		qsort(ends, n, sizeof(double), compare_numbers);
		for (int i = 0; i < n; i++)
			if (origin->nknots[axis] == 0 || ends[i] > origin->knot[axis][origin->nknots[axis] - 1])
				origin->knot[axis][origin->nknots[axis]++] = ends[i];
		if (origin->nknots[axis] < 2)
			origin->nknots[axis] = 0;
		origin->has_knots |= origin->nknots[axis] > 0;
	}
}

/* Clusters far apart get knots, as many as there is room for; ordinary data gets none. */
static void
test_knots(void)
{
	static SpqJoinItem items[20000];
	static SpqJoinOrigin origin;
	const int	count = lengthof(items);

	for (int far = 0; far < 2; far++)
	{
		int			together = 0;

		for (int i = 0; i < count; i++)
			spq_each_axis(axis)
		{
			double		low = (far ? 1e12 * (i % 10) : 0) + (double) random_int(0, 1000000);

			((double *) &items[i].box)[SPQ_DIM + axis] = low;
			((double *) &items[i].box)[axis] = low + 3;
		}
		spq_join_choose_origin(&origin, items, count, count, false);
		check(origin.has_knots == (far == 1), "knots of data %d", far);
		for (int i = 0; i < count; i++)
		{
			SpqJoinBucketBox a = spq_join_bucket_box(&items[i].box, 0, &origin),
						b = spq_join_bucket_box(&items[(i + 10) % count].box, 0, &origin);

			together += spq_join_bucket_boxes_meet(&a, &b);
		}
		check(together < count / 20, "%d of %d pairs of data %d together", together, count, far);
		spq_join_choose_origin(&origin, items, count, count, true);
		check(!origin.has_knots, "lines have none");
	}
}

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
		if (random_int(0, 2) == 0)
			add_knots(&origin, &probe, distance);
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
		SpqJoinOrigin origin = {0};

		boxes[lane] = spq_join_bucket_box(&box, 0, &origin);
	}
	bounds = spq_join_bucket_fill(&bucket, boxes, SPQ_JOIN_BUCKET_LANES);
	frame = spq_join_bucket_frame(&bounds);
	for (int lane = 0; lane < SPQ_JOIN_BUCKET_LANES; lane++)
		check(spq_join_bucket_meets(&bucket, &frame, &boxes[lane]) == (uint32) 1 << lane,
			  "lane %d", lane);
	finish_test("a box meets no others than those near it");
}

/* A segment, or a ray that begins at p and passes q. */
typedef struct Line
{
	double		p[3],
				q[3];
	bool		endless;
} Line;

/* Return a line that is often parallel to an axis, or in a plane of two. */
static Line
some_line(double (*number) (void))
{
	Line		line = {.endless = SPQ_DIM == 3 && random_int(0, 1)};

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		line.p[axis] = number();
		line.q[axis] = random_int(0, 3) ? number() : line.p[axis];
	}
	return line;
}

/* Return whether a line meets a box: in space exactly, in the plane perhaps not. */
static bool
line_meets(const Line *line, const SpqBox *box)
{
#if SPQ_DIM == 3
	if (line->endless)
	{
		SpqRay3		ray = {.max_distance = HUGE_VAL};

		for (int axis = 0; axis < 3; axis++)
		{
			ray.origin.x[axis] = line->p[axis];
			ray.direction.x[axis] = line->q[axis];
		}
		return spq_ray3_meets_box(&ray, (const SpqBox3 *) box);
	}
	return spq_segment3_meets_box((const SpqSegment3 *) line->p, (const SpqBox3 *) box);
#else
	/* cut the segment by one axis after the other */
	long double from = 0,
				to = 1;

	for (int axis = 0; axis < 2; axis++)
	{
		long double p = line->p[axis],
					length = (long double) line->q[axis] - p,
					near = spq_box_low(box)[axis] - p,
					far = spq_box_high(box)[axis] - p;

		if (length == 0)
		{
			if (near > 0 || far < 0)
				return false;
			continue;
		}
		from = Max(from, Min(near / length, far / length));
		to = Min(to, Max(near / length, far / length));
	}
	return from <= to;
#endif
}

static SpqLine
line_of_value(const Line *line)
{
	SpqLine		result;

#if SPQ_DIM == 3
	if (line->endless)
	{
		SpqRay3		ray = {.max_distance = HUGE_VAL};

		memcpy(ray.origin.x, line->p, sizeof(line->p));
		memcpy(ray.direction.x, line->q, sizeof(line->q));
		spq_type_ray3.line(PointerGetDatum(&ray), &result);
	}
	else
		spq_type_lseg3.line(PointerGetDatum(line->p), &result);
#else
	LSEG		segment = {{{line->p[0], line->p[1]}, {line->q[0], line->q[1]}}};

	spq_type_lseg.line(LsegPGetDatum(&segment), &result);
#endif
	return result;
}

/* Return a box with a corner at a point of a line, or near it. */
static SpqBox
box_on_line(const Line *line, double (*number) (void))
{
	double		part = random_int(0, 3) ? drand48() : random_int(0, 1);
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		x = line->endless ? line->p[axis] + line->q[axis] * part * 8 :
			line->p[axis] * (1 - part) + line->q[axis] * part,
					y = number();

		x = nearly(x);
		if (random_int(0, 1))
			y = x + drand48() * fabs(y) * 0.1;
		low(&box)[axis] = float8_min(x, y);
		high(&box)[axis] = float8_max(x, y);
	}
	return box;
}

static double
small_number(void)
{
	return random_int(0, 9);
}

static double
place(void)
{
	return drand48() * 1000;
}

static double
distant_place(void)
{
	return 1e9 + drand48() * 100;
}

static double unit;

static double
scaled_place(void)
{
	return (drand48() - 0.5) * unit;
}

/* Check that no box is excluded that a line meets. */
static void
test_lines(void)
{
	double		(*const numbers[]) (void) = {
		small_number, place, distant_place, scaled_place, any_number
	};
	long		found[lengthof(numbers)] = {0};
	long		excluded[lengthof(numbers)] = {0};

	for (int i = 0; i < 40000; i++)
	{
		int			kind = i % lengthof(numbers);
		Line		line = (unit = pow(10, random_int(-36, 40)), some_line(numbers[kind]));
		SpqLine		probe = line_of_value(&line);
		SpqJoinBucket bucket;
		SpqJoinBucketBox floats[SPQ_JOIN_BUCKET_LANES],
					bounds;
		SpqJoinBucketFrame frame;
		SpqJoinLineFrame line_frame;
		SpqJoinOrigin origin = odd_origin();
		SpqBox		boxes[SPQ_JOIN_BUCKET_LANES];
		int			nboxes = random_int(1, SPQ_JOIN_BUCKET_LANES);
		uint32		lanes;

		for (int lane = 0; lane < nboxes; lane++)
		{
			do
				boxes[lane] = random_int(0, i % 2 ? 30 : 3) ? box_on_line(&line, numbers[kind]) : odd_box();
			while (spq_box_has_nan(&boxes[lane]));
			if (lane == 0 && random_int(0, 3))
				origin = spq_join_origin(&boxes[0]);
			floats[lane] = spq_join_bucket_box(&boxes[lane], 0, &origin);
		}
		bounds = spq_join_bucket_fill(&bucket, floats, nboxes);
		frame = spq_join_bucket_frame(&bounds);
		line_frame = spq_join_line_frame(&frame, &bounds, &origin);
		lanes = spq_join_bucket_on_line(&bucket, &line_frame, &origin, &probe);
		for (int lane = 0; lane < nboxes; lane++)
		{
			bool		meets = line_meets(&line, &boxes[lane]);

			found[kind] += meets;
			excluded[kind] += (lanes & (uint32) 1 << lane) == 0;
			check(!meets || (lanes & (uint32) 1 << lane) != 0, "line %d, box %d of %d", i, lane,
				  nboxes);
		}
	}
	for (int kind = 0; kind < (int) lengthof(numbers); kind++)
		check(found[kind] > 1000 && excluded[kind] > 0, "%d: %ld found, %ld excluded", kind,
			  found[kind], excluded[kind]);
	finish_test("a line meets all boxes that have a point of it");
}

/* Check that a line excludes the boxes beside it: of a grid, it meets a diagonal. */
static void
test_line_choice(void)
{
	SpqJoinBucket bucket;
	SpqJoinBucketBox boxes[SPQ_JOIN_BUCKET_LANES],
				bounds;
	SpqJoinOrigin origin = {0};
	SpqJoinBucketFrame frame;
	SpqJoinLineFrame line_frame;
	Line		line = {{-1, -1, -1}, {6, 6, 6}, false};
	SpqLine		probe = line_of_value(&line);
	uint32		diagonal = 0;

	for (int lane = 0; lane < 25; lane++)
	{
		SpqBox		box = box_at(lane / 5, lane % 5, lane % 5, 0.8, 0.8, 0.8);

		if (lane / 5 == lane % 5)
			diagonal |= (uint32) 1 << lane;
		boxes[lane] = spq_join_bucket_box(&box, 0, &origin);
	}
	bounds = spq_join_bucket_fill(&bucket, boxes, 25);
	frame = spq_join_bucket_frame(&bounds);
	line_frame = spq_join_line_frame(&frame, &bounds, &origin);
	check((spq_join_bucket_on_line(&bucket, &line_frame, &origin, &probe) &
		   spq_join_first_lanes(25)) == diagonal, "not the diagonal");
	finish_test("a line meets no boxes beside it");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_floats();
	test_bytes();
	test_knots();
	test_meets();
	test_lanes();
	test_choice();
	test_lines();
	test_line_choice();
	return tests_failed > 0;
}
