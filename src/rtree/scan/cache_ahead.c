/*-------------------------------------------------------------------------
 *
 * cache_ahead.c
 *	  Requests to the processor for pages that a scan will read soon.
 *
 * Inner pages are few and stay in the processor's caches; leaves do not.  A
 * scan that reads one leaf after the other waits for memory most of the time:
 * for the table of buffers, then for each of the page's 128 lines.  But it knows
 * the next leaves: they are on its stack.  So it looks up their buffers and
 * requests their lines before it tests the entries of the leaf that it has.
 *
 * A rescan requests none if the scans before it left leaves unread, as those
 * of an EXISTS do, which takes one row.
 *
 * These are hints.  No page is pinned or locked, so a buffer may have another
 * page by the time of the request, and the scan looks it up again.
 *
 * PrefetchBuffer() also finds buffers, but asks the system for those that it does
 * not find, which is the task of read_ahead.c and of effective_io_concurrency.  So
 * the look-up is our own.  Follows PrefetchSharedBuffer() (copies.list).
 *
 * rows_ahead.c does the same for rows of the table.  If blocks have to be read from
 * disk, read_ahead.c requests them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/buf_internals.h"

#include "compat.h"
#include "prefetch.h"
#include "rtree/scan/read_ahead.h"

/*
 * How many leaves are requested before they are read.  The processor has requests
 * for some tens of lines at a time, so more would wait.
 */
#define LEAVES_AHEAD	3

Buffer
spq_rtree_find_buffer(Relation relation, BlockNumber block)
{
	BufferTag	tag;
	uint32		hash;
	LWLock	   *lock;
	int			id;

	spq_init_buffer_tag(&tag, relation, MAIN_FORKNUM, block);
	hash = BufTableHashCode(&tag);
	lock = BufMappingPartitionLock(hash);
	LWLockAcquire(lock, LW_SHARED);
	id = BufTableLookup(&tag, hash);
	LWLockRelease(lock);
	return id >= 0 ? id + 1 : InvalidBuffer;
}

void
spq_rtree_cache_ahead(Relation index, BlockNumber block)
{
	Buffer		buffer;
	const char *page;

	if (RelationUsesLocalBuffers(index))
		return;
	buffer = spq_rtree_find_buffer(index, block);
	if (!BufferIsValid(buffer))
		return;
	page = BufferGetPage(buffer);
	for (int offset = 0; offset < BLCKSZ; offset += SPQ_LINE_SIZE)
		spq_prefetch(page + offset);
}

/*
 * Request the leaves among the next spans: "n" of them are on a stack, the next one on top,
 * each at the front of this number of bytes.
 */
void
spq_rtree_cache_ahead_of_stack(IndexScanDesc scan, void *stack, int n, Size bytes)
{
	int			first = Max(n - LEAVES_AHEAD, 0);

	for (int i = n - 1; i >= first; i--)
	{
		SpqRtreeSpan *span = (SpqRtreeSpan *) ((char *) stack + i * bytes);

		if (span->level == 0 && !span->cached)
			spq_rtree_cache_ahead(scan->indexRelation, span->child);
		span->cached = true;
	}
}

void
spq_rtree_cache_ahead_of_spans(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	if (!state->ended_early)
		spq_rtree_cache_ahead_of_stack(scan, state->stack, state->nstack, sizeof(SpqRtreeSpan));
}
