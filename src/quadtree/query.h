/*-------------------------------------------------------------------------
 *
 * query.h
 *	  A parsed scan condition, and how it decides a leaf.
 *
 * ScanKeys are parsed into a relation and a box, which all other code uses.
 *
 *		ScanKey				SpqQuadQuery			used by
 *		strategy  ------->	relation  ------+---->	limits of an inner tuple's
 *		argument  ------->	box		  ------+		labels (limits.h)
 *		(a box, or a point,					+---->	spq_quad_decide() of a leaf:
 *		which is a box						|		no, yes, or recheck
 *		without extent)						+---->	the same in inspect, picture
 *
 * SP-GiST passes ScanKeys to every call.  It offers no place to cache a parsed
 * query until the next rescan, which changes the keys in place: fn_extra
 * survives the rescan, and traversal values cost an allocation per child.  So
 * each call parses them again, which is a table lookup and copies no
 * coordinates.
 *
 * Leaf tests are inlined, since a scan spends most of its time in them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_QUERY_H
#define SPQ_QUADTREE_QUERY_H

#include "access/skey.h"
#include "utils/geo_decls.h"

#include "argument.h"
#include "box/strategy.h"
#include "quadtree/leaf.h"

typedef struct SpqQuadQuery
{
	SpqRelation relation;		/* of the indexed box ... */
	SpqBoxCorners box;			/* ... and this one, or a point */
} SpqQuadQuery;

/* Whether the indexed box satisfies the conditions. */
typedef enum SpqQuadAnswer
{
	SPQ_QUAD_NO,
	SPQ_QUAD_YES,
	SPQ_QUAD_RECHECK			/* test the row */
} SpqQuadAnswer;

/*
 * Parse a condition.  The query points into the argument, which must outlive
 * it.
 */
static pg_attribute_always_inline SpqQuadQuery
spq_quad_query(StrategyNumber strategy, Datum argument)
{
	SpqQuadQuery query;

	spq_expect_argument(argument);
	query.relation = spq_box_relation(strategy);
	if (strategy == SPQ_BOX_CONTAINS_POINT_STRATEGY)
		query.box.high = query.box.low = (const float8 *) DatumGetPointP(argument);
	else
		query.box = spq_box_corners(DatumGetBoxP(argument));
	return query;
}

extern bool spq_quad_compact_matches(SpqQuadQuery query,
									 const SpqCompactBox *leaf);

/*
 * Return whether a leaf may satisfy a condition.  For a leaf that is a box,
 * the result is exact.
 *
 * For a compact leaf the true box is unknown, but between an outer and an
 * inner box (compact_box.h).  The leaf may match if the condition holds for
 * the box that it favors, and does match if it holds for both.
 */
static pg_attribute_always_inline bool
spq_quad_may_match(SpqQuadQuery query, const void *leaf, SpqQuadLeafKind kind)
{
	const SpqCompactBox *compact = (const SpqCompactBox *) leaf;
	SpqBoxFavor favor;
	BOX			outer,
				inner,
				favored;

	if (kind != SPQ_QUAD_LEAF_COMPACT)
		return spq_box_constant_related(query.relation,
										spq_box_corners((const BOX *) leaf),
										query.box);
	favor = spq_box_favor(query.relation);
	if (favor == SPQ_BOX_FAVORS_NEITHER)
	{
		Assert(query.relation == SPQ_BOX_SAME);
		outer = spq_compact_outer_box(compact);
		inner = spq_compact_inner_box(compact);
		return spq_compact_may_be_same(&outer, &inner, query.box);
	}
	if (favor == SPQ_BOX_FAVORS_LARGE)
		favored = spq_compact_outer_box(compact);
	else
		favored = spq_compact_inner_box(compact);
	return spq_box_constant_related(query.relation, spq_box_corners(&favored),
									query.box);
}

/*
 * Return spq_quad_may_match() for a ScanKey, with specialized code for each
 * strategy.
 */
static pg_attribute_always_inline bool
spq_quad_key_may_match(const ScanKeyData *key, const void *leaf, SpqQuadLeafKind kind)
{
	Datum		argument = key->sk_argument;

	switch (key->sk_strategy)
	{
		case RTLeftStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTLeftStrategyNumber, argument),
									  leaf, kind);
		case RTOverLeftStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTOverLeftStrategyNumber, argument),
									  leaf, kind);
		case RTOverlapStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTOverlapStrategyNumber, argument),
									  leaf, kind);
		case RTOverRightStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTOverRightStrategyNumber, argument),
									  leaf, kind);
		case RTRightStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTRightStrategyNumber, argument),
									  leaf, kind);
		case RTSameStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTSameStrategyNumber, argument),
									  leaf, kind);
		case RTContainsStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTContainsStrategyNumber, argument),
									  leaf, kind);
		case RTContainedByStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTContainedByStrategyNumber, argument),
									  leaf, kind);
		case RTOverBelowStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTOverBelowStrategyNumber, argument),
									  leaf, kind);
		case RTBelowStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTBelowStrategyNumber, argument),
									  leaf, kind);
		case RTAboveStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTAboveStrategyNumber, argument),
									  leaf, kind);
		case RTOverAboveStrategyNumber:
			return spq_quad_may_match(spq_quad_query(RTOverAboveStrategyNumber, argument),
									  leaf, kind);
		case SPQ_BOX_CONTAINS_POINT_STRATEGY:
			return spq_quad_may_match(spq_quad_query(SPQ_BOX_CONTAINS_POINT_STRATEGY, argument),
									  leaf, kind);
	}
	spq_box_unknown_strategy(key->sk_strategy);
}

/* Return whether a leaf satisfies a condition. */
static inline SpqQuadAnswer
spq_quad_decide(SpqQuadQuery query, const void *leaf, SpqQuadLeafKind kind)
{
	if (!spq_quad_may_match(query, leaf, kind))
		return SPQ_QUAD_NO;
	return kind != SPQ_QUAD_LEAF_COMPACT || spq_quad_compact_matches(query, leaf) ?
		SPQ_QUAD_YES : SPQ_QUAD_RECHECK;
}

/*
 * Return whether a leaf satisfies all conditions of a scan.  Test last whether
 * the answer is certain, since few leaves get that far.
 */
static pg_attribute_always_inline SpqQuadAnswer
spq_quad_decide_keys(const ScanKeyData *keys, int nkeys, const void *leaf,
					 SpqQuadLeafKind kind)
{
	for (int i = 0; i < nkeys; i++)
		if (!spq_quad_key_may_match(&keys[i], leaf, kind))
			return SPQ_QUAD_NO;
	if (kind != SPQ_QUAD_LEAF_COMPACT)
		return SPQ_QUAD_YES;
	for (int i = 0; i < nkeys; i++)
		if (!spq_quad_compact_matches(spq_quad_query(keys[i].sk_strategy,
													 keys[i].sk_argument), leaf))
			return SPQ_QUAD_RECHECK;
	return SPQ_QUAD_YES;
}

#endif							/* SPQ_QUADTREE_QUERY_H */
