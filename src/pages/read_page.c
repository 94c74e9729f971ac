/*-------------------------------------------------------------------------
 *
 * read_page.c
 *	  A copy of one page of the index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "pages/read_page.h"

/* Milliseconds for which a replay may stand still in the middle of a change. */
#define MAX_REPLAY_STALL_MS	10000

/*
 * The columns of leaf tuples: those of the index, except that a class of
 * others' with our methods need not have declared that it stores boxes.
 */
static TupleDesc
leaf_columns(const SpqPageReader *reader)
{
	TupleDesc	desc = RelationGetDescr(reader->index);

	if (reader->leaf_kind == SPQ_QUAD_LEAF_BOX &&
		TupleDescAttr(desc, spgKeyColumn)->atttypid != BOXOID)
	{
		desc = CreateTupleDescCopy(desc);
		TupleDescInitEntry(desc, spgKeyColumn + 1, NULL, BOXOID, -1, 0);
	}
	return desc;
}

void
spq_page_reader_begin(SpqPageReader *reader, Relation index)
{
	reader->index = index;
	reader->leaf_kind = spq_quad_leaf_kind(index);
	reader->leaf_desc = leaf_columns(reader);
	reader->strategy = GetAccessStrategy(BAS_BULKREAD);
	reader->reuse = false;
	reader->last = InvalidBlockNumber;
	reader->newest = InvalidXLogRecPtr;
	reader->patience = MAX_REPLAY_STALL_MS;
}

void
spq_page_reader_end(SpqPageReader *reader)
{
	FreeAccessStrategy(reader->strategy);
}

static SpqPageKind
kind_of_page(Page page, BlockNumber block)
{
	if (PageIsNew(page))
		return SPQ_PAGE_EMPTY;
	if (spq_page_header_problem(page, block) != NULL)
		return SPQ_PAGE_DAMAGED;
	if (block != SPGIST_METAPAGE_BLKNO && PageIsEmpty(page))
		return SPQ_PAGE_EMPTY;
	return SpGistPageIsLeaf(page) ? SPQ_PAGE_LEAF : SPQ_PAGE_INNER;
}

/*
 * Copy a page, made under a share lock.  Everything else that is done with it
 * may take its time.
 *
 * A page that the server itself does not accept (checksum, header) is an error
 * of the server's, which names the block.
 */
SpqPageKind
spq_page_read(SpqPageReader *reader, BlockNumber block, Page copy)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	if (reader->reuse && block == reader->last && copy == reader->last_copy)
		return reader->last_kind;
	if (block >= RelationGetNumberOfBlocks(reader->index))
		return SPQ_PAGE_BEYOND_END;

	buffer = ReadBufferExtended(reader->index, MAIN_FORKNUM, block, RBM_NORMAL,
								reader->strategy);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	reader->newest = Max(reader->newest, PageGetLSN(copy));

	reader->last = block;
	reader->last_copy = copy;
	reader->last_kind = kind_of_page(copy, block);
	return reader->last_kind;
}
