/*-------------------------------------------------------------------------
 *
 * heap.c
 *	  Whether every row of the table is in the index.  See heap.h.
 *
 * Expressions and predicate of the index are evaluated here, so the caller
 * must have switched to the table's owner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "common/pg_prng.h"
#include "lib/bloomfilter.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/tuplesort.h"

#include "check/heap.h"
#include "compat.h"

/*
 * Minimum estimate of rows per page, for the case that reltuples is not known:
 * a page of boxes alone.
 */
#define TUPLES_PER_PAGE		100

/* A row that the index has more than once. */
typedef struct Duplicate
{
	int64		row;			/* its TID, encoded */
	bool		visible;		/* visible to the snapshot */
	SpqPageTid	first;			/* its places in the index */
	SpqPageTid	second;
	int			n_leaves;		/* number of places found, at most 2 */
} Duplicate;

struct SpqCheckHeap
{
	SpqCheck   *check;
	Snapshot	snapshot;
	bloom_filter *filter;
	Tuplesortstate *rows;		/* encoded TIDs of the rows visited */
	const SpqCheckRows *kind;
	StringInfoData fingerprint;
	Duplicate  *duplicates;		/* sorted by row */
	int64		n_duplicates;
	int64		max_duplicates;
};

/*
 * Take the snapshot and prepare the filter.  As in amcheck, raise an error if
 * the snapshot belongs to a transaction that is older than the index: it may
 * see rows that the index need not have.  Building an index CONCURRENTLY waits
 * for such transactions, but not for those of standbys, so on a standby this
 * applies to any index.
 */
SpqCheckHeap *
spq_check_heap_begin(SpqCheck *check, const SpqCheckRows *rows)
{
	SpqCheckHeap *result = palloc0(sizeof(SpqCheckHeap));
	Relation	index = check->index;
	int64		elements = Max((int64) RelationGetNumberOfBlocks(index) * TUPLES_PER_PAGE,
							   (int64) index->rd_rel->reltuples);
	TransactionId index_xmin;

	result->check = check;
	result->kind = rows;
	result->snapshot = RegisterSnapshot(GetTransactionSnapshot());
	index_xmin = HeapTupleHeaderGetXmin(index->rd_indextuple->t_data);
	if (IsolationUsesXactSnapshot() &&
		((index->rd_index->indcheckxmin &&
		  !TransactionIdPrecedes(index_xmin, result->snapshot->xmin)) ||
		 (result->snapshot->takenDuringRecovery &&
		  XidInMVCCSnapshot(index_xmin, result->snapshot))))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("index \"%s\" cannot be compared with its table in this transaction",
						RelationGetRelationName(index)),
				 errdetail("The transaction's snapshot may see rows that are older than the index."),
				 errhint("Begin a new transaction.")));

	result->filter = bloom_create(elements, Max(64, maintenance_work_mem / 2),
								  pg_prng_uint64(&pg_global_prng_state));
	result->rows = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid,
										 false, Max(64, maintenance_work_mem / 4),
										 NULL, TUPLESORT_NONE);
	initStringInfo(&result->fingerprint);
	return result;
}

/*
 * Write row and values as bytes that are the same for a leaf tuple and for a
 * row of the table, no matter how a long value is stored.
 */
static void
take_fingerprint(SpqCheckHeap *heap_check, ItemPointer row, Datum *values, bool *nulls)
{
	StringInfo	bytes = &heap_check->fingerprint;
	TupleDesc	desc = heap_check->kind->columns;
	int64		number = itemptr_encode(row);

	resetStringInfo(bytes);
	appendBinaryStringInfo(bytes, (char *) &number, sizeof(number));
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		appendStringInfoChar(bytes, nulls[i]);
		if (nulls[i])
			continue;
		if (att->attbyval)
			appendBinaryStringInfo(bytes, (char *) &values[i], sizeof(Datum));
		else if (att->attlen == -1)
		{
			struct varlena *value = PG_DETOAST_DATUM_PACKED(values[i]);
			int32		length = VARSIZE_ANY_EXHDR(value);

			appendBinaryStringInfo(bytes, (char *) &length, sizeof(length));
			appendBinaryStringInfo(bytes, VARDATA_ANY(value), length);
		}
		else if (att->attlen == -2)
			appendBinaryStringInfo(bytes, DatumGetCString(values[i]),
								   strlen(DatumGetCString(values[i])) + 1);
		else
			appendBinaryStringInfo(bytes, DatumGetPointer(values[i]), att->attlen);
	}
}

/* Store a row that the walk visits. */
void
spq_check_heap_leaf(SpqCheckHeap *heap_check, ItemPointer row, Datum *values, bool *nulls)
{
	take_fingerprint(heap_check, row, values, nulls);
	bloom_add_element(heap_check->filter,
					  (unsigned char *) heap_check->fingerprint.data,
					  heap_check->fingerprint.len);
	tuplesort_putdatum(heap_check->rows,
					   Int64GetDatum(itemptr_encode(row)), false);
}

static void
add_duplicate(SpqCheckHeap *heap_check, int64 row)
{
	Duplicate  *entry;

	if (heap_check->n_duplicates > 0 &&
		heap_check->duplicates[heap_check->n_duplicates - 1].row == row)
		return;
	if (heap_check->n_duplicates == heap_check->max_duplicates)
	{
		heap_check->max_duplicates = Max(64, 2 * heap_check->max_duplicates);
		heap_check->duplicates = heap_check->duplicates == NULL ?
			MemoryContextAllocHuge(heap_check->check->context,
								   heap_check->max_duplicates * sizeof(Duplicate)) :
			repalloc_huge(heap_check->duplicates,
						  heap_check->max_duplicates * sizeof(Duplicate));
	}
	entry = &heap_check->duplicates[heap_check->n_duplicates++];
	memset(entry, 0, sizeof(Duplicate));
	entry->row = row;
}

/* Find the rows that the walk has visited more than once. */
static void
find_duplicates(SpqCheckHeap *heap_check)
{
	int64		last = -1;
	Datum		value;
	bool		isnull;

	tuplesort_performsort(heap_check->rows);
	while (spq_tuplesort_getdatum(heap_check->rows, &value, &isnull))
	{
		int64		row = DatumGetInt64(value);

		CHECK_FOR_INTERRUPTS();
		if (row == last)
			add_duplicate(heap_check, row);
		last = row;
	}
	tuplesort_end(heap_check->rows);
}

static int
compare_duplicates(const void *a, const void *b)
{
	int64		x = ((const Duplicate *) a)->row;
	int64		y = ((const Duplicate *) b)->row;

	return (x > y) - (x < y);
}

static Duplicate *
find_duplicate(SpqCheckHeap *heap_check, ItemPointer row)
{
	Duplicate	key;

	if (heap_check->n_duplicates == 0)
		return NULL;
	key.row = itemptr_encode(row);
	return bsearch(&key, heap_check->duplicates, heap_check->n_duplicates,
				   sizeof(Duplicate), compare_duplicates);
}

/* Store the places of a duplicate, during the second walk. */
void
spq_check_heap_again(SpqCheckHeap *heap_check, ItemPointer row, SpqPageTid tid)
{
	Duplicate  *entry = find_duplicate(heap_check, row);

	if (entry == NULL || entry->n_leaves == 2 ||
		(entry->n_leaves == 1 && spq_page_same_tid(tid, entry->first)))
		return;
	if (entry->n_leaves == 0)
		entry->first = tid;
	else
		entry->second = tid;
	entry->n_leaves++;
}

/* Return a key of the table as text, for this column of the index. */
static char *
key_text(Relation index, int column, Datum key)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(index->rd_opcintype[column], &output, &is_varlena);
	return OidOutputFunctionCall(output, key);
}

/* Check a row of the table that the snapshot sees. */
static void
check_row(Relation index, ItemPointer row, Datum *values, bool *nulls,
		  bool alive, void *arg)
{
	SpqCheckHeap *heap_check = (SpqCheckHeap *) arg;
	SpqCheck   *check = heap_check->check;
	MemoryContext old_context = MemoryContextSwitchTo(check->short_lived);
	int			column = heap_check->kind->key;
	Datum		key = values[column];
	bool		key_is_null = nulls[column];
	Duplicate  *entry;

	heap_check->kind->store(check, values, nulls);
	take_fingerprint(heap_check, row, values, nulls);
	if (bloom_lacks_element(heap_check->filter,
							(unsigned char *) heap_check->fingerprint.data,
							heap_check->fingerprint.len))
		spq_check_report(check, InvalidBlockNumber, InvalidOffsetNumber,
						 psprintf("row (%u,%d) with key %s is missing from the index, or has other values there",
								  ItemPointerGetBlockNumber(row),
								  ItemPointerGetOffsetNumber(row),
								  key_is_null ? "null" : key_text(index, column, key)));
	entry = find_duplicate(heap_check, row);
	if (entry)
		entry->visible = true;
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->short_lived);
}

/* Check the table, after the walk, and free what the check has used. */
void
spq_check_heap_end(SpqCheckHeap *heap_check)
{
	SpqCheck   *check = heap_check->check;
	IndexInfo  *info = BuildIndexInfo(check->index);
	TableScanDesc scan;

	find_duplicates(heap_check);
	if (heap_check->n_duplicates > 0)
		heap_check->kind->walk(check, heap_check);

	/* use the snapshot, do not wait, and ignore the index's constraint */
	info->ii_Concurrent = true;
	info->ii_Unique = false;
	info->ii_ExclusionOps = NULL;
	info->ii_ExclusionProcs = NULL;
	info->ii_ExclusionStrats = NULL;
	scan = table_beginscan_strat(check->heap, heap_check->snapshot, 0, NULL, true, true);
	table_index_build_scan(check->heap, check->index, info, true, false,
						   check_row, heap_check, scan);

	for (int64 i = 0; i < heap_check->n_duplicates; i++)
	{
		const Duplicate *entry = &heap_check->duplicates[i];
		SpqPageTid	row = spq_check_decode_tid(entry->row);

		if (entry->visible && entry->n_leaves > 1)
			spq_check_report(check, entry->second.block, entry->second.offset,
							 psprintf("row (%u,%d) is in the index twice, also in block %u, item %d",
									  row.block, row.offset, entry->first.block,
									  entry->first.offset));
	}

	bloom_free(heap_check->filter);
	UnregisterSnapshot(heap_check->snapshot);
}
