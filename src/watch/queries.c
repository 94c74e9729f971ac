/*-------------------------------------------------------------------------
 *
 * queries.c
 *	  The queries of a watch, as text.
 *
 * They are about the pairs of some objects or fences, given by their keys.  What
 * holds now, from the tables that are watched, meets what is held, in the table of
 * pairs, in a full join:
 *
 *		holds	held	near
 *		yes		no		yes		begins
 *		yes		no		no		only within the leave distance: nothing
 *		yes		yes				stays
 *		no		yes				ends
 *
 * A full join is a hash join or a merge join, so no wrong estimate makes it quadratic.
 *
 * Every name is qualified, and every operator of a key, so that no search_path can
 * give them another meaning.  Arguments are of the very types that a function is declared
 * for, so that no other one in its schema fits better.
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

#include "watch/queries.h"
#include "watch/watch.h"

/*
 * Return a column of a watched table.  A domain is converted to its type: somebody could
 * create a function or an operator that fits the domain better than the one that is meant.
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

/* Return a condition by an operator of a type's default ordering, qualified. */
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

/* Return the conditions on an object "o" and a fence "f" apart from their places. */
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

/* Return the query for pairs that hold now, of some objects or fences, or of all. */
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

/* Return the query for the pairs that are held, of some objects or fences, or of all. */
static char *
pairs_held(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	Oid			type = role == SPQ_WATCH_FENCES ? watch->fences.key_type : watch->objects.key_type;
	char	   *start = psprintf("SELECT p.object, p.fence FROM %s, %s AS p WHERE ",
								 keys(1, type), watch->name),
			   *of_object = equals(type, "p.object", "k.key"),
			   *of_fence = equals(type, "p.fence", "k.key");

	if (all)
		return psprintf("SELECT p.object, p.fence FROM %s AS p", watch->name);
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

/* Return the pairs of some objects or fences, or all, as they hold and are held: "pairs". */
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

	/*
	 * a pair may be found from both of its ends, or by several rows of one
	 * key
	 */
	if ((role == SPQ_WATCH_BOTH && !all) || !objects->key_unique || !fences->key_unique)
		now = psprintf("SELECT n.object, n.fence, pg_catalog.bool_or(n.near) AS near "
					   "FROM (%s) AS n GROUP BY n.object, n.fence", now);
	return psprintf("WITH pairs AS MATERIALIZED (SELECT "
					"COALESCE(n.object, h.object) AS object, COALESCE(n.fence, h.fence) AS fence, "
					"n.near, n.object IS NOT NULL AS holds, h.object IS NOT NULL AS held "
					"FROM (%s) AS n FULL JOIN (%s) AS h ON %s)",
					now, pairs_held(watch, role, all), same_pair(watch, "n", "h"));
}

/* Return the condition that a fence is near a probe. */
static char *
near_probe(const SpqWatch *watch, const char *probe)
{
	/* a box around two positions may be rounded farther than these */
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

/* Add a branch of the events of a statement. */
static void
add_events(StringInfo text, SpqWatchKind kind, const char *select)
{
	appendStringInfo(text, "%s SELECT %d AS kind, %s", text->len > 0 ? " UNION ALL" : "",
					 kind, select);
}

/* Return the query for ways that meet a fence and have both ends outside. */
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
					"EXCEPT SELECT d.object, d.fence FROM pairs AS d WHERE d.held OR d.near) AS x(object, fence)",
					key_of(fences, "f"), type, segment, objects->table, fences->table,
					equals(objects->key_type, key_of(objects, "o"), "m.key"),
					within(watch, "m.way", place_of(fences, "f"), watch->distance),
					admitted(watch));
}

/* Return the query for objects that moved and are in no fence. */
static char *
outsiders(const SpqWatch *watch)
{
	const SpqWatchSide *objects = &watch->objects;
	char	   *condition = objects->condition == NULL ? "" :
		psprintf(" AND (%s)", objects->condition);

	return psprintf("x.object, NULL::%s FROM (SELECT k.key FROM %s, %s AS o WHERE %s%s "
					"EXCEPT SELECT d.object FROM pairs AS d WHERE d.near OR (d.holds AND d.held)) AS x(object)",
					spq_watch_type_name(watch->fences.key_type),
					keys(4, objects->key_type), objects->table,
					equals(objects->key_type, key_of(objects, "o"), "k.key"), condition);
}

/* Return the query for pairs that stay, of objects that moved. */
static char *
insiders(const SpqWatch *watch)
{
	Oid			type = watch->objects.key_type;

	return psprintf("d.object, d.fence FROM pairs AS d, %s WHERE d.holds AND d.held AND %s",
					keys(4, type), equals(type, "d.object", "k.key"));
}

/* Return the events that a statement gives, as branches of a union. */
static char *
events(const SpqWatch *watch, SpqWatchRole role)
{
	bool		moves = role != SPQ_WATCH_FENCES;
	StringInfoData text;

	initStringInfo(&text);
	if (spq_watch_wants(watch, SPQ_WATCH_LEAVE))
		add_events(&text, SPQ_WATCH_LEAVE, "g.object, g.fence FROM ended AS g");
	if (spq_watch_wants(watch, SPQ_WATCH_ENTER))
		add_events(&text, SPQ_WATCH_ENTER, "g.object, g.fence FROM begun AS g");
	if (moves && spq_watch_wants(watch, SPQ_WATCH_CROSS))
		add_events(&text, SPQ_WATCH_CROSS, crossings(watch));
	if (moves && spq_watch_wants(watch, SPQ_WATCH_INSIDE))
		add_events(&text, SPQ_WATCH_INSIDE, insiders(watch));
	if (moves && spq_watch_wants(watch, SPQ_WATCH_OUTSIDE))
		add_events(&text, SPQ_WATCH_OUTSIDE, outsiders(watch));
	return text.len > 0 ? text.data : NULL;
}

/* Return the names of the kinds as an array, by their number plus 1. */
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
 * Return the statement that lets pairs begin and end, and logs it.  It returns the
 * number of events.
 */
static char *
settle_query(const SpqWatch *watch, SpqWatchRole role, bool all)
{
	char	   *changes,
			   *logged = events(watch, role);

	changes = psprintf("%s, begun AS (INSERT INTO %s (object, fence, since) "
					   "SELECT d.object, d.fence, $2 FROM pairs AS d WHERE d.near AND NOT d.held "
					   "RETURNING object, fence), "
					   "ended AS (DELETE FROM %s AS p USING pairs AS d WHERE %s AND NOT d.holds "
					   "RETURNING p.object, p.fence)",
					   both_states(watch, role, all), watch->name,
					   watch->name, same_pair(watch, "p", "d"));
	if (logged == NULL)
		return psprintf("%s SELECT 0::pg_catalog.int8", changes);
	return psprintf("%s, logged AS (INSERT INTO %s (watch, kind, object, fence, at, statement) "
					"SELECT %s, %s[e.kind OPERATOR(pg_catalog.+) 1], e.object, e.fence, $2, $3 "
					"FROM (%s) AS e(kind, object, fence) ORDER BY e.kind, e.object, e.fence RETURNING 1) "
					"SELECT pg_catalog.count(*) FROM logged",
					changes, watch->events, quote_literal_cstr(watch->name), kind_names(), logged);
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
	}
	elog(ERROR, "unknown query %d", query);
}

/* Return the query for all pairs that hold, from the tables alone. */
char *
spq_watch_pairs_query(const SpqWatch *watch)
{
	return psprintf("SELECT n.object, n.fence, pg_catalog.bool_or(n.near) AS near FROM (%s) AS n "
					"GROUP BY n.object, n.fence", pairs_now(watch, NULL));
}

/*
 * Return the query for the difference between the pairs that hold and the table of
 * pairs: object, fence, and a problem.
 */
char *
spq_watch_differences_query(const SpqWatch *watch)
{
	return psprintf("SELECT COALESCE(n.object, p.object) AS object, COALESCE(n.fence, p.fence) AS fence, "
					"CASE WHEN p.object IS NULL THEN 'missing' ELSE 'extra' END AS problem "
					"FROM (%s) AS n FULL JOIN %s AS p ON %s "
					"WHERE n.object IS NULL OR (n.near AND p.object IS NULL)",
					spq_watch_pairs_query(watch), watch->name, same_pair(watch, "n", "p"));
}

/*
 * Return the query for keys in the table of pairs that no row has any more, in the
 * role of an object or of a fence.  Where several rows may have a key, one that is left
 * does not say that those in the fence are: then for all keys.
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
