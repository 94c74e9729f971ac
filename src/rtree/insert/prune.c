/*-------------------------------------------------------------------------
 *
 * prune.c
 *	  Removing dead rows from a full leaf before it is split.
 *
 * If rows of a table move, it has several versions of each until VACUUM runs, and
 * insertions would split pages that are full of dead versions.  So the table tells
 * which rows of a full leaf are dead to all transactions, as for nbtree
 * (table_index_delete_tuples).  To do so it reads the rows, while readers of the leaf
 * wait.  Therefore there must be a reason, as in nbtree:
 *
 * - Scans have marked rows of the leaf as dead.  Then only the pages of the table that
 *	 have these rows are read, and all rows of the leaf on these pages are checked.
 * - The new row is a version of one with the same columns, which probably is in this
 *	 leaf.
 * - A noticeable share of the table's rows is dead, according to its statistics.
 *	 (Objects that move by small steps stay in a leaf, but each time with other
 *	 columns.)  A smaller share makes the index larger by this share at most.
 *
 * Without marks, a sample of the leaf's rows is checked first.  As far as the
 * sample shows, at least three quarters of the rows in a page that is split
 * are not dead, however rarely VACUUM runs.  Rows on pages that the visibility
 * map marks as all-visible are not read.
 *
 * table_index_delete_tuples gives up after a few pages unless it is told of a row
 * that is certainly dead.  So marked rows, or those of the sample, are fetched one by
 * one.  Marks do not decide: after a crash they may be those of a row whose deletion was
 * lost (test/model, "asynchronous").
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
#include "miscadmin.h"
#include "utils/pgstat_internal.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "rtree/insert/parent.h"
#include "rtree/store/buffer.h"
#include "rtree/store/remove_rows.h"

/* The sample has at least this many rows of a leaf. */
#define SAMPLE	16

/* The leaf is pruned if at least one row in this many is dead. */
#define WORTH_IT	4

/* The sample is checked if at least one row of the table in this many is dead. */
#define EXPECTED	20

/*
 * Return whether a noticeable share of a table's rows may be dead, according to the
 * statistics by which autovacuum decides.  If track_counts is off, there are none, and
 * it may be.
 */
static bool
may_have_dead_rows(Relation heap)
{
	PgStat_TableStatus *pending = heap->pgstat_info;
	PgStat_EntryRef *entry;
	PgStat_Counter live,
				dead;

	if (pending == NULL)
		return true;
	live = spq_pending_live_rows(pending);
	dead = spq_pending_dead_rows(pending);
	entry = pgstat_get_entry_ref(PGSTAT_KIND_RELATION,
								 heap->rd_rel->relisshared ? InvalidOid : MyDatabaseId,
								 RelationGetRelid(heap), false, NULL);
	if (entry)
	{
		PgStat_StatTabEntry *stats = &((PgStatShared_Relation *) entry->shared_stats)->stats;

		(void) pgstat_lock_entry_shared(entry, false);
		live += spq_stats_live_rows(stats);
		dead += spq_stats_dead_rows(stats);
		pgstat_unlock_entry(entry);
	}
	return dead > 0 && dead * EXPECTED >= Max(live, 0) + dead;
}

/* Add to "dead" all rows of a leaf that scans have marked.  Return whether there are any. */
static bool
find_marked(Page page, SpqRtreeEntrySet *dead)
{
	int			count = spq_rtree_count(page);
	bool		found = false;

	for (int entry = 0; entry < count; entry++)
		if (*spq_rtree_dead(page, entry / SPQ_RTREE_GROUP) & (1 << entry % SPQ_RTREE_GROUP))
		{
			spq_rtree_entry_set_add(dead, entry);
			found = true;
		}
	return found;
}

/*
 * Add to "dead" rows of a leaf that are dead to all transactions, that is, none of
 * whose versions VACUUM has to keep.  Look at every step-th row, or at those of a set
 * until "most" are found.  Return their number.
 */
static int
fetch_dead(Relation index, Relation heap, Buffer leaf, const SpqRtreeEntrySet *among, int step,
		   int most, SpqRtreeEntrySet *dead)
{
	Page		page = BufferGetPage(leaf);
	int			count = spq_rtree_count(page),
				ndead = 0;
	SnapshotData not_removable;
	Buffer		map_page = InvalidBuffer;

	InitNonVacuumableSnapshot(not_removable, GlobalVisTestFor(heap));
	for (int entry = 0; entry < count && ndead < most; entry += step)
	{
		ItemPointerData tid = *spq_rtree_tid(page, entry);

		if (among && !spq_rtree_entry_set_has(among, entry))
			continue;
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

/* Return whether one of some rows of a leaf is in this block of the table. */
static bool
has_row_of_block(Page page, const SpqRtreeEntrySet *rows, BlockNumber block)
{
	int			count = spq_rtree_count(page);

	for (int entry = 0; entry < count; entry++)
		if (spq_rtree_entry_set_has(rows, entry) &&
			ItemPointerGetBlockNumber(spq_rtree_tid(page, entry)) == block)
			return true;
	return false;
}

/*
 * Add to "dead", which has at least one row, other rows of a leaf that are dead to all
 * transactions: all, or, if some are marked, only those in the blocks of the table that
 * have a marked row.  Return the newest transaction ID that must have ended for every
 * snapshot on a standby.
 */
static TransactionId
find_dead(Relation index, Relation heap, Buffer leaf, const SpqRtreeEntrySet *marked,
		  SpqRtreeEntrySet *dead)
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
		BlockNumber block;
		bool		known = spq_rtree_entry_set_has(dead, entry);

		spq_rtree_check_tid(index, op.iblknum, tid);
		block = ItemPointerGetBlockNumber(tid);
		if (!known && (marked ? !has_row_of_block(page, marked, block) :
					   VM_ALL_VISIBLE(heap, block, &map_page)))
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
spq_rtree_prune(Relation index, Relation heap, Buffer leaf, bool unchanged)
{
	SpqRtreeEntrySet marked = {{0}},
				dead = {{0}};
	int			count = spq_rtree_count(BufferGetPage(leaf));
	TransactionId horizon;

	if (find_marked(BufferGetPage(leaf), &marked) &&
		fetch_dead(index, heap, leaf, &marked, 1, 1, &dead) > 0)
		horizon = find_dead(index, heap, leaf, &marked, &dead);
	else
	{
		int			step = Max(1, count / SAMPLE),
					ndead;

		if (!unchanged && !may_have_dead_rows(heap))
			return;
		ndead = fetch_dead(index, heap, leaf, NULL, step, count, &dead);
		if (ndead == 0 || ndead * step * WORTH_IT < count)
			return;
		horizon = find_dead(index, heap, leaf, NULL, &dead);
	}
	remove_dead(index, heap, leaf, &dead, horizon);
}
