/*-------------------------------------------------------------------------
 *
 * range_condition.c
 *	  Conditions on ranges, as comparisons of the two numbers of a row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "rtree/range_class/range_condition.h"

/* The ends of a row. */
#define LOW		0
#define HIGH	1

/* Require that a number of the row is at most, or at least, this. */
#define at_most(end, number)	spq_rtree_compare(condition, (end), true, (number))
#define at_least(end, number)	spq_rtree_compare(condition, (end), false, (number))

/*
 * Add the comparisons that a relation with a query implies.
 *
 * For the directions, one of the two is only there to exclude empty ranges.
 * Other ranges that pass the one on the far end pass it, too.
 */
void
spq_rtree_range_compare(SpqRtreeRangeRelation relation, const SpqRtreeRangeQuery *query,
						SpqRtreeCondition *condition)
{
	switch (relation)
	{
		case SPQ_RTREE_RANGE_EQUALS:
			at_most(LOW, query->low);
			at_least(LOW, query->low);
			at_most(HIGH, query->high);
			at_least(HIGH, query->high);
			break;
		case SPQ_RTREE_RANGE_OVERLAPS:
			at_most(LOW, query->high);
			at_least(HIGH, query->low);
			break;
		case SPQ_RTREE_RANGE_CONTAINS:
			at_most(LOW, query->low);
			at_least(HIGH, query->high);
			break;
		case SPQ_RTREE_RANGE_CONTAINED:
			at_least(LOW, query->low);
			at_most(HIGH, query->high);
			break;
		case SPQ_RTREE_RANGE_ADJACENT:
			at_most(LOW, query->right);
			at_least(HIGH, query->left);
			break;
		case SPQ_RTREE_RANGE_LEFT:
			at_most(LOW, query->left);
			at_most(HIGH, query->left);
			break;
		case SPQ_RTREE_RANGE_OVERLEFT:
			at_most(LOW, query->high);
			at_most(HIGH, query->high);
			break;
		case SPQ_RTREE_RANGE_RIGHT:
			at_least(LOW, query->right);
			at_least(HIGH, query->right);
			break;
		case SPQ_RTREE_RANGE_OVERRIGHT:
			at_least(LOW, query->low);
			at_least(HIGH, query->low);
			break;
	}
}

/*
 * Add the comparisons for a query that is the empty range.  All ranges contain
 * it, and only the empty range equals it or is contained in it.  All other
 * operators return false.
 */
void
spq_rtree_range_compare_empty(SpqRtreeRangeRelation relation, SpqRtreeCondition *condition)
{
	switch (relation)
	{
		case SPQ_RTREE_RANGE_CONTAINS:
			break;
		case SPQ_RTREE_RANGE_EQUALS:
		case SPQ_RTREE_RANGE_CONTAINED:
			at_least(LOW, get_float8_infinity());
			at_most(HIGH, -get_float8_infinity());
			break;
		default:
			at_most(LOW, get_float8_nan()); /* no row */
			break;
	}
}
