/*-------------------------------------------------------------------------
 *
 * range_condition.h
 *	  Conditions on ranges, as comparisons of the two numbers of a row.
 *
 * A row of an index of ranges is a point: x is the number of the lower bound, y
 * that of the upper one (range/range_box.h).  So each operator with a query q
 * asks for the points of a rectangle:
 *
 *		  y |	 @> q	:	  .
 *			|...........q	.		all ranges are on this side of the
 *			|			: .			diagonal, and those in q are in
 *			|			.			the triangle below it
 *			|		  .
 *			+-------.------------ x
 *
 * The empty range is on the other side, at (infinity, -infinity), below and to
 * the right of every q.  README.md has the proofs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_RANGE_CLASS_RANGE_CONDITION_H
#define SPQ_RTREE_RANGE_CLASS_RANGE_CONDITION_H

#include "rtree/class/condition.h"

/* What an operator asks of a row. */
typedef enum SpqRtreeRangeRelation
{
	SPQ_RTREE_RANGE_EQUALS,
	SPQ_RTREE_RANGE_OVERLAPS,
	SPQ_RTREE_RANGE_CONTAINS,
	SPQ_RTREE_RANGE_CONTAINED,
	SPQ_RTREE_RANGE_ADJACENT,
	SPQ_RTREE_RANGE_LEFT,
	SPQ_RTREE_RANGE_OVERLEFT,
	SPQ_RTREE_RANGE_RIGHT,
	SPQ_RTREE_RANGE_OVERRIGHT
} SpqRtreeRangeRelation;

/* A query that is not empty. */
typedef struct SpqRtreeRangeQuery
{
	/* the numbers of its bounds */
	float8		low;
	float8		high;

	/*
	 * What ends just before it, and what begins just after it
	 * (spq_range_sides()).
	 */
	float8		left;
	float8		right;
} SpqRtreeRangeQuery;

extern void spq_rtree_range_compare(SpqRtreeRangeRelation relation, const SpqRtreeRangeQuery *query,
									SpqRtreeCondition *condition);
extern void spq_rtree_range_compare_empty(SpqRtreeRangeRelation relation,
										  SpqRtreeCondition *condition);

#endif							/* SPQ_RTREE_RANGE_CLASS_RANGE_CONDITION_H */
