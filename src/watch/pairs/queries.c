/*-------------------------------------------------------------------------
 *
 * queries.c
 *	  The queries of a watch, as text.
 *
 * They take the keys of some objects or fences.  A full join compares the
 * pairs that hold now, computed from the watched tables, with the pairs that
 * are held, in the table of pairs:
 *
 *		holds	held	near
 *		yes		no		yes		begins
 *		yes		no		no		no change: only within the leave distance
 *		yes		yes				stays
 *		no		yes				ends
 *
 * A full join is a hash join or a merge join, so a wrong estimate cannot make
 * it quadratic.
 *
 * With a dwell time, a row of the table of pairs is in one of three states, and
 * none has a row in the table:
 *
 *		entered		waiting			held
 *		false		time			yes		will enter, if it still holds then
 *		true		null			yes		has entered
 *		true		time			no		will leave, if it still does not hold
 *
 * So "waiting" is set where "entered" and "held" differ; it is the time since
 * when they do.  A pair is due if that is at least the dwell time ago: then it
 * enters or leaves first, before anything else happens to it.  So the events do
 * not depend on when somebody asks for them.
 *
 * A pair that waits may be changed by a statement that changes its rows, and by
 * spqtree_settle_watch.  Both lock its row in the table of pairs: the first waits
 * for it and reads it again, and the second skips it if it is locked.
 *
 * Every name and every operator on keys is qualified, so that no search_path
 * can change their meaning.  Arguments have exactly the declared types of the
 * function, so that no other function in its schema is a better match.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "watch/pairs/queries.h"

/*
 * Return a column of a watched table.  A domain is converted to its base type,
 * because another user could create a function or an operator that matches the
 * domain better than ours.
 */
static char *
column(const SpqWatchSide *side, const char *alias, const char *name, Oid type)
{
	char	   *text = psprintf("%s.%s", alias, quote_identifier(name));

	if (get_atttype(side->relid, get_attnum(side->relid, name)) == type)
		return text;

	return psprintf("%s::%s", text, spq_watch_type_name(type));
}

static char *
key_of(const SpqWatchSide *side, const char *alias)
{
	return column(side, alias, side->key, side->key_type);
}

static char *
place_of(const SpqWatchSide *side, const char *alias)
{
	return column(side, alias, side->column, side->column_type);
}

static char *
group_of(const SpqWatchSide *side, const char *alias)
{
	return column(side, alias, side->group, side->group_type);
}

/*
 * Return a comparison by the default equality or less-than operator of a type,
 * with the operator qualified.
 */
static char *
compare(Oid type, bool equal, const char *left, const char *right)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR);
	HeapTuple	tuple = SearchSysCache1(OPEROID,
										ObjectIdGetDatum(equal ? entry->eq_opr : entry->lt_opr));
	Form_pg_operator form = (Form_pg_operator) GETSTRUCT(tuple);
	char	   *text = psprintf("%s OPERATOR(%s.%s) %s", left,
								quote_identifier(get_namespace_name(form->oprnamespace)),
								NameStr(form->oprname), right);

	ReleaseSysCache(tuple);
	return text;
}

static char *
equals(Oid type, const char *left, const char *right)
{
	return compare(type, true, left, right);
}

/* Return the condition that two shapes are within a distance. */
static char *
within(const SpqWatch *watch, const char *left, const char *right, float8 distance)
{
	return psprintf("%s(%s, %s, '%s'::pg_catalog.float8%s)", watch->within, left, right,
					spq_watch_number(distance), watch->within_end);
}

/*
 * Return the conditions on an object "o" and a fence "f" other than the
 * distance.  They start with AND.
 */
static char *
admitted(const SpqWatch *watch)
{
	const SpqWatchSide *objects = &watch->objects,
			   *fences = &watch->fences;
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, " AND %s IS NOT NULL AND %s IS NOT NULL",
					 key_of(objects, "o"), key_of(fences, "f"));
	if (objects->condition != NULL)
		appendStringInfo(&text, " AND (%s)", objects->condition);
	if (fences->condition != NULL)
		appendStringInfo(&text, " AND (%s)", fences->condition);
	if (objects->group != NULL)
		appendStringInfo(&text, " AND %s",
						 equals(objects->group_type, group_of(objects, "o"),
								group_of(fences, "f")));
	if (watch->once)
		appendStringInfo(&text, " AND %s",
						 compare(objects->key_type, false, key_of(objects, "o"),
								 key_of(fences, "f")));
	else if (watch->self)
		appendStringInfo(&text, " AND NOT (%s)",
						 equals(objects->key_type, key_of(objects, "o"),
								key_of(fences, "f")));
	return text.data;
}

/* Return an array parameter as a relation of one column, "key". */
static char *
keys(int parameter, Oid type)
{
	return psprintf("pg_catalog.unnest($%d::%s[]) AS k(key)", parameter,
					spq_watch_type_name(type));
}

/*
 * Return the query for the pairs that hold now: those of the keys in $1, which
 * are keys of "of", or all pairs if "of" is NULL.
 */
static char *
pairs_now(const SpqWatch *watch, const SpqWatchSide *of)
{
	const SpqWatchSide *objects = &watch->objects,
			   *fences = &watch->fences;
	char	   *object = key_of(objects, "o"),
			   *fence = key_of(fences, "f"),
			   *position = place_of(objects, "o"),
			   *area = place_of(fences, "f"),
			   *near = "true";
	StringInfoData text;

	initStringInfo(&text);
	if (watch->leave_distance > watch->distance)
		near = within(watch, position, area, watch->distance);
	appendStringInfo(&text, "SELECT %s AS object, %s AS fence, %s AS near FROM ",
					 object, fence, near);
	if (of != NULL)
		appendStringInfo(&text, "%s, ", keys(1, of->key_type));
	appendStringInfo(&text, "%s AS o, %s AS f WHERE %s%s", objects->table, fences->table,
					 within(watch, position, area, watch->leave_distance), admitted(watch));
	if (of != NULL)
		appendStringInfo(&text, " AND %s",
						 equals(of->key_type, of == objects ? object : fence, "k.key"));
	return text.data;
}

/*
 * Return the query for the pairs in the table of pairs: those of the keys in
 * $1, or all.
 */
static char *
pairs_held(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	Oid			type = role == SPQ_WATCH_FENCES ? watch->fences.key_type : watch->objects.key_type;
	const char *columns = watch->dwell == 0 ? "p.object, p.fence, p.ctid" :
		"p.object, p.fence, p.ctid, p.entered, p.waiting, (NOT p.entered OR p.waiting IS NULL) AS held";
	char	   *start = psprintf("SELECT %s FROM %s, %s AS p WHERE ",
								 columns, keys(1, type), watch->name),
			   *of_object = equals(type, "p.object", "k.key"),
			   *of_fence = equals(type, "p.fence", "k.key");

	if (all)
		return psprintf("SELECT %s FROM %s AS p", columns, watch->name);
	switch (role)
	{
		case SPQ_WATCH_OBJECTS:
			return psprintf("%s%s", start, of_object);
		case SPQ_WATCH_FENCES:
			return psprintf("%s%s", start, of_fence);
		case SPQ_WATCH_BOTH:
			return psprintf("%s%s UNION %s%s", start, of_object, start, of_fence);
	}
	elog(ERROR, "unknown role %d", role);
}

/* Return the condition that two pairs are the same. */
static char *
same_pair(const SpqWatch *watch, const char *left, const char *right)
{
	return psprintf("%s AND %s",
					equals(watch->objects.key_type, psprintf("%s.object", left),
						   psprintf("%s.object", right)),
					equals(watch->fences.key_type, psprintf("%s.fence", left),
						   psprintf("%s.fence", right)));
}

/*
 * Return a WITH clause that defines "pairs": the pairs of the keys in $1, or
 * all, with whether they hold and whether they are held.  With a dwell time also
 * whether they are in the table of pairs ("kept"), and their state there.
 */
static char *
both_states(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	const SpqWatchSide *objects = &watch->objects,
			   *fences = &watch->fences;
	char	   *now;

	if (all)
		now = pairs_now(watch, NULL);
	else if (role == SPQ_WATCH_BOTH)
		now = psprintf("%s UNION ALL %s", pairs_now(watch, objects), pairs_now(watch, fences));
	else
		now = pairs_now(watch, role == SPQ_WATCH_OBJECTS ? objects : fences);

	/* a pair may be found from both ends, or by several rows with one key */
	if ((role == SPQ_WATCH_BOTH && !all) || !objects->key_unique || !fences->key_unique)
		now = psprintf("SELECT n.object, n.fence, pg_catalog.bool_or(n.near) AS near "
					   "FROM (%s) AS n GROUP BY n.object, n.fence", now);
	return psprintf("WITH pairs AS MATERIALIZED (SELECT "
					"COALESCE(n.object, h.object) AS object, COALESCE(n.fence, h.fence) AS fence, "
					"h.ctid AS place, n.near, n.object IS NOT NULL AS holds, %s "
					"FROM (%s) AS n FULL JOIN (%s) AS h ON %s)",
					watch->dwell == 0 ? "h.object IS NOT NULL AS held" :
					"h.object IS NOT NULL AS kept, COALESCE(h.held, false) AS held, "
					"COALESCE(h.entered, false) AS entered, h.waiting",
					now, pairs_held(watch, role, all), same_pair(watch, "n", "h"));
}

/* Return the FROM and WHERE clauses for the fences near a probe. */
static char *
near_probe(const SpqWatch *watch, const char *probe)
{
	/* the bounds of two positions may be rounded farther from a fence */
	float8		distance = watch->leave_distance * (1 + 1e-9);

	return psprintf("%s AS f WHERE %s", watch->fences.table,
					within(watch, probe, place_of(&watch->fences, "f"), distance));
}

static char *
near_query(const SpqWatch *watch)
{
	return psprintf("SELECT m.number FROM pg_catalog.unnest($1::%s[]) WITH ORDINALITY AS m(probe, number) "
					"WHERE EXISTS (SELECT FROM %s)",
					spq_watch_type_name(spq_watch_probe_type(watch)),
					near_probe(watch, "m.probe"));
}

static char *
near_one_query(const SpqWatch *watch)
{
	return psprintf("SELECT 1::pg_catalog.int8 FROM %s LIMIT 1", near_probe(watch, "$1"));
}

static char *
differs_query(const SpqWatch *watch, SpqWatchRole role)
{
	return psprintf("%s SELECT FROM pairs AS d WHERE CASE WHEN d.held THEN NOT d.holds ELSE d.near END",
					both_states(watch, role, false));
}

/* Append a branch to the union of a statement's events, which happened at a time. */
static void
add_events(StringInfo text, SpqWatchKind kind, const char *at, const char *select)
{
	appendStringInfo(text, "%s SELECT %d AS kind, %s AS at, %s", text->len > 0 ? " UNION ALL" : "",
					 kind, at, select);
}

/* Return the query for moves that meet a fence while both ends are outside. */
static char *
crossings(const SpqWatch *watch)
{
	const SpqWatchSide *objects = &watch->objects,
			   *fences = &watch->fences;
	char	   *type = spq_watch_type_name(objects->key_type),
			   *segment = spq_watch_type_name(spq_watch_segment_type(watch));

	return psprintf("x.object, x.fence FROM (SELECT m.key, %s FROM "
					"ROWS FROM (pg_catalog.unnest($5::%s[]), pg_catalog.unnest($6::%s[])) AS m(key, way), "
					"%s AS o, %s AS f WHERE %s AND %s%s "
					"EXCEPT SELECT d.object, d.fence FROM pairs AS d WHERE d.held OR d.near%s) AS x(object, fence)",
					key_of(fences, "f"), type, segment, objects->table, fences->table,
					equals(objects->key_type, key_of(objects, "o"), "m.key"),
					within(watch, "m.way", place_of(fences, "f"), watch->distance),
					admitted(watch), watch->dwell == 0 ? "" : " OR d.entered");
}

/*
 * Return the query for objects that moved and are in no fence.  With a dwell time,
 * one that has entered and not left is in a fence, too.
 */
static char *
outsiders(const SpqWatch *watch)
{
	const SpqWatchSide *objects = &watch->objects;
	char	   *condition = objects->condition == NULL ? "" :
		psprintf(" AND (%s)", objects->condition);

	return psprintf("x.object, NULL::%s FROM (SELECT k.key FROM %s, %s AS o WHERE %s%s "
					"EXCEPT SELECT d.object FROM %s) AS x(object)",
					spq_watch_type_name(watch->fences.key_type),
					keys(4, objects->key_type), objects->table,
					equals(objects->key_type, key_of(objects, "o"), "k.key"), condition,
					watch->dwell == 0 ? "pairs AS d WHERE d.near OR (d.holds AND d.held)" :
					"next AS d WHERE d.enters OR d.stays");
}

/*
 * Return the query for pairs that stay and whose object moved.  With a dwell time,
 * only those that have entered.
 */
static char *
insiders(const SpqWatch *watch)
{
	Oid			type = watch->objects.key_type;

	return psprintf("d.object, d.fence FROM pairs AS d, %s WHERE d.holds AND d.held%s AND %s",
					keys(4, type), watch->dwell == 0 ? "" : " AND d.entered",
					equals(type, "d.object", "k.key"));
}

/* Return the dwell time as SQL. */
static char *
dwell(const SpqWatch *watch)
{
	return psprintf("'" INT64_FORMAT " us'::pg_catalog.interval", watch->dwell);
}

/*
 * Return the condition that a pair is due, NULL if it does not wait.  The time is a
 * parameter.
 */
static char *
is_due(const SpqWatch *watch, const char *waiting, const char *time)
{
	return psprintf("%s OPERATOR(pg_catalog.<=) (%s OPERATOR(pg_catalog.-) %s)",
					waiting, time, dwell(watch));
}

/*
 * Append the events of pairs that are due.  They happened when the dwell time was
 * over, which may be a while ago.
 */
static void
add_due(StringInfo text, const SpqWatch *watch, const char *from)
{
	char	   *at = psprintf("d.waiting OPERATOR(pg_catalog.+) %s", dwell(watch));

	if (spq_watch_wants(watch, SPQ_WATCH_LEAVE))
		add_events(text, SPQ_WATCH_LEAVE, at, psprintf("d.object, d.fence FROM %sd.entered", from));
	if (spq_watch_wants(watch, SPQ_WATCH_ENTER))
		add_events(text, SPQ_WATCH_ENTER, at, psprintf("d.object, d.fence FROM %sNOT d.entered", from));
}

/*
 * Return the events of a statement as branches of a union, or NULL if the
 * watch logs none of them.
 */
static char *
events(const SpqWatch *watch, SpqWatchRole role)
{
	bool		moves = role != SPQ_WATCH_FENCES;
	StringInfoData text;

	initStringInfo(&text);
	if (watch->dwell > 0)
		add_due(&text, watch, "next AS d WHERE d.due AND ");
	else
	{
		if (spq_watch_wants(watch, SPQ_WATCH_LEAVE))
			add_events(&text, SPQ_WATCH_LEAVE, "$2", "g.object, g.fence FROM ended AS g");
		if (spq_watch_wants(watch, SPQ_WATCH_ENTER))
			add_events(&text, SPQ_WATCH_ENTER, "$2", "g.object, g.fence FROM begun AS g");
	}
	if (moves && spq_watch_wants(watch, SPQ_WATCH_CROSS))
		add_events(&text, SPQ_WATCH_CROSS, "$2", crossings(watch));
	if (moves && spq_watch_wants(watch, SPQ_WATCH_INSIDE))
		add_events(&text, SPQ_WATCH_INSIDE, "$2", insiders(watch));
	if (moves && spq_watch_wants(watch, SPQ_WATCH_OUTSIDE))
		add_events(&text, SPQ_WATCH_OUTSIDE, "$2", outsiders(watch));
	return text.len > 0 ? text.data : NULL;
}

/*
 * Return the names of the kinds as an array; the subscript is the kind plus 1.
 */
static char *
kind_names(void)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int kind = 0; kind < SPQ_WATCH_KINDS; kind++)
		appendStringInfo(&text, "%s'%s'", kind > 0 ? "," : "", spq_watch_kind_names[kind]);
	return psprintf("(ARRAY[%s]::pg_catalog.text[])", text.data);
}

/*
 * Return the end of a statement, which logs the events and returns their number, and
 * another value if there is one, which starts with a comma.
 */
static char *
log_events(const SpqWatch *watch, const char *logged, const char *more)
{
	if (logged == NULL)
		return psprintf(" SELECT 0::pg_catalog.int8%s", more);
	return psprintf(", logged AS (INSERT INTO %s (watch, kind, object, fence, at, statement) "
					"SELECT %s, %s[e.kind OPERATOR(pg_catalog.+) 1], e.object, e.fence, e.at, $3 "
					"FROM (%s) AS e(kind, at, object, fence) ORDER BY e.kind, e.object, e.fence RETURNING 1) "
					"SELECT pg_catalog.count(*)%s FROM logged",
					watch->events, quote_literal_cstr(watch->name), kind_names(), logged, more);
}

/*
 * That "p" is the row of the table of pairs from which "d" was read.  Its place in the
 * table does not change between these, since the locks of the statement exclude other
 * changes of the pairs that it may change.  No size of the table makes the planner
 * read all of it for that.
 */
static const char is_row[] = "p.ctid OPERATOR(pg_catalog.=) d.place";

/*
 * Return the part of a statement that begins and ends pairs.
 */
static char *
change_pairs(const SpqWatch *watch)
{
	return psprintf(", begun AS (INSERT INTO %s (object, fence, since) "
					"SELECT d.object, d.fence, $2 FROM pairs AS d WHERE d.near AND NOT d.held "
					"RETURNING object, fence), "
					"ended AS (DELETE FROM %s AS p USING pairs AS d WHERE %s AND NOT d.holds "
					"RETURNING p.object, p.fence)",
					watch->name, watch->name, is_row);
}

/*
 * The same with a dwell time: what is due enters or leaves, and then pairs begin or
 * end to hold.  "next" has the state after that: "enters", and "stays" for held.
 */
static char *
change_pairs_after_dwell(const SpqWatch *watch)
{
	return psprintf(", after AS (SELECT d.*, COALESCE(%s, false) AS due, "
					"CASE WHEN d.held THEN d.holds ELSE COALESCE(d.near, false) END AS stays FROM pairs AS d), "
					"next AS MATERIALIZED (SELECT d.*, CASE WHEN d.due THEN NOT d.entered ELSE d.entered END AS enters, "
					"CASE WHEN d.held THEN NOT d.stays ELSE d.stays END AS flips FROM after AS d), "
					"begun AS (INSERT INTO %s (object, fence, since, entered, waiting) "
					"SELECT d.object, d.fence, $2, false, $2 FROM next AS d WHERE d.stays AND NOT d.kept), "
					"changed AS (UPDATE %s AS p SET entered = d.enters, "
					"since = CASE WHEN d.flips AND NOT d.enters THEN $2 ELSE p.since END, "
					"waiting = CASE WHEN d.enters AND d.stays THEN NULL WHEN d.flips THEN $2 ELSE p.waiting END "
					"FROM next AS d WHERE %s AND d.kept AND (d.due OR d.flips) AND (d.enters OR d.stays)), "
					"gone AS (DELETE FROM %s AS p USING next AS d WHERE %s AND d.kept AND NOT d.enters AND NOT d.stays)",
					is_due(watch, "d.waiting", "$2"), watch->name, watch->name, is_row, watch->name, is_row);
}

/*
 * Return the statement that begins and ends pairs and logs the events.  It
 * returns the number of events.
 */
static char *
settle_query(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	return psprintf("%s%s%s", both_states(watch, role, all),
					watch->dwell == 0 ? change_pairs(watch) : change_pairs_after_dwell(watch),
					log_events(watch, events(watch, role), ""));
}

/* Return the condition that a pair has one of the keys in $1. */
static char *
has_key(const SpqWatch *watch, SpqWatchRole role)
{
	char	   *object = equals(watch->objects.key_type, "p.object",
								psprintf("ANY ($1::%s[])", spq_watch_type_name(watch->objects.key_type))),
			   *fence = equals(watch->fences.key_type, "p.fence",
							   psprintf("ANY ($1::%s[])", spq_watch_type_name(watch->fences.key_type)));

	switch (role)
	{
		case SPQ_WATCH_OBJECTS:
			return object;
		case SPQ_WATCH_FENCES:
			return fence;
		case SPQ_WATCH_BOTH:
			return psprintf("(%s OR %s)", object, fence);
	}
	elog(ERROR, "unknown role %d", role);
}

/*
 * Return a condition on "waiting" for the pairs of the keys in $1, or for all.
 *
 * Of some keys, the index on keys finds the pairs, and the condition is written such
 * that the planner cannot use the index on "waiting" for it.  Plans are kept, and one
 * made while few pairs wait would read all that wait later, in each statement; and
 * those that have ceased to wait, as long as any transaction may still see them.
 */
static char *
waiting_pairs(const SpqWatch *watch, SpqWatchRole role, bool all, const char *condition)
{
	if (all)
		return pstrdup(condition);
	return psprintf("%s AND CASE WHEN %s THEN true ELSE false END", has_key(watch, role), condition);
}

/*
 * Return the query that locks the waiting pairs of the keys in $1, or all.  Others
 * do not change under the locks of the statement.
 */
static char *
lock_query(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	return psprintf("SELECT FROM %s AS p WHERE %s FOR UPDATE", watch->name,
					waiting_pairs(watch, role, all, "p.waiting IS NOT NULL"));
}

/* Return the query whether any of the pairs of the keys in $1, or of all, is due. */
static char *
any_due_query(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	return psprintf("SELECT FROM %s AS p WHERE %s LIMIT 1", watch->name,
					waiting_pairs(watch, role, all, is_due(watch, "p.waiting", "$2")));
}

/*
 * Return the statement by which the pairs of the keys in $1, or of all the $4 that wait
 * longest, enter and leave if they are due, except those that another transaction is
 * changing.  It returns the number of events, and that of these pairs.
 */
static char *
due_query(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	char	   *same = same_pair(watch, "p", "d");
	StringInfoData logged;

	initStringInfo(&logged);
	add_due(&logged, watch, "due AS d WHERE ");
	return psprintf("WITH due AS MATERIALIZED (SELECT p.object, p.fence, p.entered, p.waiting FROM %s AS p "
					"WHERE %s%s FOR UPDATE SKIP LOCKED), "
					"changed AS (UPDATE %s AS p SET entered = true, waiting = NULL "
					"FROM due AS d WHERE %s AND NOT d.entered), "
					"gone AS (DELETE FROM %s AS p USING due AS d WHERE %s AND d.entered)%s",
					watch->name, waiting_pairs(watch, role, all, is_due(watch, "p.waiting", "$2")),
					all ? " ORDER BY p.waiting LIMIT $4" : "",
					watch->name, same, watch->name, same,
					log_events(watch, logged.len > 0 ? logged.data : NULL,
							   ", (SELECT pg_catalog.count(*) FROM due)"));
}

/* Return the text of a query. */
char *
spq_watch_query(const SpqWatch *watch, SpqWatchRole role, SpqWatchQuery query)
{
	switch (query)
	{
		case SPQ_WATCH_NEAR:
			return near_query(watch);
		case SPQ_WATCH_NEAR_ONE:
			return near_one_query(watch);
		case SPQ_WATCH_DIFFERS:
			return differs_query(watch, role);
		case SPQ_WATCH_SETTLE:
			return settle_query(watch, role, false);
		case SPQ_WATCH_SETTLE_ALL:
			return settle_query(watch, role, true);
		case SPQ_WATCH_LOCK:
			return lock_query(watch, role, false);
		case SPQ_WATCH_LOCK_ALL:
			return lock_query(watch, role, true);
		case SPQ_WATCH_ANY_DUE:
			return any_due_query(watch, role, false);
		case SPQ_WATCH_ANY_DUE_ALL:
			return any_due_query(watch, role, true);
		case SPQ_WATCH_DUE:
			return due_query(watch, role, false);
		case SPQ_WATCH_DUE_ALL:
			return due_query(watch, role, true);
	}
	elog(ERROR, "unknown query %d", query);
}

/* Return the query for all pairs that hold, from the watched tables alone. */
char *
spq_watch_pairs_query(const SpqWatch *watch)
{
	return psprintf("SELECT n.object, n.fence, pg_catalog.bool_or(n.near) AS near FROM (%s) AS n "
					"GROUP BY n.object, n.fence", pairs_now(watch, NULL));
}

/*
 * Return the query for the differences between the pairs that hold and those that
 * are held in the table of pairs: object, fence, and the problem.
 */
char *
spq_watch_differences_query(const SpqWatch *watch)
{
	return psprintf("SELECT COALESCE(n.object, p.object) AS object, COALESCE(n.fence, p.fence) AS fence, "
					"CASE WHEN p.object IS NULL THEN 'missing' ELSE 'extra' END AS problem "
					"FROM (%s) AS n FULL JOIN (SELECT h.object, h.fence FROM %s AS h%s) AS p ON %s "
					"WHERE n.object IS NULL OR (n.near AND p.object IS NULL)",
					spq_watch_pairs_query(watch), watch->name,
					watch->dwell == 0 ? "" : " WHERE NOT h.entered OR h.waiting IS NULL",
					same_pair(watch, "n", "p"));
}

/*
 * Return the query for the keys in the table of pairs, of objects or of
 * fences, that have no row any more.  If the key is not unique, return all
 * keys: that one row with a key is left does not prove that the rows near the
 * fences are.
 */
char *
spq_watch_gone_query(const SpqWatch *watch, SpqWatchRole role)
{
	const SpqWatchSide *side = role == SPQ_WATCH_FENCES ? &watch->fences : &watch->objects;
	const char *pair_key = role == SPQ_WATCH_FENCES ? "p.fence" : "p.object";

	if (!side->key_unique)
		return psprintf("SELECT DISTINCT %s FROM %s AS p", pair_key, watch->name);
	return psprintf("SELECT DISTINCT %s FROM %s AS p WHERE NOT EXISTS (SELECT FROM %s AS t WHERE %s)",
					pair_key, watch->name, side->table,
					equals(side->key_type, key_of(side, "t"), pair_key));
}
