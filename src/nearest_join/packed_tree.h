/*-------------------------------------------------------------------------
 *
 * packed_tree.h
 *	  Boxes in memory, as an R-tree without pointers.
 *
 *		level 1		[ bounds of group 0 | of group 1 | ... ]	group 0
 *						|				 |
 *		level 0		[ 16 boxes ]	[ 16 boxes ] ...
 *
 * Boxes are sorted along a Hilbert curve (order.c) and cut into groups of 16;
 * so are the bounds of groups, up to a single group.  Entry e of a level is
 * the bounds of group e of the level below (Kamel and Faloutsos, "On Packing
 * R-trees", CIKM 1993).  A group has a column for each end of its boxes: high
 * ends, then low ones.  Places after the last box are zero and hold no box:
 * spq_packed_tree_entries() leaves them out.
 *
 * Boxes have no NaN, and no low end is above the high end.
 *
 * Levels 0 and 1 may be elsewhere, such as in a file.  Then the caller loads their
 * groups.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_PACKED_TREE_H
#define SPQ_NEAREST_JOIN_PACKED_TREE_H

#include "nearest_join/order.h"

#define SPQ_PACKED_GROUP	16
#define SPQ_PACKED_LEVELS	8	/* for 2^32 boxes */

typedef struct SpqPackedTree
{
	int			axes;
	int			nlevels;		/* 0: no boxes */
	uint32		nentries[SPQ_PACKED_LEVELS];	/* of each level */
	float8	   *groups[SPQ_PACKED_LEVELS];
	int64	   *ids;			/* of the boxes of level 0; NULL: their
								 * entries */

	/* return a group of level 0 or 1, valid until the next call; or NULL */
	const float8 *(*load) (void *argument, int level, uint32 group);
	void	   *argument;
} SpqPackedTree;

/* Return the bytes that a box and its id take while a tree is built. */
extern Size spq_packed_tree_row_size(int axes);

/*
 * Build a tree of boxes, whose ids are their places in the order given, in the
 * current memory context.  The boxes are not used later.
 */
extern SpqPackedTree *spq_packed_tree_pack(const float8 *boxes, const SpqNearestPlace *places,
										   uint32 count, int axes);

/* The same for boxes in any order, with their ids. */
extern SpqPackedTree *spq_packed_tree_build(const float8 *boxes, const int64 *ids,
											uint32 count, int axes);

/*
 * Build a tree whose boxes, in the order of a curve, and bounds of groups the caller
 * keeps.  "bounds" are those of groups of these bounds.  The caller
 * sets how to load what he keeps.
 */
extern SpqPackedTree *spq_packed_tree_above(const float8 *bounds, uint32 count, int axes);
extern void spq_packed_tree_free(SpqPackedTree *tree);

/* Return a group of a level. */
static inline const float8 *
spq_packed_tree_group(const SpqPackedTree *tree, int level, uint32 group)
{
	if (level <= 1 && tree->load)
		return tree->load(tree->argument, level, group);
	return tree->groups[level] + (Size) group * 2 * tree->axes * SPQ_PACKED_GROUP;
}

/* Return a bit for each entry of a group. */
static inline uint32
spq_packed_tree_entries(const SpqPackedTree *tree, int level, uint32 group)
{
	uint32		left = tree->nentries[level] - group * SPQ_PACKED_GROUP;

	return left >= SPQ_PACKED_GROUP ? (1 << SPQ_PACKED_GROUP) - 1 : (1 << left) - 1;
}

#endif							/* SPQ_NEAREST_JOIN_PACKED_TREE_H */
