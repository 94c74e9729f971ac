/*-------------------------------------------------------------------------
 *
 * leaf.h
 *	  What the leaf tuples of our two operator classes hold.
 *
 *		spqtree_box_ops				the box
 *		spqtree_box_compact_ops		a box of float4 around it (compact_box.h)
 *
 * All above the leaves is the same, and goes by the boxes that the leaves
 * hold: places, regions and bounds are those of the larger box.  Only the test
 * of a leaf tells the two apart.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_LEAF_H
#define SPQ_QUADTREE_LEAF_H

#include "utils/relcache.h"

#include "quadtree/compact_box.h"

typedef enum SpqQuadLeafKind
{
	SPQ_QUAD_LEAF_OTHER,		/* not an index of ours */
	SPQ_QUAD_LEAF_BOX,
	SPQ_QUAD_LEAF_COMPACT
} SpqQuadLeafKind;

/* The box of a leaf, as the tree sees it. */
static inline BOX
spq_quad_leaf_box(const void *leaf, SpqQuadLeafKind kind)
{
	return kind == SPQ_QUAD_LEAF_COMPACT ?
		spq_quad_tree_box((const SpqQuadCompactBox *) leaf) : *(const BOX *) leaf;
}

extern SpqQuadLeafKind spq_quad_leaf_kind(Relation index);

#endif							/* SPQ_QUADTREE_LEAF_H */
