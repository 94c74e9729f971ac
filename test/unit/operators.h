/*-------------------------------------------------------------------------
 *
 * operators.h
 *	  A second implementation of the operators, from PostgreSQL's documentation
 *	  of what they compare; and queries for them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_OPERATORS_H
#define SPQ_TEST_OPERATORS_H

#include "check.h"

#include "box/strategy.h"

static const struct
{
	int			strategy;
	const char *name;
}			operators[] = {
	{RTLeftStrategyNumber, "<<"},
	{RTOverLeftStrategyNumber, "&<"},
	{RTOverlapStrategyNumber, "&&"},
	{RTOverRightStrategyNumber, "&>"},
	{RTRightStrategyNumber, ">>"},
	{RTSameStrategyNumber, "~="},
	{RTContainsStrategyNumber, "@>"},
	{RTContainedByStrategyNumber, "<@"},
	{RTOverBelowStrategyNumber, "&<|"},
	{RTBelowStrategyNumber, "<<|"},
	{RTAboveStrategyNumber, "|>>"},
	{RTOverAboveStrategyNumber, "|&>"},
	{SPQ_BOX_CONTAINS_POINT_STRATEGY, "@> point"}
};

static inline bool
same(float8 a, float8 b)
{
	return a == b || fabs(a - b) <= EPSILON;
}

static inline bool
same_corner(Point a, Point b)
{
	if (isnan(a.x) || isnan(a.y) || isnan(b.x) || isnan(b.y))
		return float8_eq(a.x, b.x) && float8_eq(a.y, b.y);
	return same(a.x, b.x) && same(a.y, b.y);
}

static inline bool
operator_holds(int strategy, BOX b, BOX q)
{
	switch (strategy)
	{
		case RTLeftStrategyNumber:
			return b.high.x + EPSILON < q.low.x;
		case RTOverLeftStrategyNumber:
			return b.high.x <= q.high.x + EPSILON;
		case RTOverlapStrategyNumber:
			return b.low.x <= q.high.x + EPSILON &&
				q.low.x <= b.high.x + EPSILON &&
				b.low.y <= q.high.y + EPSILON &&
				q.low.y <= b.high.y + EPSILON;
		case RTOverRightStrategyNumber:
			return b.low.x + EPSILON >= q.low.x;
		case RTRightStrategyNumber:
			return b.low.x > q.high.x + EPSILON;
		case RTSameStrategyNumber:
			return same_corner(b.high, q.high) && same_corner(b.low, q.low);
		case RTContainsStrategyNumber:
			return b.high.x + EPSILON >= q.high.x &&
				b.low.x <= q.low.x + EPSILON &&
				b.high.y + EPSILON >= q.high.y &&
				b.low.y <= q.low.y + EPSILON;
		case RTContainedByStrategyNumber:
			return operator_holds(RTContainsStrategyNumber, q, b);
		case RTOverBelowStrategyNumber:
			return b.high.y <= q.high.y + EPSILON;
		case RTBelowStrategyNumber:
			return b.high.y + EPSILON < q.low.y;
		case RTAboveStrategyNumber:
			return b.low.y > q.high.y + EPSILON;
		case RTOverAboveStrategyNumber:
			return b.low.y + EPSILON >= q.low.y;
		case SPQ_BOX_CONTAINS_POINT_STRATEGY:
			return b.high.x >= q.low.x && b.low.x <= q.low.x &&
				b.high.y >= q.low.y && b.low.y <= q.low.y;
	}
	abort();
}

/* Return a query that may match the box: the box, slightly changed. */
static inline BOX
query_near(BOX box)
{
	float8		change[4];
	BOX			query;
	float8		x1,
				x2,
				y1,
				y2;

	for (int i = 0; i < 4; i++)
		change[i] = lrand48() % 2 ? 0.0 :
			lrand48() % 2 ? random_int(-3, 3) * 5e-7 : random_int(-2, 2);
	x1 = box.low.x + change[0];
	x2 = box.high.x + change[1];
	y1 = box.low.y + change[2];
	y2 = box.high.y + change[3];
	query.low.x = float8_min(x1, x2);
	query.high.x = float8_max(x1, x2);
	query.low.y = float8_min(y1, y2);
	query.high.y = float8_max(y1, y2);
	return query;
}

#endif							/* SPQ_TEST_OPERATORS_H */
