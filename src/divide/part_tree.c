/*-------------------------------------------------------------------------
 *
 * part_tree.c
 *	  The parts of a point, a box, or a pair of boxes.
 *
 * A box is an array: its high ends on all axes, then its low ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "divide/part_tree.h"

bool
spq_part_has_nan(const float8 *numbers, int count)
{
	for (int i = 0; i < count; i++)
		if (isnan(numbers[i]))
			return true;
	return false;
}

/* Return the part of a point that has no NaN. */
int
spq_part_of_point(const SpqPartTree *tree, const float8 *point)
{
	const SpqPartNode *node = tree->node;

	while (node->axis != SPQ_PART_LEAF)
		node = point[node->axis] < node->split ? node + 1 : &tree->node[node->next];
	return node->next;
}

/*
 * Return the number of parts that a box without NaN touches, at most "limit".
 * Store their numbers in "parts", unless it is NULL.
 */
int
spq_part_touched(const SpqPartTree *tree, const float8 *box, int32 *parts, int limit)
{
	const float8 slack = spq_part_slack(tree->axes);
	const float8 *high = box,
			   *low = box + tree->axes;
	int32		stack[SPQ_PART_MAX_DEPTH];	/* right children to visit */
	int			depth = 0,
				count = 0,
				at = 0;

	while (count < limit)
	{
		const SpqPartNode *node = &tree->node[at];

		if (node->axis != SPQ_PART_LEAF)
		{
			bool		left = low[node->axis] < node->split,
						right = high[node->axis] + slack >= node->split;

			if (left && right)
				stack[depth++] = node->next;
			at = left ? at + 1 : node->next;
			continue;
		}
		if (parts != NULL)
			parts[count] = node->next;
		count++;
		if (depth == 0)
			break;
		at = stack[--depth];
	}
	return count;
}

/*
 * Return the only part that a box touches.  Return SPQ_PART_EVERYWHERE if it
 * touches more than one, or has a NaN.
 */
int
spq_part_around(const SpqPartTree *tree, const float8 *box)
{
	const float8 slack = spq_part_slack(tree->axes);
	const SpqPartNode *node = tree->node;

	if (spq_part_has_nan(box, 2 * tree->axes))
		return SPQ_PART_EVERYWHERE;
	while (node->axis != SPQ_PART_LEAF)
	{
		if (box[node->axis] + slack < node->split)
			node++;
		else if (box[tree->axes + node->axis] >= node->split)
			node = &tree->node[node->next];
		else
			return SPQ_PART_EVERYWHERE;
	}
	return node->next;
}

/* Return whether a box without NaN touches more than max_copies parts. */
bool
spq_part_is_everywhere(const SpqPartTree *tree, const float8 *box)
{
	return tree->max_copies > 0 &&
		spq_part_touched(tree, box, NULL, tree->max_copies + 1) > tree->max_copies;
}

/*
 * Return the part that owns a pair of boxes without NaN: the part of the low
 * corner of their intersection, or SPQ_PART_EVERYWHERE if both boxes are
 * there.
 */
int
spq_part_of_pair(const SpqPartTree *tree, const float8 *a, const float8 *b)
{
	float8		corner[SPQ_PART_MAX_AXES];

	if (spq_part_is_everywhere(tree, a) && spq_part_is_everywhere(tree, b))
		return SPQ_PART_EVERYWHERE;
	for (int axis = 0; axis < tree->axes; axis++)
		corner[axis] = Max(a[tree->axes + axis], b[tree->axes + axis]);
	return spq_part_of_point(tree, corner);
}
