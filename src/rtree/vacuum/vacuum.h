/*-------------------------------------------------------------------------
 *
 * vacuum.h
 *	  What the two passes of VACUUM share: the second one is in tighten.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_VACUUM_H
#define SPQ_RTREE_VACUUM_VACUUM_H

#include "access/genam.h"

#include "rtree/page/block_set.h"
#include "rtree/store/buffer.h"

/* One call of bulkdelete. */
typedef struct SpqRtreeVacuum
{
	/* fixed */
	IndexVacuumInfo *info;
	Relation	index;
	IndexBulkDeleteResult *stats;
	IndexBulkDeleteCallback callback;
	void	   *callback_state;

	SpqRtreeBlockSet shrunk;	/* pages whose downlinks may be too wide */
	SpqRtreeBlockSet empty;		/* leaves without rows */
	SpqRtreeBlockSet zeros;		/* pages that are all zeros */

	/* lists of free pages, or InvalidBlockNumber: those found free ... */
	BlockNumber first_free;
	BlockNumber last_free;
	BlockNumber first_freed;	/* ... and those that have become so */
	BlockNumber null_room;		/* first page of the chain of NULLs that has
								 * room, or InvalidBlockNumber */
} SpqRtreeVacuum;

/*
 * Let an exclusively locked page promise what its entries need, if it promises
 * more.  Return whether it did.
 */
extern bool spq_rtree_shrink_promise(SpqRtreeVacuum *vacuum, Buffer buffer);

/* The second pass. */
extern void spq_rtree_tighten(SpqRtreeVacuum *vacuum);

#endif							/* SPQ_RTREE_VACUUM_VACUUM_H */
