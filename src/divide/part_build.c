/*-------------------------------------------------------------------------
 *
 * part_build.c
 *	  Build a partitioning from a sample of boxes: a KDB tree (Robinson, SIGMOD
 *	  1981), from the root down.
 *
 * A box is copied into each part that it touches, so both sides of a split
 * count it.  With n parts to make, n1 of them on the left and n2 on the right,
 * the best split has the least
 *
 *		cost = max(boxes left / n1, boxes right / n2)		n1 + n2 = n
 *
 * the number of boxes in a part of the fuller side, as far as this split
 * decides.  So it balances the parts and avoids copies at the same time.
 *
 *		 boxes |\			  /
 *			   | \	right	 /  left			both are counted in one pass
 *			   |  \_________/					over the ends of the boxes
 *			   |   \	   /
 *			   +------------------ split
 *
 * Where values repeat, there may be no split that divides as wanted.  So each
 * side of the split gets parts in proportion to its boxes.  A place that
 * cannot be divided becomes one part, so there may be fewer parts than
 * requested.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "miscadmin.h"
#include "utils/float.h"

#include "compat.h"
#include "divide/part_build.h"

#define ST_SORT sort_numbers
#define ST_ELEMENT_TYPE float8
#define ST_COMPARE(a, b) (*(a) < *(b) ? -1 : *(a) > *(b))
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Costs whose ratio is less than this count as equal. */
#define SAME_COST 1.01

typedef struct Builder
{
	int			axes;
	SpqPartTree *tree;
	int			nodes;			/* nodes made so far */
	float8	   *lows;			/* low ends of one node's boxes on an axis,
								 * sorted */
	float8	   *highs;			/* high ends plus slack, sorted */
} Builder;

typedef struct Split
{
	int			axis;			/* or SPQ_PART_LEAF if there is no split */
	float8		at;
	float8		cost;
	float8		spread;			/* of the boxes on this axis: the middle half
								 * of their low ends */
	int			left,			/* numbers of boxes */
				right;
} Split;

/* The region that a node divides: at or above "low", and below "high". */
typedef struct Region
{
	float8		low[SPQ_PART_MAX_AXES];
	float8		high[SPQ_PART_MAX_AXES];
} Region;

/*
 * Return a number above "low" and not above "high", with few decimal digits.
 */
static float8
short_number(float8 low, float8 high)
{
	float8		middle = low / 2 + high / 2;

	for (int digits = 1; digits < DBL_DIG; digits++)
	{
		char text[	DBL_DIG + 10];
		float8		number;

		snprintf(text, sizeof(text), "%.*e", digits - 1, middle);
		number = strtod(text, NULL);
		if (low < number && number <= high)
			return number;
	}
	return high;
}

/*
 * Find the best split on an axis.  The axis of the result is SPQ_PART_LEAF if
 * no split divides the boxes.  Boxes may extend beyond the region; a split
 * outside it would make a part without points.
 */
static Split
best_split_on(Builder *builder, const Region *region, int axis,
			  const float8 *const *boxes, int count, int parts)
{
	const float8 slack = spq_part_slack(builder->axes);
	const int	parts_left = parts / 2,
				parts_right = parts - parts_left;
	float8	   *lows = builder->lows,
			   *highs = builder->highs;
	Split		best = {.axis = SPQ_PART_LEAF,.cost = DBL_MAX};
	float8		previous = 0,
				best_after = 0;
	int			below = 0,		/* lows less than the split */
				ended = 0;		/* highs less than the split */

	for (int i = 0; i < count; i++)
	{
		highs[i] = boxes[i][axis] + slack;
		lows[i] = boxes[i][builder->axes + axis];
	}
	sort_numbers(lows, count);
	sort_numbers(highs, count);

	while (below < count || ended < count)
	{
		float8		at = ended < count ? highs[ended] : lows[below];
		float8		cost;

		if (below < count)
			at = Min(at, lows[below]);
		cost = Max((float8) below / parts_left, (float8) (count - ended) / parts_right);
		if (at > region->low[axis] && at < region->high[axis] &&
			below > 0 && (below < count || ended > 0) && cost < best.cost && isfinite(at))
		{
			best.axis = axis;
			best.at = at;
			best.cost = cost;
			best.left = below;
			best.right = count - ended;
			best_after = Max(previous, region->low[axis]);
		}
		while (below < count && lows[below] <= at)
			below++;
		while (ended < count && highs[ended] <= at)
			ended++;
		previous = at;
	}
	if (best.axis != SPQ_PART_LEAF && isfinite(best_after))
		best.at = short_number(best_after, best.at);
	best.spread = lows[count - 1 - count / 4] - lows[count / 4];
	return best;
}

/*
 * Find the best split on any axis.  If costs are about equal, prefer the axis
 * along which the boxes are spread more.
 */
static Split
best_split(Builder *builder, const Region *region,
		   const float8 *const *boxes, int count, int parts)
{
	Split		best = {.axis = SPQ_PART_LEAF,.cost = DBL_MAX};

	for (int axis = 0; axis < builder->axes && count > 0; axis++)
	{
		Split		split = best_split_on(builder, region, axis, boxes, count, parts);

		if (split.axis == SPQ_PART_LEAF)
			continue;
		if (best.axis == SPQ_PART_LEAF ||
			split.cost * SAME_COST < best.cost ||
			(split.cost < best.cost * SAME_COST && split.spread > best.spread))
			best = split;
	}
	return best;
}

/* Make the nodes of a region, in preorder. */
static void
build_node(Builder *builder, const Region *region,
		   const float8 *const *boxes, int count, int parts, int depth)
{
	const float8 slack = spq_part_slack(builder->axes);
	int			at = builder->nodes++;
	Split		split = {.axis = SPQ_PART_LEAF};
	Region		side = *region;
	const float8 **half;
	int			left_parts,
				n;

	CHECK_FOR_INTERRUPTS();
	if (parts > 1 && depth < SPQ_PART_MAX_DEPTH)
		split = best_split(builder, region, boxes, count, parts);
	builder->tree->node[at].axis = split.axis;
	builder->tree->node[at].split = split.at;
	if (split.axis == SPQ_PART_LEAF)
	{
		builder->tree->node[at].next = ++builder->tree->parts;
		return;
	}

	left_parts = (int) rint((float8) parts * split.left / ((float8) split.left + split.right));
	left_parts = Min(Max(left_parts, 1), parts - 1);

	half = palloc(sizeof(float8 *) * Max(split.left, split.right));
	n = 0;
	for (int i = 0; i < count; i++)
		if (boxes[i][builder->axes + split.axis] < split.at)
			half[n++] = boxes[i];
	Assert(n == split.left);
	side.high[split.axis] = split.at;
	build_node(builder, &side, half, n, left_parts, depth + 1);

	builder->tree->node[at].next = builder->nodes;
	n = 0;
	for (int i = 0; i < count; i++)
		if (boxes[i][split.axis] + slack >= split.at)
			half[n++] = boxes[i];
	Assert(n == split.right);
	side = *region;
	side.low[split.axis] = split.at;
	build_node(builder, &side, half, n, parts - left_parts, depth + 1);
	pfree(half);
}

/* Build the partitioning of these boxes. */
static SpqPartTree *
build_tree(const float8 *const *boxes, int count, int axes, int parts, int max_copies)
{
	Builder		builder = {.axes = axes};
	Region		all;

	for (int axis = 0; axis < axes; axis++)
	{
		all.low[axis] = -get_float8_infinity();
		all.high[axis] = get_float8_infinity();
	}
	builder.tree = palloc0(SPQ_PART_TREE_SIZE(parts));
	builder.tree->axes = axes;
	builder.tree->max_copies = max_copies;
	builder.lows = palloc(sizeof(float8) * Max(count, 1));
	builder.highs = palloc(sizeof(float8) * Max(count, 1));
	build_node(&builder, &all, boxes, count, parts, 0);
	pfree(builder.lows);
	pfree(builder.highs);
	SET_VARSIZE(builder.tree, SPQ_PART_TREE_SIZE(builder.tree->parts));
	return builder.tree;
}

/*
 * Return a partitioning with at most this many parts, numbered from 1, that
 * balances these boxes.  They must have no NaN.  If max_copies is set, boxes
 * that would be everywhere are left out of a second attempt, since they have
 * no copies in other parts.
 */
SpqPartTree *
spq_part_build(const float8 *boxes, int count, int axes, int parts, int max_copies)
{
	const float8 **kept = palloc(sizeof(float8 *) * Max(count, 1));
	SpqPartTree *tree;
	int			n = 0;

	for (int i = 0; i < count; i++)
		kept[i] = boxes + (Size) i * 2 * axes;
	tree = build_tree(kept, count, axes, parts, max_copies);
	for (int i = 0; i < count; i++)
		if (!spq_part_is_everywhere(tree, kept[i]))
			kept[n++] = kept[i];
	if (n < count)
	{
		pfree(tree);
		tree = build_tree(kept, n, axes, parts, max_copies);
	}
	pfree(kept);
	return tree;
}
