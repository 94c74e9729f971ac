/*-------------------------------------------------------------------------
 *
 * buffer.c
 *	  Reading and verifying pages of an index, and new pages.
 *
 * Following a link yields a page whose entries can be read without leaving the
 * page, or an error.  So damage never crashes the server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/buf_internals.h"
#include "storage/lmgr.h"

#include "compat.h"
#include "inject.h"
#include "rtree/class/class.h"
#include "rtree/store/buffer.h"

void
spq_rtree_damaged(Relation index, BlockNumber block, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is damaged at block %u: %s",
					RelationGetRelationName(index), block, problem),
			 errhint("Run spqtree_check to list all problems, then REINDEX the index.")));
}

/* Return what is wrong with a page that should have this level, or NULL. */
static const char *
page_problem(Page page, BlockNumber block, int lock, int level)
{
	const char *problem = lock == BUFFER_LOCK_SHARE ? spq_rtree_entries_problem(page) :
		spq_rtree_page_problem(page);
	const SpqRtreeSpecial *special;

	if (problem != NULL)
		return problem;
	special = spq_rtree_special(page);
	if (block == SPQ_RTREE_ROOT && BlockNumberIsValid(special->next))
		return "the root has a right neighbor";
	if (level == SPQ_RTREE_ANY_LEVEL)
		return NULL;
	if (level == SPQ_RTREE_NULL_LEVEL)
		return special->flags & SPQ_RTREE_IS_NULLS ? NULL : "it is not of the chain of NULLs";
	if (special->flags & SPQ_RTREE_IS_NULLS)
		return "it is of the chain of NULLs";
	if (special->level != level)
		return "it has the wrong level";
	return NULL;
}

/* Return whether this backend has already locked a buffer. */
static bool
is_locked_here(Buffer buffer)
{
	return !BufferIsLocal(buffer) &&
		spq_is_locked_by_me(buffer);
}

/* Read and lock a page of the index, whatever it contains. */
static Buffer
read_locked(Relation index, BlockNumber block, int lock)
{
	Buffer		buffer;

	/* P_NEW, which would extend the file */
	if (!BlockNumberIsValid(block))
		spq_rtree_damaged(index, block, "a link leads nowhere");
	SPQ_INJECT_LOCK(block);
	buffer = ReadBuffer(index, block);

	/* to lock it again would wait forever, without a chance to cancel */
	if (unlikely(is_locked_here(buffer)))
		spq_rtree_damaged(index, block, "a link leads back to it");
	LockBuffer(buffer, lock);
	return buffer;
}

Buffer
spq_rtree_read(Relation index, BlockNumber block, int lock, int level)
{
	Buffer		buffer = read_locked(index, block, lock);
	const char *problem = page_problem(BufferGetPage(buffer), block, lock, level);

	if (unlikely(problem != NULL))
		spq_rtree_damaged(index, block, problem);
	return buffer;
}

Buffer
spq_rtree_read_for_vacuum(Relation index, BlockNumber block, int lock,
						  BufferAccessStrategy strategy)
{
	return spq_rtree_lock_for_vacuum(index, ReadBufferExtended(index, MAIN_FORKNUM, block,
															   RBM_NORMAL, strategy), lock);
}

Buffer
spq_rtree_lock_for_vacuum(Relation index, Buffer buffer, int lock)
{
	BlockNumber block = BufferGetBlockNumber(buffer);
	const char *problem;

	SPQ_INJECT_LOCK(block);
	LockBuffer(buffer, lock);
	if (PageIsNew(BufferGetPage(buffer)))
	{
		UnlockReleaseBuffer(buffer);
		return InvalidBuffer;
	}
	problem = spq_rtree_page_problem(BufferGetPage(buffer));
	if (problem)
		spq_rtree_damaged(index, block, problem);
	return buffer;
}

Buffer
spq_rtree_read_meta(Relation index, int lock)
{
	Buffer		buffer = read_locked(index, SPQ_RTREE_META, lock);
	Page		page = BufferGetPage(buffer);
	const SpqRtreeMeta *meta = spq_rtree_meta(page);

	if (PageIsNew(page) || PageGetSpecialSize(page) != 0 || meta->magic != SPQ_RTREE_MAGIC)
		spq_rtree_damaged(index, SPQ_RTREE_META, "it is not the metapage of this kind of index");
	if (meta->version != SPQ_RTREE_VERSION || meta->dimensions != spq_rtree_axes(index))
		ereport(ERROR,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("index \"%s\" has format version %u for %u dimensions, not %d for %d",
						RelationGetRelationName(index), meta->version, meta->dimensions,
						SPQ_RTREE_VERSION, spq_rtree_axes(index)),
				 errhint("Run spqtree_check to list all problems, then REINDEX the index.")));
	return buffer;
}

BlockNumber
spq_rtree_first_of_level(Relation index, int level)
{
	Buffer		buffer = spq_rtree_read_meta(index, BUFFER_LOCK_SHARE);
	BlockNumber block = spq_rtree_meta(BufferGetPage(buffer))->first[level];

	UnlockReleaseBuffer(buffer);
	if (!BlockNumberIsValid(block))
		spq_rtree_damaged(index, SPQ_RTREE_META, "it lacks a level of the tree");
	return block;
}

Buffer
spq_rtree_new_buffer(Relation index)
{
	Buffer		buffer;

	spq_extend_relation(index, buffer);
	return buffer;
}
