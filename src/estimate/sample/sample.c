/*-------------------------------------------------------------------------
 *
 * sample.c
 *	  Boxes of some rows of a relation, read during planning.
 *
 * Rows are read as TABLESAMPLE reads them: the table access method asks us for
 * the next block, and then for the next row of that block.  It checks only
 * these rows for visibility, which keeps a sample cheap.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/heapam.h"
#include "access/relscan.h"
#include "access/detoast.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/tsmapi.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "common/pg_prng.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/spccache.h"

#include "compat.h"
#include "estimate/sample/computed.h"
#include "estimate/sample/sample.h"
#include "spatial/extension/member.h"

/*
 * Read a relation completely if it has at most this many times the rows
 * wanted, and no more than the blocks wanted.
 */
#define WHOLE_TABLE_FACTOR	5

/*
 * Try at most this many times the rows wanted from a block: all rows of a
 * block may be dead.
 */
#define TRIES_FACTOR	4

/*
 * Fetch at most this many values from a TOAST table; each takes as long as
 * dozens of rows.
 */
#define MAX_FETCHES 64

/* A row is left out if a condition reads a larger value. */
#define MAX_CONDITION_BYTES (64 * 1024)

/*
 * The next block or row is this fraction of all further on: the golden ratio.
 */
#define STRIDE		0.6180339887498949

/* A walk over 0 .. count - 1 that jumps about and visits each number once. */
typedef struct Walk
{
	uint32		count;
	uint32		stride;			/* coprime to count */
	uint32		next;
} Walk;

typedef struct Reader
{
	SampleScanState state;		/* passed to the table access method; must be
								 * first */
	SpqEstimateSample *sample;
	int			room;			/* of the arrays of the sample, in boxes */
	int			block_rows;		/* to take from each block */
	int			fetches;		/* values fetched from a TOAST table */
	bool		finished;		/* read no more blocks */
	SpqTypeBoxOf bounds;
	pg_prng_state random;

	int			block_number;	/* counts the blocks of all children */
	int			child_number;	/* of the current child */

	/* of the current relation */
	Relation	rel;
	Bitmapset  *long_columns;	/* that a condition reads */
	BlockNumber nblocks;
	BlockNumber *block;			/* blocks to read, in this order */
	uint32		blocks;
	uint32		blocks_read;
	uint32		blocks_prefetched;
	uint32		concurrency;	/* blocks to prefetch */

	/* of the current block */
	bool		rows_begun;
	Walk		row;
	uint32		tries_left;
	int			taken;
} Reader;

static uint32
greatest_common_divisor(uint32 a, uint32 b)
{
	while (b != 0)
	{
		uint32		rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void
walk_init(Walk *walk, uint32 count, uint32 start)
{
	walk->count = count;
	walk->next = start;
	walk->stride = Max(1, (uint32) (count * STRIDE));
	while (greatest_common_divisor(count, walk->stride) != 1)
		walk->stride++;
}

static uint32
walk_next(Walk *walk)
{
	uint32		next = walk->next;

	walk->next = (next + walk->stride) % walk->count;
	return next;
}

/*
 * Choose the blocks of a relation, one from each of "blocks" stretches, and
 * the order in which they are read.
 */
static void
choose_blocks(Reader *reader, uint32 blocks)
{
	Walk		walk;

	walk_init(&walk, blocks, 0);
	reader->block = palloc(sizeof(BlockNumber) * blocks);
	for (uint32 i = 0; i < blocks; i++)
	{
		uint32		stretch = walk_next(&walk);
		double		position = (stretch + pg_prng_double(&reader->random)) / blocks;

		reader->block[i] = blocks == reader->nblocks ? stretch :
			Min((BlockNumber) (position * reader->nblocks), reader->nblocks - 1);
	}
	reader->blocks = blocks;
	reader->blocks_read = 0;
	reader->blocks_prefetched = 0;
}

/* Return the next block to read.  The table access method calls this. */
static BlockNumber
next_block(SampleScanState *state, BlockNumber nblocks)
{
	Reader	   *reader = (Reader *) state;
	uint32		ahead;

	if (reader->finished || reader->blocks_read == reader->blocks)
		return InvalidBlockNumber;
	reader->rows_begun = false;
	reader->taken = 0;
	ahead = Min(reader->blocks_read + reader->concurrency, reader->blocks);
	for (; reader->blocks_prefetched < ahead; reader->blocks_prefetched++)
		PrefetchBuffer(reader->rel, MAIN_FORKNUM,
					   reader->block[reader->blocks_prefetched]);
	return reader->block[reader->blocks_read++];
}

/*
 * Return the next row of the block to try, or InvalidOffsetNumber if there are
 * enough.
 */
static OffsetNumber
next_row(SampleScanState *state, BlockNumber block, OffsetNumber max_offset)
{
	Reader	   *reader = (Reader *) state;

	if (max_offset == 0)
		return InvalidOffsetNumber;
	if (!reader->rows_begun)
	{
		/* rows next to each other may be nearer in space than others */
		walk_init(&reader->row, max_offset,
				  (uint32) (pg_prng_double(&reader->random) * max_offset));
		reader->rows_begun = true;
		reader->tries_left = Min((uint32) max_offset,
								 (uint32) reader->block_rows * TRIES_FACTOR);
		if (reader->tries_left < max_offset)
			reader->sample->complete = false;
	}
	if (reader->tries_left == 0)
		return InvalidOffsetNumber;
	if (reader->taken >= reader->block_rows || reader->finished)
	{
		reader->sample->complete = false;
		return InvalidOffsetNumber;
	}
	reader->tries_left--;
	return (OffsetNumber) (walk_next(&reader->row) + FirstOffsetNumber);
}

static const TsmRoutine reader_methods = {
	.type = T_TsmRoutine,
	.NextSampleBlock = next_block,
	.NextSampleTuple = next_row,
};

/* Return a number that identifies a row in other samples, too. */
static uint32
row_number(const TupleTableSlot *slot)
{
	return hash_combine(slot->tts_tableOid,
						ItemPointerGetBlockNumber(&slot->tts_tid) << 9 ^
						ItemPointerGetOffsetNumber(&slot->tts_tid));
}

static bool
has_nan(const float8 *ends, int axes)
{
	bool		found = false;

	for (int i = 0; i < 2 * axes; i++)
		found |= isnan(ends[i]);
	return found;
}

/*
 * Return whether a sample keeps the values of a type, of fixed size: shapes in space of
 * which the bounds may tell little, because they are lines or have none.  The box of
 * one without bounds is all of space.
 */
bool
spq_estimate_keeps_values(const SpqType *type)
{
	return type->meets != NULL && type->size > 0 && (type->line != NULL || type->box == NULL);
}

/* Add the box of a value that is not null to the sample. */
static void
add_box(Reader *reader, Datum value, uint32 row, ItemPointerData tid, MemoryContext context)
{
	SpqEstimateSample *sample = reader->sample;
	MemoryContext old = MemoryContextSwitchTo(context);
	float8	   *ends = &sample->ends[2 * sample->axes * sample->count];

	if (reader->bounds.type->box)
		spq_type_box_of(&reader->bounds, value, ends);
	else
		for (int axis = 0; axis < sample->axes; axis++)
		{
			ends[axis] = get_float8_infinity();
			ends[sample->axes + axis] = -get_float8_infinity();
		}
	MemoryContextSwitchTo(old);
	if (has_nan(ends, sample->axes))
		return;
	if (sample->value_size > 0)
		memcpy(sample->values + sample->count * sample->value_size, DatumGetPointer(value),
			   sample->value_size);
	sample->row[sample->count++] = (SpqEstimateRow)
	{
		row, (uint16) reader->block_number, (uint16) reader->child_number, tid
	};
}

/*
 * Count the values that a condition would fetch from a TOAST table for a row, or decompress to more
 * than a page.  Return false if they may not be read.
 */
static bool
may_read_columns(Reader *reader, TupleTableSlot *slot, bool may_fetch)
{
	int			column = -1;

	while ((column = bms_next_member(reader->long_columns, column)) >= 0)
	{
		bool		isnull;
		Datum		value = slot_getattr(slot, column, &isnull);
		bool		external = !isnull && VARATT_IS_EXTERNAL(DatumGetPointer(value));

		/* a value may be compressed to less than it takes to read it */
		if (isnull || (!external && toast_raw_datum_size(value) <= BLCKSZ))
			continue;
		if ((external && !may_fetch) || toast_raw_datum_size(value) > MAX_CONDITION_BYTES)
			return false;
		if (++reader->fetches == MAX_FETCHES)
			reader->finished = true;
	}
	return true;
}

/*
 * Take one row.  Fetch a value from a TOAST table only under an MVCC snapshot,
 * which guarantees that the value still exists.
 */
static void
take_row(Reader *reader, SpqEstimateEvaluation *expr, ExprContext *econtext, bool may_fetch)
{
	SpqEstimateSample *sample = reader->sample;
	Datum		value;
	bool		isnull;

	ResetExprContext(econtext);
	if (!may_read_columns(reader, econtext->ecxt_scantuple, may_fetch))
	{
		sample->complete = false;
		return;
	}
	value = spq_estimate_evaluate(expr, &isnull);
	if (!isnull && reader->bounds.type->is_long &&
		VARATT_IS_EXTERNAL(DatumGetPointer(value)))
	{
		if (!may_fetch)
		{
			sample->complete = false;
			return;
		}
		if (++reader->fetches == MAX_FETCHES)
			reader->finished = true;
	}
	reader->taken++;
	if (!isnull)
		add_box(reader, value, row_number(econtext->ecxt_scantuple),
				econtext->ecxt_scantuple->tts_tid, econtext->ecxt_per_tuple_memory);
	if (++sample->rows == reader->room)
		reader->finished = true;
}

/* Return whether an expression takes a composite value apart. */
static bool
has_field(Node *node, void *context)
{
	return node != NULL && (IsA(node, FieldSelect) || expression_tree_walker(node, has_field, context));
}

/* Return the columns of variable length in a condition, or in what reads them completely. */
static Bitmapset *
long_columns(const Reader *reader, Node *expr)
{
	Bitmapset  *attributes = NULL,
			   *columns = NULL;
	int			attribute = -1;

	if (reader->bounds.type != &spq_estimate_truth && !has_field(expr, NULL))
		return NULL;
	pull_varattnos(expr, 1, &attributes);
	while ((attribute = bms_next_member(attributes, attribute)) >= 0)
	{
		AttrNumber	number = attribute + FirstLowInvalidHeapAttributeNumber;

		if (TupleDescAttr(RelationGetDescr(reader->rel), number - 1)->attlen == -1)
			columns = bms_add_member(columns, number);
	}
	return columns;
}

static void
read_constants(Reader *reader, const SpqEstimateChild *child)
{
	EState	   *estate = CreateExecutorState();
	ExprContext *econtext = CreateExprContext(estate);
	ListCell   *lc;

	foreach(lc, child->rows)
	{
		ItemPointerData tid;
		MemoryContext old;
		Datum		value;
		bool		isnull;

		ItemPointerSetInvalid(&tid);
		ResetExprContext(econtext);
		old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
		value = spq_estimate_evaluate(spq_estimate_evaluation(spq_estimate_of_constant_row(child->expr, lfirst(lc)),
															  econtext), &isnull);
		MemoryContextSwitchTo(old);
		if (!isnull)
			add_box(reader, value, foreach_current_index(lc), tid,
					econtext->ecxt_per_tuple_memory);
		if (++reader->sample->rows == reader->room)
			break;
	}
	reader->sample->complete &= reader->sample->rows >= child->tuples;
	FreeExecutorState(estate);
}

/*
 * Seed the choice of blocks with names.  Tables that are sorted alike must not
 * be read in the same places: their rows would meet far more often in the
 * samples than in the tables.  Unlike OIDs, names survive a dump.
 */
static void
seed(Reader *reader)
{
	const char *name = RelationGetRelationName(reader->rel);
	uint64		seed = hash_bytes((const unsigned char *) name, strlen(name));

	if (reader->rel->rd_rel->relpersistence != RELPERSISTENCE_TEMP)
	{
		name = get_namespace_name(RelationGetNamespace(reader->rel));
		if (name)
			seed = seed << 32 | hash_bytes((const unsigned char *) name, strlen(name));
	}
	pg_prng_seed(&reader->random, seed);
}

/* Read "blocks" blocks of a relation, or all if it has no more. */
static void
read_relation(Reader *reader, Node *expr, uint32 blocks)
{
	SpqEstimateSample *sample = reader->sample;
	TableScanDesc scan;
	TupleTableSlot *slot;
	EState	   *estate;
	ExprContext *econtext;
	SpqEstimateEvaluation *evaluation;
	Snapshot	snapshot;
	SnapshotData non_vacuumable = {0};
	bool		mvcc;

	reader->nblocks = RelationGetNumberOfBlocks(reader->rel);
	if (blocks < reader->nblocks)
		sample->complete = false;
	if (reader->nblocks == 0)
		return;
	seed(reader);
	choose_blocks(reader, Min(blocks, reader->nblocks));
	reader->concurrency =
		get_tablespace_maintenance_io_concurrency(reader->rel->rd_rel->reltablespace);

	/*
	 * Under serializable isolation, reading with the transaction's snapshot
	 * would take predicate locks, as if the query had read the row.  Rows
	 * that nobody can have removed yet are good enough then, as they are for
	 * get_actual_variable_range().
	 */
	mvcc = ActiveSnapshotSet() && !IsolationIsSerializable() &&
		IsMVCCSnapshot(GetActiveSnapshot());
	if (mvcc)
		snapshot = GetActiveSnapshot();
	else
	{
		InitNonVacuumableSnapshot(non_vacuumable, GlobalVisTestFor(reader->rel));
		snapshot = &non_vacuumable;
	}

	estate = CreateExecutorState();
	econtext = CreateExprContext(estate);
	evaluation = spq_estimate_evaluation(expr, econtext);
	slot = table_slot_create(reader->rel, NULL);
	econtext->ecxt_scantuple = slot;
	reader->long_columns = long_columns(reader, expr);

	/* without a buffer ring, and without page mode: see the header */
	scan = spq_beginscan_sampling(reader->rel, snapshot);
	while (table_scan_sample_next_block(scan, &reader->state))
	{
		CHECK_FOR_INTERRUPTS();
		while (table_scan_sample_next_tuple(scan, &reader->state, slot))
			take_row(reader, evaluation, econtext, mvcc);
		reader->block_number++;
	}
	if (reader->blocks_read < reader->blocks)
		sample->complete = false;

	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	FreeExecutorState(estate);
}

/*
 * Return whether single rows of any block can be read.  Columnar access
 * methods raise an error, so accept only PostgreSQL's heap, whatever its name.
 */
static bool
can_be_sampled(Relation rel)
{
	return rel->rd_tableam == GetHeapamTableAmRoutine() &&
		!RELATION_IS_OTHER_TEMP(rel);
}

/* Return whether values of a sample may be tried later: functions that return boxes read them. */
static bool
may_be_tried(const List *children)
{
	const SpqEstimateChild *child = children ? linitial(children) : NULL;

	return child != NULL && IsA(child->expr, FuncExpr) &&
		spq_spatial_is_plain_bounds(((FuncExpr *) child->expr)->funcid);
}

/*
 * Sample "children" (SpqEstimateChild), each by its share of pages: "rows" rows,
 * of each block "block_rows".  The arrays are allocated in the current memory
 * context.
 *
 * The boxes are those of the values, without what spq_type_make_safe() adds
 * for operators: that makes a point at infinity overlap everything, although
 * no circle contains it.
 */
void
spq_estimate_take_sample(SpqEstimateSample *sample, List *children, const SpqTypeOperand *operand,
						 int rows, int block_rows)
{
	static uint64 last_id = 0;
	Reader		reader = {.sample = sample};
	MemoryContext old,
				context;
	double		pages = 0,
				tuples = 0,
				before = 0,
				blocks;
	ListCell   *lc;

	memset(sample, 0, sizeof(*sample));
	sample->id = ++last_id;
	sample->complete = true;
	foreach(lc, children)
	{
		pages += ((SpqEstimateChild *) lfirst(lc))->pages;
		tuples += ((SpqEstimateChild *) lfirst(lc))->tuples;
		sample->source = hash_combine64(sample->source,
										OidIsValid(((SpqEstimateChild *) lfirst(lc))->relid) ?
										((SpqEstimateChild *) lfirst(lc))->relid : sample->id << 32);
	}
	sample->pages = pages;

	blocks = Max(1, Min(rows / block_rows, pages));
	if (tuples <= rows * WHOLE_TABLE_FACTOR && pages <= blocks)
		reader.block_rows = MaxHeapTuplesPerPage;
	else
		reader.block_rows = (int) ceil(rows / blocks);
	reader.room = (int) (rows * (WHOLE_TABLE_FACTOR + 1));
	sample->axes = operand->type->axes;
	sample->lines = operand->type->line != NULL;
	sample->ends = palloc(sizeof(float8) * 2 * sample->axes * reader.room);
	sample->row = palloc(sizeof(SpqEstimateRow) * reader.room);
	if (spq_estimate_keeps_values(operand->type))
	{
		sample->value_size = operand->type->size;
		sample->values = palloc(sample->value_size * reader.room);
	}
	sample->children = children;
	sample->tried = operand->type->is_box && may_be_tried(children);
	spq_type_box_init(&reader.bounds, operand, true, InvalidOid);
	reader.state.tsmroutine = unconstify(TsmRoutine *, &reader_methods);

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial sample",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	foreach(lc, children)
	{
		const SpqEstimateChild *child = lfirst(lc);
		double		share = pages > 0 ? blocks / pages : 1;
		int			first = (int) rint(before * share),
					end = (int) rint((before + child->pages) * share);

		before += child->pages;
		reader.child_number = foreach_current_index(lc);
		if (list_length(children) > 1 && end == first)
		{
			sample->complete &= child->pages == 0;
			continue;
		}
		if (reader.finished)
		{
			sample->complete = false;
			break;
		}
		if (!OidIsValid(child->relid))
		{
			read_constants(&reader, child);
			continue;
		}
		reader.rel = table_open(child->relid, NoLock);	/* locked by the query */
		if (can_be_sampled(reader.rel))
			read_relation(&reader, child->expr, Max(1, end - first));
		else
			sample->complete = false;
		table_close(reader.rel, NoLock);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	if (sample->count > 0 && !sample->complete)
		sample->centers = spq_estimate_find_centers(sample);
}

/* Return the mean side of the boxes in a sample, ignoring infinite ones. */
double
spq_estimate_mean_side(const SpqEstimateSample *sample, int axis)
{
	double		sum = 0;
	int			count = 0;

	for (int i = 0; i < sample->count; i++)
	{
		double		side = spq_estimate_high(sample, i)[axis] -
			spq_estimate_low(sample, i)[axis];

		if (side < DBL_MAX / 16 / sample->count)
		{
			sum += side;
			count++;
		}
	}
	return count > 0 ? sum / count : 0;
}

/*
 * Compare rows with the next row of their block, and with a row of another block.
 * Return how many were compared, and set how often the first was nearer on each axis.
 */
int
spq_estimate_nearer_neighbors(const SpqEstimateSample *sample, int *nearer)
{
	int			tries = 0;

	memset(nearer, 0, sample->axes * sizeof(int));
	for (int i = 0; i + 1 < sample->count; i++)
	{
		const float8 *low = spq_estimate_low(sample, i),
				   *neighbor = spq_estimate_low(sample, i + 1),
				   *other = spq_estimate_low(sample, (i + sample->count / 2) % sample->count);

		if (sample->row[i].block != sample->row[i + 1].block)
			continue;
		tries++;
		for (int axis = 0; axis < sample->axes; axis++)
			nearer[axis] += fabs(low[axis] - neighbor[axis]) < fabs(low[axis] - other[axis]);
	}
	return tries;
}
