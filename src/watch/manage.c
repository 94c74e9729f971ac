/*-------------------------------------------------------------------------
 *
 * manage.c
 *	  End, list, check and refresh watches.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "act_as.h"
#include "compat.h"
#include "watch/definition/watch.h"
#include "watch/pairs/changes.h"
#include "watch/pairs/queries.h"

PG_FUNCTION_INFO_V1(spq_watch_end);
PG_FUNCTION_INFO_V1(spq_watch_list);
PG_FUNCTION_INFO_V1(spq_watch_check);
PG_FUNCTION_INFO_V1(spq_watch_refresh);
PG_FUNCTION_INFO_V1(spq_watch_settle_waiting);

/* Return the schema of the extension, which is that of the called function. */
static Oid
own_schema(FunctionCallInfo fcinfo)
{
	return get_func_namespace(fcinfo->flinfo->fn_oid);
}

static void
report_missing(Oid pairs)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("relation with OID %u does not exist", pairs),
			 errhint("The view spqtree_watches lists all watches.")));
}

/* Check that the caller owns a watch. */
static void
check_owner(Oid pairs)
{
	if (get_rel_relkind(pairs) == '\0')
		report_missing(pairs);
	if (!spq_relation_ownercheck(pairs, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(pairs));
}

/*
 * Read a watch for a command and lock its tables.  Unlike spq_watch_resolve(),
 * accept a dropped table and a renamed column.
 */
static SpqWatch *
open_watch(Oid pairs, Oid schema)
{
	Relation	relation = try_relation_open(pairs, AccessShareLock);
	SpqWatch   *watch;

	if (relation == NULL)
		report_missing(pairs);
	watch = spq_watch_read(relation, schema);
	relation_close(relation, AccessShareLock);
	spq_watch_find_tables(watch);
	return watch;
}

static void
report_dropped_table(Oid pairs)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("a table of watch \"%s\" was dropped", get_rel_name(pairs)),
			 errhint("Call spqtree_unwatch to end the watch.")));
}

/*
 * Act as the owner of a watch.  If the caller is another role, run as a
 * security-restricted operation, as REFRESH MATERIALIZED VIEW does: the
 * owner's functions and triggers cannot leave anything behind, such as a
 * deferred trigger, that would run with the caller's rights.
 */
static void
act_as_owner(const SpqWatch *watch, SpqActor *before)
{
	int			context = SECURITY_LOCAL_USERID_CHANGE;

	if (GetUserId() != watch->owner)
		context |= SECURITY_RESTRICTED_OPERATION;
	spq_act_as(watch->owner, context, before);
}

/*
 * Lock a table that a command changes: one that has triggers of the watch or,
 * with "create", may get them.  A definition alone does not permit locking the
 * tables that it names: the lock of any other table is released.  Return
 * whether the table is locked.
 */
static bool
lock_table(const SpqWatch *watch, SpqWatchRole role, Oid table, LOCKMODE mode, bool create)
{
	if (!OidIsValid(table))
		return false;
	if (!spq_watch_has_triggers(watch, role, table))
	{
		AclResult	result;

		if (!create)
		{
			UnlockRelationOid(table, AccessShareLock);	/* of open_watch() */
			return false;
		}
		result = pg_class_aclcheck(table, watch->owner, ACL_TRIGGER);
		if (result != ACLCHECK_OK)
			aclcheck_error(result, OBJECT_TABLE, get_rel_name(table));
	}
	LockRelationOid(table, mode);
	return true;
}

/*
 * Lock the tables that a command changes, in the order in which statements
 * lock them.  The others get InvalidOid, as if they had been dropped.
 */
static void
lock_tables(SpqWatch *watch, LOCKMODE mode, bool create)
{
	bool		self = watch->objects.relid == watch->fences.relid;

	if (!lock_table(watch, self ? SPQ_WATCH_BOTH : SPQ_WATCH_OBJECTS, watch->objects.relid,
					mode, create))
		watch->objects.relid = InvalidOid;
	if (self)
		watch->fences.relid = watch->objects.relid;
	else if (!lock_table(watch, SPQ_WATCH_FENCES, watch->fences.relid, mode, create))
		watch->fences.relid = InvalidOid;
}

/* spqtree_unwatch(regclass): drop the triggers and the table of pairs. */
Datum
spq_watch_end(PG_FUNCTION_ARGS)
{
	SpqWatch   *watch = open_watch(PG_GETARG_OID(0), own_schema(fcinfo));

	check_owner(watch->pairs);
	lock_tables(watch, AccessExclusiveLock, false);
	spq_watch_depend(watch);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	SPI_execute(psprintf("DROP TABLE %s", watch->name), false, 0);
	SPI_finish();
	PG_RETURN_VOID();
}

static Datum
text_value(const char *text, bool *isnull)
{
	*isnull = text == NULL;
	return text == NULL ? (Datum) 0 : CStringGetTextDatum(text);
}

static Datum
dwell_value(const SpqWatch *watch, bool *isnull)
{
	Interval   *dwell = palloc0(sizeof(Interval));

	*isnull = watch->dwell == 0;
	dwell->time = watch->dwell;
	return IntervalPGetDatum(dwell);
}

static Datum
kinds_value(const SpqWatch *watch)
{
	Datum		names[SPQ_WATCH_KINDS];
	int			count = 0;

	for (int kind = 0; kind < SPQ_WATCH_KINDS; kind++)
		if (spq_watch_wants(watch, kind))
			names[count++] = CStringGetTextDatum(spq_watch_kind_names[kind]);
	return PointerGetDatum(construct_array(names, count, TEXTOID, -1, false, TYPALIGN_INT));
}

#define LIST_COLUMNS 19

/* Add a watch to the result. */
static void
put_watch(ReturnSetInfo *result, const SpqWatch *watch)
{
	Datum		values[LIST_COLUMNS] = {0};
	bool		nulls[LIST_COLUMNS] = {0};
	const SpqWatchSide *sides[2] = {&watch->objects, &watch->fences};
	int			n = 0;

	values[n++] = ObjectIdGetDatum(watch->pairs);
	values[n++] = ObjectIdGetDatum(watch->owner);
	for (int i = 0; i < 2; i++)
	{
		values[n] = text_value(sides[i]->table, &nulls[n]), n++;
		values[n] = text_value(sides[i]->column, &nulls[n]), n++;
		values[n] = text_value(sides[i]->key, &nulls[n]), n++;
		values[n] = text_value(sides[i]->condition, &nulls[n]), n++;
		values[n] = text_value(sides[i]->group, &nulls[n]), n++;
	}
	values[n++] = Float8GetDatum(watch->distance);
	values[n++] = Float8GetDatum(watch->leave_distance);
	values[n] = dwell_value(watch, &nulls[n]), n++;
	values[n++] = kinds_value(watch);
	values[n++] = BoolGetDatum(watch->once);
	values[n] = text_value(watch->events, &nulls[n]), n++;
	values[n] = text_value(watch->notify, &nulls[n]), n++;
	Assert(n == LIST_COLUMNS);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _spqtree_watch_list(): return all watches of the database. */
Datum
spq_watch_list(PG_FUNCTION_ARGS)
{
	Oid			schema = own_schema(fcinfo);
	Oid			function = LookupFuncName(list_make2(makeString(get_namespace_name(schema)),
													 makeString("_spqtree_watch_definition")),
										  0, NULL, false);
	Relation	triggers = table_open(TriggerRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(triggers, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;

	InitMaterializedSRF(fcinfo, 0);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_trigger form = (Form_pg_trigger) GETSTRUCT(tuple);
		Relation	pairs;

		if (form->tgfoid != function ||
			(pairs = try_relation_open(form->tgrelid, AccessShareLock)) == NULL)
			continue;
		if (spq_watch_is_defined(pairs, schema))
			put_watch((ReturnSetInfo *) fcinfo->resultinfo, spq_watch_read(pairs, schema));
		relation_close(pairs, AccessShareLock);
	}
	systable_endscan(scan);
	table_close(triggers, AccessShareLock);
	return (Datum) 0;
}

/* spqtree_check_watch(regclass): return the pairs that are wrong. */
Datum
spq_watch_check(PG_FUNCTION_ARGS)
{
	SpqWatch   *watch = open_watch(PG_GETARG_OID(0), own_schema(fcinfo));
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Portal		portal;
	SPIPlanPtr	plan;
	SpqActor	before;

	check_owner(watch->pairs);
	if (!spq_watch_resolve(watch))
		report_dropped_table(watch->pairs);
	InitMaterializedSRF(fcinfo, 0);
	act_as_owner(watch, &before);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	plan = SPI_prepare(psprintf("SELECT d.object::pg_catalog.text, d.fence::pg_catalog.text, d.problem FROM (%s) AS d",
								spq_watch_differences_query(watch)), 0, NULL);
	if (plan == NULL)
		elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
	portal = SPI_cursor_open(NULL, plan, NULL, NULL, true);
	for (;;)
	{
		SPI_cursor_fetch(portal, true, 1000);
		if (SPI_processed == 0)
			break;
		for (uint64 i = 0; i < SPI_processed; i++)
			tuplestore_puttuple(result->setResult, SPI_tuptable->vals[i]);
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_cursor_close(portal);
	SPI_finish();
	spq_act_as_before(&before);
	return (Datum) 0;
}

static void
lock_for_refresh(Oid pairs, Oid schema)
{
	SpqWatch   *watch = open_watch(pairs, schema);

	if (!spq_watch_resolve(watch))
		report_dropped_table(pairs);
	lock_tables(watch, ShareRowExclusiveLock, true);
	LockRelationOid(watch->sequence, ShareRowExclusiveLock);
}

/*
 * Create missing triggers and correct the pairs, with the rights of the
 * watch's owner.  Return the number of events.
 */
static int64
refresh(SpqWatch *watch)
{
	SpqWatchChanges changes = {0};
	SpqActor	before;
	int64		events;

	act_as_owner(watch, &before);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	changes.context = CurrentMemoryContext;
	spq_watch_install_triggers(watch);
	spq_watch_depend(watch);
	spq_watch_collect_wrong(watch, &changes);
	events = spq_watch_settle(watch, watch->self ? SPQ_WATCH_BOTH : SPQ_WATCH_OBJECTS, &changes);
	SPI_finish();
	spq_act_as_before(&before);
	return events;
}

/*
 * spqtree_refresh_watch(regclass): create missing triggers, such as those of
 * new child tables, and correct the pairs, with events.  Return the number of
 * events.
 */
Datum
spq_watch_refresh(PG_FUNCTION_ARGS)
{
	Oid			pairs = PG_GETARG_OID(0),
				schema = own_schema(fcinfo);
	SpqWatch   *watch;
	volatile int64 events = 0;

	check_owner(pairs);
	lock_for_refresh(pairs, schema);
	watch = spq_watch_use(pairs, schema);
	if (watch == NULL)
		report_dropped_table(pairs);
	PG_TRY();
	{
		events = refresh(watch);
	}
	PG_FINALLY();
	{
		spq_watch_release(watch);
	}
	PG_END_TRY();
	PG_RETURN_INT64(events);
}

/* Let pairs enter and leave that are due, with the rights of the watch's owner. */
static int64
settle_due(SpqWatch *watch, int64 at_most)
{
	SpqActor	before;
	int64		pairs;

	LockRelationOid(watch->sequence, RowExclusiveLock);
	act_as_owner(watch, &before);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	pairs = spq_watch_settle_due(watch, at_most);
	SPI_finish();
	spq_act_as_before(&before);
	return pairs;
}

/*
 * spqtree_settle_watch(regclass, bigint): let pairs enter and leave that have waited for
 * the dwell time, those that wait longest first, and log that.  Return their number.
 */
Datum
spq_watch_settle_waiting(PG_FUNCTION_ARGS)
{
	Oid			pairs;
	volatile int64 at_most = PG_ARGISNULL(1) ? PG_INT64_MAX : PG_GETARG_INT64(1);
	SpqWatch   *watch;
	volatile int64 settled = 0;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (at_most < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("at_most must be at least 1")));
	pairs = PG_GETARG_OID(0);
	check_owner(pairs);
	watch = spq_watch_use(pairs, own_schema(fcinfo));
	if (watch == NULL)
		report_dropped_table(pairs);
	PG_TRY();
	{
		if (watch->dwell > 0)
			settled = settle_due(watch, at_most);
	}
	PG_FINALLY();
	{
		spq_watch_release(watch);
	}
	PG_END_TRY();
	PG_RETURN_INT64(settled);
}
