/*-------------------------------------------------------------------------
 *
 * triggers.c
 *	  The triggers of a watch.
 *
 *		BEFORE STATEMENT	locks the sequence
 *		  the statement		changes rows
 *		AFTER STATEMENT		settles the pairs of these rows
 *
 * Two locks on the sequence of the watch, held to the end of the transaction,
 * order the transactions that could miss each other's changes:
 *
 *		ROW EXCLUSIVE			a change of objects
 *		SHARE ROW EXCLUSIVE		a change of fences; a change of objects that are
 *								their own fences, or whose key is not unique
 *
 * The first conflicts only with the second, the second with both.  The lock is
 * taken before the statement locks rows, so that two statements cannot wait
 * for each other, one for a row and the other for the sequence.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "act_as.h"
#include "watch/definition/watch.h"
#include "watch/pairs/changes.h"

PG_FUNCTION_INFO_V1(spq_watch_lock);
PG_FUNCTION_INFO_V1(spq_watch_changed);
PG_FUNCTION_INFO_V1(spq_watch_definition);

/* Return the trigger data of a call. */
static TriggerData *
called_by(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" can only be called as a trigger",
						get_func_name(fcinfo->flinfo->fn_oid)),
				 errhint("spqtree_watch creates the triggers of a watch.")));
	return (TriggerData *) fcinfo->context;
}

static LOCKMODE
lock_mode(const SpqWatch *watch, SpqWatchRole role)
{
	if (role == SPQ_WATCH_OBJECTS && watch->objects.key_unique)
		return RowExclusiveLock;
	return ShareRowExclusiveLock;
}

/*
 * BEFORE STATEMENT: wait for the transactions whose changes this statement
 * must see.
 */
Datum
spq_watch_lock(PG_FUNCTION_ARGS)
{
	TriggerData *data = called_by(fcinfo);
	Oid			schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	SpqWatchRole role;
	SpqWatch   *watch = spq_watch_of_trigger(data, schema, &role);

	if (watch != NULL)
	{
		LOCKMODE	mode = lock_mode(watch, role);
		Oid			sequence = watch->sequence;

		spq_watch_release(watch);
		LockRelationOid(sequence, mode);
	}
	return PointerGetDatum(NULL);
}

/*
 * Settle what a statement changed, as the owner of the watch.  (Checks of
 * foreign keys likewise run as the owner of the table.)
 */
static void
settle_changes(SpqWatch *watch, SpqWatchRole role, TriggerData *data)
{
	SpqWatchChanges changes = {0};
	bool		truncated = TRIGGER_FIRED_BY_TRUNCATE(data->tg_event);
	SpqActor	before;

	changes.context = CurrentMemoryContext;
	changes.searches = !truncated && spq_watch_can_search(watch, role);
	if (changes.searches)
	{
		/* this runs no query; usually nothing is left to do */
		spq_watch_collect(watch, role, data, &changes);
		if (changes.keys == NULL &&
			(changes.touched == NULL || !spq_watch_may_be_due(watch, GetCurrentTimestamp())))
			return;
	}
	spq_act_as(watch->owner, SECURITY_LOCAL_USERID_CHANGE, &before);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	if (truncated)
		spq_watch_collect_gone(watch, role, &changes);
	else if (!changes.searches)
		spq_watch_collect(watch, role, data, &changes);
	spq_watch_settle(watch, role, &changes);
	SPI_finish();
	spq_act_as_before(&before);
}

/* AFTER STATEMENT: settle the pairs of the rows that the statement changed. */
Datum
spq_watch_changed(PG_FUNCTION_ARGS)
{
	TriggerData *data = called_by(fcinfo);
	Oid			schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	SpqWatchRole role;
	SpqWatch   *watch = spq_watch_of_trigger(data, schema, &role);

	if (watch == NULL)
		return PointerGetDatum(NULL);
	PG_TRY();
	{
		settle_changes(watch, role, data);
	}
	PG_FINALLY();
	{
		spq_watch_release(watch);
	}
	PG_END_TRY();
	return PointerGetDatum(NULL);
}

/*
 * BEFORE TRUNCATE of a table of pairs: refuse it, because pairs that hold
 * would be missing.  The arguments of the trigger are the definition of the
 * watch.
 */
Datum
spq_watch_definition(PG_FUNCTION_ARGS)
{
	TriggerData *data = called_by(fcinfo);

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("cannot truncate \"%s\", the table of pairs of a watch",
					RelationGetRelationName(data->tg_relation)),
			 errhint("Call spqtree_unwatch to end the watch.")));
}
