/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  The watches of a session: definitions and plans.
 *
 * A definition is read once, and again after a change to the table of pairs, a
 * watched table or the event table.  A watch in use is kept until its last use
 * ends: the conditions and triggers that a statement runs may run other
 * statements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_inherits.h"
#include "nodes/makefuncs.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "watch/definition/watch.h"
#include "watch/pairs/changes.h"

/* The watch that a trigger belongs to. */
typedef struct TriggerEntry
{
	Oid			trigger;		/* key */
	Oid			pairs;
	SpqWatchRole role;
	bool		valid;
} TriggerEntry;

typedef struct WatchEntry
{
	Oid			pairs;			/* key */
	SpqWatch   *watch;			/* or NULL if not read */
} WatchEntry;

static HTAB *triggers = NULL;
static HTAB *watches = NULL;

/* Invalidations received.  See read_watch(). */
static uint64 invalidations = 0;

/* How often a watch is read again because something has changed meanwhile. */
#define MAX_READS	3

/* Invalidate what depends on a changed table, or everything. */
static void
invalidate(Datum arg, Oid relid)
{
	HASH_SEQ_STATUS status;
	WatchEntry *entry;
	TriggerEntry *trigger;

	invalidations++;
	hash_seq_init(&status, watches);
	while ((entry = hash_seq_search(&status)) != NULL)
	{
		SpqWatch   *watch = entry->watch;

		if (watch != NULL &&
			(relid == InvalidOid || relid == watch->pairs || relid == watch->events_table ||
			 relid == watch->objects.relid || relid == watch->fences.relid))
			watch->valid = false;
	}
	hash_seq_init(&status, triggers);
	while ((trigger = hash_seq_search(&status)) != NULL)
		if (relid == InvalidOid || relid == trigger->pairs)
			trigger->valid = false;
}

/*
 * Invalidate everything when a schema changes, because definitions contain
 * names of schemas.
 */
static void
invalidate_all(Datum arg, int cache, uint32 hash)
{
	invalidate(arg, InvalidOid);
}

static HTAB *
create_table(const char *name, Size size)
{
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = size};

	return hash_create(name, 16, &control, HASH_ELEM | HASH_BLOBS);
}

static void
init_cache(void)
{
	if (watches != NULL)
		return;
	triggers = create_table("spqtree watch triggers", sizeof(TriggerEntry));
	watches = create_table("spqtree watches", sizeof(WatchEntry));
	CacheRegisterRelcacheCallback(invalidate, (Datum) 0);
	CacheRegisterSyscacheCallback(NAMESPACEOID, invalidate_all, (Datum) 0);
}

/* Free a watch that is not in use. */
static void
free_watch(SpqWatch *watch)
{
	spq_watch_free_plans(watch);
	MemoryContextDelete(watch->context);
}

/*
 * Read a watch once and lock the watched tables.  Return NULL if it has ended
 * because a table was dropped.
 */
static SpqWatch *
read_once(Oid pairs, Oid schema)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spqtree watch",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Relation	table = try_relation_open(pairs, AccessShareLock);
	SpqWatch   *watch = NULL;

	if (table != NULL)
	{
		watch = spq_watch_read(table, schema);
		watch->context = context;
		relation_close(table, AccessShareLock);
		if (!spq_watch_resolve(watch))
			watch = NULL;
	}
	MemoryContextSwitchTo(old);
	if (watch == NULL)
		MemoryContextDelete(context);
	return watch;
}

/*
 * Read a watch and lock the watched tables, or return NULL if it has ended.
 *
 * The table of pairs is not locked while we wait for the watched tables, since
 * DROP TABLE of one of these locks it later.  So its owner, or its name, may
 * change in that time, and invalidate() does not know the watch yet.  Then it
 * is read again.  As the locks are ours then, nothing usually comes between; if
 * it does, this use has the watch as it was a moment ago, and the next one reads
 * it again.
 */
static SpqWatch *
read_watch(Oid pairs, Oid schema)
{
	SpqWatch   *watch;

	for (int reads = 1;; reads++)
	{
		uint64		before = invalidations;

		watch = read_once(pairs, schema);
		if (watch == NULL)
			return NULL;
		watch->valid = invalidations == before;
		if (watch->valid || reads == MAX_READS)
			break;
		MemoryContextDelete(watch->context);
	}
	MemoryContextSetParent(watch->context, CacheMemoryContext);
	spq_watch_depend(watch);
	return watch;
}

/* Lock the watched tables, always in this order. */
static void
lock_sides(const SpqWatch *watch)
{
	LockRelationOid(watch->objects.relid, AccessShareLock);
	LockRelationOid(watch->fences.relid, AccessShareLock);
}

/*
 * Return a watch with its tables locked, or NULL if it has ended.  The caller
 * must call spq_watch_release().
 */
SpqWatch *
spq_watch_use(Oid pairs, Oid schema)
{
	WatchEntry *entry;
	bool		found;

	init_cache();
	entry = hash_search(watches, &pairs, HASH_ENTER, &found);
	if (!found)
		entry->watch = NULL;
	if (entry->watch != NULL)
		lock_sides(entry->watch);	/* processes invalidations */
	if (entry->watch != NULL && (!entry->watch->valid || entry->watch->schema != schema))
	{
		if (entry->watch->uses == 0)
			free_watch(entry->watch);
		entry->watch = NULL;
	}
	if (entry->watch == NULL)
	{
		SpqWatch   *watch = read_watch(pairs, schema);

		entry = hash_search(watches, &pairs, HASH_ENTER, &found);
		entry->watch = watch;
	}
	if (entry->watch != NULL)
		entry->watch->uses++;
	return entry->watch;
}

/*
 * End a use.  The last use of a watch that is no longer in the cache frees it.
 */
void
spq_watch_release(SpqWatch *watch)
{
	WatchEntry *entry = hash_search(watches, &watch->pairs, HASH_FIND, NULL);

	if (--watch->uses == 0 && (entry == NULL || entry->watch != watch))
		free_watch(watch);
}

/* Return the table of pairs that a trigger names. */
static Oid
named_pairs(const Trigger *trigger)
{
	Oid			pairs = spq_watch_find_table(trigger->tgargs[0]);

	if (!OidIsValid(pairs))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("watch %s of trigger \"%s\" does not exist",
						trigger->tgargs[0], trigger->tgname),
				 errhint("If its table of pairs was renamed, rename it back; if it was dropped, drop the trigger.")));
	return pairs;
}

/* Return the role that a trigger names. */
static SpqWatchRole
named_role(const Trigger *trigger)
{
	for (int role = 0; role < SPQ_WATCH_ROLES; role++)
		if (strcmp(trigger->tgargs[1], spq_watch_role_names[role]) == 0)
			return role;
	elog(ERROR, "unknown role \"%s\" of trigger \"%s\"", trigger->tgargs[1], trigger->tgname);
}

/* Return whether a table is the watched table or inherits from it. */
static bool
is_part_of(Relation table, Oid watched)
{
	return RelationGetRelid(table) == watched ||
		typeInheritsFrom(table->rd_rel->reltype, get_rel_type_id(watched));
}

/*
 * Return the watch of a trigger with its tables locked, and set the role of
 * the table that has the trigger.  The caller must call spq_watch_release().
 *
 * Return NULL if the watch has ended, or if the table does not belong to it: a
 * detached partition, or a table on which somebody has created a trigger that
 * names the watch.  The queries run with the rights of the owner of the table
 * of pairs, so a trigger must not decide what they do.
 */
SpqWatch *
spq_watch_of_trigger(TriggerData *data, Oid schema, SpqWatchRole *role)
{
	Trigger    *trigger = data->tg_trigger;
	TriggerEntry *entry;
	SpqWatch   *watch;
	bool		found;

	if (trigger->tgnargs != 2)
		elog(ERROR, "trigger \"%s\" has %d arguments", trigger->tgname, trigger->tgnargs);
	init_cache();
	entry = hash_search(triggers, &trigger->tgoid, HASH_ENTER, &found);
	if (!found || !entry->valid)
	{
		entry->valid = false;
		entry->pairs = named_pairs(trigger);
		spq_watch_check_trigger(trigger, RelationGetRelid(data->tg_relation), entry->pairs);
		entry->role = named_role(trigger);
		entry->valid = true;
	}
	*role = entry->role;
	watch = spq_watch_use(entry->pairs, schema);
	if (watch != NULL &&
		((*role == SPQ_WATCH_BOTH) != watch->self ||
		 !is_part_of(data->tg_relation,
					 *role == SPQ_WATCH_FENCES ? watch->fences.relid : watch->objects.relid)))
	{
		spq_watch_release(watch);
		return NULL;
	}
	return watch;
}
