/*-------------------------------------------------------------------------
 *
 * settle.c
 *	  Make the pairs of changed rows true, and log what that changes.
 *
 * The tables are read as of now: with the latest snapshot, whatever the isolation
 * level, as checks of foreign keys read them.  A lock (see triggers.c) keeps still what
 * they must not miss.
 *
 * Statements of a few rows use plans that are made once a session, for a few rows:
 * nested loops over indexes, also if a table is so small when they are made that the
 * planner would read all of it.  Larger ones are planned each time, as what they are;
 * the planner may choose a spatial hash join.
 *
 * All functions here are called with SPI connected, and while the owner of the watch acts
 * (act_as.h): planning a query calls functions of indexes, and running it those of
 * conditions and triggers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/async.h"
#include "commands/sequence.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/sortsupport.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "watch/changes.h"
#include "watch/queries.h"

/*
 * A statement takes ready plans if it changes at most this number of rows, or this
 * part of the table, with indexes on both sides.
 */
#define FEW_ROWS 256
#define FEW_PART (1.0 / 8)

/* For more keys, asking whether they differ is half of the work, and mostly they do. */
#define MAX_ASKED 8

/* Return an array of values. */
static Datum
array_of(Datum *values, int count, Oid type)
{
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(type, &length, &byval, &align);
	return PointerGetDatum(construct_array(values, count, type, length, byval, align));
}

/* Return an array of what was collected, maybe nothing. */
static Datum
collected(const ArrayBuildState *list, Oid type)
{
	return list == NULL ? array_of(NULL, 0, type) : array_of(list->dvalues, list->nelems, type);
}

/* Return a query, ready to be planned. */
static SPIPlanPtr
prepare(const char *query, int nparams, Oid *types, int options)
{
	SPIPlanPtr	plan = SPI_prepare_cursor(query, nparams, types, options);

	if (plan == NULL)
		elog(ERROR, "SPI_prepare_cursor failed: %s", SPI_result_code_string(SPI_result));
	return plan;
}

/*
 * Return whether indexes find the pairs of a few rows: changed objects find fences by
 * the index of these, and the other way round.
 */
static bool
has_indexes(const SpqWatch *watch, SpqWatchRole role)
{
	return (role == SPQ_WATCH_FENCES || watch->fences.has_index) &&
		(role == SPQ_WATCH_OBJECTS || watch->objects.has_index);
}

static void
switch_off(const char *setting)
{
	set_config_option(setting, "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/* Make a plan that is kept: with indexes, where there are any. */
static void
make_plan(const SpqWatch *watch, SpqWatchRole role, SPIPlanPtr plan)
{
	int			level = NewGUCNestLevel();
	CachedPlan *cached;

	if (has_indexes(watch, role))
	{
		switch_off("enable_seqscan");
		switch_off("spqtree.enable_hashjoin");
	}
	cached = SPI_plan_get_cached_plan(plan);
	if (cached != NULL)
		ReleaseCachedPlan(cached, CurrentResourceOwner);
	AtEOXact_GUC(false, level);
}

/* Return whether ready plans are the better ones for a number of changed rows. */
static bool
are_few(const SpqWatch *watch, SpqWatchRole role, int rows)
{
	const SpqWatchSide *side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;

	if (rows <= FEW_ROWS)
		return true;
	return has_indexes(watch, role) && rows <= side->rows * FEW_PART;
}

/* Return a query's plan: for a few rows, the one of the session. */
static SPIPlanPtr
plan_query(SpqWatch *watch, SpqWatchRole role, SpqWatchQuery query, int rows,
		   int nparams, Oid *types)
{
	SPIPlanPtr *saved = &watch->plans[role][query];
	bool		ready = *saved != NULL;

	Assert(GetUserId() == watch->owner);
	if (!are_few(watch, role, rows))
		return prepare(spq_watch_query(watch, role, query), nparams, types,
					   CURSOR_OPT_CUSTOM_PLAN);
	if (!ready)
	{
		SPIPlanPtr	plan = prepare(spq_watch_query(watch, role, query), nparams, types,
								   CURSOR_OPT_GENERIC_PLAN);

		SPI_keepplan(plan);
		*saved = plan;
	}
	if (!ready || !SPI_plan_is_valid(*saved))
		make_plan(watch, role, *saved);
	return *saved;
}

/* Run a query on the tables as they are now.  Return the number of rows. */
static uint64
run(SPIPlanPtr plan, Datum *values, int64 limit)
{
	int			result = SPI_execute_snapshot(plan, values, NULL, GetLatestSnapshot(),
											  InvalidSnapshot, false, true, limit);

	if (result < 0)
		elog(ERROR, "SPI_execute_snapshot failed: %s", SPI_result_code_string(result));
	return SPI_processed;
}

/*
 * Of the rows that were collected with their places, keep the keys of those with a
 * fence near.  A statement may call this any number of times, so nothing else is left of
 * it.
 */
void
spq_watch_keep_near(SpqWatch *watch, SpqWatchChanges *changes)
{
	Oid			type = spq_watch_probe_type(watch),
				array = get_array_type(type);
	int			count = changes->probes->nelems;
	bool		one = count == 1;
	SpqWatchQuery query = one ? SPQ_WATCH_NEAR_ONE : SPQ_WATCH_NEAR;
	Datum		probes = one ? changes->probes->dvalues[0] :
		array_of(changes->probes->dvalues, count, type);
	SPIPlanPtr	plan;
	uint64		near;

	plan = plan_query(watch, SPQ_WATCH_OBJECTS, query, count, SPQ_WATCH_NEAR_PARAMS,
					  one ? &type : &array);
	near = run(plan, &probes, 0);
	for (uint64 i = 0; i < near; i++)
	{
		bool		isnull;
		int64		number = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[i],
														 SPI_tuptable->tupdesc, 1, &isnull));

		changes->keys = accumArrayResult(changes->keys,
										 changes->probe_keys->dvalues[number - 1], false,
										 watch->objects.key_type, changes->context);
	}
	SPI_freetuptable(SPI_tuptable);
	if (plan != watch->plans[SPQ_WATCH_OBJECTS][query])
		SPI_freeplan(plan);
	if (!one)
		pfree(DatumGetPointer(probes));
	MemoryContextDelete(changes->probes->mcontext);
	MemoryContextDelete(changes->probe_keys->mcontext);
	changes->probes = changes->probe_keys = NULL;
}

static int
compare_keys(const void *a, const void *b, void *sort)
{
	return ApplySortComparator(*(const Datum *) a, false, *(const Datum *) b, false, sort);
}

/* Sort keys and leave out duplicates. */
static void
make_unique(ArrayBuildState *keys, const SpqWatchSide *side)
{
	TypeCacheEntry *type = lookup_type_cache(side->key_type, TYPECACHE_LT_OPR);
	SortSupportData sort = {
		.ssup_cxt = CurrentMemoryContext,
		.ssup_collation = side->key_collation
	};
	int			count = 0;

	if (keys == NULL || keys->nelems < 2)
		return;
	PrepareSortSupportFromOrderingOp(type->lt_opr, &sort);
	qsort_arg(keys->dvalues, keys->nelems, sizeof(Datum), compare_keys, &sort);
	for (int i = 0; i < keys->nelems; i++)
		if (count == 0 || compare_keys(&keys->dvalues[count - 1], &keys->dvalues[i], &sort) != 0)
			keys->dvalues[count++] = keys->dvalues[i];
	keys->nelems = count;
}

/* Return whether something has to be settled, where that is the quicker question. */
static bool
may_differ(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes, Datum keys, Oid array)
{
	if (changes->keys->nelems > MAX_ASKED ||
		changes->moved != NULL || changes->ways != NULL)
		return true;
	return run(plan_query(watch, role, SPQ_WATCH_DIFFERS, changes->keys->nelems,
						  SPQ_WATCH_DIFFERS_PARAMS, &array), &keys, 1) > 0;
}

/*
 * Return whether all pairs are settled rather than those of the changed keys: where
 * most rows of a table that watches itself changed, each pair would be found from both
 * of its ends.  Nobody else changes pairs meanwhile, so the other ones are true.
 */
static bool
settles_all(const SpqWatch *watch, SpqWatchRole role, int keys)
{
	return role == SPQ_WATCH_BOTH && !are_few(watch, role, keys) &&
		watch->objects.rows > 0 && keys > watch->objects.rows / 2;
}

/* Set the parameters of the query that settles.  Return their number. */
static int
settle_params(const SpqWatch *watch, const SpqWatchChanges *changes, Datum keys, Oid array,
			  int64 statement, Oid *types, Datum *values)
{
	Oid			object = watch->objects.key_type,
				objects = get_array_type(object),
				segment;

	types[0] = array;
	values[0] = keys;
	types[1] = TIMESTAMPTZOID;
	values[1] = TimestampTzGetDatum(GetCurrentTimestamp());
	types[2] = INT8OID;
	values[2] = Int64GetDatum(statement);
	types[3] = objects;
	values[3] = collected(changes->moved, object);
	if (!spq_watch_wants(watch, SPQ_WATCH_CROSS))
		return 4;
	segment = spq_watch_segment_type(watch);
	types[4] = objects;
	values[4] = collected(changes->way_keys, object);
	types[5] = get_array_type(segment);
	values[5] = collected(changes->ways, segment);
	return 6;
}

/* Let pairs begin and end, and log it.  Return the number of events. */
static int64
settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes, Datum keys, Oid array)
{
	int64		statement = nextval_internal(watch->sequence, false);
	Oid			types[SPQ_WATCH_SETTLE_PARAMS];
	Datum		values[SPQ_WATCH_SETTLE_PARAMS];
	int			nparams = settle_params(watch, changes, keys, array, statement, types, values);
	int64		events;
	bool		isnull;

	run(plan_query(watch, role, settles_all(watch, role, changes->keys->nelems) ?
				   SPQ_WATCH_SETTLE_ALL : SPQ_WATCH_SETTLE, changes->keys->nelems, nparams, types),
		values, 0);
	events = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	if (events > 0 && watch->notify != NULL)
		Async_Notify(watch->notify, watch->name);	/* once a transaction */
	return events;
}

/* Settle what was collected.  Return the number of events. */
int64
spq_watch_settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes)
{
	const SpqWatchSide *side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;
	Oid			array = get_array_type(side->key_type);
	Datum		keys;

	if (changes->keys == NULL)
		return 0;
	make_unique(changes->keys, side);
	make_unique(changes->moved, &watch->objects);
	keys = collected(changes->keys, side->key_type);

	return may_differ(watch, role, changes, keys, array) ?
		settle(watch, role, changes, keys, array) : 0;
}

/*
 * Settle nothing, so that what the query lacks, such as a column of an event table that
 * there was, or a privilege on it, is an error now.
 */
void
spq_watch_try(SpqWatch *watch)
{
	SpqWatchRole role = watch->self ? SPQ_WATCH_BOTH : SPQ_WATCH_OBJECTS;
	Oid			array = get_array_type(watch->objects.key_type),
				types[SPQ_WATCH_SETTLE_PARAMS];
	Datum		values[SPQ_WATCH_SETTLE_PARAMS];
	SpqWatchChanges none = {0};
	int			nparams = settle_params(watch, &none, collected(NULL, watch->objects.key_type),
										array, 0, types, values);

	run(prepare(spq_watch_query(watch, role, SPQ_WATCH_SETTLE), nparams, types, 0), values, 0);
}

/* Fill the table of pairs of a new watch, whose tables are locked. */
void
spq_watch_fill(const SpqWatch *watch)
{
	const char *query = psprintf("INSERT INTO %s (object, fence, since) "
								 "SELECT n.object, n.fence, pg_catalog.clock_timestamp() "
								 "FROM (%s) AS n WHERE n.near",
								 watch->name, spq_watch_pairs_query(watch));

	run(prepare(query, 0, NULL, 0), NULL, 0);
}

/* Add the keys that a query returns to those to be settled. */
static void
collect_keys(const char *query, Oid type, SpqWatchChanges *changes)
{
	uint64		count = run(prepare(query, 0, NULL, 0), NULL, 0);

	for (uint64 i = 0; i < count; i++)
	{
		bool		isnull;
		Datum		key = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull);

		if (!isnull)
			changes->keys = accumArrayResult(changes->keys, key, false, type, changes->context);
	}
	SPI_freetuptable(SPI_tuptable);
}

/* Collect the keys of rows that TRUNCATE removed. */
void
spq_watch_collect_gone(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes)
{
	if (role != SPQ_WATCH_FENCES)
		collect_keys(spq_watch_gone_query(watch, SPQ_WATCH_OBJECTS),
					 watch->objects.key_type, changes);
	if (role != SPQ_WATCH_OBJECTS)
		collect_keys(spq_watch_gone_query(watch, SPQ_WATCH_FENCES),
					 watch->fences.key_type, changes);
}

/* Collect the keys of objects in pairs that are wrong. */
void
spq_watch_collect_wrong(SpqWatch *watch, SpqWatchChanges *changes)
{
	collect_keys(psprintf("SELECT DISTINCT d.object FROM (%s) AS d",
						  spq_watch_differences_query(watch)),
				 watch->objects.key_type, changes);
}
