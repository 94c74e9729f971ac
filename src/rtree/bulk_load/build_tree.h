/*-------------------------------------------------------------------------
 *
 * build_tree.h
 *	  What is above the leaves, for CREATE INDEX.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_TREE_H
#define SPQ_RTREE_BULK_LOAD_BUILD_TREE_H

#include "rtree/bulk_load/build_group.h"

typedef struct SpqRtreeBuildTree SpqRtreeBuildTree;

extern SpqRtreeBuildTree *spq_rtree_tree_begin(const SpqRtreeBuild *build);

/* Put inner pages above the leaves of a group; groups come in their order. */
extern void spq_rtree_tree_add(SpqRtreeBuildTree *tree, SpqRtreeGroup *group);

/* Write what is above, and let the metapage say where levels begin. */
extern void spq_rtree_tree_end(SpqRtreeBuildTree *tree, SpqRtreeMeta *meta);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_TREE_H */
