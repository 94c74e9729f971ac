/*-------------------------------------------------------------------------
 *
 * kernel_test.c
 *	  The bare kernel of bench/kernel: parts.c gives each pair that satisfies &&,
 *	  once.
 *
 *-------------------------------------------------------------------------
 */
#include "hostile_boxes.h"

#include "../../bench/kernel/parts.h"

typedef struct Taken
{
	uint8	   *times;			/* how often each pair was given */
	uint64		count;
	Rects		left,
				right;
} Taken;

static void
take(void *argument, const Pair *pairs, uint32_t count)
{
	Taken	   *taken = argument;

	for (uint32 i = 0; i < count; i++)
	{
		Assert(pairs[i].left < (uint32) taken->left.count && pairs[i].right < (uint32) taken->right.count);
		taken->times[(size_t) pairs[i].left * taken->right.count + pairs[i].right]++;
	}
	taken->count += count;
}

/* Compare the pairs with those of a double loop.  Return their number. */
static uint64
compare(Rects left, Rects right)
{
	Taken		taken = {NULL, 0, left, right};

	taken.times = calloc((size_t) left.count * right.count + 1, 1);
	join_in_parts(left, right, take, &taken);
	for (int i = 0; i < left.count; i++)
	{
		for (int j = 0; j < right.count; j++)
		{
			bool		expected = spq_box_overlaps((const SpqBox *) &left.rect[i],
													(const SpqBox *) &right.rect[j]);

			check(taken.times[(size_t) i * right.count + j] == expected,
				  "row %d with row %d: %d times, not %d", i, j,
				  taken.times[(size_t) i * right.count + j], expected);
		}
	}
	free(taken.times);
	return taken.count;
}

static void
test_shapes(void)
{
	static const char *const shapes[] = {
		"u", "s", "pareto", "nested", "cover", "points", "points-boxes", "thin", "same",
		"large-small", "small-large"
	};

	for (int i = 0; i < (int) lengthof(shapes); i++)
	{
		Rects		left,
					right;

		make_shape(shapes[i], strcmp(shapes[i], "same") == 0 ? 0.05 : 0.0015, &left, &right);
		compare(left, right);
		free_both(left, right);
	}
	finish_test("shapes of the benchmark");
}

static void
test_hostile(void)
{
	static const double steps[] = {1, 1e-6, 3e-7, 1e-300, 1e9, 1e307};

	for (int i = 0; i < cases(300); i++)
	{
		double		step = steps[random_int(0, lengthof(steps) - 1)];
		bool		ordered = random_int(0, 1),
					special_too = random_int(0, 1);
		Rects		left = hostile_boxes(random_int(0, 400), step, ordered, special_too),
					right = hostile_boxes(random_int(0, 400), step, ordered, special_too);

		compare(left, right);
		free_both(left, right);
	}
	finish_test("EPSILON, NaN, infinities, exchanged corners");
}

/* Parts are divided again if there are some thousand boxes. */
static void
test_crowded(void)
{
	static const double sizes[] = {0, 1e-9, 1e-6, 1e-3, 1, 10},
				places[] = {0, 1e6, 1e12, -1e3, 1e-3, 0};
	Rects		left,
				right;

	for (int i = 0; i < (int) lengthof(sizes); i++)
	{
		left = crowded_boxes(1000, places[i], sizes[i], 1000);
		right = crowded_boxes(12000, places[i], sizes[i], 1000);
		compare(left, right);
		free_both(left, right);
	}

	/* half of them are one point */
	left = crowded_boxes(2000, 0, 0, 1000);
	right = crowded_boxes(9000, 0, 0, 1000);
	for (int i = 0; i < right.count; i += 2)
		right.rect[i] = right.rect[0];
	for (int i = 0; i < left.count; i += 2)
		left.rect[i] = right.rect[0];
	check(compare(left, right) >= 1000 * 4500, "pairs of equal points");
	free_both(left, right);
	finish_test("crowded places");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_shapes();
	test_hostile();
	test_crowded();
	return tests_failed > 0;
}
