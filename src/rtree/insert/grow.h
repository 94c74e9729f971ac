/*-------------------------------------------------------------------------
 *
 * grow.h
 *	  Splitting a page, and growing the tree by a level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_GROW_H
#define SPQ_RTREE_INSERT_GROW_H

#include "rtree/store/buffer.h"

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

#endif							/* SPQ_RTREE_INSERT_GROW_H */
