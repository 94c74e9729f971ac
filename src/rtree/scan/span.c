/*-------------------------------------------------------------------------
 *
 * span.c
 *	  The step of every search: read the first page of a span of a level.
 *
 * A span begins with a page, goes on along right links, and ends with the page
 * whose split count is the stop.  README.md shows that a span keeps its end
 * while a scan has it.  In a damaged index it may have none, which raises an
 * error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/predicate.h"

#include "inject.h"
#include "rtree/scan/read_ahead.h"
#include "rtree/scan/span.h"
#include "rtree/store/buffer.h"

SpqRtreeSpan
spq_rtree_rest_of_span(IndexScanDesc scan, const SpqRtreeSpan *span, Page page)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeSpan rest = *span;

	rest.child = InvalidBlockNumber;
	if (spq_rtree_ends_span(page, span->stop))
		return rest;
	rest.child = spq_rtree_special(page)->next;
	rest.requested = rest.cached = false;
	rest.steps++;
	if (rest.child == InvalidBlockNumber)
		spq_rtree_damaged(scan->indexRelation, span->child, "its right link is missing");
	if (rest.steps > state->nblocks)
	{
		/*
		 * more steps than pages are possible only in a circle, or if the
		 * index has grown
		 */
		state->nblocks = RelationGetNumberOfBlocks(scan->indexRelation);
		if (rest.steps > state->nblocks)
			spq_rtree_damaged(scan->indexRelation, span->child, "right links form a cycle");
	}
	return rest;
}

/*
 * Read the first page of a span, and return it with a share lock and a pin.
 * Set "rest" to the rest of the span; its child is InvalidBlockNumber if the
 * span ends here.
 */
Buffer
spq_rtree_read_span(IndexScanDesc scan, const SpqRtreeSpan *span, SpqRtreeSpan *rest)
{
	SpqRtreeScan *state = scan->opaque;
	Relation	index = scan->indexRelation;
	Buffer		buffer;
	const SpqRtreeSpecial *special;
	int64		nread;

	CHECK_FOR_INTERRUPTS();
	SPQ_INJECT_POINT("follow");

	nread = spq_rtree_blocks_read();
	buffer = spq_rtree_read(index, span->child, BUFFER_LOCK_SHARE, span->level);
	spq_rtree_ahead_note(&state->index_ahead, spq_rtree_blocks_read() != nread);
	PredicateLockPage(index, span->child, scan->xs_snapshot);

	special = spq_rtree_special(BufferGetPage(buffer));
	if ((special->flags & SPQ_RTREE_INDEX_FLAGS) !=
		(special->level > 0 ? state->leaf_flags & SPQ_RTREE_INNER_FLAGS : state->leaf_flags))
		spq_rtree_damaged(index, span->child, "it is a page of another kind of index");

	if (special->level > 0)
		state->counts.inner_pages++;
	else
		state->counts.leaf_pages++;

	*rest = spq_rtree_rest_of_span(scan, span, BufferGetPage(buffer));
	return buffer;
}
