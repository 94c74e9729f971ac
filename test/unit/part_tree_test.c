/*-------------------------------------------------------------------------
 *
 * part_tree_test.c
 *	  Partitionings: points and boxes against the bounds of all parts, the
 *	  owner of a pair, and balance.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "divide/part_build.h"
#include "stubs.h"

#define MAX_PARTS 64
#define MAX_BOXES 4000

typedef struct Bounds
{
	int			part;
	float8		low[SPQ_PART_MAX_AXES];
	float8		high[SPQ_PART_MAX_AXES];
} Bounds;

static Bounds leaves[MAX_PARTS];
static int	nleaves;

/* List the leaves below a node; return the node after them. */
static int
list_leaves(const SpqPartTree *tree, int at, Bounds bounds)
{
	const SpqPartNode *node = &tree->node[at];
	Bounds		half = bounds;
	int			right;

	if (node->axis == SPQ_PART_LEAF)
	{
		bounds.part = node->next;
		leaves[nleaves++] = bounds;
		return at + 1;
	}
	half.high[node->axis] = Min(bounds.high[node->axis], node->split);
	right = list_leaves(tree, at + 1, half);
	check(right == node->next, "right child of %d is %d", at, node->next);
	half = bounds;
	half.low[node->axis] = Max(bounds.low[node->axis], node->split);
	return list_leaves(tree, right, half);
}

static void
list_all_leaves(const SpqPartTree *tree)
{
	Bounds		all = {0};

	for (int axis = 0; axis < tree->axes; axis++)
	{
		all.low[axis] = -get_float8_infinity();
		all.high[axis] = get_float8_infinity();
	}
	nleaves = 0;
	check(list_leaves(tree, 0, all) == 2 * tree->parts - 1, "nodes");
	check(nleaves == tree->parts, "%d leaves, %d parts", nleaves, tree->parts);
}

/*
 * Return whether a part, whose upper bounds are exclusive, has a point of this
 * box.
 */
static bool
within(const Bounds *leaf, int axes, const float8 *low, const float8 *high)
{
	for (int axis = 0; axis < axes; axis++)
		if (!(high[axis] >= leaf->low[axis] &&
			  (low[axis] < leaf->high[axis] || isinf(leaf->high[axis]))))
			return false;
	return true;
}

static void
make_box(float8 *box, int axes, float8 (*number) (void))
{
	for (int axis = 0; axis < axes; axis++)
	{
		float8		x = number(),
					y = lrand48() % 2 ? number() : x + drand48() * 5;

		box[axis] = float8_max(x, y);
		box[axes + axis] = float8_min(x, y);
	}
}

/* Return a finite or infinite number. */
static float8
a_number(void)
{
	float8		number;

	do
		number = any_number();
	while (isnan(number));
	return number;
}

static float8
small_number(void)
{
	return random_int(-8, 8) + random_int(-4, 4) * 5e-7;
}

/* Compare the parts that a box touches with the bounds of all parts. */
static void
check_box(const SpqPartTree *tree, const float8 *box, int32 *touched, int *count)
{
	const int	axes = tree->axes;
	float8		high[SPQ_PART_MAX_AXES];
	int			expected = 0;

	for (int axis = 0; axis < axes; axis++)
		high[axis] = box[axis] + spq_part_slack(axes);
	*count = spq_part_touched(tree, box, touched, tree->parts);
	for (int i = 0; i < nleaves; i++)
		if (within(&leaves[i], axes, box + axes, high))
		{
			check(expected < *count && touched[expected] == leaves[i].part,
				  "part %d is missing", leaves[i].part);
			expected++;
		}
	check(*count == expected, "%d parts instead of %d", *count, expected);
	check(*count > 0, "box in no part");
	for (int limit = 1; limit <= 3; limit++)
		check(spq_part_touched(tree, box, NULL, limit) == Min(limit, expected), "limit %d", limit);
}

static bool
overlap(int axes, const float8 *a, const float8 *b)
{
	for (int axis = 0; axis < axes; axis++)
		if (axes == 2 ?
			!FPle(a[axes + axis], b[axis]) || !FPle(b[axes + axis], a[axis]) :
			!(a[axes + axis] <= b[axis]) || !(b[axes + axis] <= a[axis]))
			return false;
	return true;
}

static bool
is_in(int number, const int32 *numbers, int count)
{
	for (int i = 0; i < count; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static void
check_pair(const SpqPartTree *tree, const float8 *a, const float8 *b)
{
	int32		parts_a[MAX_PARTS],
				parts_b[MAX_PARTS];
	int			count_a,
				count_b,
				owner = spq_part_of_pair(tree, a, b);
	bool		everywhere_a = spq_part_is_everywhere(tree, a),
				everywhere_b = spq_part_is_everywhere(tree, b);

	check_box(tree, a, parts_a, &count_a);
	check_box(tree, b, parts_b, &count_b);
	check(everywhere_a == (tree->max_copies > 0 && count_a > tree->max_copies), "everywhere");
	check(owner == spq_part_of_pair(tree, b, a), "owner depends on the order");
	if (!overlap(tree->axes, a, b))
		return;
	if (everywhere_a && everywhere_b)
		check(owner == SPQ_PART_EVERYWHERE, "owner %d of two that are everywhere", owner);
	else
		check(is_in(owner, parts_a, count_a) && is_in(owner, parts_b, count_b),
			  "part %d is not of both", owner);
}

static void
check_point(const SpqPartTree *tree, const float8 *point)
{
	int			part = spq_part_of_point(tree, point),
				found = 0;

	for (int i = 0; i < nleaves; i++)
		if (within(&leaves[i], tree->axes, point, point))
		{
			found++;
			check(leaves[i].part == part, "part %d instead of %d", part, leaves[i].part);
		}
	check(found == 1, "point in %d parts", found);
}

/* Build partitionings of boxes, and test them with other boxes. */
static void
try_trees(float8 (*number) (void), const char *name)
{
	static float8 boxes[MAX_BOXES * 2 * SPQ_PART_MAX_AXES];

	for (int round = 0; round < 60; round++)
	{
		int			axes = random_int(2, 3),
					count = round % 10 == 0 ? 0 : random_int(1, 300),
					max_copies = lrand48() % 2 ? random_int(1, 6) : 0;
		SpqPartTree *tree;

		for (int i = 0; i < count; i++)
			make_box(boxes + i * 2 * axes, axes, number);
		tree = spq_part_build(boxes, count, axes, random_int(1, MAX_PARTS), max_copies);
		check(tree->axes == axes && tree->max_copies == max_copies, "header");
		check(count > 0 || tree->parts == 1, "%d parts of nothing", tree->parts);
		list_all_leaves(tree);
		for (int i = 0; i < 400; i++)
		{
			float8		a[2 * SPQ_PART_MAX_AXES],
						b[2 * SPQ_PART_MAX_AXES];

			make_box(a, axes, i % 2 ? number : a_number);
			make_box(b, axes, i % 3 ? number : a_number);
			if (count > 0 && i % 5 == 0)
				memcpy(a, boxes + random_int(0, count - 1) * 2 * axes, sizeof(float8) * 2 * axes);
			check_pair(tree, a, b);
			check_point(tree, a);
			check_point(tree, a + axes);
			check_point(tree, b);
		}
		pfree(tree);
	}
	finish_test(name);
}

/*
 * Test the balance with boxes in clusters of different sizes, some at the same
 * place.
 */
static void
try_balance(int axes, float8 side)
{
	static float8 boxes[MAX_BOXES * 2 * SPQ_PART_MAX_AXES];
	int			counts[MAX_PARTS + 1] = {0},
				most = 0,
				copies = 0;
	SpqPartTree *tree;

	for (int i = 0; i < MAX_BOXES; i++)
	{
		int			cluster = (int) (drand48() * drand48() * 50);

		for (int axis = 0; axis < axes; axis++)
		{
			float8		low = cluster * (axis + 3) % 50 * 1000 + drand48() * drand48() * (cluster + 1);

			boxes[i * 2 * axes + axis] = low + drand48() * side;
			boxes[i * 2 * axes + axes + axis] = low;
		}
	}
	tree = spq_part_build(boxes, MAX_BOXES, axes, 32, 0);
	check(tree->parts == 32, "%d parts", tree->parts);
	for (int i = 0; i < MAX_BOXES; i++)
	{
		int32		touched[MAX_PARTS];
		int			count = spq_part_touched(tree, boxes + i * 2 * axes, touched, MAX_PARTS);

		copies += count;
		for (int k = 0; k < count; k++)
			counts[touched[k]]++;
	}
	for (int part = 1; part <= tree->parts; part++)
		most = Max(most, counts[part]);
	check(most * 32.0 / copies < 1.25, "the largest part is %.2f times the average",
		  most * 32.0 / copies);
	check(copies < 1.3 * MAX_BOXES, "%d copies of %d boxes", copies, MAX_BOXES);
	pfree(tree);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	try_trees(a_number, "parts of any numbers");
	try_trees(small_number, "parts of numbers that repeat, and of such next to them");
	for (int axes = 2; axes <= 3; axes++)
	{
		try_balance(axes, 0);
		try_balance(axes, 0.03);
	}
	finish_test("parts of clustered boxes have about the same number of them");
	return tests_failed > 0;
}
