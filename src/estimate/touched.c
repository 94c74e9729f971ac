/*-------------------------------------------------------------------------
 *
 * touched.c
 *	  What part of a relation index scans for the rows of another one reach.
 *
 * The cells are the leaves of a binary tree in an array, as in a heap: the
 * children of node i are 2 i and 2 i + 1, the root is node 1.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "estimate/touched.h"

/* Leaves of the tree, rows that they are made of, and rows that are looked up. */
#define CELLS		64
#define INNER_ROWS	512
#define OUTER_ROWS	512

typedef struct Tree
{
	BOX			bounds[2 * CELLS];
	bool		touched[2 * CELLS];
} Tree;

static double
center_of(const BOX *box, int axis)
{
	return axis == 0 ? box->low.x / 2 + box->high.x / 2 :
		box->low.y / 2 + box->high.y / 2;
}

/* Move the lower half of the boxes by their centers on an axis to the front. */
static void
split_in_halves(BOX *box, int count, int axis)
{
	int			low = 0,
				high = count - 1,
				half = count / 2;

	while (low < high)
	{
		double		pivot = center_of(&box[(low + high) / 2], axis);
		int			i = low,
					j = high;

		while (i <= j)
		{
			while (center_of(&box[i], axis) < pivot)
				i++;
			while (center_of(&box[j], axis) > pivot)
				j--;
			if (i <= j)
			{
				BOX			other = box[i];

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
build(Tree *tree, int node, BOX *box, int count, int axis)
{
	BOX		   *bounds = &tree->bounds[node];
	int			half = count / 2;

	*bounds = box[0];
	for (int i = 1; i < count; i++)
	{
		bounds->low.x = Min(bounds->low.x, box[i].low.x);
		bounds->low.y = Min(bounds->low.y, box[i].low.y);
		bounds->high.x = Max(bounds->high.x, box[i].high.x);
		bounds->high.y = Max(bounds->high.y, box[i].high.y);
	}
	if (node >= CELLS)
		return;
	split_in_halves(box, count, axis);
	build(tree, 2 * node, box, half, 1 - axis);
	build(tree, 2 * node + 1, box + half, count - half, 1 - axis);
}

/* Mark the cells that a box touches; return whether there are any. */
static bool
touch(Tree *tree, int node, const BOX *box)
{
	const BOX  *bounds = &tree->bounds[node];
	bool		any;

	if (!(box->low.x <= bounds->high.x && box->high.x >= bounds->low.x &&
		  box->low.y <= bounds->high.y && box->high.y >= bounds->low.y))
		return false;
	if (node >= CELLS)
	{
		tree->touched[node] = true;
		return true;
	}
	any = touch(tree, 2 * node, box);
	return touch(tree, 2 * node + 1, box) || any;
}

/* Copy at most "most" boxes of a sample, spread over it. */
static BOX *
some_boxes(const SpqEstimateSample *sample, int most, int *count)
{
	BOX		   *box;

	*count = Min(sample->count, most);
	box = palloc(sizeof(BOX) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		box[i] = sample->box[(int64) i * sample->count / *count];
	return box;
}

/*
 * Return what scans of "inner" for the boxes of "outer" reach.  Of fewer rows
 * than cells, all counts as touched.
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
	BOX		   *inner_box = some_boxes(inner, INNER_ROWS, &inner_count),
			   *outer_box = some_boxes(outer, OUTER_ROWS, &outer_count);

	if (inner_count >= CELLS && outer_count > 0)
	{
		tree = palloc0(sizeof(Tree));
		build(tree, 1, inner_box, inner_count, 0);
		for (int i = 0; i < outer_count; i++)
			inside += touch(tree, 1, &outer_box[i]);
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
