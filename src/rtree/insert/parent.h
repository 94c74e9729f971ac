/*-------------------------------------------------------------------------
 *
 * parent.h
 *	  Finding the parent of a page, and finishing its split.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_PARENT_H
#define SPQ_RTREE_INSERT_PARENT_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "rtree/page/page.h"
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

/* ---- grow.c: splitting a page, and growing the tree by a level ---- */

/*
 * Split an exclusively locked page that is not the root into itself and a free or
 * new page.  It stays locked, and is INCOMPLETE afterwards.
 */
extern void spq_rtree_split(Relation index, Relation heap, Buffer buffer);

/*
 * Move the content of the exclusively locked root to a new page below it.  The
 * root stays locked.
 */
extern void spq_rtree_grow_root(Relation index, Buffer root);

/*
 * nulls.c: insertion of rows without a box, into a chain of pages of their
 * own.
 */

/* Insert a row whose spatial column is NULL.  Its ends are 0. */
extern void spq_rtree_insert_null(Relation index, const SpqRtreeRow *row);

/* ---- prune.c: removing dead rows from a full leaf before it is split ---- */

/*
 * Remove rows that are dead to all transactions from an exclusively locked leaf, if
 * there is reason to expect some.  The leaf stays locked and keeps its promise.
 * "unchanged": the new row is a version of one with the same columns.
 */
extern void spq_rtree_prune(Relation index, Relation heap, Buffer leaf, bool unchanged);

#endif							/* SPQ_RTREE_INSERT_PARENT_H */
