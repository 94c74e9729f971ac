/*-------------------------------------------------------------------------
 *
 * free.h
 *	  Free pages: leaves that VACUUM took out of the tree, to be used again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_STORE_FREE_H
#define SPQ_RTREE_STORE_FREE_H

#include "rtree/store/buffer.h"

/*
 * Return the first page of the list of free pages, exclusively locked, if there is
 * one that nobody knows from before it was free; else InvalidBuffer.  Then the
 * metapage is exclusively locked as well.  The record that makes the page another
 * one lets the list begin with "next".
 */
extern Buffer spq_rtree_pop_free_page(Relation index, Relation heap, Buffer *meta_buffer,
									  BlockNumber *next);

/* Drop the list of free pages: they are in none then. */
extern void spq_rtree_drop_free_list(Relation index);

/* Give the index a list of free pages, which begins here; it has none. */
extern void spq_rtree_set_free_list(Relation index, BlockNumber first);

/* Make "next" follow a free page that is in no list yet. */
extern void spq_rtree_chain_free_page(Relation index, BlockNumber block, BlockNumber next);

#endif							/* SPQ_RTREE_STORE_FREE_H */
