/*-------------------------------------------------------------------------
 *
 * build_tree.h
 *	  The levels above the leaves, for CREATE INDEX.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_TREE_H
#define SPQ_RTREE_BULK_LOAD_BUILD_TREE_H

#include "rtree/bulk_load/build_subtree.h"

typedef struct SpqRtreeBuildTree SpqRtreeBuildTree;

extern SpqRtreeBuildTree *spq_rtree_tree_begin(const SpqRtreeBuild *build);

/*
 * Add the leaves of a subtree and, if it ends a region, the inner pages above.  Subtrees
 * must come in order.
 */
extern void spq_rtree_tree_add(SpqRtreeBuildTree *tree, SpqRtreeSubtree *subtree);

/*
 * Write the remaining levels, and set the first page of each level in the
 * metapage.
 */
extern void spq_rtree_tree_end(SpqRtreeBuildTree *tree, SpqRtreeMeta *meta);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_TREE_H */
