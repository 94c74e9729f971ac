/*-------------------------------------------------------------------------
 *
 * parent.h
 *	  From a page of the tree upward: its parent, and the end of its split.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_PARENT_H
#define SPQ_RTREE_INSERT_PARENT_H

#include "rtree/store/buffer.h"

/*
 * The table, and where a descent passed: of each level a page that had a downlink,
 * or the root.
 */
typedef struct SpqRtreePath
{
	Relation	heap;
	BlockNumber block[SPQ_RTREE_LEVELS];	/* InvalidBlockNumber: above the
											 * root */
} SpqRtreePath;

/*
 * Return the page that has the downlink of a page, exclusively locked and not
 * INCOMPLETE, and which entry that is.  The caller holds the exclusive lock of
 * the child, which has a downlink and is not the root.
 */
extern Buffer spq_rtree_find_parent(Relation index, SpqRtreePath *path,
									Buffer child, int *entry);

/* Finish the split of a page that is INCOMPLETE and exclusively locked; it stays locked. */
extern void spq_rtree_finish_split(Relation index, SpqRtreePath *path, Buffer buffer);

/*
 * Make room in a page that is exclusively locked and not INCOMPLETE: split it and
 * finish that, or let the tree grow if it is the root.  It stays locked.
 */
extern void spq_rtree_make_room(Relation index, SpqRtreePath *path, Buffer buffer);

#endif							/* SPQ_RTREE_INSERT_PARENT_H */
