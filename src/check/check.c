/*-------------------------------------------------------------------------
 *
 * check.c
 *	  spqtree_check: is an index sound?
 *
 * See check.h for the parts, README.md for what is checked and why nothing is
 * reported of a sound index that others write to.
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
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "check/check.h"
#include "pages/open_index.h"
#include "compat.h"

PG_FUNCTION_INFO_V1(spq_check);

static const SpqPagePurpose to_check = {
	"check", "spqtree_check(relid)",
	"For B-tree indexes and tables there is the extension amcheck."
};

/*
 * A row of the result.  No block: of no one page; no item: of the whole page.
 */
void
spq_check_report(SpqCheck *check, BlockNumber block, OffsetNumber item,
		   const char *problem)
{
	Datum		values[3];
	bool		nulls[3] = {false};

	values[0] = Int64GetDatum((int64) block);
	nulls[0] = !BlockNumberIsValid(block);
	values[1] = Int32GetDatum(item);
	nulls[1] = !OffsetNumberIsValid(item);
	values[2] = CStringGetTextDatum(problem);
	tuplestore_putvalues(check->problems, check->problem_desc, values, nulls);
}

/*
 * All checks of one index, which is open and so is its table.
 */
static void
check_index(SpqCheck *check, bool heapallindexed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spqtree_check",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);

	check->context = context;
	spq_page_reader_begin(&check->reader, check->reader.index);
	check->short_lived = AllocSetContextCreate(context, "spqtree_check texts",
											   ALLOCSET_DEFAULT_SIZES);
	check->heap_check = heapallindexed ? spq_check_heap_begin(check) : NULL;

	spq_check_structure(check);
	if (heapallindexed)
		spq_check_heap_end(check);

	spq_page_reader_end(&check->reader);
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
}

/*
 * spqtree_check(index regclass, heapallindexed boolean)
 * returns setof (block bigint, item integer, problem text)
 *
 * A NULL argument is an error: "no rows" must mean that an index is sound.
 *
 * The table is locked before the index, as everywhere.  Functions in the
 * index's expressions and condition run as the table's owner and may not do
 * what would outlast them.
 *
 * As in amcheck, there is no test of privileges: the function may be called by
 * those only whom a superuser has allowed it, and it shows boxes.
 */
Datum
spq_check(PG_FUNCTION_ARGS)
{
	SpqCheck	check = {0};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			index_id;
	Oid			heap_id;
	Oid			save_user;
	int			save_security;
	int			save_nesting;

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

	GetUserIdAndSecContext(&save_user, &save_security);
	SetUserIdAndSecContext(check.heap->rd_rel->relowner,
						   save_security | SECURITY_RESTRICTED_OPERATION);
	save_nesting = NewGUCNestLevel();
	spq_restrict_search_path();

	check.reader.index = spq_page_open_index(index_id, heap_id, &to_check);

	check_index(&check, PG_GETARG_BOOL(1));

	AtEOXact_GUC(false, save_nesting);
	SetUserIdAndSecContext(save_user, save_security);
	index_close(check.reader.index, AccessShareLock);
	table_close(check.heap, AccessShareLock);
	return (Datum) 0;
}
