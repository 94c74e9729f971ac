/*-------------------------------------------------------------------------
 *
 * tree_parts.h
 *	  Shared by the parts of the check of an index of access method spqtree.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_TREE_PARTS_H
#define SPQ_CHECK_TREE_PARTS_H

#include "check/heap.h"
#include "rtree_pages/tree_walk.h"

/* One check of an index. */
typedef struct SpqTreeCheck
{
	/* fixed */
	SpqCheck   *check;
	SpqTreeReader reader;
	SpqCheckHeap *heap;			/* NULL if the table is not checked */
	bool		dead_are_skipped;	/* scans skip dead rows: not on a standby */
	Page		pages[3];		/* for second looks: parent, child, neighbor */
	Page		parent_again;

	/* results of the walk */
	SpqRtreeBlockSet visited;
	SpqRtreeBlockSet of_nulls;	/* those of nulls among them */
	int64		pages_of_level[SPQ_RTREE_LEVELS];
	int			root_level;		/* -1 if the root cannot be read */
} SpqTreeCheck;

/* tree_downlinks.c: compare a page with the downlink that led to it */
extern void spq_check_tree_downlink(SpqTreeCheck *tree, const SpqTreeStep *step);

/* tree_rows.c: begin to compare with the table; check the rows of a leaf */
extern SpqCheckHeap *spq_check_tree_rows_begin(SpqCheck *check);
extern void spq_check_tree_rows(SpqTreeCheck *tree, const SpqTreeStep *leaf);

/* tree_pages.c, after the walk */
extern void spq_check_tree_levels(SpqTreeCheck *tree);
extern void spq_check_tree_free(SpqTreeCheck *tree);
extern void spq_check_tree_rest(SpqTreeCheck *tree);

#endif							/* SPQ_CHECK_TREE_PARTS_H */
