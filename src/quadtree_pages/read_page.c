/*-------------------------------------------------------------------------
 *
 * read_page.c
 *	  Reading the pages of an index.  See read_page.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "compat.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/read_page.h"

/* Total time that replay may stall in the middle of a change. */
#define MAX_REPLAY_STALL_MS	10000

/*
 * Return the columns of leaf tuples: those of the index, except that another
 * class with our methods may not have declared that it stores boxes.
 */
static TupleDesc
leaf_columns(const SpqPageReader *reader)
{
	TupleDesc	desc = RelationGetDescr(reader->index);

	if (TupleDescAttr(desc, spgKeyColumn)->atttypid != BOXOID)
	{
		desc = CreateTupleDescCopy(desc);
		TupleDescInitEntry(desc, spgKeyColumn + 1, NULL, BOXOID, -1, 0);
		spq_finalize_descriptor(desc);
	}
	return desc;
}

/* Prepare to read the pages of an open index. */
void
spq_page_reader_begin(SpqPageReader *reader, Relation index)
{
	reader->index = index;
	reader->leaf_desc = leaf_columns(reader);
	reader->strategy = GetAccessStrategy(BAS_BULKREAD);
	reader->newest = InvalidXLogRecPtr;
	reader->stall_ms = MAX_REPLAY_STALL_MS;
}

void
spq_page_reader_end(SpqPageReader *reader)
{
	FreeAccessStrategy(reader->strategy);
}

/* Allocate space for a copy, which contains no page yet. */
SpqPageCopy
spq_page_new_copy(void)
{
	SpqPageCopy copy;

	copy.page = (Page) palloc(BLCKSZ);
	copy.block = InvalidBlockNumber;
	copy.kind = SPQ_PAGE_BEYOND_END;
	return copy;
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
 * Copy a page under a share lock, which is released before the copy is used.
 *
 * If the server does not accept the page (checksum, header), it raises an
 * error that names the block.
 */
SpqPageKind
spq_page_read(SpqPageReader *reader, BlockNumber block, SpqPageCopy *copy)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	copy->block = InvalidBlockNumber;
	if (block >= RelationGetNumberOfBlocks(reader->index))
		return copy->kind = SPQ_PAGE_BEYOND_END;

	buffer = ReadBufferExtended(reader->index, MAIN_FORKNUM, block, RBM_NORMAL,
								reader->strategy);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy->page, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	reader->newest = Max(reader->newest, PageGetLSN(copy->page));

	copy->block = block;
	return copy->kind = kind_of_page(copy->page, block);
}

/*
 * Like spq_page_read(), but do not copy the page if the copy already contains
 * it.
 */
SpqPageKind
spq_page_read_once(SpqPageReader *reader, BlockNumber block, SpqPageCopy *copy)
{
	CHECK_FOR_INTERRUPTS();
	return block == copy->block ? copy->kind : spq_page_read(reader, block, copy);
}
