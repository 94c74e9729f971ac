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

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_trigger.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "watch/watch.h"

/* Return whether an object depends on a table. */
static bool
depends_on(const ObjectAddress *object, Oid table)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&key[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object->classId));
	ScanKeyInit(&key[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object->objectId));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, key);
	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		found = form->refclassid == RelationRelationId && form->refobjid == table &&
			(object->classId == RelationRelationId || form->deptype == DEPENDENCY_AUTO) &&
			form->refobjsubid == 0;
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return found;
}

/*
 * Return a table that an object goes with, other than these two; InvalidOid if it goes
 * with no other.
 */
static Oid
goes_with_other(Oid class, Oid object, Oid table1, Oid table2)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			other = InvalidOid;

	ScanKeyInit(&key[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(class));
	ScanKeyInit(&key[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, key);
	while (!OidIsValid(other) && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (form->refclassid == RelationRelationId && form->deptype == DEPENDENCY_AUTO &&
			form->refobjsubid == 0 && form->refobjid != table1 && form->refobjid != table2)
			other = form->refobjid;
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return other;
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
