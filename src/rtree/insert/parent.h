/*-------------------------------------------------------------------------
 *
 * parent.h
 *	  Finding the parent of a page, and finishing its split.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_PARENT_H
#define SPQ_RTREE_INSERT_PARENT_H

#include "rtree/store/buffer.h"

/*
 * The table, and the path of a descent: for each level, the page whose downlink was
 * followed.
 */
typedef struct SpqRtreePath
{
	Relation	heap;
	BlockNumber block[SPQ_RTREE_LEVELS];	/* InvalidBlockNumber above the
											 * root */
} SpqRtreePath;

/*
 * Return the page that has a page's downlink, exclusively locked and not
 * INCOMPLETE, and set *entry to the downlink.  The caller holds the exclusive lock
 * of the child, which is not the root and not the right half of an unfinished
 * split.
 */
extern Buffer spq_rtree_find_parent(Relation index, SpqRtreePath *path,
									Buffer child, int *entry);

/* Finish the split of an exclusively locked, INCOMPLETE page, which stays locked. */
extern void spq_rtree_finish_split(Relation index, SpqRtreePath *path, Buffer buffer);

/*
 * Make room in an exclusively locked page that is not INCOMPLETE, which stays
 * locked: split it and finish the split, or, if it is the root, grow the tree.
 */
extern void spq_rtree_make_room(Relation index, SpqRtreePath *path, Buffer buffer);

#endif							/* SPQ_RTREE_INSERT_PARENT_H */
