/*-------------------------------------------------------------------------
 *
 * vacuum_state.h
 *	  What both passes of VACUUM know.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_VACUUM_STATE_H
#define SPQ_RTREE_VACUUM_VACUUM_STATE_H

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

#endif							/* SPQ_RTREE_VACUUM_VACUUM_STATE_H */
