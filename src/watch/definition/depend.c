/*-------------------------------------------------------------------------
 *
 * depend.c
 *	  The dependencies by which DROP removes the objects of a watch.
 *
 * The table of pairs depends on the watched tables, and the triggers depend on
 * the table of pairs, as an index depends on its table.  A dependency follows
 * a rename, and the names in the definition do not, so a dependency on a table
 * that has another name reveals a rename.
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
#include "watch/definition/watch.h"

/* An object, and a table that it may depend on. */
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

/*
 * Return whether an object depends on a table.  For a trigger, only an
 * automatic dependency counts.
 */
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
 * Return a table on which an object depends, other than these two, or
 * InvalidOid.
 */
static Oid
goes_with_other(Oid class, Oid object, Oid table1, Oid table2)
{
	const Oid	tables[2] = {table1, table2};

	return spq_find_dependency(class, object, is_with_other, tables);
}

/*
 * Raise an error if the table of pairs depends on a table that the definition
 * does not name.  That table was renamed, and changes to it would be missed.
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
 * Raise an error if a trigger of a table depends on a table of pairs other
 * than "pairs", which has the name in its arguments.  Its table of pairs, or
 * the schema, was renamed, and another user may have created the table that
 * has the name now.
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

/*
 * Make an object depend on a table, so that DROP TABLE drops it.  Return
 * whether the dependency is new.
 */
bool
spq_watch_add_dependency(Oid class, Oid object, Oid table)
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
