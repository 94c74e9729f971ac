/*-------------------------------------------------------------------------
 *
 * build_sort.c
 *	  The sort of rows for CREATE INDEX, along a curve.
 *
 * This is a tuplesort of byte strings: the position on the Hilbert curve, which
 * memcmp() orders, then the row.  So it is bounded and spills like any other,
 * and processes can share it.  No two rows are equal, because the TID is part
 * of them.  So their order does not depend on the order in which they arrive,
 * nor on the processes that sort them.  In an index with scalar columns the
 * code comes first, an integer in network byte order.
 *
 * Rows are passed to the tuplesort in batches, each in order.  The tuplesort
 * keeps rows in memory as they come, and reads them in the order of keys; so it
 * traverses each batch from front to back.  Otherwise, it would wait for memory
 * at every row.  A batch fits the processor's cache.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "port/pg_bswap.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "rtree/bulk_load/build_sort.h"

/* The size of a batch, in rows and bytes. */
#define BATCH_ROWS		4096
#define BATCH_SIZE		(512 * 1024)

/*
 * The content of a sorted value:
 *
 *		code, if the index is keyed | key on the curve | TID | ends | payload
 */
static Size
sorted_size(int axes)
{
	return SPQ_RTREE_CURVE_SIZE + sizeof(ItemPointerData) + 2 * axes * sizeof(float8);
}

typedef struct BatchRow
{
	uint64		key;			/* first 64 bits of the value */
	struct varlena *datum;
} BatchRow;

struct SpqRtreeSort
{
	int			axes;
	const SpqRtreeUnits *units;
	Size		code_size;		/* of the code in front, or 0 */
	Size		sorted_size;	/* of what is between code and payload */
	Tuplesortstate *tuplesort;
	int64		count;			/* rows passed to it */
	MemoryContext batch_context;	/* of the rows of the batch */
	int			nbatch;
	BatchRow	batch[BATCH_ROWS];
};

#define ST_SORT order_batch
#define ST_ELEMENT_TYPE BatchRow
#define ST_COMPARE(a, b) (((a)->key > (b)->key) - ((a)->key < (b)->key))
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

SpqRtreeSort *
spq_rtree_sort_begin(int memory, int axes, const SpqRtreeUnits *units, bool keyed,
					 SortCoordinate coordinate)
{
	SpqRtreeSort *sort = palloc(sizeof(SpqRtreeSort));

	sort->tuplesort = tuplesort_begin_datum(BYTEAOID, ByteaLessOperator, InvalidOid, false,
											memory, coordinate, TUPLESORT_NONE);
	sort->axes = axes;
	sort->units = units;
	sort->sorted_size = sorted_size(axes);
	sort->code_size = keyed ? SPQ_RTREE_CODE_SIZE : 0;
	sort->count = 0;
	sort->nbatch = 0;
	sort->batch_context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build rows",
												0, BATCH_SIZE, BATCH_SIZE);
	return sort;
}

/* Pass the rows of the batch to the tuplesort, in order. */
static void
end_batch(SpqRtreeSort *sort)
{
	order_batch(sort->batch, sort->nbatch);
	for (int i = 0; i < sort->nbatch; i++)
		tuplesort_putdatum(sort->tuplesort, PointerGetDatum(sort->batch[i].datum), false);
	sort->count += sort->nbatch;
	sort->nbatch = 0;
	MemoryContextReset(sort->batch_context);
}

/* Add a row to the batch.  "place" orders rows with the same code. */
static void
add_to_batch(SpqRtreeSort *sort, const SpqRtreeRow *row, uint64 place)
{
	Size		payload = spq_rtree_payload_size(row);
	Size		size = VARHDRSZ + sort->code_size + sort->sorted_size + payload;
	BatchRow   *batch_row = &sort->batch[sort->nbatch++];
	uint64		key;
	char	   *content;

	/* with a short header, rows without payload take less memory */
	batch_row->datum = MemoryContextAlloc(sort->batch_context, size);
	if (payload == 0)
		SET_VARSIZE_SHORT(batch_row->datum, VARHDRSZ_SHORT + sort->code_size + sort->sorted_size);
	else
		SET_VARSIZE(batch_row->datum, size);
	content = VARDATA_ANY(batch_row->datum);
	if (sort->code_size > 0)
	{
		uint64		code = pg_hton64((uint64) row->code);

		memcpy(content, &code, SPQ_RTREE_CODE_SIZE);
		content += SPQ_RTREE_CODE_SIZE;
	}

	place = pg_hton64(place);
	memcpy(content, &place, SPQ_RTREE_CURVE_SIZE);
	content += SPQ_RTREE_CURVE_SIZE;
	memcpy(content, &row->tid, sizeof(row->tid));
	content += sizeof(row->tid);
	memcpy(content, row->ends, 2 * sort->axes * sizeof(float8));
	content += 2 * sort->axes * sizeof(float8);
	if (payload > 0)
		memcpy(content, row->payload, payload);
	memcpy(&key, VARDATA_ANY(batch_row->datum), sizeof(key));
	batch_row->key = pg_ntoh64(key);

	if (sort->nbatch == BATCH_ROWS ||
		MemoryContextMemAllocated(sort->batch_context, false) > BATCH_SIZE)
		end_batch(sort);
}

void
spq_rtree_sort_row(SpqRtreeSort *sort, const SpqRtreeRow *row)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_of(row->ends, sort->axes);

	add_to_batch(sort, row, spq_rtree_curve_key(&bounds, sort->axes, sort->units));
}

void
spq_rtree_sort_row_by_tid(SpqRtreeSort *sort, const SpqRtreeRow *row)
{
	add_to_batch(sort, row, (uint64) ItemPointerGetBlockNumber(&row->tid) << 16 |
				 ItemPointerGetOffsetNumber(&row->tid));
}

int64
spq_rtree_sort_perform(SpqRtreeSort *sort)
{
	end_batch(sort);
	tuplesort_performsort(sort->tuplesort);
	return sort->count;
}

bool
spq_rtree_sort_next(SpqRtreeSort *sort, SpqRtreeRow *row, uint8 *key, char *payload)
{
	Datum		datum;
	bool		isnull;
	struct varlena *value;
	const char *content;
	Size		size;

	if (!spq_tuplesort_getdatum(sort->tuplesort, &datum, &isnull))
		return false;
	value = (struct varlena *) DatumGetPointer(datum);
	content = VARDATA_ANY(value);
	size = VARSIZE_ANY_EXHDR(value) - sort->code_size;
	memset(key, 0, SPQ_RTREE_SORT_KEY_SIZE);
	row->code = SPQ_RTREE_NO_CODE;
	if (sort->code_size > 0)
	{
		uint64		code;

		memcpy(&code, content, SPQ_RTREE_CODE_SIZE);
		memcpy(key, &code, SPQ_RTREE_CODE_SIZE);
		row->code = (float8) pg_ntoh64(code);
		content += SPQ_RTREE_CODE_SIZE;
	}
	memcpy(key + SPQ_RTREE_CODE_SIZE, content, SPQ_RTREE_CURVE_SIZE);
	content += SPQ_RTREE_CURVE_SIZE;
	memcpy(&row->tid, content, sizeof(row->tid));
	content += sizeof(row->tid);
	memcpy(row->ends, content, 2 * sort->axes * sizeof(float8));
	content += 2 * sort->axes * sizeof(float8);
	row->dead = false;
	row->payload = NULL;
	if (size > sort->sorted_size)
	{
		memcpy(payload, content, size - sort->sorted_size);
		row->payload = payload;
	}
	spq_tuplesort_free_datum(datum);
	return true;
}

void
spq_rtree_sort_end(SpqRtreeSort *sort)
{
	tuplesort_end(sort->tuplesort);
	MemoryContextDelete(sort->batch_context);
	pfree(sort);
}
