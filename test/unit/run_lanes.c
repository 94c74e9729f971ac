/*-------------------------------------------------------------------------
 *
 * run_lanes.c
 *	  Runs each operation of box/lanes.h, and the kernels made of them.
 *
 * The Makefile compiles this four times: with SPQ_LANES_PLAIN and without, in two
 * dimensions and in three.  RUN_LANES is the name of the function.
 *
 *-------------------------------------------------------------------------
 */
#include "lane_results.h"

#include <math.h>

#include "box/lanes.h"
#include "box/relation.h"
#include "join/boxes/bucket.h"
#include "rtree/class/gap.h"
#include "rtree/class/kernel.h"
#include "rtree/nearest/batch.h"

/* with another name in each object */
#define CONCAT(a, b) CppConcat(a, b)
#define spq_rtree_choose_child CONCAT(RUN_LANES, _choose_child)
#include "../../src/rtree/place/choose_child.c"

static void
add_doubles(Results *results, const char *name, SpqDoubles a)
{
	float8		numbers[SPQ_DOUBLES];

	spq_doubles_store(numbers, a);
	add_bytes(results, name, numbers, sizeof(numbers));
}

static void
add_floats(Results *results, const char *name, SpqFloats a)
{
	float4		numbers[SPQ_FLOATS];

	spq_floats_store(numbers, a);
	add_bytes(results, name, numbers, sizeof(numbers));
}

/* Of NaN made by arithmetic, the sign and the payload may be any. */
static SpqDoubles
without_payload(SpqDoubles a)
{
	return spq_doubles_choose(a == a, a, spq_doubles_set(get_float8_nan()));
}

static SpqFloats
floats_without_payload(SpqFloats a)
{
	return spq_floats_choose(a == a, a, spq_floats_set(get_float4_nan()));
}

static void
run_doubles(const float8 *doubles, Results *results)
{
	SpqDoubles	a = spq_doubles_load(doubles),
				b = spq_doubles_load(doubles + 2),
				c = spq_doubles_load(doubles + 4),
				d = spq_doubles_load(doubles + 6),
				most = spq_doubles_set(PG_INT32_MAX),
				zero = spq_doubles_set(0);
	SpqWords	words;
	float8		least = spq_doubles_least(a);

	add_doubles(results, "load", a);
	add_doubles(results, "set", spq_doubles_set(doubles[0]));
	add_doubles(results, "+", without_payload(a + b));
	add_doubles(results, "-", without_payload(a - b));
	add_doubles(results, "*", without_payload(a * b));
	add_doubles(results, "min", spq_doubles_min(a, b));
	add_doubles(results, "max", spq_doubles_max(a, b));
	add_doubles(results, "abs", spq_doubles_abs(a));
	add_doubles(results, "choose", spq_doubles_choose(a < b, c, d));
	add_doubles(results, "keep", spq_doubles_keep(a < b, c));
	add_bytes(results, "least", &least, sizeof(least));
	add_result(results, "<", spq_doubles_bits(a < b));
	add_result(results, "<=", spq_doubles_bits(a <= b));
	add_result(results, "==", spq_doubles_bits(a == b));
	add_result(results, ">=", spq_doubles_bits(a >= b));
	add_result(results, "bits_of_four",
			   spq_doubles_bits_of_four(a <= b, b <= c, c <= d, d <= a));
	add_floats(results, "floats_of_doubles", floats_without_payload(spq_floats_of_doubles(a, b)));
	words = spq_words_of_doubles(spq_doubles_max(spq_doubles_min(a, most), zero),
								 spq_doubles_max(spq_doubles_min(b, most), zero));
	add_bytes(results, "words_of_doubles", &words, sizeof(words));
}

static void
run_floats(const float4 *floats, Results *results)
{
	SpqFloats	a = spq_floats_load(floats),
				b = spq_floats_load(floats + 4),
				c = spq_floats_load(floats + 8),
				d = spq_floats_load(floats + 12),
				most = spq_floats_set(255);
	SpqBytes	bytes = spq_bytes_of_floats(spq_floats_min(most, a), spq_floats_min(most, b));
	uint8		half[SPQ_BYTES / 2];

	add_floats(results, "floats load", a);
	add_floats(results, "floats set", spq_floats_set(floats[0]));
	add_floats(results, "floats -", floats_without_payload(a - b));
	add_floats(results, "floats *", floats_without_payload(a * b));
	add_floats(results, "floats /", floats_without_payload(a / b));
	add_floats(results, "floats min", spq_floats_min(a, b));
	add_floats(results, "floats max", spq_floats_max(a, b));
	add_floats(results, "floats choose", spq_floats_choose(a < b, c, d));
	add_floats(results, "first_half", spq_floats_first_half(a));
	add_floats(results, "second_half", spq_floats_second_half(a));
	add_floats(results, "halves", spq_floats_halves(a, b));
	add_result(results, "floats <=", spq_floats_bits(a <= b));
	add_result(results, "floats &", spq_floats_bits((a <= b) & (c <= d)));
	add_bytes(results, "bytes_of_floats", &bytes, sizeof(bytes));
	spq_bytes_store_half(half, bytes);
	add_bytes(results, "store_half", half, sizeof(half));
}

static void
add_shorts(Results *results, const char *name, SpqShorts a)
{
	add_bytes(results, name, &a, sizeof(a));
}

static void
run_shorts(const int16 *shorts, Results *results)
{
	SpqShorts	a = spq_shorts_load(shorts),
				b = spq_shorts_load(shorts + SPQ_SHORTS);

	add_shorts(results, "shorts load", a);
	add_shorts(results, "shorts set", spq_shorts_set(shorts[0]));
	add_shorts(results, "shorts min", spq_shorts_min(a, b));
	add_shorts(results, "shorts of bytes", spq_shorts_of_bytes((const uint8 *) shorts));
	add_result(results, "shorts negative", spq_shorts_negative(a, b));
}

static void
run_bytes(const uint8 *bytes, Results *results)
{
	SpqBytes	a = spq_bytes_load(bytes),
				b = spq_bytes_load(bytes + SPQ_BYTES),
				excess = spq_bytes_excess(a, b),
				both = a | b,
				each[SPQ_BYTES / 2];

	spq_bytes_spread(a, each);
	add_bytes(results, "excess", &excess, sizeof(excess));
	add_bytes(results, "|", &both, sizeof(both));
	add_bytes(results, "spread", each, sizeof(each));
	add_result(results, "zero_bits", spq_bytes_zero_bits(a));
	add_result(results, "zero_bits of excess", spq_bytes_zero_bits(excess));
}

static void
run_relations(const float8 *doubles, Results *results)
{
	SpqBoxCorners a = {.high = doubles,.low = doubles + SPQ_DIM},
				b = {.high = doubles + 2 * SPQ_DIM,.low = doubles + 3 * SPQ_DIM};
	uint64		bits = 0;

	for (int relation = 0; relation < SPQ_BOX_LEFT + SPQ_DIM * SPQ_BOX_AXIS_RELATIONS; relation++)
		if (relation != SPQ_BOX_WITHIN)
			bits |= (uint64) spq_box_corners_related(relation, 0, a, b) << relation;
	add_result(results, "relations", bits);
}

/* Make a bucket of boxes, and compare it with another one. */
static void
run_bucket(const Numbers *numbers, Results *results)
{
	const int	nboxes = NUMBERS / (2 * SPQ_DIM);
	SpqJoinOrigin origin = spq_join_origin((const SpqBox *) numbers->doubles);
	SpqJoinBucketBox boxes[NUMBERS / (2 * SPQ_DIM)],
				bounds;
	SpqJoinBucket bucket;
	SpqJoinBucketFrame frame;
	SpqJoinBucketBytes bytes;
	SpqJoinBucketHashes hashes;
	SpqJoinHashRange range = {numbers->floats[0], numbers->floats[1]};

	for (int i = 0; i < nboxes; i++)
		boxes[i] = spq_join_bucket_box((const SpqBox *) numbers->doubles + i,
									   i % 3 == 0 ? fabs(numbers->doubles[i]) : 0, &origin);
	for (int i = 0; i < nboxes; i++)
		add_bytes(results, "bucket_box", &boxes[i], sizeof(boxes[i]));
	bounds = spq_join_bucket_fill(&bucket, boxes, nboxes - 1);
	add_bytes(results, "bucket_bounds", &bounds, sizeof(bounds));
	add_bytes(results, "bucket_fill", &bucket, sizeof(bucket));
	frame = spq_join_bucket_frame(&bounds);
	add_bytes(results, "bucket_frame", &frame, sizeof(frame));
	for (int i = 0; i < nboxes; i++)
	{
		bytes = spq_join_bucket_bytes(&frame, &boxes[i]);
		add_bytes(results, "bucket_bytes", &bytes, sizeof(bytes));
		add_result(results, "bucket_meets", spq_join_bucket_meets(&bucket, &frame, &boxes[i]));
	}
	memcpy(hashes.low, numbers->floats, sizeof(hashes.low));
	memcpy(hashes.high, numbers->floats + SPQ_JOIN_BUCKET_LANES, sizeof(hashes.high));
	add_result(results, "hashes_meet", spq_join_hashes_meet(&hashes, range));
}

/* Compare the entries of two groups. */
static void
run_groups(const float8 *doubles, const float4 *floats, Results *results)
{
	const SpqRtreeColumn *ends = (const SpqRtreeColumn *) doubles;
	SpqRtreeColumn group[2 * SPQ_DIM];
	SpqRtreeColumns columns = {(const char *) group, sizeof(group), 1, SPQ_DIM, true, NULL};
	SpqRtreeComparison comparisons[] = {
		{.end = 0,.at_most = true,.number = doubles[60]},
		{.end = 1,.at_most = true,.number = doubles[61]},
		{.end = 2,.at_most = false,.number = doubles[62]},
		{.end = 3,.at_most = false,.number = doubles[63]}
	};
	float8		squares[SPQ_RTREE_GROUP],
				margins[SPQ_DIM],
				least;

	for (int n = 0; n <= (int) lengthof(comparisons); n++)
		add_result(results, "match_group", spq_rtree_match_group(ends, comparisons, n));
	for (int c = 0; c < (int) lengthof(comparisons); c++)
		comparisons[c].rounded = spq_rtree_rounded(&comparisons[c]);
	for (int n = 0; n <= (int) lengthof(comparisons); n++)
		add_result(results, "match_floats",
				   spq_rtree_match_floats((const SpqRtreeFloatColumn *) floats, comparisons, n));
	add_result(results, "less", spq_rtree_less(doubles, doubles + SPQ_RTREE_GROUP));

	/* any numbers but NaN */
	for (int end = 0; end < 2 * SPQ_DIM; end++)
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			group[end][i] = isnan(ends[end][i]) ? 0 : ends[end][i];
	for (int axis = 0; axis < SPQ_DIM; axis++)
		margins[axis] = fabs(doubles[NUMBERS - 1 - axis]);
	spq_rtree_point_squares(&columns, doubles + 2 * SPQ_DIM, squares);
	add_bytes(results, "point_squares", squares, sizeof(squares));
	spq_rtree_least_squares(&columns, doubles + 2 * SPQ_DIM, margins, 1e-12, true, squares);
	add_bytes(results, "least_squares of boxes", squares, sizeof(squares));
	spq_rtree_least_squares(&columns, doubles + 2 * SPQ_DIM, margins, 1e-12, false, squares);
	add_bytes(results, "least_squares with a margin", squares, sizeof(squares));
	spq_rtree_least_squares(&columns, doubles + 2 * SPQ_DIM, margins, 0, false, squares);
	add_bytes(results, "least_squares", squares, sizeof(squares));
	least = spq_rtree_least_square(squares, SPQ_RTREE_GROUP);
	add_bytes(results, "least_square", &least, sizeof(least));
	add_result(results, "equal_squares",
			   spq_rtree_equal_squares(squares, spq_rtree_square_with(least, 0)));
}

void
RUN_LANES(const Numbers *numbers, Results *results)
{
	results->count = 0;
	for (int i = 0; i + 8 <= NUMBERS; i += 8)
		run_doubles(numbers->doubles + i, results);
	for (int i = 0; i + 16 <= NUMBERS; i += 16)
		run_floats(numbers->floats + i, results);
	for (int i = 0; i + 16 <= NUMBERS; i += 16)
		run_shorts(numbers->shorts + i, results);
	for (int i = 0; i + 32 <= NUMBERS; i += 32)
		run_bytes(numbers->bytes + i, results);
	for (int i = 0; i + 4 * SPQ_DIM <= NUMBERS; i += 4 * SPQ_DIM)
		run_relations(numbers->doubles + i, results);
	run_bucket(numbers, results);
	run_groups(numbers->doubles, numbers->floats, results);
	add_result(results, "choose_child",
			   spq_rtree_choose_child(SPQ_DIM == 2 ? numbers->page : numbers->page3,
									  &numbers->bounds));
}
