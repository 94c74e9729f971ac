/*-------------------------------------------------------------------------
 *
 * changes.h
 *	  What a statement changed: keys of rows, and moves of objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_PAIRS_CHANGES_H
#define SPQ_WATCH_PAIRS_CHANGES_H

#include "datatype/timestamp.h"
#include "utils/array.h"

#include "watch/definition/watch.h"

typedef struct SpqWatchMoves SpqWatchMoves;

typedef struct SpqWatchChanges
{
	MemoryContext context;
	ArrayBuildState *keys;		/* of rows whose pairs may have changed */
	ArrayBuildState *touched;	/* of all rows, if the watch has a dwell time */
	ArrayBuildState *moved;		/* keys of objects that moved */
	ArrayBuildState *way_keys;	/* one key for each move ... */
	ArrayBuildState *ways;		/* ... and its segment from the old to the new
								 * place */

	/* rows to settle only if a fence is near */
	ArrayBuildState *probes;
	ArrayBuildState *probe_keys;

	/* the same without a query: moves.c */
	bool		searches;
	SpqWatchMoves *moves;
} SpqWatchChanges;

extern void spq_watch_collect(SpqWatch *watch, SpqWatchRole role, TriggerData *data,
							  SpqWatchChanges *changes);

/*
 * moves.c: moves that may begin or end a pair, by the index of the fences.
 */

extern bool spq_watch_can_search(const SpqWatch *watch, SpqWatchRole role);
extern SpqWatchMoves *spq_watch_start_moves(const SpqWatch *watch, const Form_pg_attribute place);
extern void spq_watch_add_move(SpqWatchMoves *moves, SpqWatchChanges *changes, Datum key,
							   const Datum *was, const Datum *is, bool place_only,
							   const float8 *box);
extern void spq_watch_search_moves(SpqWatchMoves *moves, SpqWatchChanges *changes);

/* ---- due.c: whether any pair may be due, by the index on waiting times ---- */

extern void spq_watch_find_waiting_index(SpqWatch *watch);
extern bool spq_watch_may_be_due(const SpqWatch *watch, TimestampTz time);

/* ---- settle.c: correct the pairs of changed rows ---- */

extern void spq_watch_free_plans(SpqWatch *watch);
extern void spq_watch_keep_near(SpqWatch *watch, SpqWatchChanges *changes);
extern void spq_watch_collect_gone(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes);
extern void spq_watch_collect_wrong(SpqWatch *watch, SpqWatchChanges *changes);
extern int64 spq_watch_settle(SpqWatch *watch, SpqWatchRole role, SpqWatchChanges *changes);
extern int64 spq_watch_settle_due(SpqWatch *watch, int64 at_most);
extern void spq_watch_try(SpqWatch *watch);
extern void spq_watch_fill(const SpqWatch *watch);

#endif							/* SPQ_WATCH_PAIRS_CHANGES_H */
