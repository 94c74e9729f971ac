/*-------------------------------------------------------------------------
 *
 * sample.c
 *	  Boxes of some rows of a relation, read during planning.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "common/pg_prng.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "estimate/sample.h"

/* Rows of a block that are used, if there are enough blocks. */
#define BLOCK_ROWS	8

/* A relation with so many times the rows wanted is read whole. */
#define WHOLE		5

/* Time for a relation, in microseconds. */
#define TIME_LIMIT	450

/* Each time a block takes so many microseconds, it is used for BLOCK_ROWS more. */
#define BLOCK_COST	4

/* Of the blocks to read, the next is so many further on: the golden ratio. */
#define STRIDE		0.6180339887498949

typedef struct Reader
{
	SpqSample  *sample;
	int			most;			/* room in sample->box */
	int			wanted;			/* rows in all */
	int			block_rows;		/* to take from a block */
	int			blocks;			/* read before this one */
	SpqBoundsOf bounds;
	bool		exact;
	pg_prng_state random;
	instr_time	start;
	double		time_limit;		/* for what has been read up to now */
} Reader;

static int
greatest_common_divisor(int a, int b)
{
	while (b != 0)
	{
		int			rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Microseconds since the sample was begun. */
static double
elapsed(const Reader *reader)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, reader->start);
	return INSTR_TIME_GET_DOUBLE(now) * 1e6;
}

/*
 * Rows to take from a block that took so many microseconds to get.  If that is
 * long, there will not be many blocks, and their other rows cost little.
 */
static int
rows_of_block(const Reader *reader, double cost)
{
	if (reader->sample->rows >= reader->wanted)
		return reader->block_rows;
	return (int) Min(reader->block_rows * (1 + cost / BLOCK_COST),
					 MaxHeapTuplesPerPage);
}

/*
 * One row.  A value that is stored elsewhere is fetched only with a snapshot
 * under which it must still be there.
 */
static void
take_row(Reader *reader, ExprState *expr, ExprContext *econtext, bool may_fetch)
{
	SpqSample  *sample = reader->sample;
	MemoryContext old;
	Datum		value;
	bool		isnull;
	BOX			box;

	ResetExprContext(econtext);
	old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	value = ExecEvalExpr(expr, econtext, &isnull);
	if (!isnull && !may_fetch && reader->bounds.kind == SPQ_BOUNDS_POLYGON &&
		VARATT_IS_EXTERNAL(DatumGetPointer(value)))
	{
		MemoryContextSwitchTo(old);
		sample->complete = false;
		return;
	}
	sample->rows++;
	if (!isnull)
	{
		spq_bounds_of(&reader->bounds, value, &box);
		if (!spq_box_has_nan(&box))
		{
			sample->box[sample->count] = box;
			sample->block[sample->count++] = (uint16) reader->blocks;
		}
	}
	MemoryContextSwitchTo(old);
}

/*
 * Some blocks of a relation: "blocks" of them, or all if that is as many.
 * "density": about how many rows a block has.
 */
static void
read_relation(Reader *reader, Relation rel, Node *expr, int blocks, double density)
{
	SpqSample  *sample = reader->sample;
	BlockNumber nblocks = RelationGetNumberOfBlocks(rel);
	TableScanDesc scan = NULL;
	TupleTableSlot *slot;
	EState	   *estate;
	ExprContext *econtext;
	ExprState  *state;
	Snapshot	snapshot;
	SnapshotData non_vacuumable;
	bool		mvcc;
	int			stride,
				next = 0;
	double		before;

	if (nblocks == 0)
		return;

	/*
	 * Tables that are sorted in the same way must not be read in the same
	 * places: then rows would meet far more often than they do.
	 */
	pg_prng_seed(&reader->random,
				 hash_bytes((const unsigned char *) RelationGetRelationName(rel),
							strlen(RelationGetRelationName(rel))));
	blocks = Min((BlockNumber) blocks, nblocks);
	stride = Max(1, (int) (blocks * STRIDE));
	while (greatest_common_divisor(blocks, stride) != 1)
		stride++;

	/*
	 * Under serializable isolation reading with the transaction's snapshot
	 * leaves traces, as if the query had read the row.  What nobody can have
	 * removed yet is good enough then, as it is for get_actual_variable_range().
	 */
	mvcc = ActiveSnapshotSet() && !IsolationIsSerializable() &&
		IsMVCCSnapshot(GetActiveSnapshot());
	if (mvcc)
		snapshot = GetActiveSnapshot();
	else
	{
		InitNonVacuumableSnapshot(non_vacuumable, GlobalVisTestFor(rel));
		snapshot = &non_vacuumable;
	}

	estate = CreateExecutorState();
	econtext = CreateExprContext(estate);
	state = ExecInitExpr((Expr *) expr, NULL);
	slot = table_slot_create(rel, NULL);
	econtext->ecxt_scantuple = slot;

	before = elapsed(reader);
	for (int i = 0; i < blocks; i++)
	{
		double		position = (next + pg_prng_double(&reader->random)) / blocks;
		BlockNumber block = blocks == (int) nblocks ? (BlockNumber) next :
			Min((BlockNumber) (position * nblocks), nblocks - 1);
		ItemPointerData low,
					high;
		int			seen = 0,
					taken = 0,
					rows = 0,
					step = 1;

		CHECK_FOR_INTERRUPTS();
		reader->blocks++;
		ItemPointerSet(&low, block, FirstOffsetNumber);
		ItemPointerSet(&high, block, MaxOffsetNumber);
		if (scan)
			table_rescan_tidrange(scan, &low, &high);
		else
			scan = table_beginscan_tidrange(rel, snapshot, &low, &high);
		while (sample->count < reader->most &&
			   table_scan_getnextslot_tidrange(scan, ForwardScanDirection, slot))
		{
			if (seen == 0)
			{
				rows = rows_of_block(reader, elapsed(reader) - before);
				step = (int) Max(1, density / rows);
			}
			/* neighbours in a block may be nearer than its rows are in general */
			if (seen++ % step != 0)
			{
				sample->complete = false;
				continue;
			}
			if (taken++ == rows)
			{
				sample->complete = false;
				break;
			}
			take_row(reader, state, econtext, mvcc);
		}
		if (sample->count >= reader->most)
			sample->complete = false;
		before = elapsed(reader);
		if (i + 1 < blocks && before >= reader->time_limit)
		{
			sample->complete = false;
			sample->hurried = true;
			break;
		}
		next = (next + stride) % blocks;
	}

	if (scan)
		table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	FreeExecutorState(estate);
}

/*
 * Samples "parts" (SpqSampled), each by its share of pages.  The boxes are put
 * into the current memory context.  "exact" is as for spq_bounds_init().
 */
void
spq_sample_take(SpqSample *sample, List *parts, const SpqOperand *operand,
				bool exact, int rows)
{
	static uint64 last_id = 0;
	Reader		reader = {.sample = sample,.exact = exact};
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
	foreach(lc, parts)
	{
		pages += ((SpqSampled *) lfirst(lc))->pages;
		tuples += ((SpqSampled *) lfirst(lc))->tuples;
	}
	sample->pages = pages;

	/* Whole blocks are quickly read: a relation of a few more rows is read whole. */
	if (tuples <= rows * WHOLE && pages <= rows / BLOCK_ROWS)
	{
		reader.block_rows = MaxHeapTuplesPerPage;
		blocks = pages;
	}
	else
	{
		blocks = Max(1, rows / BLOCK_ROWS);
		blocks = Min(blocks, Max(pages, 1));
		reader.block_rows = (int) ceil(rows / blocks);
	}
	reader.wanted = rows;
	reader.most = rows * (WHOLE + 1);
	sample->box = palloc(sizeof(BOX) * reader.most);
	sample->block = palloc(sizeof(uint16) * reader.most);
	spq_bounds_init(&reader.bounds, operand, exact, InvalidOid);
	INSTR_TIME_SET_CURRENT(reader.start);

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial sample",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	foreach(lc, parts)
	{
		const SpqSampled *part = lfirst(lc);
		double		share = pages > 0 ? blocks / pages : 1;
		int			first = (int) rint(before * share);
		Relation	rel;

		before += part->pages;
		if (list_length(parts) > 1 && (int) rint(before * share) == first)
		{
			sample->complete &= part->pages == 0;
			continue;
		}
		reader.time_limit = pages > 0 ? TIME_LIMIT * before / pages : TIME_LIMIT;
		rel = table_open(part->relid, NoLock);	/* the query's lock */
		if (rel->rd_tableam && rel->rd_tableam->scan_set_tidrange &&
			!RELATION_IS_OTHER_TEMP(rel))
		{
			int			wanted = Max(1, (int) rint(before * share) - first);

			if ((BlockNumber) wanted < RelationGetNumberOfBlocks(rel))
				sample->complete = false;
			read_relation(&reader, rel, part->expr, wanted,
						  part->tuples / Max(part->pages, 1));
		}
		else
			sample->complete = false;
		table_close(rel, NoLock);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
