/*-------------------------------------------------------------------------
 *
 * settle.c
 *	  Correct the pairs of changed rows, and log the events.
 *
 * The queries read the tables with the latest snapshot at all isolation
 * levels, as checks of foreign keys do.  The lock (see triggers.c) excludes
 * the changes that they would miss.
 *
 * Statements that change few rows use plans that are made once per session:
 * nested loops over indexes, even if a table was so small at that time that
 * the planner would have chosen a sequential scan.  Larger statements are
 * planned each time, with their actual number of rows; the planner may choose
 * a spatial hash join.
 *
 * All functions here must be called with SPI connected and while acting as the
 * owner of the watch (act_as.h): planning a query may call functions of
 * indexes, and running it those of conditions and triggers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/async.h"
#include "commands/sequence.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/array.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/rel.h"
#include "utils/sortsupport.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "watch/pairs/changes.h"
#include "watch/pairs/queries.h"

/*
 * A statement uses the saved plans if it changes at most this number of rows
 * or, if they can use indexes, at most this fraction of the table.
 */
#define FEW_ROWS 256
#define FEW_PART (1.0 / 8)

/* Plans are made again when a table has grown by this factor. */
#define GROWTH 4

/*
 * With more keys, asking whether anything differs costs half as much as
 * settling, and the answer is mostly yes.
 */
#define MAX_ASKED 8

static Datum
array_of(Datum *values, int count, Oid type)
{
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(type, &length, &byval, &align);
	return PointerGetDatum(construct_array(values, count, type, length, byval, align));
}

/* Return an array of the collected values.  The list may be NULL. */
static Datum
collected(const ArrayBuildState *list, Oid type)
{
	return list == NULL ? array_of(NULL, 0, type) : array_of(list->dvalues, list->nelems, type);
}

/* Prepare a query, but do not plan it yet. */
static SPIPlanPtr
prepare(const char *query, int nparams, Oid *types, int options)
{
	SPIPlanPtr	plan = SPI_prepare_cursor(query, nparams, types, options);

	if (plan == NULL)
		elog(ERROR, "SPI_prepare_cursor failed: %s", SPI_result_code_string(SPI_result));
	return plan;
}

/*
 * Return whether indexes find the pairs of a few rows.  Changed objects need
 * an index on the fences, and changed fences an index on the objects.
 */
static bool
has_indexes(const SpqWatch *watch, SpqWatchRole role)
{
	return (role == SPQ_WATCH_FENCES || watch->fences.has_index) &&
		(role == SPQ_WATCH_OBJECTS || watch->objects.has_index);
}

static void
set(const char *setting, const char *value)
{
	set_config_option(setting, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * Make a generic plan to be kept, with index scans if there are indexes.  The table of
 * pairs has them.
 *
 * A plan is better the fewer rows it reads: that pages cost nothing keeps the planner
 * from reading all of a table because its pages are in order.  Where no full join needs
 * another one, nested loops find the pairs of the few rows.
 */
static void
make_plan(const SpqWatch *watch, SpqWatchRole role, SpqWatchQuery query, SPIPlanPtr plan)
{
	int			level = NewGUCNestLevel();
	CachedPlan *cached;

	if (has_indexes(watch, role) || query >= SPQ_WATCH_LOCK)
	{
		set("enable_seqscan", "off");
		set("spqtree.enable_hashjoin", "off");
		set("random_page_cost", "0");
	}
	if (query >= SPQ_WATCH_LOCK)
	{
		set("enable_hashjoin", "off");
		set("enable_mergejoin", "off");
	}
	cached = SPI_plan_get_cached_plan(plan);
	if (cached != NULL)
		ReleaseCachedPlan(cached, CurrentResourceOwner);
	AtEOXact_GUC(false, level);
}

/* Return whether the saved plans are better for a number of changed rows. */
static bool
are_few(const SpqWatch *watch, SpqWatchRole role, int rows)
{
	const SpqWatchSide *side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;

	if (rows <= FEW_ROWS)
		return true;
	return has_indexes(watch, role) && rows <= side->rows * FEW_PART;
}

/* Return the size of a table; 0 if it was dropped, or is partitioned. */
static BlockNumber
blocks_of(Oid table)
{
	Relation	relation = try_relation_open(table, AccessShareLock);
	BlockNumber blocks = 0;

	if (relation == NULL)
		return 0;
	if (RELKIND_HAS_STORAGE(relation->rd_rel->relkind))
		blocks = RelationGetNumberOfBlocks(relation);
	relation_close(relation, AccessShareLock);
	return blocks;
}

/* Free the plans of a watch, none of which is in use. */
void
spq_watch_free_plans(SpqWatch *watch)
{
	for (int role = 0; role < SPQ_WATCH_ROLES; role++)
		for (int query = 0; query < SPQ_WATCH_QUERIES; query++)
			if (watch->plans[role][query] != NULL)
			{
				SPI_freeplan(watch->plans[role][query]);
				watch->plans[role][query] = NULL;
			}
}

/*
 * Forget plans that were made when a table was much smaller.  Of a table of some rows,
 * the planner may read all to find a few, and nothing else would have the plans made
 * again until the next ANALYZE.
 */
static void
forget_old_plans(SpqWatch *watch)
{
	Oid			tables[SPQ_WATCH_TABLES] = {watch->pairs, watch->objects.relid, watch->fences.relid};
	BlockNumber blocks[SPQ_WATCH_TABLES];
	bool		grown = false;

	/* plans may be in use if a trigger on the events has brought us here */
	if (watch->uses > 1)
		return;
	for (int i = 0; i < SPQ_WATCH_TABLES; i++)
	{
		blocks[i] = blocks_of(tables[i]);
		grown |= blocks[i] / GROWTH > watch->planned_blocks[i];
	}
	if (!grown)
		return;
	spq_watch_free_plans(watch);
	memcpy(watch->planned_blocks, blocks, sizeof(blocks));
}

/* Return the plan of a query: for few rows, the saved one. */
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
		make_plan(watch, role, query, *saved);
	return *saved;
}

/* Run a query with the latest snapshot.  Return the number of rows. */
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
 * Move the keys of those probes that have a fence near to the keys to settle,
 * and forget all probes.  Free all memory used: a statement may call this any
 * number of times.
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

static void
init_sort(SortSupportData *sort, const SpqWatchSide *side)
{
	TypeCacheEntry *type = lookup_type_cache(side->key_type, TYPECACHE_LT_OPR);

	memset(sort, 0, sizeof(SortSupportData));
	sort->ssup_cxt = CurrentMemoryContext;
	sort->ssup_collation = side->key_collation;
	PrepareSortSupportFromOrderingOp(type->lt_opr, sort);
}

/* Sort keys and remove duplicates. */
static void
make_unique(ArrayBuildState *keys, const SpqWatchSide *side)
{
	SortSupportData sort;
	int			count = 0;

	if (keys == NULL || keys->nelems < 2)
		return;
	init_sort(&sort, side);
	qsort_arg(keys->dvalues, keys->nelems, sizeof(Datum), compare_keys, &sort);
	for (int i = 0; i < keys->nelems; i++)
		if (count == 0 || compare_keys(&keys->dvalues[count - 1], &keys->dvalues[i], &sort) != 0)
			keys->dvalues[count++] = keys->dvalues[i];
	keys->nelems = count;
}

/* Remove those of some keys that are among others.  Both are sorted and unique. */
static void
remove_keys(ArrayBuildState *keys, const ArrayBuildState *others, const SpqWatchSide *side)
{
	SortSupportData sort;
	int			count = 0,
				other = 0;

	init_sort(&sort, side);
	for (int i = 0; i < keys->nelems; i++)
	{
		while (other < others->nelems && compare_keys(&others->dvalues[other], &keys->dvalues[i], &sort) < 0)
			other++;
		if (other == others->nelems || compare_keys(&others->dvalues[other], &keys->dvalues[i], &sort) != 0)
			keys->dvalues[count++] = keys->dvalues[i];
	}
	keys->nelems = count;
}

/*
 * Return whether anything must be settled.  Ask only if that is cheaper than
 * settling; otherwise return true.
 */
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
 * Return whether to settle all pairs instead of those of the changed keys.  If
 * most rows of a table that watches itself changed, each pair would be found
 * from both ends.  The lock excludes other changes, so the remaining pairs are
 * right.
 */
static bool
settles_all(const SpqWatch *watch, SpqWatchRole role, int keys)
{
	return role == SPQ_WATCH_BOTH && !are_few(watch, role, keys) &&
		watch->objects.rows > 0 && keys > watch->objects.rows / 2;
}

/* The time and the number of a statement. */
typedef struct Stamp
{
	TimestampTz time;
	int64		statement;
} Stamp;

static const Stamp no_stamp;

/*
 * Return the stamp of this statement.  The locks that order the changes of a pair
 * have been taken before, so the times of a pair's changes are in the order in
 * which their transactions commit.
 */
static Stamp
take_stamp(const SpqWatch *watch)
{
	Stamp		stamp = {GetCurrentTimestamp(), nextval_internal(watch->sequence, false)};

	return stamp;
}

/* Set the parameters of the settling query.  Return their number. */
static int
settle_params(const SpqWatch *watch, const SpqWatchChanges *changes, Datum keys, Oid array,
			  Stamp stamp, Oid *types, Datum *values)
{
	Oid			object = watch->objects.key_type,
				objects = get_array_type(object),
				segment;

	types[0] = array;
	values[0] = keys;
	types[1] = TIMESTAMPTZOID;
	values[1] = TimestampTzGetDatum(stamp.time);
	types[2] = INT8OID;
	values[2] = Int64GetDatum(stamp.statement);
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

/* Return a number in the only row that a query has returned. */
static int64
returned(int column)
{
	bool		isnull;

	return DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &isnull));
}

/* Return the number of events that a query has logged, and send a notification. */
static int64
count_events(const SpqWatch *watch)
{
	int64		events = returned(1);

	if (events > 0 && watch->notify != NULL)
		Async_Notify(watch->notify, watch->name);	/* once per transaction */
	return events;
}

/*
 * Begin and end pairs, and log the events.  Return the number of events.
 *
 * With a dwell time, lock the waiting pairs first: spqtree_settle_watch may be
 * changing them, and the settling query must see that.
 */
static int64
settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes, Datum keys, Oid array,
	   Stamp *stamp)
{
	int			count = changes->keys->nelems;
	bool		all = settles_all(watch, role, count);
	Oid			types[SPQ_WATCH_SETTLE_PARAMS];
	Datum		values[SPQ_WATCH_SETTLE_PARAMS];
	int			nparams;

	if (watch->dwell > 0)
		run(plan_query(watch, role, all ? SPQ_WATCH_LOCK_ALL : SPQ_WATCH_LOCK, count,
					   SPQ_WATCH_LOCK_PARAMS, &array), &keys, 0);
	*stamp = take_stamp(watch);
	nparams = settle_params(watch, changes, keys, array, *stamp, types, values);
	run(plan_query(watch, role, all ? SPQ_WATCH_SETTLE_ALL : SPQ_WATCH_SETTLE, count, nparams, types),
		values, 0);
	return count_events(watch);
}

/*
 * Enter and leave by the pairs of some keys that are due, or, if there is no list, by
 * those of all that wait longest, at most a number.  Return the number of these pairs;
 * set that of the events.
 */
static int64
settle_due(SpqWatch *watch, SpqWatchRole role, const ArrayBuildState *keys, int64 at_most, Stamp stamp,
		   int64 *events)
{
	Oid			type = role == SPQ_WATCH_FENCES ? watch->fences.key_type : watch->objects.key_type,
				types[SPQ_WATCH_DUE_PARAMS] = {get_array_type(type), TIMESTAMPTZOID, INT8OID, INT8OID};
	int			count = keys == NULL ? 1 : keys->nelems;
	Datum		values[SPQ_WATCH_DUE_PARAMS];

	*events = 0;
	if (stamp.statement == 0)
		stamp.time = GetCurrentTimestamp();
	if (keys != NULL && !spq_watch_may_be_due(watch, stamp.time))
		return 0;
	values[0] = collected(keys, type);
	values[1] = TimestampTzGetDatum(stamp.time);
	values[2] = Int64GetDatum(stamp.statement);
	values[3] = Int64GetDatum(at_most);
	if (run(plan_query(watch, role, keys == NULL ? SPQ_WATCH_ANY_DUE_ALL : SPQ_WATCH_ANY_DUE, count,
					   SPQ_WATCH_DUE_PARAMS, types), values, 1) == 0)
		return 0;
	if (stamp.statement == 0)
		values[2] = Int64GetDatum(nextval_internal(watch->sequence, false));
	run(plan_query(watch, role, keys == NULL ? SPQ_WATCH_DUE_ALL : SPQ_WATCH_DUE, count,
				   SPQ_WATCH_DUE_PARAMS, types), values, 0);
	*events = count_events(watch);
	return returned(2);
}

/* Settle the collected rows.  Return the number of events. */
int64
spq_watch_settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes)
{
	const SpqWatchSide *side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;
	Oid			array = get_array_type(side->key_type);
	Stamp		stamp = {0};
	int64		events = 0;

	forget_old_plans(watch);
	if (changes->keys != NULL)
	{
		Datum		keys;

		make_unique(changes->keys, side);
		make_unique(changes->moved, &watch->objects);
		keys = collected(changes->keys, side->key_type);
		if (may_differ(watch, role, changes, keys, array))
			events = settle(watch, role, changes, keys, array, &stamp);
	}
	if (changes->touched != NULL)
	{
		make_unique(changes->touched, side);
		if (stamp.statement != 0)
			remove_keys(changes->touched, changes->keys, side);
		if (changes->touched->nelems > 0)
		{
			int64		more;

			settle_due(watch, role, changes->touched, 0, stamp, &more);
			events += more;
		}
	}
	return events;
}

/* Enter and leave by pairs that are due, at most a number.  Return how many do. */
int64
spq_watch_settle_due(SpqWatch *watch, int64 at_most)
{
	int64		events;

	forget_old_plans(watch);
	return settle_due(watch, watch->self ? SPQ_WATCH_BOTH : SPQ_WATCH_OBJECTS, NULL, at_most, no_stamp,
					  &events);
}

/*
 * Settle no rows, so that anything that the query lacks, such as a privilege
 * or a column of an existing event table, is an error now.
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
										array, no_stamp, types, values);

	run(prepare(spq_watch_query(watch, role, SPQ_WATCH_SETTLE), nparams, types, 0), values, 0);
}

/* Fill the table of pairs of a new watch, whose tables are locked. */
void
spq_watch_fill(const SpqWatch *watch)
{
	bool		dwells = watch->dwell > 0;
	const char *query = psprintf("INSERT INTO %s (object, fence, since%s) "
								 "SELECT n.object, n.fence, pg_catalog.clock_timestamp()%s "
								 "FROM (%s) AS n WHERE n.near",
								 watch->name, dwells ? ", entered" : "", dwells ? ", true" : "",
								 spq_watch_pairs_query(watch));

	run(prepare(query, 0, NULL, 0), NULL, 0);
}

/* Add the keys that a query returns to the keys to settle. */
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

/* Collect the keys in the table of pairs whose rows TRUNCATE removed. */
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

/* Collect the keys of the objects whose pairs are wrong. */
void
spq_watch_collect_wrong(SpqWatch *watch, SpqWatchChanges *changes)
{
	collect_keys(psprintf("SELECT DISTINCT d.object FROM (%s) AS d",
						  spq_watch_differences_query(watch)),
				 watch->objects.key_type, changes);
}
