/*-------------------------------------------------------------------------
 *
 * build_sort.c
 *	  The sort of rows for CREATE INDEX, along a curve.
 *
 * This is a sort of byte strings: the position on the Hilbert curve, which
 * memcmp() orders, then the row.  No two rows are equal, because the TID is
 * part of them.  So their order does not depend on the order in which they
 * arrive, nor on which processes sort them, nor on how.  In an index with
 * scalar columns the code comes first, an integer in network byte order.
 *
 * As long as they fit the memory, rows are sorted there (build_memory.c).  If
 * they do not fit, or processes share the sort, they go to a tuplesort: it is
 * bounded and spills like any other.
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
#include "rtree/bulk_load/build_memory.h"
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
	MemoryContext context;
	int			axes;
	const SpqRtreeUnits *units;
	Size		code_size;		/* of the code in front, or 0 */
	Size		sorted_size;	/* of what is between code and payload */
	int64		count;			/* rows passed to this sort */
	SpqRtreeMemorySort *in_memory;	/* NULL if there is a tuplesort */

	/* the tuplesort, and the batch of rows that it gets next */
	int			memory;
	Tuplesortstate *tuplesort;
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

static void
begin_tuplesort(SpqRtreeSort *sort, SortCoordinate coordinate)
{
	sort->tuplesort = tuplesort_begin_datum(BYTEAOID, ByteaLessOperator, InvalidOid, false,
											sort->memory, coordinate, TUPLESORT_NONE);
	sort->batch_context = AllocSetContextCreate(CurrentMemoryContext, "spqtree build batch",
												0, BATCH_SIZE, BATCH_SIZE);
}

SpqRtreeSort *
spq_rtree_sort_begin(int memory, int axes, const SpqRtreeUnits *units, bool keyed,
					 SortCoordinate coordinate)
{
	SpqRtreeSort *sort = palloc(sizeof(SpqRtreeSort));

	sort->context = CurrentMemoryContext;
	sort->memory = memory;
	sort->axes = axes;
	sort->units = units;
	sort->sorted_size = sorted_size(axes);
	sort->code_size = keyed ? SPQ_RTREE_CODE_SIZE : 0;
	sort->count = 0;
	sort->in_memory = NULL;
	sort->tuplesort = NULL;
	sort->nbatch = 0;
	if (coordinate == NULL)
		sort->in_memory = spq_rtree_memory_sort_begin(memory);
	else
		begin_tuplesort(sort, coordinate);
	return sort;
}

/* Pass the rows of the batch to the tuplesort, in order. */
static void
end_batch(SpqRtreeSort *sort)
{
	order_batch(sort->batch, sort->nbatch);
	for (int i = 0; i < sort->nbatch; i++)
		tuplesort_putdatum(sort->tuplesort, PointerGetDatum(sort->batch[i].datum), false);
	sort->nbatch = 0;
	MemoryContextReset(sort->batch_context);
}

/* Add a row, in the form in which it is sorted, to the batch. */
static void
add_to_batch(SpqRtreeSort *sort, struct varlena *datum)
{
	BatchRow   *row = &sort->batch[sort->nbatch++];
	uint64		key;

	memcpy(&key, VARDATA_ANY(datum), sizeof(key));
	row->key = pg_ntoh64(key);
	row->datum = datum;
	if (sort->nbatch == BATCH_ROWS ||
		MemoryContextMemAllocated(sort->batch_context, false) > BATCH_SIZE)
		end_batch(sort);
}

/* The same for a row out of memory. */
static void
take_row(void *sort, struct varlena *datum)
{
	add_to_batch(sort, datum);
}

static void
flush_batch(void *sort)
{
	end_batch(sort);
}

/* Pass the rows in memory to a tuplesort, which gets those that follow, too. */
static void
leave_memory(SpqRtreeSort *sort)
{
	MemoryContext old = MemoryContextSwitchTo(sort->context);

	begin_tuplesort(sort, NULL);
	spq_rtree_memory_sort_empty(sort->in_memory, take_row, flush_batch, sort);
	spq_rtree_memory_sort_end(sort->in_memory);
	sort->in_memory = NULL;
	MemoryContextSwitchTo(old);
}

/* Write a row in the form in which it is sorted, of this size. */
static void
form_datum(const SpqRtreeSort *sort, const SpqRtreeRow *row, uint64 place, Size payload,
		   Size size, struct varlena *datum)
{
	char	   *content;

	/* with a short header, rows without payload take less memory */
	if (payload == 0)
		SET_VARSIZE_SHORT(datum, size);
	else
		SET_VARSIZE(datum, size);
	content = VARDATA_ANY(datum);
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
}

/* Add a row.  "place" orders rows with the same code. */
static void
add_row(SpqRtreeSort *sort, const SpqRtreeRow *row, uint64 place)
{
	Size		payload = spq_rtree_payload_size(row);
	Size		size = (payload == 0 ? VARHDRSZ_SHORT : VARHDRSZ) + sort->code_size +
		sort->sorted_size + payload;
	struct varlena *datum = NULL;

	if (sort->in_memory)
	{
		datum = spq_rtree_memory_sort_add(sort->in_memory, size);
		if (!datum)
			leave_memory(sort);
	}
	if (!sort->in_memory)
		datum = MemoryContextAlloc(sort->batch_context, size);
	form_datum(sort, row, place, payload, size, datum);
	if (!sort->in_memory)
		add_to_batch(sort, datum);
	sort->count++;
}

void
spq_rtree_sort_row(SpqRtreeSort *sort, const SpqRtreeRow *row)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_of(row->ends, sort->axes);

	add_row(sort, row, spq_rtree_curve_key(&bounds, sort->axes, sort->units));
}

void
spq_rtree_sort_row_by_tid(SpqRtreeSort *sort, const SpqRtreeRow *row)
{
	add_row(sort, row, (uint64) ItemPointerGetBlockNumber(&row->tid) << 16 |
			ItemPointerGetOffsetNumber(&row->tid));
}

int64
spq_rtree_sort_perform(SpqRtreeSort *sort)
{
	if (sort->in_memory)
		spq_rtree_memory_sort_perform(sort->in_memory);
	else
	{
		end_batch(sort);
		tuplesort_performsort(sort->tuplesort);
	}
	return sort->count;
}

/* Return the next row, in the form in which it is sorted, or NULL. */
static struct varlena *
next_datum(SpqRtreeSort *sort)
{
	Datum		datum;
	bool		isnull;

	if (sort->in_memory)
		return spq_rtree_memory_sort_next(sort->in_memory);
	if (!spq_tuplesort_getdatum(sort->tuplesort, &datum, &isnull))
		return NULL;
	return (struct varlena *) DatumGetPointer(datum);
}

bool
spq_rtree_sort_next(SpqRtreeSort *sort, SpqRtreeRow *row, uint8 *key, char *payload)
{
	struct varlena *value = next_datum(sort);
	const char *content;
	Size		size;

	if (!value)
		return false;
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
	if (!sort->in_memory)
		spq_tuplesort_free_datum(PointerGetDatum(value));
	return true;
}

void
spq_rtree_sort_end(SpqRtreeSort *sort)
{
	if (sort->in_memory)
		spq_rtree_memory_sort_end(sort->in_memory);
	else
	{
		tuplesort_end(sort->tuplesort);
		MemoryContextDelete(sort->batch_context);
	}
	pfree(sort);
}
