/*-------------------------------------------------------------------------
 *
 * prune.c
 *	  Removing dead rows from a full leaf before it is split.
 *
 * If rows of a table move, it has several versions of each until VACUUM runs, and
 * insertions would split pages that are full of dead versions.  So the table tells
 * which rows of a full leaf are dead to all transactions, as for nbtree
 * (table_index_delete_tuples).  To do so it reads the rows.  Therefore a sample is
 * checked first: a table that only grows pays for the sample alone, once a split.
 * Rows on pages that the visibility map has as all-visible are not read.
 *
 * table_index_delete_tuples gives up after a few pages unless it is told of a row
 * that is certainly dead.  The sample finds one, by fetching rows one by one.
 *
 * As far as the sample shows, at least three quarters of the rows in a page that is
 * split are not dead, however rarely VACUUM runs.
 *
 * On a standby, queries may still see rows that are dead to all transactions here.
 * Replay of a generic record neither waits for these queries nor cancels them.  So
 * it is preceded by the record that GiST writes before it reuses a page: its replay
 * resolves the conflict, and touches no page.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/gist_private.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/visibilitymap.h"
#include "access/xlog.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "rtree/insert/prune.h"
#include "rtree/store/buffer.h"
#include "rtree/store/remove_rows.h"

/* The sample has at least this many rows of a leaf. */
#define SAMPLE	16

/* The leaf is pruned if at least one row in this many is dead. */
#define WORTH_IT	4

/*
 * Add to "dead" every step-th row of a leaf that is dead to all transactions, that
 * is, none of whose versions VACUUM has to keep.  Return their number.
 */
static int
find_dead_sample(Relation index, Relation heap, Buffer leaf, int step, SpqRtreeEntrySet *dead)
{
	Page		page = BufferGetPage(leaf);
	int			count = spq_rtree_count(page),
				ndead = 0;
	SnapshotData not_removable;
	Buffer		map_page = InvalidBuffer;

	InitNonVacuumableSnapshot(not_removable, GlobalVisTestFor(heap));
	for (int entry = 0; entry < count; entry += step)
	{
		ItemPointerData tid = *spq_rtree_tid(page, entry);

		spq_rtree_check_tid(index, BufferGetBlockNumber(leaf), &tid);
		if (!VM_ALL_VISIBLE(heap, ItemPointerGetBlockNumber(&tid), &map_page) &&
			!table_index_fetch_tuple_check(heap, &tid, &not_removable, NULL))
		{
			spq_rtree_entry_set_add(dead, entry);
			ndead++;
		}
	}
	if (BufferIsValid(map_page))
		ReleaseBuffer(map_page);
	return ndead;
}

/*
 * Add to "dead", which has at least one row, all other rows of a leaf that are dead
 * to all transactions.  Return the newest transaction ID that must have ended for
 * every snapshot on a standby.
 */
static TransactionId
find_dead(Relation index, Relation heap, Buffer leaf, SpqRtreeEntrySet *dead)
{
	Page		page = BufferGetPage(leaf);
	int			count = spq_rtree_count(page);
	TM_IndexDelete rows[SPQ_RTREE_LEAF_MAX];
	TM_IndexStatus status[SPQ_RTREE_LEAF_MAX];
	TM_IndexDeleteOp op = {
		.irel = index,
		.iblknum = BufferGetBlockNumber(leaf),
		.deltids = rows,
		.status = status
	};
	Buffer		map_page = InvalidBuffer;
	TransactionId horizon;

	for (int entry = 0; entry < count; entry++)
	{
		int			i = op.ndeltids;
		ItemPointer tid = spq_rtree_tid(page, entry);
		bool		known = spq_rtree_entry_set_has(dead, entry);

		spq_rtree_check_tid(index, op.iblknum, tid);
		if (!known && VM_ALL_VISIBLE(heap, ItemPointerGetBlockNumber(tid), &map_page))
			continue;
		op.ndeltids++;
		rows[i].tid = *tid;
		rows[i].id = i;
		status[i].idxoffnum = entry + 1;
		status[i].knowndeletable = known;
		status[i].promising = false;
		status[i].freespace = 0;
	}
	if (BufferIsValid(map_page))
		ReleaseBuffer(map_page);
	horizon = table_index_delete_tuples(heap, &op);
	for (int i = 0; i < op.ndeltids; i++)
	{
		const TM_IndexStatus *row = &status[rows[i].id];

		if (row->knowndeletable)
			spq_rtree_entry_set_add(dead, row->idxoffnum - 1);
	}
	return horizon;
}

/* Return a transaction ID with its epoch.  It precedes the next one. */
static FullTransactionId
full_transaction_id(TransactionId xid)
{
	FullTransactionId next = ReadNextFullTransactionId();
	uint32		epoch = EpochFromFullTransactionId(next);

	if (xid > XidFromFullTransactionId(next))
		epoch--;
	return FullTransactionIdFromEpochAndXid(epoch, xid);
}

/*
 * Remove rows.  The promise stays: to shrink it, the downlink has to shrink first,
 * which VACUUM does.
 */
static void
remove_dead(Relation index, Relation heap, Buffer leaf, const SpqRtreeEntrySet *dead,
			TransactionId horizon)
{
	if (RelationNeedsWAL(index) && XLogStandbyInfoActive() && TransactionIdIsValid(horizon))
		spq_log_conflict(index, heap, BufferGetBlockNumber(leaf), full_transaction_id(horizon));
	spq_rtree_remove_rows(index, leaf, dead, SPQ_RTREE_KEEP_PROMISE);
}

void
spq_rtree_prune(Relation index, Relation heap, Buffer leaf)
{
	SpqRtreeEntrySet dead = {{0}};
	int			count = spq_rtree_count(BufferGetPage(leaf)),
				step = Max(1, count / SAMPLE),
				ndead = find_dead_sample(index, heap, leaf, step, &dead);

	if (ndead > 0 && ndead * step * WORTH_IT >= count)
	{
		TransactionId horizon = find_dead(index, heap, leaf, &dead);

		remove_dead(index, heap, leaf, &dead, horizon);
	}
}
