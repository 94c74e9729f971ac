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
 *		(a box, or a point,					+---->	spq_quad_matches() of a
 *		which is a box						|		leaf's box
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

typedef struct SpqQuadQuery
{
	SpqRelation relation;		/* of the indexed box ... */
	SpqBoxCorners box;			/* ... and this one, or a point */
} SpqQuadQuery;

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

/* Return whether the box of a leaf satisfies a condition. */
static pg_attribute_always_inline bool
spq_quad_matches(SpqQuadQuery query, const BOX *box)
{
	return spq_box_constant_related(query.relation, spq_box_corners(box), query.box);
}

/*
 * Return spq_quad_matches() for a ScanKey, with specialized code for each
 * strategy.
 */
static pg_attribute_always_inline bool
spq_quad_key_matches(const ScanKeyData *key, const BOX *box)
{
	Datum		argument = key->sk_argument;

	switch (key->sk_strategy)
	{
		case RTLeftStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTLeftStrategyNumber, argument), box);
		case RTOverLeftStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTOverLeftStrategyNumber, argument), box);
		case RTOverlapStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTOverlapStrategyNumber, argument), box);
		case RTOverRightStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTOverRightStrategyNumber, argument), box);
		case RTRightStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTRightStrategyNumber, argument), box);
		case RTSameStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTSameStrategyNumber, argument), box);
		case RTContainsStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTContainsStrategyNumber, argument), box);
		case RTContainedByStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTContainedByStrategyNumber, argument), box);
		case RTOverBelowStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTOverBelowStrategyNumber, argument), box);
		case RTBelowStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTBelowStrategyNumber, argument), box);
		case RTAboveStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTAboveStrategyNumber, argument), box);
		case RTOverAboveStrategyNumber:
			return spq_quad_matches(spq_quad_query(RTOverAboveStrategyNumber, argument), box);
		case SPQ_BOX_CONTAINS_POINT_STRATEGY:
			return spq_quad_matches(spq_quad_query(SPQ_BOX_CONTAINS_POINT_STRATEGY, argument), box);
	}
	spq_box_unknown_strategy(key->sk_strategy);
}

#endif							/* SPQ_QUADTREE_QUERY_H */
