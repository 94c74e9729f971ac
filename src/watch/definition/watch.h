/*-------------------------------------------------------------------------
 *
 * watch.h
 *	  Watches: which objects are in which fences, kept current by triggers.
 *
 * src/watch/README.md explains the idea and the locks, and why no event is missed
 * or logged twice.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_DEFINITION_WATCH_H
#define SPQ_WATCH_DEFINITION_WATCH_H

#include "commands/trigger.h"
#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "utils/relcache.h"

#include "types/value_box.h"

/*
 * Kinds of events, in the order in which the events of a statement are logged.
 */
typedef enum SpqWatchKind
{
	SPQ_WATCH_LEAVE,
	SPQ_WATCH_ENTER,
	SPQ_WATCH_CROSS,
	SPQ_WATCH_INSIDE,
	SPQ_WATCH_OUTSIDE
} SpqWatchKind;

/* 1000 years: a timestamptz has room for as long before now, and after it. */
#define SPQ_WATCH_MAX_DWELL (INT64CONST(1000) * MONTHS_PER_YEAR * DAYS_PER_MONTH * USECS_PER_DAY)

#define SPQ_WATCH_KINDS 5
#define spq_watch_wants(watch, kind) (((watch)->kinds & (1 << (kind))) != 0)

extern const char *const spq_watch_kind_names[SPQ_WATCH_KINDS];

/*
 * The role of the rows that a statement changed.  SPQ_WATCH_BOTH is for a
 * table whose objects are their own fences.
 */
typedef enum SpqWatchRole
{
	SPQ_WATCH_OBJECTS,
	SPQ_WATCH_FENCES,
	SPQ_WATCH_BOTH
} SpqWatchRole;

#define SPQ_WATCH_ROLES 3

extern const char *const spq_watch_role_names[SPQ_WATCH_ROLES];

/* A watched table. */
typedef struct SpqWatchSide
{
	/* from the definition: names, because a dump keeps only names */
	char	   *table;			/* qualified */
	char	   *column;			/* its position or area */
	char	   *key;
	char	   *group;			/* or NULL */
	char	   *condition;		/* SQL over the columns, qualified; or NULL */

	/* from the catalogs */
	Oid			relid;
	Oid			column_type;	/* without domains */
	Oid			key_type;
	Oid			key_collation;
	Oid			group_type;		/* InvalidOid without a group */
	bool		key_unique;
	bool		has_index;		/* of the column */
	Oid			index;			/* to be searched without a query, or
								 * InvalidOid */
	double		rows;			/* at the last VACUUM or ANALYZE */
} SpqWatchSide;

/* The queries of a watch.  A session keeps their plans for few rows. */
typedef enum SpqWatchQuery
{
	SPQ_WATCH_NEAR,				/* which changes are near a fence */
	SPQ_WATCH_NEAR_ONE,			/* whether one change is near a fence */
	SPQ_WATCH_DIFFERS,			/* whether any pair begins or ends */
	SPQ_WATCH_SETTLE,			/* begin and end pairs, and log that */
	SPQ_WATCH_SETTLE_ALL,		/* the same for all pairs, whatever the keys */

	/* of a watch with a dwell time */
	SPQ_WATCH_LOCK,				/* lock the waiting pairs */
	SPQ_WATCH_LOCK_ALL,
	SPQ_WATCH_ANY_DUE,			/* whether a pair has waited long enough */
	SPQ_WATCH_ANY_DUE_ALL,
	SPQ_WATCH_DUE,				/* enter and leave by those pairs, and log
								 * that */
	SPQ_WATCH_DUE_ALL
} SpqWatchQuery;

#define SPQ_WATCH_QUERIES 11
#define SPQ_WATCH_TABLES 3

typedef struct SpqWatch
{
	/* the definition */
	char	   *name;			/* of the table of pairs, qualified */
	SpqWatchSide objects;
	SpqWatchSide fences;
	bool		once;			/* keep pairs (a, b) but not (b, a) */
	float8		distance;
	float8		leave_distance;
	int64		dwell;			/* microseconds that a pair holds before it
								 * enters, or fails to before it leaves; or 0 */
	int			kinds;			/* bits of SpqWatchKind */
	char	   *events;			/* table, qualified */
	char	   *notify;			/* channel, or NULL */

	/* from the catalogs */
	Oid			pairs;
	Oid			owner;			/* of the table of pairs */
	Oid			events_table;
	Oid			sequence;		/* numbers the statements; the lock of the
								 * watch */
	Oid			waiting_index;	/* on the times since which pairs wait, or
								 * InvalidOid */
	Oid			schema;			/* of the extension */
	char	   *prefix;			/* name of the schema, quoted */
	bool		self;			/* objects and fences are one table */
	Oid			within_function;	/* compares distances */
	char	   *within;			/* the same, qualified */
	char	   *within_end;		/* end of the argument list of that function */
	bool		plain;			/* both sides are boxes or points */
	const SpqType *position;	/* type of the objects' column, or NULL if its
								 * values have no place (has_center) */

	/* per session; see cache.c */
	MemoryContext context;
	bool		valid;
	int			uses;
	SPIPlanPtr	plans[SPQ_WATCH_ROLES][SPQ_WATCH_QUERIES];
	BlockNumber planned_blocks[SPQ_WATCH_TABLES];	/* of pairs, objects,
													 * fences, when these were
													 * made */
} SpqWatch;

/* depend.c */
extern void spq_watch_check_names(const SpqWatch *watch);
extern void spq_watch_check_trigger(const Trigger *trigger, Oid table, Oid pairs);
extern bool spq_watch_add_dependency(Oid class, Oid object, Oid table);

/* definition.c */
extern char *spq_watch_number(float8 number);
extern List *spq_watch_arguments(const SpqWatch *watch);
extern bool spq_watch_is_defined(Relation pairs, Oid schema);
extern SpqWatch *spq_watch_read(Relation pairs, Oid schema);
extern Oid	spq_watch_find_table(const char *name);
extern Oid	spq_watch_lock_table(const char *name);
extern void spq_watch_find_tables(SpqWatch *watch);
extern void spq_watch_find_events(SpqWatch *watch);

/* side.c */
extern char *spq_watch_type_name(Oid type);
extern void spq_watch_resolve_side(SpqWatchSide *side, Oid owner);
extern bool spq_watch_plain_type(Oid type);
extern const SpqType *spq_watch_position_type(Oid type);
extern Oid	spq_watch_own_type(Oid schema, const char *name);
extern Oid	spq_watch_probe_type(const SpqWatch *watch);
extern Oid	spq_watch_segment_type(const SpqWatch *watch);
extern Oid	spq_watch_within(Oid schema, Oid left, Oid right);
extern bool spq_watch_find_within(SpqWatch *watch);

/* condition.c */
extern char *spq_watch_condition(const char *text, Oid relid, const char *alias,
								 const char *argument);

/* ---- cache.c: the watches of a session ---- */

extern SpqWatch *spq_watch_of_trigger(TriggerData *trigger, Oid schema, SpqWatchRole *role);
extern SpqWatch *spq_watch_use(Oid pairs, Oid schema);
extern void spq_watch_release(SpqWatch *watch);

/* ---- install.c: tables and triggers of a watch ---- */

extern void spq_watch_install(SpqWatch *watch);
extern bool spq_watch_has_triggers(const SpqWatch *watch, SpqWatchRole role, Oid table);
extern void spq_watch_install_triggers(const SpqWatch *watch);
extern void spq_watch_depend(const SpqWatch *watch);

/* ---- resolve.c: from the names in a definition to locked objects ---- */

extern bool spq_watch_resolve(SpqWatch *watch);

#endif							/* SPQ_WATCH_DEFINITION_WATCH_H */
