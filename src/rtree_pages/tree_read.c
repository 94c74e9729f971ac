/*-------------------------------------------------------------------------
 *
 * tree_read.c
 *	  Reading the pages of an index of access method spqtree.
 *	  See tree_read.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/spccache.h"

#include "inject.h"
#include "rtree/keys/payload.h"
#include "rtree_pages/tree_read.h"

/* Prepare to read the pages of an open index. */
void
spq_tree_reader_begin(SpqTreeReader *reader, Relation index)
{
	reader->index = index;
	reader->columns = spq_rtree_payload_descriptor(index);
	reader->leaf_flags = spq_rtree_leaf_flags(index);
	spq_rtree_coder_init(&reader->coder, index);
	reader->strategy = GetAccessStrategy(BAS_BULKREAD);
	reader->most_requests = get_tablespace_maintenance_io_concurrency(index->rd_rel->reltablespace);
}

void
spq_tree_reader_end(SpqTreeReader *reader)
{
	FreeAccessStrategy(reader->strategy);
}

/*
 * Test header and special space of a page, and whether its flags are those of
 * this index.
 */
static char *
header_problem(const SpqTreeReader *reader, BlockNumber block, Page page)
{
	char	   *problem = spq_tree_header_problem(page, block, reader->columns);
	const SpqRtreeSpecial *special = spq_rtree_special(page);

	if (problem == NULL && (special->flags & SPQ_RTREE_INDEX_FLAGS) !=
		(special->level > 0 ? reader->leaf_flags & SPQ_RTREE_INNER_FLAGS : reader->leaf_flags))
		problem = psprintf("invalid page flags %04X on a page of level %d",
						   special->flags, special->level);
	return problem;
}

/* Test the metapage, and whether it is of this index. */
static char *
meta_problem(const SpqTreeReader *reader, Page page)
{
	char	   *problem = spq_tree_meta_problem(page, spq_rtree_axes_of(reader->leaf_flags));
	uint32		scalars;

	if (problem)
		return problem;
	scalars = spq_rtree_meta(page)->scalars;
	if (scalars != (uint32) reader->coder.nscalars)
		return psprintf("metapage is of an index with %u columns before the spatial one, not %d",
						scalars, reader->coder.nscalars);
	return NULL;
}

static SpqTreeKind
kind_of_page(const SpqTreeReader *reader, BlockNumber block, Page page)
{
	if (PageIsNew(page))
		return SPQ_TREE_ZERO;
	if (block == SPQ_RTREE_META)
		return meta_problem(reader, page) ? SPQ_TREE_DAMAGED : SPQ_TREE_META;
	return header_problem(reader, block, page) ? SPQ_TREE_DAMAGED : SPQ_TREE_PAGE;
}

/*
 * Copy a page.  If the server does not accept it (checksum, header), it raises
 * an error that names the block.
 */
SpqTreeKind
spq_tree_read(SpqTreeReader *reader, BlockNumber block, Page copy)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	if (block >= RelationGetNumberOfBlocks(reader->index))
		return SPQ_TREE_BEYOND_END;
	buffer = ReadBufferExtended(reader->index, MAIN_FORKNUM, block, RBM_NORMAL,
								reader->strategy);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	return kind_of_page(reader, block, copy);
}

void
spq_tree_request(SpqTreeReader *reader, BlockNumber block)
{
	if (block >= RelationGetNumberOfBlocks(reader->index))
		return;
	SPQ_INJECT_POINT("ahead");
	(void) PrefetchBuffer(reader->index, MAIN_FORKNUM, block);
}

/* Return the name of a page, by its place. */
static const char *
name_of_page(BlockNumber block)
{
	switch (block)
	{
		case SPQ_RTREE_META:
			return "metapage";
		case SPQ_RTREE_ROOT:
			return "root page";
		case SPQ_RTREE_NULLS:
			return "first page of nulls";
		default:
			return "page";
	}
}

const char *
spq_tree_kind_problem(const SpqTreeReader *reader, SpqTreeKind kind, BlockNumber block,
					  Page copy)
{
	switch (kind)
	{
		case SPQ_TREE_BEYOND_END:
			return psprintf("%s is beyond the end of the index, which has %u blocks",
							name_of_page(block), RelationGetNumberOfBlocks(reader->index));
		case SPQ_TREE_ZERO:
			return psprintf("%s is in use, but all zeros", name_of_page(block));
		case SPQ_TREE_DAMAGED:
			return block == SPQ_RTREE_META ? meta_problem(reader, copy) :
				header_problem(reader, block, copy);
		case SPQ_TREE_META:
			return "page is the metapage";
		case SPQ_TREE_PAGE:
			break;
	}
	return NULL;
}
