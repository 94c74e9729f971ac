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

#include "box/relation.h"
#include "quadtree/compact_box.h"
#include "quadtree/strategy.h"

/* The box of a query: that of a point is the point. */
static pg_attribute_always_inline BOX
spq_quad_query_box(int strategy, Datum query)
{
	BOX			box;

	if (strategy != SPQ_QUAD_CONTAINS_POINT)
		return *DatumGetBoxP(query);
	box.high = box.low = *DatumGetPointP(query);
	return box;
}

/* Does a box satisfy the operator with this strategy number? */
static pg_attribute_always_inline bool
spq_box_matches(const BOX *b, int strategy, Datum query)
{
	BOX			q = spq_quad_query_box(strategy, query);

	return spq_box_related(spq_quad_relation(strategy), 0, b, &q);
}

/*
 * Does the operator hold for every box that the true one of a compact leaf can
 * be?  Asked of few leaves, so not worth its room where all are looked at.
 */
static pg_noinline pg_attribute_unused() bool
spq_leaf_matches(const SpqCompactBox *leaf, int strategy, Datum query)
{
	BOX			ends[2];

	ends[0] = spq_quad_inner_box(leaf);
	ends[1] = spq_quad_outer_box(leaf);
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

	if (!spq_box_favors_large(spq_quad_relation(strategy)))
	{
		box = spq_quad_inner_box(leaf);
		if (strategy == RTSameStrategyNumber)
			return spq_quad_may_be_same(outer, &box,
								   DatumGetBoxP(query));
	}
	return spq_box_matches(&box, strategy, query);
}

#endif							/* SPQ_MATCH_H */
