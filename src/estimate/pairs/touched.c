/*-------------------------------------------------------------------------
 *
 * touched.c
 *	  The part of a relation that index scans for the rows of another reach.
 *
 * The cells are the leaves of a binary tree, which is stored in an array as a
 * heap is: the children of node i are 2 i and 2 i + 1, and the root is node 1.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "estimate/pairs/near_pairs.h"

/*
 * Leaves of the tree, most inner rows to build it from, and most outer rows to
 * look up.
 */
#define CELLS		64
#define INNER_ROWS	512
#define OUTER_ROWS	512

typedef struct Tree
{
	int			axes;
	float8		bounds[2 * CELLS][SPQ_ESTIMATE_ENDS];	/* high ends and low
														 * ends, as in samples */
	bool		touched[2 * CELLS];
} Tree;

static inline double
center_of(const float8 *box, int axis, int axes)
{
	return box[axes + axis] / 2 + box[axis] / 2;
}

/*
 * Move the half of the boxes with the lower centers on an axis to the front.
 */
static void
split_in_halves(const float8 **box, int count, int axis, int axes)
{
	int			low = 0,
				high = count - 1,
				half = count / 2;

	while (low < high)
	{
		double		pivot = center_of(box[(low + high) / 2], axis, axes);
		int			i = low,
					j = high;

		while (i <= j)
		{
			while (center_of(box[i], axis, axes) < pivot)
				i++;
			while (center_of(box[j], axis, axes) > pivot)
				j--;
			if (i <= j)
			{
				const float8 *other = box[i];

				box[i++] = box[j];
				box[j--] = other;
			}
		}
		if (half <= j)
			high = j;
		else if (half >= i)
			low = i;
		else
			break;
	}
}

static void
build(Tree *tree, int node, const float8 **box, int count, int axis)
{
	const int	axes = tree->axes;
	float8	   *bounds = tree->bounds[node];
	int			half = count / 2,
				next_axis = (axis + 1) % axes;

	for (int k = 0; k < axes; k++)
	{
		double		high = box[0][k],
					low = box[0][axes + k];

		for (int i = 1; i < count; i++)
		{
			high = Max(high, box[i][k]);
			low = Min(low, box[i][axes + k]);
		}
		bounds[k] = high;
		bounds[axes + k] = low;
	}
	if (node >= CELLS)
		return;
	split_in_halves(box, count, axis, axes);
	build(tree, 2 * node, box, half, next_axis);
	build(tree, 2 * node + 1, box + half, count - half, next_axis);
}

static pg_attribute_always_inline bool
meets(const float8 *a, const float8 *b, int axes)
{
	bool		meets = true;

	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
		meets = meets && b[axes + axis] <= a[axis] && b[axis] >= a[axes + axis];
	return meets;
}

/* Mark the cells that a box touches.  Return whether there are any. */
static bool
touch(Tree *tree, int node, const float8 *box)
{
	const float8 *bounds = tree->bounds[node];
	bool		any;

	if (!(tree->axes == 2 ? meets(bounds, box, 2) : meets(bounds, box, 3)))
		return false;
	if (node >= CELLS)
	{
		tree->touched[node] = true;
		return true;
	}
	any = touch(tree, 2 * node, box);
	return touch(tree, 2 * node + 1, box) || any;
}

/* Choose at most "most" boxes of a sample, spread evenly. */
static const float8 **
some_boxes(const SpqEstimateSample *sample, int most, int *count)
{
	const float8 **box;

	*count = Min(sample->count, most);
	box = palloc(sizeof(*box) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		box[i] = spq_estimate_high(sample, (int) ((int64) i * sample->count / *count));
	return box;
}

/*
 * Return what scans of "inner" for the boxes of "outer" reach: everything, if
 * the sample of "inner" has fewer rows than there are cells.
 */
SpqEstimateTouched
spq_estimate_touched(const SpqEstimateSample *outer, const SpqEstimateSample *inner)
{
	SpqEstimateTouched result = {1, 1};
	Tree	   *tree;
	int			inner_count,
				outer_count,
				cells = 0,
				inside = 0;
	const float8 **inner_box = some_boxes(inner, INNER_ROWS, &inner_count),
			  **outer_box = some_boxes(outer, OUTER_ROWS, &outer_count);

	if (inner_count >= CELLS && outer_count > 0)
	{
		tree = palloc0(sizeof(Tree));
		tree->axes = inner->axes;
		build(tree, 1, inner_box, inner_count, 0);
		for (int i = 0; i < outer_count; i++)
			inside += touch(tree, 1, outer_box[i]);
		for (int i = CELLS; i < 2 * CELLS; i++)
			cells += tree->touched[i];
		result.part = (double) cells / CELLS;
		result.inside = (double) inside / outer_count;
		pfree(tree);
	}
	pfree(inner_box);
	pfree(outer_box);
	return result;
}
