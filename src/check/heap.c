/*-------------------------------------------------------------------------
 *
 * heap.c
 *	  Whether every row of the table is in the index, with its values, once.
 *
 *		a snapshot, then the walk:	of each leaf tuple
 *									  row and values -> Bloom filter
 *									  row            -> sort
 *		rows that are there twice:	a second walk, to say where
 *		the table by the snapshot:	each row that the filter lacks is missing
 *
 * A row that the snapshot sees was in the index before the snapshot was taken,
 * and vacuum must leave it there; so the walk has come to it, whatever others
 * do meanwhile.  What the filter lacks was not there.  (Of what was not there,
 * the filter may miss one in fifty, as in amcheck, whose method this is, or
 * more if maintenance_work_mem is small: Bloom, "Space/time trade-offs in hash
 * coding with allowable errors", 1970.)  For the same reason a row that the
 * snapshot sees is in the index at one place, while the places of dead rows may
 * be given to new ones.
 *
 * Expressions and conditions of the index are evaluated here.  The caller has
 * changed to the rights of the table's owner.
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

#include "check/check.h"
#include "compat.h"

/* Leaf tuples on a page, at least, when nothing is known: boxes alone. */
#define TUPLES_PER_PAGE		100

/* A row that the index has twice. */
typedef struct Double
{
	int64		row;
	bool		visible;		/* to the snapshot */
	SpqPageTid	first;			/* places in the index */
	SpqPageTid	second;
	int			places;
} Double;

struct SpqCheckHeap
{
	SpqCheck   *check;
	Snapshot	snapshot;
	bloom_filter *filter;
	Tuplesortstate *rows;
	FmgrInfo   *compress;		/* makes a leaf of a value; NULL: it is one */
	StringInfoData fingerprint;
	Double	   *doubles;		/* in the order of rows */
	int64		n_doubles;
	int64		max_doubles;
};

static int64
row_number(ItemPointer row)
{
	return spq_place_number(ItemPointerGetBlockNumberNoCheck(row),
							ItemPointerGetOffsetNumberNoCheck(row));
}

/*
 * Take the snapshot and prepare the filter.  As in amcheck, a snapshot of a
 * transaction that is older than the index may see rows which the index need
 * not have.  Whoever builds an index CONCURRENTLY waits for such transactions,
 * but not for those of standbys: there it holds for any index.
 */
SpqCheckHeap *
spq_check_heap_begin(SpqCheck *check)
{
	SpqCheckHeap *result = palloc0(sizeof(SpqCheckHeap));
	Relation	index = check->reader.index;
	int64		elements = Max((int64) RelationGetNumberOfBlocks(index) * TUPLES_PER_PAGE,
							   (int64) index->rd_rel->reltuples);
	TransactionId index_xmin;

	result->check = check;
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
	if (OidIsValid(index_getprocid(index, 1, SPGIST_COMPRESS_PROC)))
		result->compress = index_getprocinfo(index, 1, SPGIST_COMPRESS_PROC);
	return result;
}

/*
 * Row and values as bytes, the same for a leaf tuple and for a row of the
 * table, whichever way a long value is stored.
 */
static void
take_fingerprint(SpqCheckHeap *heap_check, ItemPointer row, Datum *values, bool *nulls)
{
	StringInfo	bytes = &heap_check->fingerprint;
	TupleDesc	desc = heap_check->check->reader.leaf_desc;
	int64		number = row_number(row);

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

/* A leaf tuple that the walk comes to. */
void
spq_check_heap_leaf(SpqCheckHeap *heap_check, SpqPageTid at,
					SpGistLeafTuple tuple, bool null_key)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	if (spq_page_leaf_columns(tuple, heap_check->check->reader.leaf_desc, null_key, values, nulls))
		return;
	take_fingerprint(heap_check, &tuple->heapPtr, values, nulls);
	bloom_add_element(heap_check->filter,
					  (unsigned char *) heap_check->fingerprint.data,
					  heap_check->fingerprint.len);
	tuplesort_putdatum(heap_check->rows,
					   Int64GetDatum(row_number(&tuple->heapPtr)), false);
}

static void
add_double(SpqCheckHeap *heap_check, int64 row)
{
	Double	   *entry;

	if (heap_check->n_doubles > 0 &&
		heap_check->doubles[heap_check->n_doubles - 1].row == row)
		return;
	if (heap_check->n_doubles == heap_check->max_doubles)
	{
		heap_check->max_doubles = Max(64, 2 * heap_check->max_doubles);
		heap_check->doubles = heap_check->doubles == NULL ?
			MemoryContextAllocHuge(heap_check->check->context,
								   heap_check->max_doubles * sizeof(Double)) :
			repalloc_huge(heap_check->doubles,
						  heap_check->max_doubles * sizeof(Double));
	}
	entry = &heap_check->doubles[heap_check->n_doubles++];
	memset(entry, 0, sizeof(Double));
	entry->row = row;
}

/* Rows that the walk has come to more than once. */
static void
find_doubles(SpqCheckHeap *heap_check)
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
			add_double(heap_check, row);
		last = row;
	}
	tuplesort_end(heap_check->rows);
}

static int
compare_doubles(const void *a, const void *b)
{
	int64		x = ((const Double *) a)->row;
	int64		y = ((const Double *) b)->row;

	return (x > y) - (x < y);
}

static Double *
find_double(SpqCheckHeap *heap_check, ItemPointer row)
{
	Double		key;

	if (heap_check->n_doubles == 0)
		return NULL;
	key.row = row_number(row);
	return bsearch(&key, heap_check->doubles, heap_check->n_doubles,
				   sizeof(Double), compare_doubles);
}

static void
reached_nothing(void *arg, SpqPageTid tuple, SpqPageTid parent, int node)
{
}

/* The second walk: where the doubles are. */
static void
note_place(void *arg, SpqPageTid at, SpGistLeafTuple tuple, bool null_key)
{
	Double	   *entry = find_double((SpqCheckHeap *) arg, &tuple->heapPtr);

	if (entry == NULL)
		return;
	if (entry->places == 0)
		entry->first = at;
	else if (at.block != entry->first.block || at.offset != entry->first.offset)
		entry->second = at;
	else
		return;
	entry->places++;
}

/* A key of the table as text. */
static char *
key_text(Relation index, Datum key)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(index->rd_opcintype[spgKeyColumn], &output, &is_varlena);
	return OidOutputFunctionCall(output, key);
}

/*
 * A row of the table, by the snapshot.  What the index has as its key is what
 * the class makes of the value.
 */
static void
check_row(Relation index, ItemPointer row, Datum *values, bool *nulls,
		  bool alive, void *arg)
{
	SpqCheckHeap *heap_check = (SpqCheckHeap *) arg;
	SpqCheck   *check = heap_check->check;
	MemoryContext old_context = MemoryContextSwitchTo(check->short_lived);
	Datum		key = values[spgKeyColumn];
	Double	   *entry;

	if (heap_check->compress && !nulls[spgKeyColumn])
		values[spgKeyColumn] =
			FunctionCall1Coll(heap_check->compress,
							  index->rd_indcollation[spgKeyColumn], key);
	take_fingerprint(heap_check, row, values, nulls);
	if (bloom_lacks_element(heap_check->filter,
							(unsigned char *) heap_check->fingerprint.data,
							heap_check->fingerprint.len))
		spq_check_report(check, InvalidBlockNumber, InvalidOffsetNumber,
				   psprintf("row (%u,%d) of the table, with the key %s, is not in the index, or not with these values",
							ItemPointerGetBlockNumber(row),
							ItemPointerGetOffsetNumber(row),
							nulls[spgKeyColumn] ? "null" : key_text(index, key)));
	entry = find_double(heap_check, row);
	if (entry)
		entry->visible = true;
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->short_lived);
}

/*
 * The walk is over: look at the table.
 */
void
spq_check_heap_end(SpqCheck *check)
{
	SpqCheckHeap *heap_check = check->heap_check;
	IndexInfo  *info = BuildIndexInfo(check->reader.index);
	TableScanDesc scan;

	find_doubles(heap_check);
	if (heap_check->n_doubles > 0)
	{
		SpqCheckVisitor	visitor = {reached_nothing, note_place, heap_check, true};

		spq_check_walk(check, &visitor);
	}

	/* by the snapshot, waiting for nobody, and whatever constraint it is of */
	info->ii_Concurrent = true;
	info->ii_Unique = false;
	info->ii_ExclusionOps = NULL;
	info->ii_ExclusionProcs = NULL;
	info->ii_ExclusionStrats = NULL;
	scan = table_beginscan_strat(check->heap, heap_check->snapshot, 0, NULL, true, true);
	table_index_build_scan(check->heap, check->reader.index, info, true, false,
						   check_row, heap_check, scan);

	for (int64 i = 0; i < heap_check->n_doubles; i++)
	{
		const Double *entry = &heap_check->doubles[i];
		SpqPageTid	row = spq_place_at(entry->row);

		if (entry->visible && entry->places > 1)
			spq_check_report(check, entry->second.block, entry->second.offset,
					   psprintf("row (%u,%d) of the table is in the index twice, also in block %u, item %d",
								row.block, row.offset, entry->first.block,
								entry->first.offset));
	}

	bloom_free(heap_check->filter);
	UnregisterSnapshot(heap_check->snapshot);
}
