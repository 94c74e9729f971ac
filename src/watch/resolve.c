/*-------------------------------------------------------------------------
 *
 * resolve.c
 *	  From the names in a definition to the objects themselves, locked.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "nodes/pg_list.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "types/registry.h"
#include "watch/definition/watch.h"
#include "watch/pairs/changes.h"

/*
 * Return the sequence that numbers the statements of a watch and is its lock.
 */
static Oid
find_sequence(const SpqWatch *watch)
{
	List	   *sequences = getOwnedSequences(watch->pairs);

	if (sequences == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("watch %s has no sequence", watch->name),
				 errdetail("A sequence that belongs to the table of pairs numbers the statements of a watch."),
				 errhint("End the watch with spqtree_unwatch, and create it again.")));
	return linitial_oid(sequences);
}

/*
 * Check that a watch may use a locked table: the table has triggers of the watch,
 * or the owner may read it.  A definition alone grants nothing, not even a lock;
 * the error releases it.
 */
static void
check_side(const SpqWatch *watch, SpqWatchRole role, Oid table)
{
	AclResult	result = pg_class_aclcheck(table, watch->owner, ACL_SELECT);

	if (result != ACLCHECK_OK && !spq_watch_has_triggers(watch, role, table))
		aclcheck_error(result, OBJECT_TABLE, get_rel_name(table));
}

/*
 * Find and lock everything that the definition names.  Return false if a
 * watched table does not exist any more: then the watch has ended.
 */
bool
spq_watch_resolve(SpqWatch *watch)
{
	spq_watch_find_tables(watch);
	spq_watch_check_names(watch);
	if (!OidIsValid(watch->objects.relid) || !OidIsValid(watch->fences.relid))
		return false;
	watch->self = watch->objects.relid == watch->fences.relid;
	check_side(watch, watch->self ? SPQ_WATCH_BOTH : SPQ_WATCH_OBJECTS, watch->objects.relid);
	check_side(watch, watch->self ? SPQ_WATCH_BOTH : SPQ_WATCH_FENCES, watch->fences.relid);
	spq_watch_resolve_side(&watch->objects, watch->owner);
	spq_watch_resolve_side(&watch->fences, watch->owner);
	spq_watch_find_events(watch);
	watch->sequence = find_sequence(watch);
	spq_watch_find_waiting_index(watch);
	watch->plain = spq_watch_plain_type(watch->objects.column_type) &&
		spq_watch_plain_type(watch->fences.column_type);
	watch->position = spq_watch_position_type(watch->objects.column_type);
	if (!spq_watch_find_within(watch))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("watch \"%s\" lacks a function for distances of types %s and %s",
						watch->name, format_type_be(watch->objects.column_type),
						format_type_be(watch->fences.column_type))));
	return true;
}
