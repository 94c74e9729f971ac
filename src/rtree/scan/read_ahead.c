/*-------------------------------------------------------------------------
 *
 * read_ahead.c
 *	  Requests for blocks that a scan will read soon.
 *
 * If blocks are on disk, a scan that reads one after the other waits for each.  It
 * knows the next ones: the spans on its stack, and the table's blocks of the rows that
 * it has taken out of leaves (table_ahead.c).  So it asks the system for some of them
 * before it needs them (PrefetchBuffer), and their reads overlap:
 *
 *		stack			[ ... span span span span ]
 *									  ^     ^ read next
 *									  requested
 *
 * Requests cost some time even if a block is in memory.  So a scan makes none until a
 * read misses the buffers.  Each miss doubles the distance up to which it asks, at
 * most to effective_io_concurrency of the tablespace; after many hits it stops.
 *
 * A rescan begins with the distance that the scan had.  It asks for no more
 * rows than it returned the last time, or has returned this time: the one row
 * of an EXISTS, or the ten of a LIMIT, are not worth requests for others.
 *
 * Read streams of PostgreSQL 17 and later do not fit: they need the next
 * blocks before the previous ones are read, but each page of the index changes
 * what comes next, and the table's blocks are read by the executor.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "utils/rel.h"
#include "utils/spccache.h"

#include "inject.h"
#include "rtree/scan/read_ahead.h"

/* Hits, one after the other, until a scan stops to make requests. */
#define MANY_HITS	64

/* Prepare for the blocks of a relation. */
static void
start(SpqRtreeAhead *ahead, Relation relation)
{
	ahead->most = get_tablespace_io_concurrency(relation->rd_rel->reltablespace);
	ahead->distance = Min(ahead->distance, ahead->most);
	ahead->nblocks = 0;
}

void
spq_rtree_ahead_start(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeAhead *table = &state->table_ahead;

	start(&state->index_ahead, scan->indexRelation);

	/*
	 * Index-only scans do not read most of the blocks, and other tables than
	 * heaps may have no blocks.
	 */
	table->most = 0;
	state->rows_ahead.reads_table = false;
	if (scan->heapRelation && !scan->xs_want_itup &&
		scan->heapRelation->rd_tableam == GetHeapamTableAmRoutine())
	{
		start(table, scan->heapRelation);
		state->rows_ahead.reads_table = !RelationUsesLocalBuffers(scan->heapRelation);
	}
	state->nexpected = state->nreturned;
	state->nreturned = 0;
	table->nread = spq_rtree_blocks_read();
}

void
spq_rtree_ahead_note(SpqRtreeAhead *ahead, bool missed)
{
	if (missed)
	{
		ahead->distance = Min(2 * ahead->distance + 1, ahead->most);
		ahead->hits = 0;
	}
	else if (ahead->distance > 0 && ++ahead->hits >= MANY_HITS)
		ahead->distance = 0;
}

void
spq_rtree_ahead_request(SpqRtreeAhead *ahead, Relation relation, BlockNumber block)
{
	/* a damaged index may lead anywhere */
	if (ahead->nblocks == 0)
		ahead->nblocks = RelationGetNumberOfBlocks(relation);
	if (block >= ahead->nblocks)
		return;
	SPQ_INJECT_POINT("ahead");
	(void) PrefetchBuffer(relation, MAIN_FORKNUM, block);
}

/*
 * Request the blocks of the next spans: "n" of them are on a stack, the next one on top, each
 * at the front of this number of bytes.
 */
void
spq_rtree_ahead_of_stack(IndexScanDesc scan, void *stack, int n, Size bytes)
{
	SpqRtreeScan *state = scan->opaque;
	int			first = Max(n - state->index_ahead.distance, 0);

	for (int i = n - 1; i >= first; i--)
	{
		SpqRtreeSpan *span = (SpqRtreeSpan *) ((char *) stack + i * bytes);

		if (!span->requested)
			spq_rtree_ahead_request(&state->index_ahead, scan->indexRelation, span->child);
		span->requested = true;
	}
}
