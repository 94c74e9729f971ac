/*-------------------------------------------------------------------------
 *
 * solid_search_test.c
 *	  Prefilters and distance bounds for shapes in space, over groups of eight
 *	  entries: rtree/class3/solid_condition.h, solid_distance.h.
 *
 *		conditions	no row that satisfies the operator is rejected, nor are
 *					bounds around it
 *		distances	the distance of a row is never below the bound computed
 *					from the row or from bounds around it
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "shapes.h"

#include "access/stratnum.h"

#include "box/strategy.h"
#include "rtree/class/gap.h"
#include "rtree/class/kernel.h"
#include "rtree/class3/solid_condition.h"
#include "rtree/class3/solid_distance.h"
#include "rtree/nearest/batch.h"

/* Strategy numbers of the classes of boxes and points in space. */
enum
{
	SPHERE_OVERLAPS = 51,
	IN_SPHERE = 52,
	RAY_OVERLAPS = 53,
	SEGMENT_OVERLAPS = 54,
	FRUSTUM_OVERLAPS = 55,
	IN_FRUSTUM = 56
};

/* The argument of an operator. */
typedef union Shape
{
	SpqPoint3	point;
	SpqBox3		box;
	SpqSphere3	sphere;
	SpqRay3		ray;
	SpqSegment3 segment;
	SpqFrustum3 frustum;
	float8		numbers[4 * SPQ_FRUSTUM3_PLANES];
} Shape;

/* Return the columns of a page with one group. */
static SpqRtreeColumns
one_group(const SpqRtreeColumn *ends, bool of_rows)
{
	SpqRtreeColumns columns = {
		.first = (const char *) ends,
		.size = ENDS * sizeof(SpqRtreeColumn),
		.ngroups = 1,
		.low = SPQ_DIM,
		.of_rows = of_rows
	};

	return columns;
}

/* Eight rows, and bounds around each. */
typedef struct TestedGroup
{
	float8		ends[SPQ_RTREE_GROUP][ENDS];
	float8		around[SPQ_RTREE_GROUP][ENDS];
	SpqRtreeColumn leaf[ENDS];
	SpqRtreeColumn inner[ENDS];
} TestedGroup;

/* Return any number, usually a small one, so that shapes meet. */
static float8
some_number(void)
{
	return random_int(0, 15) == 0 ? any_number() : random_int(0, 3) ? random_int(-9, 9) :
		(drand48() - 0.5) * 20;
}

static void
make_group(TestedGroup *group, double scale)
{
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		SpqRtreeBounds bounds;

		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			float8		a = some_number() * scale,
						b = random_int(0, 2) ? some_number() * scale : a;

			group->ends[i][axis] = float8_max(a, b);
			group->ends[i][SPQ_DIM + axis] = float8_min(a, b);
		}
		bounds = spq_rtree_bounds_of(group->ends[i], SPQ_DIM);
		if (random_int(0, 1))
		{
			SpqRtreeBounds more = shape(random_int(0, ODD), i);

			spq_rtree_bounds_add(&bounds, &more);
		}
		spq_rtree_bounds_ends(&bounds, SPQ_DIM, group->around[i]);
		for (int end = 0; end < ENDS; end++)
		{
			group->leaf[end][i] = group->ends[i][end];
			group->inner[end][i] = group->around[i][end];
		}
	}
}

/* Return a shape that is valid for its type. */
static Shape
make_shape(StrategyNumber strategy, double scale)
{
	Shape		shape;

	for (int i = 0; i < (int) lengthof(shape.numbers); i++)
		shape.numbers[i] = some_number() * scale;
	switch (strategy)
	{
		case SPHERE_OVERLAPS:
		case IN_SPHERE:
			shape.sphere.radius = fabs(shape.sphere.radius) * random_int(0, 3);
			break;
		case RAY_OVERLAPS:
		case SPQ_SOLID_RAY_DISTANCE_STRATEGY:
			/* finite, of any length */
			for (int axis = 0; axis < SPQ_DIM; axis++)
				shape.ray.direction.x[axis] = random_int(0, 3) ? random_int(-9, 9) : odd_number();
			if (shape.ray.direction.x[0] == 0 && shape.ray.direction.x[1] == 0 && shape.ray.direction.x[2] == 0)
				shape.ray.direction.x[random_int(0, 2)] = random_int(0, 1) ? -1 : 5e-324;
			shape.ray.max_distance = random_int(0, 1) ? get_float8_infinity() : fabs(shape.ray.max_distance) * 10;
			break;
		case FRUSTUM_OVERLAPS:
		case IN_FRUSTUM:
			/* wide enough to contain something */
			for (int i = 0; i < SPQ_FRUSTUM3_PLANES; i++)
				shape.frustum.plane[i].offset = fabs(shape.frustum.plane[i].offset) * random_int(0, 90);
			break;
		case SPQ_BOX_CENTER_DISTANCE_STRATEGY:
			for (int axis = 0; axis < SPQ_DIM; axis++)
			{
				float8		a = shape.box.low[axis],
							b = shape.box.high[axis];

				shape.box.low[axis] = float8_min(a, b);
				shape.box.high[axis] = float8_max(a, b);
			}
			break;
	}
	return shape;
}

/* Return whether a row satisfies the operator. */
static bool
is_related(StrategyNumber strategy, const Shape *shape, const float8 *ends)
{
	const SpqBox3 *box = (const SpqBox3 *) ends;

	switch (strategy)
	{
		case SPHERE_OVERLAPS:
			return spq_sphere3_meets_box(&shape->sphere, box);
		case IN_SPHERE:
			return spq_sphere3_holds_box(&shape->sphere, box);
		case RAY_OVERLAPS:
			return spq_ray3_meets_box(&shape->ray, box);
		case SEGMENT_OVERLAPS:
			return spq_segment3_meets_box(&shape->segment, box);
		case FRUSTUM_OVERLAPS:
			return spq_frustum3_meets_box(&shape->frustum, box);
		case IN_FRUSTUM:
			return spq_frustum3_holds_box(&shape->frustum, box);
	}
	return false;
}

/*
 * Return the entries that a condition does not reject.  Set *sure to those that
 * need no call of the operator.
 */
static uint8
left_by(const SpqRtreeCondition *condition, const SpqRtreeColumn *ends, bool of_rows, uint8 *sure)
{
	SpqRtreeCondition asked = *condition;
	SpqRtreeColumns columns = one_group(ends, of_rows);
	uint8		matches;

	for (int i = 0; i < asked.ncomparisons && !of_rows; i++)
		asked.comparisons[i].end = spq_rtree_bounding_end(&condition->comparisons[i], SPQ_DIM);
	matches = spq_rtree_match_group(ends, asked.comparisons, asked.ncomparisons);
	*sure = 0;
	if (asked.prefilter)
		asked.prefilter(asked.argument, &columns, &matches, sure);
	return matches;
}

static void
test_condition(StrategyNumber strategy, const char *name)
{
	int			related = 0,
				rejected = 0;

	for (int round = 0; round < cases(20000); round++)
	{
		double		scale = random_int(0, 5) ? 1 : random_int(0, 1) ? 1e300 : 1e-300;
		Shape		shape = make_shape(strategy, scale);
		ScanKeyData key = {.sk_strategy = strategy,.sk_argument = PointerGetDatum(&shape)};
		SpqRtreeCondition condition = {0};
		TestedGroup group;
		uint8		rows,
					bounds,
					sure,
					ignored;

		make_group(&group, scale);
		spq_rtree_solid_condition(&key, &spq_type_box3, &condition);
		check(condition.ncomparisons <= SPQ_RTREE_COMPARISONS, "%d comparisons", condition.ncomparisons);
		rows = left_by(&condition, (const SpqRtreeColumn *) group.leaf, true, &sure);
		bounds = left_by(&condition, (const SpqRtreeColumn *) group.inner, false, &ignored);
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			bool		reaches = condition.reaches(condition.argument, group.around[i]),
						has_nan = spq_box_has_nan((const SpqBox *) group.ends[i]);

			rejected += !(rows >> i & 1) + !(bounds >> i & 1) + !reaches;
			if (!is_related(strategy, &shape, group.ends[i]))
			{
				check(!(rows & sure & 1 << i) || has_nan, "row %d is not sure", i);
				continue;
			}
			related++;
			check(rows >> i & 1 || has_nan, "row %d rejected", i);
			check(bounds >> i & 1, "bounds %d rejected", i);
			check(reaches, "bounds %d not reached", i);
		}
	}
	check(related > 1000 && rejected > 10000, "%d related, %d rejected", related, rejected);
	finish_test(name);
}

static void
test_order(StrategyNumber strategy, const char *name)
{
	int			near = 0;

	for (int round = 0; round < cases(20000); round++)
	{
		double		scale = random_int(0, 5) ? 1 : random_int(0, 1) ? 1e300 : 1e-300;
		Shape		shape = make_shape(strategy, scale);
		ScanKeyData key = {.sk_strategy = strategy,.sk_argument = PointerGetDatum(&shape)};
		SpqRtreeOrder order = {0};
		TestedGroup group;
		float8		squares[2][SPQ_RTREE_GROUP];

		make_group(&group, scale);
		spq_rtree_solid_order(&key, &order);

		/*
		 * in every second round, as if the scan also had a condition on this
		 * ray
		 */
		order.missed = order.prefilter && round % 2 ? SPQ_RTREE_SQUARE_GONE : SPQ_RTREE_MOST_SQUARE;
		for (int of_rows = 0; of_rows < 2; of_rows++)
		{
			SpqRtreeColumns columns = one_group((const SpqRtreeColumn *) (of_rows ? group.leaf : group.inner), of_rows);

			order.least(&order, &columns, squares[of_rows]);
		}
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		distance = order.distance(&order, group.ends[i]);

			for (int of_rows = 0; of_rows < 2; of_rows++)
			{
				float8		square = squares[of_rows][i];

				if (of_rows && spq_box_has_nan((const SpqBox *) group.ends[i]))
					continue;
				if (square == SPQ_RTREE_SQUARE_GONE)
				{
					check(!spq_ray3_meets_box(&shape.ray, (const SpqBox3 *) group.ends[i]), "not missed");
					continue;
				}
				check(square >= 0 && isfinite(square), "square %g", square);
				check(isnan(distance) || spq_rtree_root(square) <= distance,
					  "%.17g, but the bound is %.17g", distance, spq_rtree_root(square));
				near += of_rows && distance > 0 && spq_rtree_root(square) >= distance * 0.999;
			}
		}
	}
	check(near > cases(2000), "%d bounds near the distance", near);
	finish_test(name);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_condition(SPHERE_OVERLAPS, "boxes that meet a sphere");
	test_condition(IN_SPHERE, "boxes in a sphere");
	test_condition(RAY_OVERLAPS, "boxes that meet a ray");
	test_condition(SEGMENT_OVERLAPS, "boxes that meet a segment");
	test_condition(FRUSTUM_OVERLAPS, "boxes that meet a frustum");
	test_condition(IN_FRUSTUM, "boxes in a frustum");
	test_order(RTKNNSearchStrategyNumber, "distance from a point");
	test_order(SPQ_BOX_CENTER_DISTANCE_STRATEGY, "distance from a box");
	test_order(SPQ_SOLID_RAY_DISTANCE_STRATEGY, "distance along a ray");
	return tests_failed > 0;
}
