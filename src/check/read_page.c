/*-------------------------------------------------------------------------
 *
 * read_page.c
 *	  A copy of one page of the index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "check/check.h"

/*
 * Copy a page, made under a share lock.  Everything else that is done with it
 * may take its time.
 *
 * A page that the server itself does not accept (checksum, header) is an error
 * of the server's, which names the block.
 */
SpqPageKind
spq_read_page(SpqCheck *check, BlockNumber block, Page copy)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	if (block >= RelationGetNumberOfBlocks(check->index))
		return SPQ_PAGE_BEYOND_END;

	buffer = ReadBufferExtended(check->index, MAIN_FORKNUM, block, RBM_NORMAL,
								check->strategy);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	check->newest = Max(check->newest, PageGetLSN(copy));

	if (PageIsNew(copy))
		return SPQ_PAGE_EMPTY;
	if (spq_page_problem(copy, block) != NULL)
		return SPQ_PAGE_DAMAGED;
	if (block != SPGIST_METAPAGE_BLKNO && PageIsEmpty(copy))
		return SPQ_PAGE_EMPTY;
	return SpGistPageIsLeaf(copy) ? SPQ_PAGE_LEAF : SPQ_PAGE_INNER;
}
