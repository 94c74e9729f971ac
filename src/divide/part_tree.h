/*-------------------------------------------------------------------------
 *
 * part_tree.h
 *	  A partitioning of space: a tree of splits, whose leaves are the parts.
 *
 * This is the value of the type spqtree_partitioning, in memory and on disk.
 * Nodes are in preorder: the left child follows its parent.
 *
 *		x < 5 ?						node	axis	split	next
 *		 /	 \						 0		x		5		4
 *
 * Invariants: each point without NaN, infinite points included, is in exactly
 * one part.  Splits are finite.  Numbers of parts are positive and distinct.
 * No leaf is deeper than SPQ_PART_MAX_DEPTH, so a walk needs a stack of that
 * size only.
 *
 * A box touches the parts that contain a point of [low, high + slack] on each
 * axis, where slack is the tolerance of && (README.md).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_PART_TREE_H
#define SPQ_DIVIDE_PART_TREE_H

#include "utils/geo_decls.h"

#define SPQ_PART_EVERYWHERE 0	/* the part of boxes in no other part */
#define SPQ_PART_LEAF (-1)		/* the axis of a leaf */
#define SPQ_PART_MAX_AXES 3
#define SPQ_PART_MAX_DEPTH 256
#define SPQ_PART_MAX_PARTS 1000000

typedef struct SpqPartNode
{
	float8		split;			/* smaller coordinates go left */
	int32		axis;
	int32		next;			/* right child; of a leaf, the part's number */
} SpqPartNode;

typedef struct SpqPartTree
{
	int32		vl_len_;		/* varlena header */
	int32		axes;			/* 2 or 3 */
	int32		max_copies;		/* a box that touches more parts is
								 * everywhere; 0 means no limit */
	int32		parts;			/* 2 * parts - 1 nodes follow */
	SpqPartNode node[FLEXIBLE_ARRAY_MEMBER];
} SpqPartTree;

#define SPQ_PART_TREE_SIZE(parts) \
	(offsetof(SpqPartTree, node) + (2 * (Size) (parts) - 1) * sizeof(SpqPartNode))

/* Return the tolerance of && on boxes with this number of axes. */
static inline float8
spq_part_slack(int axes)
{
	return axes == 2 ? EPSILON : 0;
}

extern bool spq_part_has_nan(const float8 *numbers, int count);
extern int	spq_part_of_point(const SpqPartTree *tree, const float8 *point);
extern int	spq_part_around(const SpqPartTree *tree, const float8 *box);
extern int	spq_part_touched(const SpqPartTree *tree, const float8 *box, int32 *parts, int limit);
extern bool spq_part_is_everywhere(const SpqPartTree *tree, const float8 *box);
extern int	spq_part_of_pair(const SpqPartTree *tree, const float8 *a, const float8 *b);

#endif							/* SPQ_DIVIDE_PART_TREE_H */
