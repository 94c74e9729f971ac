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
extern Buffer spq_rtree_take_free(Relation index, Relation heap, Buffer *meta_buffer,
								  BlockNumber *next);

/* Let the index have no list of free pages. */
extern void spq_rtree_take_all_free(Relation index);

/* Let the index have a list of free pages; it has none. */
extern void spq_rtree_give_free(Relation index, BlockNumber first);

/* Let a page that is in no list be followed by another one. */
extern void spq_rtree_link_free(Relation index, BlockNumber block, BlockNumber next);

#endif							/* SPQ_RTREE_STORE_FREE_H */
