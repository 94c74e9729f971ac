/*-------------------------------------------------------------------------
 *
 * build_pages.c
 *	  CREATE INDEX: new pages, and writing them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "compat.h"
#include "rtree/bulk_load/build_state.h"

BlockNumber
spq_rtree_build_extend(const SpqRtreeBuild *build, int count)
{
	BlockNumber first = InvalidBlockNumber;

	for (int i = 0; i < count; i++)
	{
		Buffer		buffer = spq_extend_new_relation(build->index, MAIN_FORKNUM);

		if (i == 0)
			first = BufferGetBlockNumber(buffer);
		Assert(BufferGetBlockNumber(buffer) == first + i);
		ReleaseBuffer(buffer);
	}
	return first;
}

void
spq_rtree_build_write(const SpqRtreeBuild *build, BlockNumber block, Page page)
{
	Buffer		buffer = ReadBuffer(build->index, block);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	memcpy(BufferGetPage(buffer), page, BLCKSZ);
	MarkBufferDirty(buffer);
	if (RelationNeedsWAL(build->index))
		log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}
