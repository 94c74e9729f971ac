/*-------------------------------------------------------------------------
 *
 * leaf.h
 *	  The contents of leaf tuples in the two operator classes.
 *
 *		spqtree_box_ops				the box
 *		spqtree_box_compact_ops		a box of float4 around it (compact_box.h)
 *
 * Everything above the leaves is shared and uses the stored box: places,
 * regions and bounds in the compact class are those of the larger box.  Only
 * the code that tests a leaf distinguishes the two.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_LEAF_H
#define SPQ_QUADTREE_LEAF_H

#include "utils/relcache.h"

#include "box/compact_box.h"

typedef enum SpqQuadLeafKind
{
	SPQ_QUAD_LEAF_OTHER,		/* not an index of ours */
	SPQ_QUAD_LEAF_BOX,
	SPQ_QUAD_LEAF_COMPACT
} SpqQuadLeafKind;

/* Return the box of a leaf that determines its place and bounds. */
static inline BOX
spq_quad_leaf_box(const void *leaf, SpqQuadLeafKind kind)
{
	return kind == SPQ_QUAD_LEAF_COMPACT ?
		spq_compact_tree_box((const SpqCompactBox *) leaf) : *(const BOX *) leaf;
}

extern SpqQuadLeafKind spq_quad_leaf_kind(Relation index);

#endif							/* SPQ_QUADTREE_LEAF_H */
