/*-------------------------------------------------------------------------
 *
 * check.c
 *	  spqtree_check: whether an index is sound.
 *
 *		walk	from the roots down, as a scan would:
 *					boxes	each box against every inner tuple above it
 *					reach	stores the targets of downlinks
 *					heap	stores rows and values
 *		reach	one page after the other: format, chains, counts, and whether
 *				the walk has visited every tuple, once
 *		heap	every row of the table against what was stored
 *
 * README.md describes what is checked, and why a sound index has no problems
 * even while others write to it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "act_as.h"
#include "check/heap.h"
#include "check/report.h"
#include "compat.h"
#include "quadtree_pages/open_index.h"
#include "quadtree_pages/walk.h"
#include "rtree/rtree.h"

PG_FUNCTION_INFO_V1(spq_check_index);

static const SpqPagePurpose to_check = {
	"check", "spqtree_check(relid)",
	"For tables and B-tree indexes, use the extension amcheck."
};

/* The parts of a check to which the walk passes tuples. */
typedef struct Parts
{
	SpqCheck   *check;
	SpqCheckReach *reach;
	SpqCheckHeap *heap;			/* NULL if the table is not checked */
} Parts;

/* Check the rows of a chain's tuples. */
static void
check_rows(Parts *parts, const SpqPageStep *chain)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	spq_page_foreach_in_chain(item, chain)
	{
		SpGistLeafTuple tuple = spq_page_chain_tuple(chain, item);

		if (spq_check_beyond_table(parts->check, &tuple->heapPtr))
			spq_check_report(parts->check, chain->tid.block, item,
							 psprintf("leaf tuple points to row (%u,%u), but the table has %u blocks",
									  ItemPointerGetBlockNumber(&tuple->heapPtr),
									  ItemPointerGetOffsetNumber(&tuple->heapPtr),
									  parts->check->heap_blocks));
		if (parts->heap &&
			spq_page_leaf_columns(tuple, parts->check->reader.leaf_desc, chain->of_nulls,
								  values, nulls) == NULL)
			spq_check_heap_leaf(parts->heap, &tuple->heapPtr, values, nulls);
	}
}

static bool
visit(void *arg, SpqPageStep *step)
{
	Parts	   *parts = (Parts *) arg;
	SpqCheck   *check = parts->check;
	MemoryContext old_context = MemoryContextSwitchTo(check->short_lived);

	if (step->parent)
		spq_check_reach_note(parts->reach, step->tid);
	if (step->inner)
		spq_check_boxes_enter(check, step);
	else
	{
		spq_check_boxes_of_chain(check, step);
		check_rows(parts, step);
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->short_lived);
	return true;
}

static void
left(void *arg, SpqPageStep *inner)
{
	SpqCheck   *check = ((Parts *) arg)->check;
	MemoryContext old_context = MemoryContextSwitchTo(check->short_lived);

	spq_check_boxes_leave(check, inner);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->short_lived);
}

static void
report(void *arg, BlockNumber block, OffsetNumber item, const char *problem)
{
	spq_check_report(((Parts *) arg)->check, block, item, problem);
}

/*
 * Convert the key of a row of the table to the form in which the operator class
 * stores it.
 */
static void
store_key(SpqCheck *check, Datum *values, bool *nulls)
{
	Relation	index = check->index;

	if (nulls[spgKeyColumn] || !OidIsValid(index_getprocid(index, 1, SPGIST_COMPRESS_PROC)))
		return;
	values[spgKeyColumn] = FunctionCall1Coll(index_getprocinfo(index, 1, SPGIST_COMPRESS_PROC),
											 index->rd_indcollation[spgKeyColumn],
											 values[spgKeyColumn]);
}

/* Visit a step of the second walk, which looks for duplicates. */
static bool
visit_again(void *arg, SpqPageStep *step)
{
	if (!step->inner)
		spq_page_foreach_in_chain(item, step)
	{
		SpqPageTid	tid = {step->tid.block, item};

		spq_check_heap_again((SpqCheckHeap *) arg,
							 &spq_page_chain_tuple(step, item)->heapPtr, tid);
	}
	return true;
}

static void
walk_again(SpqCheck *check, SpqCheckHeap *heap_check)
{
	SpqPageVisitor visitor = {
		.visit = visit_again,
		.policy = SPQ_PAGE_SILENT,
		.arg = heap_check
	};

	spq_page_walk(&check->reader, &visitor);
}

/* Check an SP-GiST index. */
static void
check_quadtree(SpqCheck *check, bool heapallindexed)
{
	Parts		parts = {.check = check};
	SpqCheckRows rows = {.store = store_key,.walk = walk_again};
	SpqPageVisitor visitor = {
		.visit = visit,
		.left = left,
		.report = report,
		.policy = SPQ_PAGE_REPORT,
		.arg = &parts
	};

	spq_page_reader_begin(&check->reader, check->index);
	rows.columns = check->reader.leaf_desc;
	parts.heap = heapallindexed ? spq_check_heap_begin(check, &rows) : NULL;
	parts.reach = spq_check_reach_begin(check);

	spq_page_walk(&check->reader, &visitor);
	spq_check_reach_end(parts.reach);
	if (parts.heap)
		spq_check_heap_end(parts.heap);

	spq_page_reader_end(&check->reader);
}

/* Check an index.  It and its table are open. */
static void
check_index(SpqCheck *check, bool heapallindexed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spqtree_check",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);

	check->context = context;
	check->short_lived = AllocSetContextCreate(context, "spqtree_check texts",
											   ALLOCSET_DEFAULT_SIZES);
	if (spq_rtree_is(check->index))
		spq_check_tree(check, heapallindexed);
	else
		check_quadtree(check, heapallindexed);
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
}

/*
 * spqtree_check(index regclass, heapallindexed boolean)
 *	returns setof record (block bigint, item integer, problem text)
 *
 * A NULL argument is an error, because an empty result means that the index is
 * sound.
 *
 * The table is locked before the index.  Functions in the index's expressions
 * and predicate run as the table's owner, in a security-restricted operation.
 *
 * As in amcheck, privileges are not checked here: only superusers, and roles
 * granted EXECUTE, can call the function.  Its messages show boxes.
 */
Datum
spq_check_index(PG_FUNCTION_ARGS)
{
	SpqCheck	check = {0};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			index_id;
	Oid			heap_id;
	SpqActor	before;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null",
						PG_ARGISNULL(0) ? "index" : "heapallindexed")));
	index_id = PG_GETARG_OID(0);
	InitMaterializedSRF(fcinfo, 0);
	check.problems = result->setResult;
	check.problem_desc = result->setDesc;

	heap_id = spq_page_table_of_index(index_id);
	check.heap = table_open(heap_id, AccessShareLock);

	spq_act_as(check.heap->rd_rel->relowner, SECURITY_RESTRICTED_OPERATION, &before);

	check.index = spq_page_open_index(index_id, heap_id, &to_check);

	check_index(&check, PG_GETARG_BOOL(1));

	spq_act_as_before(&before);
	index_close(check.index, AccessShareLock);
	table_close(check.heap, AccessShareLock);
	return (Datum) 0;
}
