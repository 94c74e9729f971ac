/*-------------------------------------------------------------------------
 *
 * part.c
 *	  The step of every search: read the first page of a part of a level.
 *
 * A part begins with a page, goes on along right links, and ends with the page
 * whose split count is the stop.  README.md shows that a part keeps its end
 * while a scan has it.  In a damaged index it may have none, which raises an
 * error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/predicate.h"

#include "inject.h"
#include "rtree/scan/part.h"
#include "rtree/store/buffer.h"

/*
 * Read the first page of a part, and return it with a share lock and a pin.
 * Set "rest" to the rest of the part; its child is InvalidBlockNumber if the
 * part ends here.
 */
Buffer
spq_rtree_read_part(IndexScanDesc scan, const SpqRtreePart *part, SpqRtreePart *rest)
{
	SpqRtreeScan *state = scan->opaque;
	Relation	index = scan->indexRelation;
	Buffer		buffer;
	const SpqRtreeSpecial *special;

	CHECK_FOR_INTERRUPTS();
	SPQ_INJECT_POINT("follow");

	buffer = spq_rtree_read(index, part->child, BUFFER_LOCK_SHARE, part->level);
	PredicateLockPage(index, part->child, scan->xs_snapshot);

	special = spq_rtree_special(BufferGetPage(buffer));
	if ((special->flags & SPQ_RTREE_INDEX_FLAGS) !=
		(special->level > 0 ? state->leaf_flags & SPQ_RTREE_INNER_FLAGS : state->leaf_flags))
		spq_rtree_damaged(index, part->child, "it is a page of another kind of index");

	rest->child = InvalidBlockNumber;
	if (!spq_rtree_ends_part(BufferGetPage(buffer), part->stop))
	{
		*rest = *part;
		rest->child = special->next;
		rest->steps++;
		if (rest->child == InvalidBlockNumber)
			spq_rtree_damaged(index, part->child, "its right link is missing");
		if (rest->steps > state->nblocks)
		{
			/*
			 * more steps than pages are possible only in a circle, or if the
			 * index has grown
			 */
			state->nblocks = RelationGetNumberOfBlocks(index);
			if (rest->steps > state->nblocks)
				spq_rtree_damaged(index, part->child, "right links form a cycle");
		}
	}
	return buffer;
}
