/*-------------------------------------------------------------------------
 *
 * sides.h
 *	  The relations on both sides of a join.
 *
 * A condition names the relations that it uses.  Only the join knows which of
 * them are joined before it:
 *
 *		(o JOIN r) JOIN w ON spqtree_dwithin(o.b, w.b, r.d)
 *		 --------		 o.b and r.d are of one side: spqtree_expand(o.b, r.d)
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_SIDES_H
#define SPQ_SPATIAL_OPERATORS_SIDES_H

#include "nodes/bitmapset.h"

typedef struct SpqSpatialSides
{
	const Bitmapset *left;
	const Bitmapset *right;
} SpqSpatialSides;

/*
 * Return all relations of the side that some relations belong to, or the same
 * relations if they belong to none, or if the sides are not known (NULL).
 */
static inline const Bitmapset *
spq_spatial_side_of(const SpqSpatialSides *sides, const Bitmapset *relids)
{
	if (sides == NULL || bms_is_empty(relids))
		return relids;
	if (bms_is_subset(relids, sides->left))
		return sides->left;
	return bms_is_subset(relids, sides->right) ? sides->right : relids;
}

/*
 * Return whether two sets of relations belong to different sides, or if the
 * sides are not known, have none in common.
 */
static inline bool
spq_spatial_joins_sides(const SpqSpatialSides *sides, const Bitmapset *a, const Bitmapset *b)
{
	if (sides == NULL)
		return !bms_overlap(a, b);
	return (bms_is_subset(a, sides->left) && bms_is_subset(b, sides->right)) ||
		(bms_is_subset(a, sides->right) && bms_is_subset(b, sides->left));
}

#endif							/* SPQ_SPATIAL_OPERATORS_SIDES_H */
