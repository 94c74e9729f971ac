/*-------------------------------------------------------------------------
 *
 * condition_test.c
 *	  Conditions of scans of the access method: rtree/class/box_condition.h,
 *	  kernel.h.
 *
 *		leaf		for boxes without NaN, the comparisons of an exact condition
 *					equal the operator, and those of others reject no match
 *		floats		a comparison of float4 with the rounded number is that with
 *					the number itself, one by one and for a group
 *		inner page	bounds around a matching box are never rejected, whatever
 *					is NaN
 *
 *-------------------------------------------------------------------------
 */
#include "shapes.h"

#include "rtree/class/box_condition.h"
#include "rtree/class/kernel.h"

#define RELATIONS	(SPQ_BOX_LEFT + SPQ_DIM * SPQ_BOX_AXIS_RELATIONS)

/* Evaluate the comparisons one by one, for one entry. */
static bool
satisfies(const SpqRtreeCondition *condition, const float8 *ends, bool is_inner)
{
	for (int i = 0; i < condition->ncomparisons; i++)
	{
		const SpqRtreeComparison *comparison = &condition->comparisons[i];
		float8		end = ends[is_inner ? spq_rtree_bounding_end(comparison, SPQ_DIM) : comparison->end];

		if (comparison->at_most ? !(end <= comparison->number) : !(end >= comparison->number))
			return false;
	}
	return true;
}

static SpqBoxCorners
corners(const float8 *ends)
{
	SpqBoxCorners corners = {ends, ends + SPQ_DIM};

	return corners;
}

static void
test_relation(SpqRelation relation)
{
	char		name[32];
	int			matches = 0;

	for (int round = 0; round < 20000; round++)
	{
		float8		query[ENDS];
		float8		boxes[SPQ_RTREE_GROUP][ENDS];
		float8		leaf[ENDS][SPQ_RTREE_GROUP];
		float8		inner[ENDS][SPQ_RTREE_GROUP];
		SpqRtreeCondition condition,
					bounding;
		uint8		leaf_match,
					inner_match;

		make_ends(query, NULL);
		/* "@> point" */
		if (relation == SPQ_BOX_MEETS)
			memcpy(query + SPQ_DIM, query, SPQ_DIM * sizeof(float8));
		condition = spq_rtree_box_comparisons(relation, corners(query));
		check(condition.exact || relation == SPQ_BOX_SAME, "exact");
		check(condition.ncomparisons <= SPQ_RTREE_COMPARISONS, "number");
		bounding = condition;
		for (int i = 0; i < bounding.ncomparisons; i++)
			bounding.comparisons[i].end = spq_rtree_bounding_end(&condition.comparisons[i], SPQ_DIM);

		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			SpqRtreeBounds bounds;
			float8		around[ENDS];

			make_ends(boxes[i], random_int(0, 7) ? query : NULL);
			if (random_int(0, 15) == 0)
				memcpy(boxes[i], query, sizeof(query));
			bounds = spq_rtree_bounds_of(boxes[i], SPQ_DIM);
			if (random_int(0, 1))
			{
				float8		another[ENDS];
				SpqRtreeBounds more;

				make_ends(another, NULL);
				more = spq_rtree_bounds_of(another, SPQ_DIM);
				spq_rtree_bounds_add(&bounds, &more);
			}
			spq_rtree_bounds_ends(&bounds, SPQ_DIM, around);
			for (int end = 0; end < ENDS; end++)
			{
				leaf[end][i] = boxes[i][end];
				inner[end][i] = around[end];
			}
		}
		leaf_match = spq_rtree_match_group((const float8 (*)[SPQ_RTREE_GROUP]) leaf,
										   condition.comparisons, condition.ncomparisons);
		inner_match = spq_rtree_match_group((const float8 (*)[SPQ_RTREE_GROUP]) inner,
											bounding.comparisons, bounding.ncomparisons);

		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			bool		related = spq_box_corners_related(relation, 0, corners(boxes[i]),
														  corners(query));
			bool		leaf_passes = leaf_match >> i & 1;
			bool		inner_passes = inner_match >> i & 1;
			bool		has_nan = spq_box_has_nan((const SpqBox *) boxes[i]);

			check(leaf_passes == satisfies(&condition, boxes[i], false), "kernel");
			if (condition.exact && !has_nan)
				check(leaf_passes == related, "relation %d, entry %d", relation, i);
			else if (!has_nan)
				check(leaf_passes || !related, "relation %d, entry %d: rejected",
					  relation, i);
			check(inner_passes || !related, "relation %d, entry %d: bounds rejected",
				  relation, i);
			matches += related;
		}
	}
	check(matches > 2000, "%d matches only", matches);
	snprintf(name, sizeof(name), "relation %d", relation);
	finish_test(name);
}

/* Return a number that is often near a float4 or beyond all of them. */
static float8
make_number(void)
{
	float8		number = any_number();

	if (random_int(0, 3) == 0)
		return number;
	if (fabs(number) <= FLT_MAX)
		number = (float4) number;
	if (random_int(0, 1))
		number = nextafter(number, random_int(0, 1) ? -get_float8_infinity() : get_float8_infinity());
	return number;
}

/* Return a float4 that is often one of the two next to a number. */
static float4
make_float_near(float8 number)
{
	SpqRtreeComparison side = {.at_most = random_int(0, 1) != 0,.number = number};
	float4		near = spq_rtree_rounded(&side);

	switch (random_int(0, 4))
	{
		case 0:
			return nextafterf(near, -get_float4_infinity());
		case 1:
			return nextafterf(near, get_float4_infinity());
		case 2:
			number = any_number();
			return fabs(number) <= FLT_MAX || isnan(number) ? (float4) number :
				copysignf(get_float4_infinity(), number);
		default:
			return near;
	}
}

static void
test_floats(void)
{
	for (int round = 0; round < 20000; round++)
	{
		SpqRtreeComparison comparisons[ENDS];
		SpqRtreeFloatColumn floats[ENDS];
		SpqRtreeColumn doubles[ENDS];
		int			count = random_int(0, ENDS);

		for (int end = 0; end < ENDS; end++)
		{
			SpqRtreeComparison *comparison = &comparisons[end];

			comparison->end = end;
			comparison->at_most = random_int(0, 1) != 0;
			comparison->number = make_number();
			comparison->rounded = spq_rtree_rounded(comparison);
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			{
				float4		x = make_float_near(comparison->number);

				floats[end][i] = x;
				doubles[end][i] = x;
				check(comparison->at_most ?
					  (x <= comparison->rounded) == ((float8) x <= comparison->number) :
					  (x >= comparison->rounded) == ((float8) x >= comparison->number),
					  "%.17g, %.17g, rounded to %.17g", x, comparison->number, comparison->rounded);
			}
		}
		check(spq_rtree_match_floats((const SpqRtreeFloatColumn *) floats, comparisons, count) ==
			  spq_rtree_match_group((const SpqRtreeColumn *) doubles, comparisons, count), "group");
	}
	finish_test("floats");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	for (int relation = 0; relation < RELATIONS; relation++)
		if (relation != SPQ_BOX_WITHIN)
			test_relation(relation);
	test_floats();
	return tests_failed > 0;
}
