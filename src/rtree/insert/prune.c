/*-------------------------------------------------------------------------
 *
 * prune.c
 *	  Removing dead rows from a full leaf, before it is split.
 *
 * A table whose rows move has several versions of each until VACUUM comes, and each
 * insertion would split pages that are full of rows nobody sees.  So the table is
 * asked which rows of a full leaf are dead to all, as nbtree does
 * (table_index_delete_tuples).  It has to look at the rows, so a sample is looked
 * at first: a table that only grows pays for no more than that, once a split.  Rows
 * on pages that the visibility map calls all-visible need no look.
 *
 * table_index_delete_tuples wants to be told of at least one row that is dead, if it
 * is not to give up after a few pages.  The sample finds it, by fetching rows one
 * by one.
 *
 * At least three quarters of what a split leaves are rows that someone may see
 * (as far as the sample tells), whenever VACUUM comes.
 *
 * On a standby, a query may still see rows that are dead to all here.  Replay of a
 * generic record does not wait for such queries, nor cancels them.  So the record
 * that GiST writes before it reuses a page comes first: that is all that its
 * replay does, and it is about no page.
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

/* Rows of a leaf that are looked at first, at least. */
#define SAMPLE	16

/* The leaf is pruned if at least one row in this many is dead. */
#define WORTH_IT	4

/*
 * Find out which of every step-th row of a leaf are dead to all: those of which
 * nothing is left that VACUUM could not remove.  Return their number.
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
 * Add all other rows of a leaf that are dead to all to those that are known to be, of
 * which there is one.  Return the newest transaction that a standby's snapshot must
 * see to have been finished.
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

/* Return the transaction with its epoch.  It is not newer than the next one. */
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
