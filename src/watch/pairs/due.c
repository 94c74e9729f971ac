/*-------------------------------------------------------------------------
 *
 * due.c
 *	  Whether any pair may be due, by the index on waiting times alone.
 *
 * Usually none is, and then a statement that changes no pair runs no query.
 * The pairs that wait longest are the first of the index.  So the first entry
 * of a pair that still waits has the answer; but before it may come those of any
 * number of pairs that have ceased to wait, as long as a transaction may see
 * them.  After a few of these, the answer is "maybe".
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "executor/tuptable.h"
#include "nodes/pg_list.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "watch/pairs/changes.h"

#define MOST_ENTRIES 8

/* Return whether an index has the waiting times, and nothing else, in order. */
static bool
has_waiting_times(Oid indexoid, AttrNumber waiting)
{
	Relation	index = relation_open(indexoid, AccessShareLock);
	bool		result = index->rd_rel->relam == BTREE_AM_OID && index->rd_index->indisvalid &&
		index->rd_index->indnatts == 1 && index->rd_index->indkey.values[0] == waiting &&
		index->rd_opfamily[0] == get_opclass_family(GetDefaultOpClass(TIMESTAMPTZOID, BTREE_AM_OID)) &&
		index->rd_indoption[0] == 0;

	relation_close(index, AccessShareLock);
	return result;
}

/* Find the index on waiting times that spqtree_watch has created, if it is still there. */
void
spq_watch_find_waiting_index(SpqWatch *watch)
{
	AttrNumber	waiting = get_attnum(watch->pairs, "waiting");
	Relation	pairs;
	List	   *indexes;
	ListCell   *cell;

	watch->waiting_index = InvalidOid;
	if (watch->dwell == 0 || waiting <= 0 || get_atttype(watch->pairs, waiting) != TIMESTAMPTZOID)
		return;
	pairs = relation_open(watch->pairs, AccessShareLock);
	indexes = RelationGetIndexList(pairs);
	foreach(cell, indexes)
	{
		if (has_waiting_times(lfirst_oid(cell), waiting))
			watch->waiting_index = lfirst_oid(cell);
	}
	list_free(indexes);
	relation_close(pairs, AccessShareLock);
}

/* Look at the first entries up to a time.  Return whether one may be of a pair that waits. */
static bool
may_wait_since(Relation pairs, Relation index, TimestampTz time)
{
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	TupleTableSlot *slot = table_slot_create(pairs, NULL);
	IndexScanDesc scan = spq_index_beginscan(pairs, index, snapshot, 1);
	ScanKeyData key;
	bool		result = true;

	ScanKeyInit(&key, 1, BTLessEqualStrategyNumber, F_TIMESTAMPTZ_LE, TimestampTzGetDatum(time));
	index_rescan(scan, &key, 1, NULL, 0);
	for (int entries = 0; entries < MOST_ENTRIES; entries++)
	{
		if (index_getnext_tid(scan, ForwardScanDirection) == NULL)
		{
			result = false;
			break;
		}
		if (index_fetch_heap(scan, slot))
			break;
	}
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	UnregisterSnapshot(snapshot);
	return result;
}

/*
 * Return whether any pair may be due at a time.  Reading the index in a serializable
 * transaction would conflict with each pair that begins to wait.
 */
bool
spq_watch_may_be_due(const SpqWatch *watch, TimestampTz time)
{
	Relation	pairs,
				index = NULL;
	bool		result = true;

	if (!OidIsValid(watch->waiting_index) || IsolationIsSerializable())
		return true;
	pairs = try_relation_open(watch->pairs, AccessShareLock);
	if (pairs == NULL)
		return true;

	/* another session may have dropped the index just now */
	index = try_relation_open(watch->waiting_index, AccessShareLock);
	if (index != NULL)
	{
		result = may_wait_since(pairs, index, time - watch->dwell);
		relation_close(index, AccessShareLock);
	}
	relation_close(pairs, AccessShareLock);
	return result;
}
