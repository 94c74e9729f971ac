/*-------------------------------------------------------------------------
 *
 * box_condition.h
 *	  The relations of boxes as comparisons of ends with numbers.
 *
 * All relations with a strategy but SAME are conjunctions of comparisons
 * between an end of the indexed box and an end of the query.  Each becomes a
 * comparison with a number, the threshold of the query's end (box/threshold.h),
 * and so the relation becomes a condition (condition.h).
 *
 * SAME (~=) compares the two high corners, and the two low ones.  If neither
 * of two corners has a NaN, all their ends must be equal within EPSILON;
 * otherwise they must be equal exactly, and NaN equals NaN.  If the query's
 * corner has no NaN, the comparisons with EPSILON decide: a corner with a NaN
 * does not satisfy them, and is not equal to it.  If it has one, the other ends
 * are compared exactly; no comparison can require that the NaN's own end is
 * NaN, so the condition is not exact.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_BOX_CONDITION_H
#define SPQ_RTREE_CLASS_BOX_CONDITION_H

#include "box/relation.h"
#include "box/threshold.h"
#include "rtree/class/condition.h"

/* Return the index of a corner's first end among the ends of a box. */
static inline int
spq_rtree_first_end(SpqBoxEnd end)
{
	return end == SPQ_BOX_LOW_END ? SPQ_DIM : 0;
}

/* Add the comparisons of SAME for one corner of the query. */
static inline void
spq_rtree_compare_same_corner(SpqRtreeCondition *condition, SpqBoxEnd end,
							  const float8 *corner)
{
	SpqBoxComparison comparison = SPQ_BOX_COMPARE_SAME;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		if (isnan(corner[axis]))
		{
			comparison = SPQ_BOX_COMPARE_EXACT;
			condition->exact = false;
		}
	for (int axis = 0; axis < SPQ_DIM; axis++)
		if (!isnan(corner[axis]))
		{
			int			number = spq_rtree_first_end(end) + axis;

			spq_rtree_compare(condition, number, true,
							  spq_box_greatest_low(comparison, corner[axis]));
			spq_rtree_compare(condition, number, false,
							  spq_box_least_high(comparison, corner[axis]));
		}
}

/* Return the condition "indexed box <relation> query". */
static inline SpqRtreeCondition
spq_rtree_box_comparisons(SpqRelation relation, SpqBoxCorners query)
{
	SpqRtreeCondition condition;
	const SpqBoxRule *rule = spq_box_rule(relation);

	condition.column_type = InvalidOid;
	condition.axes = SPQ_DIM;
	condition.ncomparisons = 0;
	condition.exact = true;
	condition.ask = NULL;
	condition.reaches = NULL;
	condition.prefilter = NULL;
	condition.argument = NULL;
	condition.argument_size = 0;
	if (relation == SPQ_BOX_SAME)
	{
		spq_rtree_compare_same_corner(&condition, SPQ_BOX_HIGH_END, query.high);
		spq_rtree_compare_same_corner(&condition, SPQ_BOX_LOW_END, query.low);
		return condition;
	}
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		if (!spq_box_concerns(relation, axis))
			continue;
		if (rule->low_a != SPQ_BOX_NO_END)
			spq_rtree_compare(&condition, spq_rtree_first_end(rule->low_a) + axis, true,
							  spq_box_greatest_low(rule->comparison,
												   spq_box_end(query, rule->low_b)[axis]));
		if (rule->high_a != SPQ_BOX_NO_END)
			spq_rtree_compare(&condition, spq_rtree_first_end(rule->high_a) + axis, false,
							  spq_box_least_high(rule->comparison,
												 spq_box_end(query, rule->high_b)[axis]));
	}
	return condition;
}

/*
 * Add the comparisons that "indexed box, relation, query" implies for the ends of
 * anything that encloses the indexed box: bounds of two or three axes, whatever
 * SPQ_DIM is.
 *
 * They follow from the rule.  If it asks that an end of a box is low enough, then
 * the low end of anything around the box is, too; likewise for high enough.
 * Comparisons pass by at least the margin of the axis.  An axis on which the
 * query is infinite is not compared.
 */
static inline void
spq_rtree_compare_bounds(SpqRtreeCondition *condition, SpqRelation relation,
						 SpqBoxCorners query, const float8 *margins, int axes)
{
	const SpqBoxRule *rule = spq_box_rule(relation);

	for (int axis = 0; axis < axes; axis++)
	{
		if (!spq_box_concerns(relation, axis) || isinf(query.high[axis]))
			continue;
		if (rule->low_a != SPQ_BOX_NO_END)
			spq_rtree_compare(condition, axes + axis, true,
							  spq_box_end(query, rule->low_b)[axis] + margins[axis]);
		if (rule->high_a != SPQ_BOX_NO_END)
			spq_rtree_compare(condition, axis, false,
							  spq_box_end(query, rule->high_b)[axis] - margins[axis]);
	}
}

#endif							/* SPQ_RTREE_CLASS_BOX_CONDITION_H */
