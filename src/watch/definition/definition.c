/*-------------------------------------------------------------------------
 *
 * definition.c
 *	  The definition of a watch: the arguments of a trigger on its table of
 *	  pairs.
 *
 *		CREATE TRIGGER spqtree_watch BEFORE TRUNCATE ON in_zone ...
 *		EXECUTE FUNCTION _spqtree_watch_definition('objects', 'public.vehicles',
 *			'object_column', 'pos', ...)
 *
 * So a dump contains it, DROP TABLE drops it, and only roles that may create
 * triggers on the table of pairs can change it.  That matters because the
 * queries of a watch run with the rights of that table's owner.
 *
 * The arguments are names, not OIDs, because a dump keeps only names.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "nodes/pg_list.h"
#include "parser/parse_func.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/varlena.h"

#include "compat.h"
#include "watch/definition/watch.h"

#define DEFINITION_TRIGGER "spqtree_watch"

const char *const spq_watch_kind_names[SPQ_WATCH_KINDS] = {
	"leave", "enter", "cross", "inside", "outside"
};

const char *const spq_watch_role_names[SPQ_WATCH_ROLES] = {
	"objects", "fences", "both"
};

/* Return the kinds of a watch, separated by commas. */
static char *
kinds_text(int kinds)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int kind = 0; kind < SPQ_WATCH_KINDS; kind++)
		if (kinds & (1 << kind))
			appendStringInfo(&text, "%s%s", text.len > 0 ? "," : "",
							 spq_watch_kind_names[kind]);
	return text.data;
}

/*
 * Return the shortest text that reads back as the same number, independent of
 * extra_float_digits.
 */
char *
spq_watch_number(float8 number)
{
	return double_to_shortest_decimal(number);
}

/* Append a name and its value, unless the value is NULL. */
static void
add(List **arguments, const char *name, const char *value)
{
	if (value != NULL)
		*arguments = lappend(lappend(*arguments, pstrdup(name)), pstrdup(value));
}

/* Return the arguments of the trigger: a name, its value, and so on. */
List *
spq_watch_arguments(const SpqWatch *watch)
{
	List	   *arguments = NIL;

	add(&arguments, "objects", watch->objects.table);
	add(&arguments, "object_column", watch->objects.column);
	add(&arguments, "object_key", watch->objects.key);
	add(&arguments, "object_condition", watch->objects.condition);
	add(&arguments, "object_group", watch->objects.group);
	add(&arguments, "fences", watch->fences.table);
	add(&arguments, "fence_column", watch->fences.column);
	add(&arguments, "fence_key", watch->fences.key);
	add(&arguments, "fence_condition", watch->fences.condition);
	add(&arguments, "fence_group", watch->fences.group);
	add(&arguments, "distance", spq_watch_number(watch->distance));
	add(&arguments, "leave_distance", spq_watch_number(watch->leave_distance));
	add(&arguments, "dwell", watch->dwell > 0 ? psprintf(INT64_FORMAT, watch->dwell) : NULL);
	add(&arguments, "kinds", kinds_text(watch->kinds));
	add(&arguments, "once", watch->once ? "true" : NULL);
	add(&arguments, "events", watch->events);
	add(&arguments, "notify", watch->notify);
	return arguments;
}

/*
 * Return the trigger that defines a watch, or NULL if the table is not the
 * table of pairs of a watch.
 */
static Trigger *
definition_trigger(Relation pairs, Oid schema)
{
	Oid			function = LookupFuncName(list_make2(makeString(get_namespace_name(schema)),
													 makeString("_spqtree_watch_definition")),
										  0, NULL, false);

	for (int i = 0; pairs->trigdesc != NULL && i < pairs->trigdesc->numtriggers; i++)
		if (pairs->trigdesc->triggers[i].tgfoid == function)
			return &pairs->trigdesc->triggers[i];
	return NULL;
}

/* Return the value of an argument of the trigger, or NULL. */
static char *
argument(const Trigger *trigger, const char *name)
{
	for (int i = 0; i + 1 < trigger->tgnargs; i += 2)
		if (strcmp(trigger->tgargs[i], name) == 0)
			return pstrdup(trigger->tgargs[i + 1]);
	return NULL;
}

/* Return the value of an argument that every definition has. */
static char *
required(const Trigger *trigger, const char *name, const char *watch)
{
	char	   *value = argument(trigger, name);

	if (value == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("definition of watch %s has no \"%s\"", watch, name),
				 errhint("Drop its table of pairs, and create the watch again.")));
	return value;
}

static float8
number(const Trigger *trigger, const char *name, const char *watch)
{
	char	   *value = required(trigger, name, watch);

	return DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(value)));
}

/* Return whether a value is an allowed number of microseconds. */
static bool
is_dwell(const char *value)
{
	char	   *end;
	long long	number;

	errno = 0;
	number = strtoll(value, &end, 10);
	return errno == 0 && end != value && end[0] == '\0' && number > 0 && number <= SPQ_WATCH_MAX_DWELL;
}

/* Return the dwell time of a watch. */
static int64
read_dwell(const Trigger *trigger, const char *watch)
{
	char	   *value = argument(trigger, "dwell");

	if (value == NULL)
		return 0;
	if (!is_dwell(value))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("definition of watch %s has an invalid \"dwell\": \"%s\"", watch, value),
				 errhint("Drop its table of pairs, and create the watch again.")));
	return strtoll(value, NULL, 10);
}

/* Parse a list of kinds of events.  Ignore unknown ones. */
static int
read_kinds(char *text)
{
	List	   *names = NIL;
	ListCell   *cell;
	int			kinds = 0;

	if (!SplitIdentifierString(text, ',', &names))
		return 0;
	foreach(cell, names)
	{
		for (int kind = 0; kind < SPQ_WATCH_KINDS; kind++)
			if (strcmp(lfirst(cell), spq_watch_kind_names[kind]) == 0)
				kinds |= 1 << kind;
	}
	return kinds;
}

/* Set one side from the arguments. */
static void
read_side(SpqWatchSide *side, const Trigger *trigger, const char *watch, bool objects)
{
	side->table = required(trigger, objects ? "objects" : "fences", watch);
	side->column = required(trigger, objects ? "object_column" : "fence_column", watch);
	side->key = required(trigger, objects ? "object_key" : "fence_key", watch);
	side->condition = argument(trigger, objects ? "object_condition" : "fence_condition");
	side->group = argument(trigger, objects ? "object_group" : "fence_group");
}

/* Return whether float8in() accepts a value. */
static bool
is_number(const char *value)
{
	char	   *end;
	float8		number;

	errno = 0;
	number = strtod(value, &end);
	if (errno == ERANGE && (number == 0 || isinf(number)))
		return false;
	return end != value && end[0] == '\0';
}

/*
 * Return whether a table has a complete definition.  Anyone who may create
 * triggers on it can create an incomplete one.
 */
bool
spq_watch_is_defined(Relation pairs, Oid schema)
{
	static const char *const needed[] = {
		"objects", "object_column", "object_key", "fences", "fence_column", "fence_key",
		"distance", "leave_distance", "kinds", "events"
	};
	Trigger    *trigger = definition_trigger(pairs, schema);
	char	   *dwell;

	if (trigger == NULL)
		return false;
	for (size_t i = 0; i < lengthof(needed); i++)
	{
		char	   *value = argument(trigger, needed[i]);

		if (value == NULL)
			return false;
		if (strstr(needed[i], "distance") != NULL && !is_number(value))
			return false;
	}
	dwell = argument(trigger, "dwell");
	return dwell == NULL || is_dwell(dwell);
}

/*
 * Read the definition of a watch into the current memory context.
 * resolve.c adds what the catalogs know.
 */
SpqWatch *
spq_watch_read(Relation pairs, Oid schema)
{
	SpqWatch   *watch = palloc0(sizeof(SpqWatch));
	Trigger    *trigger = definition_trigger(pairs, schema);
	char	   *name = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(pairs)),
												  RelationGetRelationName(pairs));

	if (trigger == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not the table of pairs of a watch",
						RelationGetRelationName(pairs)),
				 errhint("The view spqtree_watches lists all watches.")));

	watch->name = name;
	watch->pairs = RelationGetRelid(pairs);
	watch->owner = pairs->rd_rel->relowner;
	watch->schema = schema;
	watch->prefix = pstrdup(quote_identifier(get_namespace_name(schema)));
	read_side(&watch->objects, trigger, name, true);
	read_side(&watch->fences, trigger, name, false);
	watch->distance = number(trigger, "distance", name);
	watch->leave_distance = number(trigger, "leave_distance", name);
	watch->dwell = read_dwell(trigger, name);
	watch->kinds = read_kinds(required(trigger, "kinds", name));
	watch->once = argument(trigger, "once") != NULL;
	watch->events = required(trigger, "events", name);
	watch->notify = argument(trigger, "notify");
	return watch;
}

/*
 * Return the table with a qualified name, or InvalidOid.  Check no privilege
 * on its schema: users who change a watched table need none there.
 */
Oid
spq_watch_find_table(const char *name)
{
	List	   *names = textToQualifiedNameList(cstring_to_text(name));
	Oid			schema = list_length(names) != 2 ? InvalidOid :
		get_namespace_oid(strVal(linitial(names)), true);

	return OidIsValid(schema) ? get_relname_relid(strVal(lsecond(names)), schema) : InvalidOid;
}

/*
 * Lock a table against DROP and rename, and return it, or InvalidOid if it
 * does not exist.
 */
Oid
spq_watch_lock_table(const char *name)
{
	for (;;)
	{
		Oid			table = spq_watch_find_table(name);

		if (!OidIsValid(table))
			return InvalidOid;
		LockRelationOid(table, AccessShareLock);
		if (spq_watch_find_table(name) == table)
			return table;
		UnlockRelationOid(table, AccessShareLock);	/* renamed before we had
													 * the lock */
	}
}

/*
 * Find and lock the watched tables, a table that is both once.  Those that do
 * not exist get InvalidOid.
 */
void
spq_watch_find_tables(SpqWatch *watch)
{
	watch->objects.relid = spq_watch_lock_table(watch->objects.table);
	watch->fences.relid = strcmp(watch->objects.table, watch->fences.table) == 0 ?
		watch->objects.relid : spq_watch_lock_table(watch->fences.table);
}

/* Find and lock the event table. */
void
spq_watch_find_events(SpqWatch *watch)
{
	watch->events_table = spq_watch_lock_table(watch->events);
	if (!OidIsValid(watch->events_table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("event table %s of watch %s does not exist", watch->events, watch->name),
				 errhint("If it was renamed, rename it back; if it was dropped, end the watch with spqtree_unwatch.")));
}
