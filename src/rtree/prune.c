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

#include "access/generic_xlog.h"
#include "access/gist_private.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/visibilitymap.h"
#include "access/xlog.h"

#include "compat.h"
#include "rtree/buffer.h"
#include "rtree/prune.h"
#include "rtree/shrink.h"

/* Rows of a leaf that are looked at first, at least. */
#define SAMPLE	16

/* The leaf is pruned if at least one row in this many is dead. */
#define WORTH_IT	4

/*
 * Find out which of every step-th row of a leaf are dead to all, and add them to the
 * set.  Return their number, and the newest transaction that a standby's snapshot
 * must see to have been finished.
 */
static int
find_dead(Relation index, Relation heap, Buffer leaf, int step,
		  SpqRtreeEntrySet *dead, TransactionId *horizon)
{
	Page		page = BufferGetPage(leaf);
	int			count = spq_rtree_count(page),
				ndead = 0;
	TM_IndexDelete rows[SPQ_RTREE_LEAF_MAX];
	TM_IndexStatus status[SPQ_RTREE_LEAF_MAX];
	TM_IndexDeleteOp op = {
		.irel = index,
		.iblknum = BufferGetBlockNumber(leaf),
		.deltids = rows,
		.status = status
	};
	Buffer		map_page = InvalidBuffer;

	for (int entry = 0; entry < count; entry += step)
	{
		int			i = op.ndeltids;

		if (VM_ALL_VISIBLE(heap, ItemPointerGetBlockNumber(spq_rtree_tid(page, entry)), &map_page))
			continue;
		op.ndeltids++;
		rows[i].tid = *spq_rtree_tid(page, entry);
		rows[i].id = i;
		status[i].idxoffnum = entry + 1;
		status[i].knowndeletable = false;
		status[i].promising = false;
		status[i].freespace = 0;
	}
	if (BufferIsValid(map_page))
		ReleaseBuffer(map_page);
	*horizon = op.ndeltids > 0 ? table_index_delete_tuples(heap, &op) : InvalidTransactionId;
	for (int i = 0; i < op.ndeltids; i++)
	{
		const TM_IndexStatus *row = &status[rows[i].id];

		if (row->knowndeletable)
		{
			spq_rtree_entry_set_add(dead, row->idxoffnum - 1);
			ndead++;
		}
	}
	return ndead;
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

/* Remove rows.  What the leaf promises is left to VACUUM, which tells its parent. */
static void
remove_dead(Relation index, Relation heap, Buffer leaf, const SpqRtreeEntrySet *dead,
			TransactionId horizon)
{
	GenericXLogState *state;
	Page		page;
	SpqRtreeBounds promise = spq_rtree_promise(BufferGetPage(leaf));
	const char *problem;

	if (RelationNeedsWAL(index) && XLogStandbyInfoActive() && TransactionIdIsValid(horizon))
		spq_log_conflict(index, heap, BufferGetBlockNumber(leaf), full_transaction_id(horizon));
	state = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(state, leaf, 0);
	problem = spq_rtree_remove_rows(page, dead);
	if (problem)
		spq_rtree_damaged(index, BufferGetBlockNumber(leaf), problem);
	spq_rtree_set_promise(page, &promise);
	GenericXLogFinish(state);
}

void
spq_rtree_prune(Relation index, Relation heap, Buffer leaf)
{
	SpqRtreeEntrySet dead = {{0}};
	TransactionId horizon;
	int			count = spq_rtree_count(BufferGetPage(leaf)),
				step = Max(1, count / SAMPLE);

	if (find_dead(index, heap, leaf, step, &dead, &horizon) * step * WORTH_IT < count)
		return;
	memset(&dead, 0, sizeof(dead));
	if (find_dead(index, heap, leaf, 1, &dead, &horizon) > 0)
		remove_dead(index, heap, leaf, &dead, horizon);
}
