/*-------------------------------------------------------------------------
 *
 * create.c
 *	  spqtree_watch: check the arguments and create the watch.
 *
 * The caller needs TRIGGER and SELECT on both tables, and CREATE on the
 * schema.  The triggers run the queries as the owner of the table of pairs,
 * which is the caller, who from then on needs only SELECT on both tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "common/int.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/varlena.h"

#include "compat.h"
#include "types/registry.h"
#include "watch/definition/watch.h"

PG_FUNCTION_INFO_V1(spq_watch);

/* The arguments of spqtree_watch. */
enum
{
	ARG_WATCH,
	ARG_OBJECTS,
	ARG_OBJECT_COLUMN,
	ARG_FENCES,
	ARG_FENCE_COLUMN,
	ARG_DISTANCE,
	ARG_LEAVE_DISTANCE,
	ARG_KINDS,
	ARG_OBJECT_KEY,
	ARG_FENCE_KEY,
	ARG_OBJECT_CONDITION,
	ARG_FENCE_CONDITION,
	ARG_OBJECT_GROUP,
	ARG_FENCE_GROUP,
	ARG_BOTH_WAYS,
	ARG_EVENTS,
	ARG_NOTIFY,
	ARG_DWELL
};

static char *
text_argument(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number));
}

static char *
name_argument(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : pstrdup(NameStr(*PG_GETARG_NAME(number)));
}

/* Return an argument; raise an error if it is NULL. */
static char *
require(char *argument, const char *name)
{
	if (argument == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
	return argument;
}

/* Return a distance argument, or "missing" for NULL. */
static float8
distance_argument(FunctionCallInfo fcinfo, int number, float8 missing, const char *name)
{
	float8		distance = PG_ARGISNULL(number) ? missing : PG_GETARG_FLOAT8(number);

	if (!(distance >= 0) || isinf(distance))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a finite, non-negative number", name)));
	return distance;
}

/*
 * Return the dwell time in microseconds.  The default is none.  A month counts as 30
 * days, and a day as 24 hours, as where intervals are compared.  An infinite interval
 * (PostgreSQL 17) is too large by that.
 */
static int64
dwell_argument(FunctionCallInfo fcinfo)
{
	Interval   *dwell;
	int64		days,
				result;

	if (PG_ARGISNULL(ARG_DWELL))
		return 0;
	dwell = PG_GETARG_INTERVAL_P(ARG_DWELL);
	days = (int64) dwell->month * DAYS_PER_MONTH + dwell->day;
	if (pg_mul_s64_overflow(days, USECS_PER_DAY, &result) ||
		pg_add_s64_overflow(result, dwell->time, &result) ||
		result < 0 || result > SPQ_WATCH_MAX_DWELL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dwell must be between 0 and 1000 years")));
	return result;
}

/* Return the kinds of events to log.  The default is enter and leave. */
static int
kinds_argument(FunctionCallInfo fcinfo)
{
	Datum	   *values;
	bool	   *nulls;
	int			count,
				kinds = 0;

	if (PG_ARGISNULL(ARG_KINDS))
		return (1 << SPQ_WATCH_ENTER) | (1 << SPQ_WATCH_LEAVE);
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(ARG_KINDS), TEXTOID, -1, false, TYPALIGN_INT,
					  &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		char	   *name = nulls[i] ? pstrdup("null") : TextDatumGetCString(values[i]);
		int			kind = 0;

		while (kind < SPQ_WATCH_KINDS && strcmp(name, spq_watch_kind_names[kind]) != 0)
			kind++;
		if (kind == SPQ_WATCH_KINDS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("unknown kind of event: \"%s\"", name),
					 errhint("Kinds are enter, leave, inside, outside and cross.")));
		kinds |= 1 << kind;
	}
	return kinds;
}

/* Return the qualified name of a table. */
static char *
table_name(Oid relid)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)),
									  get_rel_name(relid));
}

static bool
is_temporary(const SpqWatchSide *side)
{
	return get_rel_persistence(side->relid) == RELPERSISTENCE_TEMP;
}

/*
 * Return the qualified name of a table to create, in the schema that CREATE
 * TABLE would choose.  The tables of a watch on temporary tables are
 * temporary.
 */
static char *
name_of_new(const SpqWatch *watch, const char *text)
{
	RangeVar   *table = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(text)));

	if (table->schemaname == NULL && (is_temporary(&watch->objects) || is_temporary(&watch->fences)))
		table->schemaname = "pg_temp";
	return quote_qualified_identifier(get_namespace_name(RangeVarGetCreationNamespace(table)),
									  table->relname);
}

/*
 * Check that no relation has the name of the new watch, which its table of
 * pairs gets.
 */
static void
check_name(const SpqWatch *watch)
{
	Oid			existing = spq_watch_find_table(watch->name);
	Relation	relation = OidIsValid(existing) ?
		try_relation_open(existing, AccessShareLock) : NULL;

	if (relation == NULL)
		return;
	if (spq_watch_is_defined(relation, watch->schema))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("watch %s already exists", watch->name),
				 errhint("End it with spqtree_unwatch, or choose another name.")));
	ereport(ERROR,
			(errcode(ERRCODE_DUPLICATE_OBJECT),
			 errmsg("cannot create watch %s", watch->name),
			 errdetail("The table of pairs needs this name, but another relation has it."),
			 errhint("Choose another name for the watch.")));
}

/*
 * Return the qualified name of the event table, which may exist.  The default
 * is a name derived from the watch, in the schema of the table of pairs.
 */
static char *
name_of_events(const SpqWatch *watch, const char *text)
{
	RangeVar   *table;
	Oid			existing;

	if (text == NULL)
	{
		table = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(watch->name)));
		return quote_qualified_identifier(table->schemaname,
										  makeObjectName(table->relname, NULL, "events"));
	}
	table = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(text)));
	existing = RangeVarGetRelid(table, NoLock, true);
	return OidIsValid(existing) ? table_name(existing) : name_of_new(watch, text);
}

/* Check that a table can be watched, and that the caller may watch it. */
static void
check_table(Oid relid)
{
	char		kind = get_rel_relkind(relid);
	AclResult	result;

	if (kind == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("cannot watch \"%s\"", get_rel_name(relid)),
				 errdetail("It is not an ordinary or partitioned table.")));
	if (has_superclass(relid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot watch \"%s\", which is a part of another table",
						get_rel_name(relid)),
				 errdetail("Statements on its parent change it without firing its triggers."),
				 errhint("Watch the parent, with a condition if necessary.")));
	result = pg_class_aclcheck(relid, GetUserId(), ACL_SELECT);
	if (result == ACLCHECK_OK)
		result = pg_class_aclcheck(relid, GetUserId(), ACL_TRIGGER);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_TABLE, get_rel_name(relid));
}

/* Lock a table as CREATE TRIGGER does, if it can be watched. */
static void
lock_table(Oid relid)
{
	check_table(relid);			/* no lock without the privileges */
	LockRelationOid(relid, ShareRowExclusiveLock);
	check_table(relid);
}

/*
 * Return the name of the primary key's column.  Raise an error if the key does
 * not have exactly one column.
 */
static char *
primary_key(Oid relid, const char *argument)
{
	Relation	table = table_open(relid, NoLock);
	Oid			index = spq_primary_key_index(table);
	char	   *column = NULL;

	if (OidIsValid(index))
	{
		Relation	key = index_open(index, AccessShareLock);

		if (key->rd_index->indnkeyatts == 1)
			column = get_attname(relid, key->rd_index->indkey.values[0], false);
		index_close(key, AccessShareLock);
	}
	table_close(table, NoLock);
	if (column == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("table \"%s\" has no primary key of one column", get_rel_name(relid)),
				 errhint("Name the column that identifies a row in %s.", argument)));
	return column;
}

/* Set a side from the arguments. */
static void
read_side(SpqWatchSide *side, Oid relid, char *column, char *key, char *group,
		  const char *condition, bool objects)
{
	side->relid = relid;
	side->table = table_name(relid);
	side->column = column;
	side->key = key != NULL ? key : primary_key(relid, objects ? "object_key" : "fence_key");
	side->group = group;
	side->condition = spq_watch_condition(condition, relid, objects ? "o" : "f",
										  objects ? "object_condition" : "fence_condition");
	spq_watch_resolve_side(side, GetUserId());
}

/* Notify the caller of a key that is not unique. */
static void
advise_key(const SpqWatchSide *side)
{
	if (!side->key_unique)
		ereport(NOTICE,
				(errmsg("column \"%s\" of \"%s\" has no unique index",
						side->key, get_rel_name(side->relid)),
				 errdetail("Rows with one key count as one, and statements that change the table wait for each other's transactions.")));
}

/*
 * Check that distances between both sides can be computed, and, if the watch
 * logs crossings, those between moves and fences.
 */
static void
check_types(SpqWatch *watch)
{
	Oid			object = watch->objects.column_type,
				fence = watch->fences.column_type;

	if (!spq_watch_find_within(watch))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot watch positions of type %s and areas of type %s",
						format_type_be(object), format_type_be(fence)),
				 errhint("There is no function spqtree_dwithin(%s, %s, double precision).",
						 format_type_be(object), format_type_be(fence))));
	if (watch->objects.group_type != watch->fences.group_type)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("object_group and fence_group must be columns of one type")));
	if (!spq_watch_wants(watch, SPQ_WATCH_CROSS))
		return;
	if (watch->position == NULL ||
		!OidIsValid(spq_watch_within(watch->schema, spq_watch_segment_type(watch), fence)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("events of kind cross are not supported for positions of type %s and areas of type %s",
						format_type_be(object), format_type_be(fence))));
}

/*
 * Check that both tables are permanent or both temporary, and that a watch of
 * permanent tables has no temporary table of pairs or events: other sessions
 * could not write to it.
 */
static void
check_temporary(const SpqWatch *watch, Oid pairs)
{
	bool		objects = is_temporary(&watch->objects),
				fences = is_temporary(&watch->fences);

	if (objects != fences)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TABLE_DEFINITION),
				 errmsg("cannot watch a temporary and a permanent table together")));
	if (!objects && (get_rel_persistence(pairs) == RELPERSISTENCE_TEMP ||
					 get_rel_persistence(watch->events_table) == RELPERSISTENCE_TEMP))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TABLE_DEFINITION),
				 errmsg("a watch of permanent tables cannot be temporary"),
				 errdetail("Other sessions could not change the tables.")));
}

/*
 * Check that neither table is a part of the other.  A statement fires only the
 * triggers of the table that it names, so it would settle one role only.
 */
static void
check_apart(const SpqWatch *watch)
{
	Oid			objects = get_rel_type_id(watch->objects.relid),
				fences = get_rel_type_id(watch->fences.relid);

	if (!watch->self && (typeInheritsFrom(objects, fences) || typeInheritsFrom(fences, objects)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot watch a table and a part of it"),
				 errhint("Watch the whole table with itself, with object_condition and fence_condition.")));
}

/* Check that the options are consistent. */
static void
check_options(const SpqWatch *watch, bool both_ways)
{
	if (watch->leave_distance < watch->distance)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("leave_distance must not be less than distance")));
	if ((watch->objects.group == NULL) != (watch->fences.group == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("object_group and fence_group must be given together")));
	if (watch->self && strcmp(watch->objects.key, watch->fences.key) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("object_key and fence_key must be the same where objects are their own fences")));
	if (both_ways && !watch->self)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("both_ways is for objects that are their own fences")));
	if (watch->notify != NULL &&
		(watch->notify[0] == '\0' || strlen(watch->notify) >= NAMEDATALEN))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid name of a channel: \"%s\"", watch->notify)));
}

/*
 * Notify the caller of a missing index, which statements on the other side
 * need.
 */
static void
advise_index(const SpqWatchSide *side)
{
	if (!side->has_index)
		ereport(NOTICE,
				(errmsg("column \"%s\" of \"%s\" has no index", side->column,
						get_rel_name(side->relid)),
				 errhint("For fast statements: CREATE INDEX ON %s USING spqtree (%s).",
						 side->table, quote_identifier(side->column))));
}

static void
read_sides(SpqWatch *watch, FunctionCallInfo fcinfo)
{
	Oid			objects = PG_GETARG_OID(ARG_OBJECTS),
				fences = PG_ARGISNULL(ARG_FENCES) ? objects : PG_GETARG_OID(ARG_FENCES);
	char	   *column = require(name_argument(fcinfo, ARG_OBJECT_COLUMN), "object_column"),
			   *area = name_argument(fcinfo, ARG_FENCE_COLUMN),
			   *key = name_argument(fcinfo, ARG_OBJECT_KEY),
			   *fence_key = name_argument(fcinfo, ARG_FENCE_KEY),
			   *group = name_argument(fcinfo, ARG_OBJECT_GROUP),
			   *fence_group = name_argument(fcinfo, ARG_FENCE_GROUP),
			   *condition = text_argument(fcinfo, ARG_OBJECT_CONDITION),
			   *fence_condition = text_argument(fcinfo, ARG_FENCE_CONDITION);

	lock_table(objects);
	if (fences != objects)
	{
		lock_table(fences);
		require(area, "fence_column");
	}
	else
	{
		/* the column, key, group and condition of objects are the defaults */
		area = area != NULL ? area : column;
		fence_key = fence_key != NULL ? fence_key : key;
		fence_group = fence_group != NULL ? fence_group : group;
		fence_condition = fence_condition != NULL ? fence_condition : condition;
	}
	read_side(&watch->objects, objects, column, key, group, condition, true);
	read_side(&watch->fences, fences, area, fence_key, fence_group, fence_condition, false);
	watch->self = objects == fences;
}

/*
 * Return whether (a, b) and (b, a) mean the same: objects and fences are one
 * table with the same column, key, condition and group.
 */
static bool
symmetric(const SpqWatch *watch, FunctionCallInfo fcinfo)
{
	const SpqWatchSide *objects = &watch->objects,
			   *fences = &watch->fences;

	return watch->self && strcmp(objects->column, fences->column) == 0 &&
		strcmp(objects->key, fences->key) == 0 &&
		PG_ARGISNULL(ARG_FENCE_CONDITION) && PG_ARGISNULL(ARG_FENCE_GROUP);
}

/* spqtree_watch(...): create a watch, and return its table of pairs. */
Datum
spq_watch(PG_FUNCTION_ARGS)
{
	SpqWatch   *watch = palloc0(sizeof(SpqWatch));
	char	   *name = require(text_argument(fcinfo, ARG_WATCH), "watch"),
			   *events = text_argument(fcinfo, ARG_EVENTS);
	bool		both_ways = !PG_ARGISNULL(ARG_BOTH_WAYS) && PG_GETARG_BOOL(ARG_BOTH_WAYS);

	if (PG_ARGISNULL(ARG_OBJECTS))
		require(NULL, "objects");
	watch->schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	watch->prefix = pstrdup(quote_identifier(get_namespace_name(watch->schema)));
	watch->owner = GetUserId();
	read_sides(watch, fcinfo);
	watch->name = name_of_new(watch, name);
	check_name(watch);
	watch->once = symmetric(watch, fcinfo) && !both_ways;
	watch->distance = distance_argument(fcinfo, ARG_DISTANCE, 0, "distance");
	watch->leave_distance = distance_argument(fcinfo, ARG_LEAVE_DISTANCE, watch->distance,
											  "leave_distance");
	watch->dwell = dwell_argument(fcinfo);
	watch->kinds = kinds_argument(fcinfo);
	watch->notify = text_argument(fcinfo, ARG_NOTIFY);
	watch->events = name_of_events(watch, events);
	watch->plain = spq_watch_plain_type(watch->objects.column_type) &&
		spq_watch_plain_type(watch->fences.column_type);
	watch->position = spq_watch_position_type(watch->objects.column_type);
	check_apart(watch);
	check_options(watch, both_ways);
	advise_key(&watch->objects);
	if (!watch->self)
		advise_key(&watch->fences);
	check_types(watch);
	advise_index(&watch->fences);
	if (!watch->self)
		advise_index(&watch->objects);

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	spq_watch_install(watch);
	check_temporary(watch, watch->pairs);
	SPI_finish();
	PG_RETURN_OID(watch->pairs);
}
