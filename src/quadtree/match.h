/*-------------------------------------------------------------------------
 *
 * match.h
 *	  The operators themselves, on one box, and on a compact leaf.
 *
 * They are evaluated in line, with the server's own comparison functions:
 * nearly all that a scan does is this.
 *
 * Of a compact leaf the true box is not known, but a box that it is in and one
 * that is in it (compact_box.h).  Where the operator says the same of both,
 * that is the answer; otherwise the executor is to ask it of the row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_MATCH_H
#define SPQ_MATCH_H

#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "quadtree/compact_box.h"
#include "box/distance.h"
#include "quadtree/strategy.h"

/* Does the first box hold the second? */
static inline bool
spq_box_holds(const BOX *outer, const BOX *inner)
{
	return FPge(outer->high.x, inner->high.x) &&
		FPle(outer->low.x, inner->low.x) &&
		FPge(outer->high.y, inner->high.y) &&
		FPle(outer->low.y, inner->low.y);
}

/* Does a box pass an operator, of which the strategy is given? */
static pg_attribute_always_inline bool
spq_box_matches(const BOX *b, int strategy, Datum query)
{
	const BOX  *q = DatumGetBoxP(query);
	const Point *p;

	switch (strategy)
	{
		case RTOverlapStrategyNumber:
			return FPle(b->low.x, q->high.x) && FPle(q->low.x, b->high.x) &&
				FPle(b->low.y, q->high.y) && FPle(q->low.y, b->high.y);
		case RTContainsStrategyNumber:
			return spq_box_holds(b, q);
		case RTContainedByStrategyNumber:
			return spq_box_holds(q, b);
		case SPQ_CONTAINS_POINT_STRATEGY:
			p = DatumGetPointP(query);
			return b->high.x >= p->x && b->low.x <= p->x &&
				b->high.y >= p->y && b->low.y <= p->y;
		case RTSameStrategyNumber:
			return spq_same_point(&b->high, &q->high) &&
				spq_same_point(&b->low, &q->low);
		case RTLeftStrategyNumber:
			return FPlt(b->high.x, q->low.x);
		case RTOverLeftStrategyNumber:
			return FPle(b->high.x, q->high.x);
		case RTRightStrategyNumber:
			return FPgt(b->low.x, q->high.x);
		case RTOverRightStrategyNumber:
			return FPge(b->low.x, q->low.x);
		case RTBelowStrategyNumber:
			return FPlt(b->high.y, q->low.y);
		case RTOverBelowStrategyNumber:
			return FPle(b->high.y, q->high.y);
		case RTAboveStrategyNumber:
			return FPgt(b->low.y, q->high.y);
		case RTOverAboveStrategyNumber:
			return FPge(b->low.y, q->low.y);
	}
	elog(ERROR, "unrecognized strategy number: %d", strategy);
	return false;
}

/*
 * Does the operator hold for every box that the true one of a compact leaf can
 * be?  Asked of few leaves, so not worth its room where all are looked at.
 */
static pg_noinline pg_attribute_unused() bool
spq_leaf_matches(const SpqCompactBox *leaf, int strategy, Datum query)
{
	BOX			ends[2];

	ends[0] = spq_inner_box(leaf);
	ends[1] = spq_outer_box(leaf);
	for (int i = 0; i < 2; i++)
		if (!spq_box_matches(&ends[i], strategy, query))
			return false;
	return true;
}

/* Does it hold for one of them? */
static inline bool
spq_leaf_may_match(const SpqCompactBox *leaf, const BOX *outer, int strategy,
				   Datum query)
{
	BOX			box = *outer;

	if (!spq_favours_large(strategy))
	{
		box = spq_inner_box(leaf);
		if (strategy == RTSameStrategyNumber)
			return spq_may_be_same(outer, &box,
								   DatumGetBoxP(query));
	}
	return spq_box_matches(&box, strategy, query);
}

#endif							/* SPQ_MATCH_H */
