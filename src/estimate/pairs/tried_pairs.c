/*-------------------------------------------------------------------------
 *
 * tried_pairs.c
 *	  The fraction of the pairs with matching boxes that satisfies the
 *	  condition itself.
 *
 * The number of pairs and the bytes of their values are bounded, and nothing
 * depends on the clock.  The boxes in a sample are those of a function of a
 * value and sometimes a distance (src/spatial/extension/extension_clause.c):
 *
 *		spqtree_bounds(value)		spqtree_bounds(value, distance)
 *
 * Tried is function(value, value), or with the distance as the third argument.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "estimate/pairs/near_pairs.h"
#include "spatial/extension/member.h"

/*
 * Pairs to try, and bytes of values to read for that: of all and of one value.
 */
#define MAX_TRIED	32
#define MAX_BYTES	(256 * 1024)
#define MAX_VALUE	(64 * 1024)

/* The weight of the expected fraction, in pairs. */
#define WEIGHT_OF_EXPECTED	1.5

/* The rows of one side. */
typedef struct Reader
{
	const SpqEstimateSample *sample;
	int			child;			/* the open child; -1: none */
	Relation	rel;
	BlockNumber nblocks;
	TupleTableSlot *slot;
	EState	   *estate;
	ExprState  *value;
	ExprState  *distance;		/* NULL if this side has none */
} Reader;

/*
 * Return the arguments of the function that yields the boxes of a child, or
 * NIL.
 */
static List *
bounds_arguments(const SpqEstimateSample *sample, int child)
{
	const SpqEstimateChild *place = list_nth(sample->children, child);

	return place->expr != NULL && IsA(place->expr, FuncExpr) && OidIsValid(place->relid) &&
		spq_spatial_is_plain_bounds(((FuncExpr *) place->expr)->funcid) ?
		((FuncExpr *) place->expr)->args : NIL;
}

static void
close_part(Reader *reader)
{
	if (reader->child < 0)
		return;
	ExecDropSingleTupleTableSlot(reader->slot);
	FreeExecutorState(reader->estate);
	table_close(reader->rel, NoLock);
	reader->child = -1;
}

static void
open_child(Reader *reader, int child)
{
	List	   *args = bounds_arguments(reader->sample, child);
	const SpqEstimateChild *place = list_nth(reader->sample->children, child);

	if (child == reader->child)
		return;
	close_part(reader);
	reader->rel = table_open(place->relid, NoLock); /* locked by the query */
	reader->nblocks = RelationGetNumberOfBlocks(reader->rel);
	reader->slot = table_slot_create(reader->rel, NULL);
	reader->estate = CreateExecutorState();
	reader->value = ExecInitExpr(linitial(args), NULL);
	reader->distance = list_length(args) > 1 ? ExecInitExpr(lsecond(args), NULL) : NULL;
	reader->child = child;
}

/*
 * Read a row's value, and its distance if it has one, and add the value's size
 * to "bytes".  Return false if the row is gone, or the value is null or too
 * large.
 */
static bool
read_row(Reader *reader, int row, Snapshot snapshot, Datum *value, NullableDatum *distance,
		 Size *bytes)
{
	ItemPointerData tid = reader->sample->row[row].tid;
	ExprContext *econtext;
	Size		size;
	bool		isnull;

	open_child(reader, reader->sample->row[row].child);
	/* the table may have become shorter since the sample was taken */
	if (ItemPointerGetBlockNumber(&tid) >= reader->nblocks ||
		!table_tuple_fetch_row_version(reader->rel, &tid, snapshot, reader->slot))
		return false;
	econtext = GetPerTupleExprContext(reader->estate);
	econtext->ecxt_scantuple = reader->slot;
	*value = ExecEvalExprSwitchContext(reader->value, econtext, &isnull);
	if (isnull)
		return false;
	if (reader->distance)
		distance->value = ExecEvalExprSwitchContext(reader->distance, econtext, &distance->isnull);
	size = toast_raw_datum_size(*value);
	*bytes += size;
	return size <= MAX_VALUE;
}

static void
release_row(Reader *reader)
{
	if (reader->child < 0)
		return;
	ExecClearTuple(reader->slot);
	ResetPerTupleExprContext(reader->estate);
}

/*
 * Try one pair.  Return 1 if it satisfies the condition, 0 if not, and -1 if
 * that is unknown.
 */
static int
try_pair(Reader *left, Reader *right, const SpqEstimatePair *pair, Snapshot snapshot,
		 FmgrInfo *function, bool exchanged, Size *bytes)
{
	LOCAL_FCINFO(fcinfo, 3);
	NullableDatum distance = {0, true};
	Datum		a,
				b,
				result;

	if (!read_row(left, pair->left, snapshot, &a, &distance, bytes) ||
		!read_row(right, pair->right, snapshot, &b, &distance, bytes) ||
		(function->fn_nargs == 3 && distance.isnull))
		return -1;
	InitFunctionCallInfoData(*fcinfo, function, function->fn_nargs, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = exchanged ? b : a;
	fcinfo->args[1].value = exchanged ? a : b;
	fcinfo->args[0].isnull = fcinfo->args[1].isnull = false;
	fcinfo->args[2] = distance;
	result = FunctionCallInvoke(fcinfo);
	return fcinfo->isnull ? -1 : DatumGetBool(result);
}

/*
 * Return whether the values of a sample can be read again and are varlenas.
 * Add 1 to "distances" if they have a distance.
 */
static bool
can_be_read(const SpqEstimateSample *sample, int *distances)
{
	for (int child = 0; child < list_length(sample->children); child++)
	{
		List	   *args = bounds_arguments(sample, child);

		if (args == NIL || get_typlen(exprType(linitial(args))) != -1)
			return false;
		if (child == 0)
			*distances += list_length(args) > 1;
	}
	return sample->tried;
}

/*
 * Return the fraction of the matching pairs that satisfies the condition.
 * "expected" is the fraction expected without a trial; it counts as if some
 * pairs had been tried.
 */
double
spq_estimate_tried_fraction(const SpqEstimatePairs *near, const SpqEstimateTrial *trial,
							double expected)
{
	Reader		left = {.sample = near->left,.child = -1},
				right = {.sample = near->right,.child = -1};
	FmgrInfo	function;
	MemoryContext context,
				old;
	Size		bytes = 0;
	int			matches = 0,
				seen = 0,
				tried = 0,
				yes = 0,
				distances = 0,
				step;

	/*
	 * Reading values of TOAST tables requires an MVCC snapshot.  Under
	 * serializable isolation, reading rows would take predicate locks.
	 */
	if (!OidIsValid(trial->function) || !ActiveSnapshotSet() || IsolationIsSerializable() ||
		!IsMVCCSnapshot(GetActiveSnapshot()) ||
		!can_be_read(near->left, &distances) || !can_be_read(near->right, &distances))
		return expected;
	for (int i = 0; i < near->pairs; i++)
		matches += near->pair[i].match;
	if (matches == 0)
		return expected;

	context = AllocSetContextCreate(CurrentMemoryContext, "spatial trial", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	fmgr_info(trial->function, &function);
	step = (matches + MAX_TRIED - 1) / MAX_TRIED;
	if (function.fn_nargs == 2 + distances)
		for (int i = 0; i < near->pairs && bytes < MAX_BYTES; i++)
		{
			int			answer;

			if (!near->pair[i].match || seen++ % step != 0)
				continue;
			CHECK_FOR_INTERRUPTS();
			answer = try_pair(&left, &right, &near->pair[i], GetActiveSnapshot(), &function,
							  trial->exchanged, &bytes);
			tried += answer >= 0;
			yes += answer > 0;
			release_row(&left);
			release_row(&right);
		}
	close_part(&left);
	close_part(&right);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return (yes + WEIGHT_OF_EXPECTED * expected) / (tried + WEIGHT_OF_EXPECTED);
}
