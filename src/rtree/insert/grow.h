/*-------------------------------------------------------------------------
 *
 * grow.h
 *	  New pages of the tree: a page is split in two, the root gets a level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_GROW_H
#define SPQ_RTREE_INSERT_GROW_H

#include "rtree/store/buffer.h"

/*
 * Split a page that is not the root, into itself and a free or new page.  It is
 * exclusively locked and stays so; it is INCOMPLETE then.
 */
extern void spq_rtree_split(Relation index, Relation heap, Buffer buffer);

/*
 * Move what is in the root to a new page below it.  The root is exclusively
 * locked and stays so.
 */
extern void spq_rtree_grow_root(Relation index, Buffer root);

#endif							/* SPQ_RTREE_INSERT_GROW_H */
