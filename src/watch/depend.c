/*-------------------------------------------------------------------------
 *
 * depend.c
 *	  What goes with what on DROP, and so tells whether it was renamed.
 *
 * Tables of pairs and triggers depend on tables as an index does on its table.  A
 * definition has names, so what an object depends on may not be what has the name now.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_trigger.h"
#include "utils/lsyscache.h"

#include "dependency.h"
#include "watch/watch.h"

/* A table that an object depends on, if it goes with it. */
typedef struct WithTable
{
	const ObjectAddress *object;
	Oid			table;
} WithTable;

static bool
is_with_table(Form_pg_depend dependency, const void *arg)
{
	const WithTable *with = arg;

	return dependency->refclassid == RelationRelationId &&
		dependency->refobjid == with->table && dependency->refobjsubid == 0 &&
		(with->object->classId == RelationRelationId ||
		 dependency->deptype == DEPENDENCY_AUTO);
}

/* Return whether an object depends on a table. */
static bool
depends_on(const ObjectAddress *object, Oid table)
{
	const WithTable with = {object, table};

	return OidIsValid(spq_find_dependency(object->classId, object->objectId,
										  is_with_table, &with));
}

static bool
is_with_other(Form_pg_depend dependency, const void *arg)
{
	const Oid  *tables = arg;

	return dependency->refclassid == RelationRelationId &&
		dependency->deptype == DEPENDENCY_AUTO && dependency->refobjsubid == 0 &&
		dependency->refobjid != tables[0] && dependency->refobjid != tables[1];
}

/*
 * Return a table that an object goes with, other than these two; InvalidOid if it goes
 * with no other.
 */
static Oid
goes_with_other(Oid class, Oid object, Oid table1, Oid table2)
{
	const Oid	tables[2] = {table1, table2};

	return spq_find_dependency(class, object, is_with_other, tables);
}

/*
 * Raise an error if the table of pairs goes with a table that the definition does not
 * name: it was renamed, and changes of it would be missed.
 */
void
spq_watch_check_names(const SpqWatch *watch)
{
	Oid			other = goes_with_other(RelationRelationId, watch->pairs,
										watch->objects.relid, watch->fences.relid);

	if (OidIsValid(other))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"%s\" of watch %s was renamed", get_rel_name(other), watch->name),
				 errdetail("The watch is of %s and %s.", watch->objects.table,
						   watch->fences.table),
				 errhint("Rename it back, or end the watch with spqtree_unwatch and create it again.")));
}

/*
 * Raise an error if a trigger of a table goes with another table of pairs than the one
 * of the name that it has: that was renamed, or its schema, and somebody else may have
 * made up the one that has the name now.
 */
void
spq_watch_check_trigger(const Trigger *trigger, Oid table, Oid pairs)
{
	Oid			other = goes_with_other(TriggerRelationId, trigger->tgoid, table, pairs);

	if (OidIsValid(other))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table of pairs %s of trigger \"%s\" was renamed",
						trigger->tgargs[0], trigger->tgname),
				 errdetail("It is \"%s\" in schema \"%s\" now.", get_rel_name(other),
						   get_namespace_name(get_rel_namespace(other))),
				 errhint("Rename it back, or end the watch with spqtree_unwatch and create it again.")));
}

/* Let an object go with a table.  Return whether it did not before. */
bool
spq_watch_go_with(Oid class, Oid object, Oid table)
{
	ObjectAddress dependent,
				referenced;

	ObjectAddressSet(dependent, class, object);
	ObjectAddressSet(referenced, RelationRelationId, table);
	if (!OidIsValid(table) || depends_on(&dependent, table))
		return false;
	recordDependencyOn(&dependent, &referenced, DEPENDENCY_AUTO);
	CommandCounterIncrement();
	return true;
}
