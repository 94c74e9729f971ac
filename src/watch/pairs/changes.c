/*-------------------------------------------------------------------------
 *
 * changes.c
 *	  The rows that a statement changed, from its transition tables.
 *
 * The n-th old and the n-th new row of an UPDATE are two versions of one row,
 * except where a trigger suppressed the second half of a move between
 * partitions.  No answer depends on that: two versions with the same key and
 * the same columns change nothing, whichever rows they belong to.
 *
 * A pair of an object can begin or end only if its fence is near the old or
 * the new position.  That includes pairs that are held: a change of either
 * side settles its pairs at once, so the fence of a held pair is within the
 * leave distance of the old position.  So a row without a fence near needs no
 * settling.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/tuplestore.h"

#include "watch/pairs/changes.h"

#define PROBES_AT_ONCE 8192

/* The watched columns of a table, and what to collect from its rows. */
typedef struct Collector
{
	SpqWatch   *watch;
	const SpqWatchSide *side;
	SpqWatchChanges *changes;
	bool		fences;			/* the rows are fences only */
	bool		by_nearness;	/* settle only rows with a fence near */
	bool		log_moves;
	bool		log_ways;
	bool		touches;		/* collect the keys of all rows */
	int			axes;
	SpqTypeBoxOf bounds;

	TupleDesc	desc;
	AttrNumber	key;
	AttrNumber	column;
	AttrNumber	last;			/* of these two and those below */

	/*
	 * The columns on which pairs depend.  Objects that are their own fences
	 * have those of both sides: a player may be seen at one column, and see
	 * with another.
	 */
	bool		all_columns;	/* a condition may read any */
	int			ncompared;
	AttrNumber	compared[4];
} Collector;

typedef struct Version
{
	bool		exists;
	TupleTableSlot *slot;
	Datum		key;
	Datum		place;
	bool		no_place;		/* null */
} Version;

static void
add(ArrayBuildState **list, Datum value, Oid type, MemoryContext context)
{
	*list = accumArrayResult(*list, value, false, type, context);
}

/*
 * Return the number of a column.  The table may be a partition whose columns
 * have another order.
 */
static AttrNumber
find_column(const Collector *collector, Relation table, const char *name)
{
	AttrNumber	attnum = get_attnum(RelationGetRelid(table), name);

	if (attnum <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						name, RelationGetRelationName(table))));
	return attnum;
}

/* Add the columns on which the pairs of a side depend. */
static void
compare_columns(Collector *collector, const SpqWatchSide *side, Relation table)
{
	collector->compared[collector->ncompared++] = find_column(collector, table, side->column);
	if (side->group != NULL)
		collector->compared[collector->ncompared++] = find_column(collector, table, side->group);
	if (side->condition != NULL)
		collector->all_columns = true;
}

static void
init_collector(Collector *collector, SpqWatch *watch, SpqWatchRole role, Relation table,
			   SpqWatchChanges *changes)
{
	SpqTypeOperand operand = {.type = watch->position};

	memset(collector, 0, sizeof(Collector));
	collector->watch = watch;
	collector->side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;
	collector->changes = changes;
	collector->fences = role == SPQ_WATCH_FENCES;
	collector->touches = watch->dwell > 0;
	collector->log_ways = !collector->fences && spq_watch_wants(watch, SPQ_WATCH_CROSS);
	collector->log_moves = !collector->fences &&
		(spq_watch_wants(watch, SPQ_WATCH_INSIDE) || spq_watch_wants(watch, SPQ_WATCH_OUTSIDE));

	/*
	 * Events of kind "outside" need no fence near.  A move may cross a fence
	 * that is far from both ends; only the box around both positions, which
	 * is the probe for boxes and points, finds it.
	 */
	collector->by_nearness = role == SPQ_WATCH_OBJECTS &&
		!spq_watch_wants(watch, SPQ_WATCH_OUTSIDE) &&
		(watch->plain || !collector->log_ways);
	if (watch->position)
	{
		collector->axes = watch->position->axes;
		spq_type_box_init(&collector->bounds, &operand, true, InvalidOid);
	}
	collector->desc = RelationGetDescr(table);
	collector->key = find_column(collector, table, collector->side->key);
	collector->column = find_column(collector, table, collector->side->column);
	if (role != SPQ_WATCH_FENCES)
		compare_columns(collector, &watch->objects, table);
	if (role != SPQ_WATCH_OBJECTS)
		compare_columns(collector, &watch->fences, table);
	collector->last = Max(collector->key, collector->column);
	for (int i = 0; i < collector->ncompared; i++)
		collector->last = Max(collector->last, collector->compared[i]);
}

/*
 * Read the next row of a transition table.  A row whose key is null is in no
 * pair; it does not exist here.
 */
static Version
next_version(const Collector *collector, Tuplestorestate *rows, TupleTableSlot *slot)
{
	Version		version = {.slot = slot};
	bool		no_key;

	if (rows == NULL || !tuplestore_gettupleslot(rows, true, false, slot))
		return version;
	version.exists = true;
	slot_getsomeattrs(slot, collector->last);
	version.key = slot_getattr(slot, collector->key, &no_key);
	version.place = slot_getattr(slot, collector->column, &version.no_place);
	if (no_key)
		version.exists = false;
	return version;
}

/* Return whether a column has the same value in two versions. */
static bool
same_column(const Collector *collector, const Version *old, const Version *new, AttrNumber attnum)
{
	Form_pg_attribute attribute = TupleDescAttr(collector->desc, attnum - 1);
	bool		old_null,
				new_null;
	Datum		old_value = slot_getattr(old->slot, attnum, &old_null),
				new_value = slot_getattr(new->slot, attnum, &new_null);

	if (old_null || new_null)
		return old_null && new_null;
	return datum_image_eq(old_value, new_value, attribute->attbyval, attribute->attlen);
}

/* Return whether two versions with the same key have the same pairs. */
static bool
same_row(const Collector *collector, const Version *old, const Version *new)
{
	for (int i = 0; i < collector->ncompared; i++)
		if (!same_column(collector, old, new, collector->compared[i]))
			return false;
	if (collector->all_columns)
		for (AttrNumber attnum = 1; attnum <= collector->desc->natts; attnum++)
			if (!TupleDescAttr(collector->desc, attnum - 1)->attisdropped &&
				!same_column(collector, old, new, attnum))
				return false;
	return true;
}

/* Return whether nothing but the place differs of what pairs depend on. */
static bool
differs_in_place_only(const Collector *collector, const Version *old, const Version *new)
{
	if (collector->all_columns)
		return false;
	for (int i = 0; i < collector->ncompared; i++)
		if (collector->compared[i] != collector->column &&
			!same_column(collector, old, new, collector->compared[i]))
			return false;
	return true;
}

/*
 * Extend a box, which may be empty, by the bounds of a version.  A version
 * without a place adds nothing.  Return false if the bounds are not finite.
 */
static bool
add_bounds(Collector *collector, const Version *version, float8 *box, bool *empty)
{
	float8		more[SPQ_TYPE_NUMBERS];
	int			axes = collector->axes;

	if (!version->exists || version->no_place)
		return true;
	spq_type_box_of(&collector->bounds, version->place, more);
	for (int axis = 0; axis < axes; axis++)
	{
		float8	   *high = &more[axis],
				   *low = &more[axes + axis];

		if (isinf(*high) || isinf(*low) || !(*high >= *low))
			return false;
		box[axis] = *empty ? *high : Max(*high, box[axis]);
		box[axes + axis] = *empty ? *low : Min(*low, box[axes + axis]);
	}
	*empty = false;
	return true;
}

/* Settle the pairs of a row. */
static void
add_key(Collector *collector, Datum key)
{
	add(&collector->changes->keys, key, collector->side->key_type, collector->changes->context);
}

/* Settle the pairs of a row if a fence is near a probe. */
static void
add_probe(Collector *collector, Datum probe, Datum key)
{
	SpqWatchChanges *changes = collector->changes;

	add(&changes->probes, probe, spq_watch_probe_type(collector->watch), changes->context);
	add(&changes->probe_keys, key, collector->side->key_type, changes->context);
	if (changes->probes->nelems == PROBES_AT_ONCE)
		spq_watch_keep_near(collector->watch, changes);
}

/* Return the place of a version, or NULL if it has none. */
static const Datum *
place_of(const Version *version)
{
	return version->exists && !version->no_place ? &version->place : NULL;
}

/*
 * Settle a row if a fence is near one of its versions, or always if nearness
 * does not decide.  If both versions exist, they have the same key; then
 * "place_only" says whether pairs depend on no other column that differs.
 */
static void
add_row(Collector *collector, const Version *old, const Version *new, bool place_only)
{
	Datum		key = old->exists ? old->key : new->key;
	float8		box[SPQ_TYPE_NUMBERS];
	bool		empty = true;

	if (!collector->by_nearness)
		add_key(collector, key);
	else if (collector->watch->plain)
	{
		if (!add_bounds(collector, old, box, &empty) ||
			!add_bounds(collector, new, box, &empty))
			add_key(collector, key);
		else if (empty)
			return;
		else if (collector->changes->moves != NULL)
			spq_watch_add_move(collector->changes->moves, collector->changes, key,
							   place_of(old), place_of(new), place_only, box);
		else
			add_probe(collector, PointerGetDatum(box), key);
	}
	else
	{
		if (old->exists && !old->no_place)
			add_probe(collector, old->place, key);
		if (new->exists && !new->no_place)
			add_probe(collector, new->place, key);
	}
}

/*
 * Set a point to the center of a version's place.  Return false if the place
 * is null or not finite.
 */
static bool
middle(Collector *collector, const Version *version, float8 *point)
{
	float8		box[SPQ_TYPE_NUMBERS];
	bool		empty = true;
	int			axes = collector->axes;

	if (!add_bounds(collector, version, box, &empty) || empty)
		return false;
	for (int axis = 0; axis < axes; axis++)
		point[axis] = box[axis] == box[axes + axis] ? box[axis] :
			box[axis] / 2 + box[axes + axis] / 2;
	return true;
}

/* Record that an object moved, and the segment of the move. */
static void
add_move(Collector *collector, const Version *old, const Version *new)
{
	SpqWatchChanges *changes = collector->changes;
	float8		way[SPQ_TYPE_NUMBERS];

	if (collector->log_moves)
		add(&changes->moved, new->key, collector->side->key_type, changes->context);
	if (collector->log_ways && middle(collector, old, way) &&
		middle(collector, new, way + collector->axes))
	{
		add(&changes->way_keys, new->key, collector->side->key_type, changes->context);
		add(&changes->ways, PointerGetDatum(way), spq_watch_segment_type(collector->watch),
			changes->context);
	}
}

/* Record a key of a row, changed or not: its waiting pairs may be due. */
static void
touch(Collector *collector, const Version *version)
{
	if (version->exists)
		add(&collector->changes->touched, version->key, collector->side->key_type,
			collector->changes->context);
}

/* Process the n-th old and the n-th new row of a statement. */
static void
add_versions(Collector *collector, const Version *old, const Version *new)
{
	static const Version none = {0};
	bool		same_key = old->exists && new->exists &&
		same_column(collector, old, new, collector->key);

	if (collector->touches)
	{
		touch(collector, old);
		if (!same_key)
			touch(collector, new);
	}
	if (same_key)
	{
		if (same_row(collector, old, new))
			return;
		if ((collector->log_moves || collector->log_ways) &&
			!same_column(collector, old, new, collector->column))
			add_move(collector, old, new);
		add_row(collector, old, new, differs_in_place_only(collector, old, new));
		return;
	}
	if (old->exists)
		add_row(collector, old, &none, false);
	if (new->exists)
		add_row(collector, &none, new, false);
	if (new->exists && collector->log_moves)
		add(&collector->changes->moved, new->key, collector->side->key_type,
			collector->changes->context);
}

/*
 * Start to read a transition table, with a read pointer of our own because
 * other triggers read it, too.
 */
static TupleTableSlot *
start_reading(Tuplestorestate *rows, TupleDesc desc)
{
	if (rows != NULL)
	{
		tuplestore_select_read_pointer(rows, tuplestore_alloc_read_pointer(rows, EXEC_FLAG_REWIND));
		tuplestore_rescan(rows);
	}
	return MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
}

/*
 * Collect the keys of the rows that a statement changed.  Rows of objects
 * without a fence near are left out where that is possible (by_nearness).
 */
void
spq_watch_collect(SpqWatch *watch, SpqWatchRole role, TriggerData *data,
				  SpqWatchChanges *changes)
{
	Collector	collector;
	TupleTableSlot *old_slot,
			   *new_slot;

	init_collector(&collector, watch, role, data->tg_relation, changes);
	if (changes->searches)
		changes->moves = spq_watch_start_moves(watch, TupleDescAttr(collector.desc, collector.column - 1));
	old_slot = start_reading(data->tg_oldtable, collector.desc);
	new_slot = start_reading(data->tg_newtable, collector.desc);
	for (;;)
	{
		Version		old = next_version(&collector, data->tg_oldtable, old_slot),
					new = next_version(&collector, data->tg_newtable, new_slot);

		CHECK_FOR_INTERRUPTS();
		if (TupIsNull(old_slot) && TupIsNull(new_slot))
			break;
		add_versions(&collector, &old, &new);
	}
	ExecDropSingleTupleTableSlot(old_slot);
	ExecDropSingleTupleTableSlot(new_slot);
	if (changes->probes != NULL)
		spq_watch_keep_near(watch, changes);
	if (changes->moves != NULL)
		spq_watch_search_moves(changes->moves, changes);
}
