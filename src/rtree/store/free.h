/*-------------------------------------------------------------------------
 *
 * free.h
 *	  Free pages: leaves that VACUUM has removed from the tree, for reuse.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_FREE_H
#define SPQ_RTREE_STORE_FREE_H

#include "rtree/store/buffer.h"

/*
 * If the first page of the list of free pages can be reused, because no scan or
 * insertion can still have its downlink, return it exclusively locked, and set
 * *meta_buffer to the metapage, also exclusively locked.  The record that reuses
 * the page must also make the list begin with *next.  Otherwise return
 * InvalidBuffer.
 */
extern Buffer spq_rtree_pop_free_page(Relation index, Relation heap, Buffer *meta_buffer,
									  BlockNumber *next);

/* Empty the list of free pages.  The pages stay free. */
extern void spq_rtree_drop_free_list(Relation index);

/* Set the first page of the list, which is empty. */
extern void spq_rtree_set_free_list(Relation index, BlockNumber first);

/* Set the page that follows a free page which is not in the list yet. */
extern void spq_rtree_chain_free_page(Relation index, BlockNumber block, BlockNumber next);

#endif							/* SPQ_RTREE_STORE_FREE_H */
