/*-------------------------------------------------------------------------
 *
 * leaf_pairs.h
 *	  The pairs of rows of two leaves whose boxes are in a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_LEAF_JOIN_LEAF_PAIRS_H
#define SPQ_RTREE_LEAF_JOIN_LEAF_PAIRS_H

#include "box/lanes.h"
#include "box/relation.h"
#include "rtree/leaf_join/leaf_copy.h"

/* Positions of ends are from 0 to LAST.  A lane without a box has 255 and 0. */
#define SPQ_RTREE_LAST_POSITION	254
#define SPQ_RTREE_NO_LOW_END	255

/* Rows of the left and of the right leaf, by their numbers in the copies. */
typedef struct SpqRtreeLeafPair
{
	uint16		left;
	uint16		right;
} SpqRtreeLeafPair;

/* Lanes of the left leaf's rows, sixteen to a group; and of the bounds of groups. */
#define SPQ_RTREE_LEAF_LANES	TYPEALIGN(SPQ_BYTES, SPQ_RTREE_LEAF_MAX)
#define SPQ_RTREE_LEAF_GROUPS	TYPEALIGN(SPQ_BYTES, SPQ_RTREE_LEAF_LANES / SPQ_BYTES)

/* The place and the unit of positions on each axis. */
typedef struct SpqRtreeLeafFrame
{
	float8		from[4],		/* finite */
				scale[4];		/* finite, more than 0 */
} SpqRtreeLeafFrame;

typedef struct SpqRtreeLeafPairs
{
	SpqRelation relation;		/* between left and right: OVERLAPS, MEETS,
								 * CONTAINS or CONTAINED */

	/* the left leaf */
	float8		hull[SPQ_RTREE_ENDS];	/* of its boxes, grown */
	SpqRtreeLeafFrame frame;
	uint8		high[SPQ_RTREE_AXES][SPQ_RTREE_LEAF_LANES];
	uint8		low[SPQ_RTREE_AXES][SPQ_RTREE_LEAF_LANES];
	uint8		group_high[SPQ_RTREE_AXES][SPQ_RTREE_LEAF_GROUPS];
	uint8		group_low[SPQ_RTREE_AXES][SPQ_RTREE_LEAF_GROUPS];
	int			ngroups;
	uint16		row_of[SPQ_RTREE_LEAF_LANES];	/* of a lane */
	uint16		lane_of[SPQ_RTREE_LEAF_MAX];	/* of a row */

	/* the right leaf: positions of its rows, and the groups near each */
	uint8		positions[SPQ_RTREE_LEAF_MAX][SPQ_BYTES / 2];
	int			nsteps;
	int			steps_size;
	SpqRtreeLeafPair *step;		/* left: a group */

	/* the result */
	int			npairs;
	int			size;
	SpqRtreeLeafPair *pair;
	int64		candidates;		/* of all calls: pairs given to the relation */
} SpqRtreeLeafPairs;

/* Allocate in the current context. */
extern SpqRtreeLeafPairs *spq_rtree_leaf_pairs_begin(SpqRelation relation);

/* Set the left leaf. */
extern void spq_rtree_leaf_pairs_left(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left);

/* Leave out a row of the left leaf from now on. */
static inline void
spq_rtree_leaf_pairs_drop(SpqRtreeLeafPairs *pairs, int row)
{
	pairs->low[0][pairs->lane_of[row]] = SPQ_RTREE_NO_LOW_END;
	pairs->high[0][pairs->lane_of[row]] = 0;
}

/* Return whether a row of the left leaf may be in a pair with a row within these bounds. */
extern bool spq_rtree_leaf_pairs_near(const void *pairs, const SpqRtreeBounds *bounds);

/* Find the pairs with a right leaf, in the order of its rows. */
extern void spq_rtree_leaf_pairs_find(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left,
									  const SpqRtreeLeafCopy *right);

/* Put the pairs that were found into the order of the left leaf's rows. */
extern void spq_rtree_leaf_pairs_by_left(SpqRtreeLeafPairs *pairs, int nrows);

/* leaf_pairs3.c: the same for three axes */
extern void spq_rtree_leaf_pairs3_left(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left);
extern bool spq_rtree_leaf_pairs3_near(const void *pairs, const SpqRtreeBounds *bounds);
extern void spq_rtree_leaf_pairs3_find(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left,
									   const SpqRtreeLeafCopy *right);

#endif							/* SPQ_RTREE_LEAF_JOIN_LEAF_PAIRS_H */
