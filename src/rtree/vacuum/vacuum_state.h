/*-------------------------------------------------------------------------
 *
 * vacuum_state.h
 *	  The state of VACUUM, for both passes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_VACUUM_STATE_H
#define SPQ_RTREE_VACUUM_VACUUM_STATE_H

#include "access/genam.h"

#include "rtree/page/block_set.h"
#include "rtree/store/buffer.h"

/* A call of ambulkdelete. */
typedef struct SpqRtreeVacuum
{
	/* fixed */
	IndexVacuumInfo *info;
	Relation	index;
	IndexBulkDeleteResult *stats;
	IndexBulkDeleteCallback callback;
	void	   *callback_state;

	SpqRtreeBlockSet shrunk;	/* pages with a downlink that may be too wide */
	SpqRtreeBlockSet empty;		/* leaves without rows */
	SpqRtreeBlockSet zeros;		/* pages that are all zeros */

	/* two lists of free pages, or InvalidBlockNumber: pages found free, ... */
	BlockNumber first_free;
	BlockNumber last_free;
	BlockNumber first_freed;	/* ... and pages freed by this call */
	BlockNumber null_room;		/* the first page found with room in the chain
								 * of NULLs, or InvalidBlockNumber */
} SpqRtreeVacuum;

/*
 * tighten.c: the second pass of VACUUM: the inner levels, from the bottom up.
 */

/*
 * Shrink the promise of an exclusively locked page to the bounds of its entries.
 * Return whether it was larger.
 */
extern bool spq_rtree_shrink_promise(SpqRtreeVacuum *vacuum, Buffer buffer);

/* Tighten downlinks and promises, and free empty leaves. */
extern void spq_rtree_tighten(SpqRtreeVacuum *vacuum);

#endif							/* SPQ_RTREE_VACUUM_VACUUM_STATE_H */
