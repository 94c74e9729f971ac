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
#include "access/spgist.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_class_d.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "check/check.h"
#include "compat.h"

PG_FUNCTION_INFO_V1(spq_check);

/* Milliseconds for which a replay may stand still in the middle of a change. */
#define PATIENCE	10000

/*
 * A row of the result.  No block: of no one page; no item: of the whole page.
 */
void
spq_report(SpqCheck *check, BlockNumber block, OffsetNumber item,
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
 * Is this an index that we can look at, and of which class?  As in amcheck,
 * there is no test of privileges: the function may be called by those only whom
 * a superuser has allowed it, and it shows boxes.
 */
static SpqLeafKind
check_kind(Relation rel)
{
	SpqLeafKind kind;

	if (rel->rd_rel->relkind == RELKIND_PARTITIONED_INDEX)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is a partitioned index", RelationGetRelationName(rel)),
				 errdetail("It holds no rows itself."),
				 errhint("Check the index of each partition: SELECT relid, spqtree_check(relid) FROM pg_partition_tree(%s) WHERE isleaf.",
						 quote_literal_cstr(quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
																	   RelationGetRelationName(rel))))));
	kind = spq_leaf_kind(rel);
	if (kind == SPQ_LEAF_OTHER)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an index of operator class spqtree_box_ops or spqtree_box_compact_ops",
						RelationGetRelationName(rel)),
				 errhint("For B-tree indexes and tables there is the extension amcheck.")));
	if (RELATION_IS_OTHER_TEMP(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot check an index of another session's temporary table")));
	if (!rel->rd_index->indisvalid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" is not valid", RelationGetRelationName(rel)),
				 errdetail("It is being built, or its building has failed; queries do not use it."),
				 errhint("If nobody builds it, DROP it, or REINDEX it.")));
	return kind;
}

/*
 * The columns of leaf tuples: those of the index, except that a class of
 * others' with our methods need not have declared that it stores boxes.
 */
static TupleDesc
leaf_columns(const SpqCheck *check)
{
	TupleDesc	desc = RelationGetDescr(check->index);

	if (check->leaf_kind == SPQ_LEAF_BOX &&
		TupleDescAttr(desc, spgKeyColumn)->atttypid != BOXOID)
	{
		desc = CreateTupleDescCopy(desc);
		TupleDescInitEntry(desc, spgKeyColumn + 1, NULL, BOXOID, -1, 0);
	}
	return desc;
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
	check->leaf_desc = leaf_columns(check);
	check->strategy = GetAccessStrategy(BAS_BULKREAD);
	check->patience = PATIENCE;
	check->short_lived = AllocSetContextCreate(context, "spqtree_check texts",
											   ALLOCSET_DEFAULT_SIZES);
	check->heap_check = heapallindexed ? spq_heap_check_begin(check) : NULL;

	spq_check_structure(check);
	if (heapallindexed)
		spq_heap_check_end(check);

	FreeAccessStrategy(check->strategy);
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

	heap_id = IndexGetRelation(index_id, true);
	if (!OidIsValid(heap_id))
	{
		char	   *name = get_rel_name(index_id);

		ereport(ERROR,
				(errcode(name ? ERRCODE_WRONG_OBJECT_TYPE : ERRCODE_UNDEFINED_OBJECT),
				 name ? errmsg("\"%s\" is not an index", name) :
				 errmsg("index with OID %u does not exist", index_id)));
	}
	check.heap = table_open(heap_id, AccessShareLock);

	GetUserIdAndSecContext(&save_user, &save_security);
	SetUserIdAndSecContext(check.heap->rd_rel->relowner,
						   save_security | SECURITY_RESTRICTED_OPERATION);
	save_nesting = NewGUCNestLevel();
	spq_restrict_search_path();

	check.index = index_open(index_id, AccessShareLock);
	if (heap_id != IndexGetRelation(index_id, false))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("could not open the table of index \"%s\"",
						RelationGetRelationName(check.index))));
	check.leaf_kind = check_kind(check.index);

	/* the files of an unlogged index are empty until recovery has ended */
	if (check.index->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED &&
		RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot check unlogged index \"%s\" during recovery",
						RelationGetRelationName(check.index)),
				 errdetail("It has no content until then.")));

	check_index(&check, PG_GETARG_BOOL(1));

	AtEOXact_GUC(false, save_nesting);
	SetUserIdAndSecContext(save_user, save_security);
	index_close(check.index, AccessShareLock);
	table_close(check.heap, AccessShareLock);
	return (Datum) 0;
}
