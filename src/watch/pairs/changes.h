/*-------------------------------------------------------------------------
 *
 * changes.h
 *	  What a statement changed: keys of rows, and moves of objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_PAIRS_CHANGES_H
#define SPQ_WATCH_PAIRS_CHANGES_H

#include "utils/array.h"

#include "watch/definition/watch.h"

typedef struct SpqWatchMoves SpqWatchMoves;

typedef struct SpqWatchChanges
{
	MemoryContext context;
	ArrayBuildState *keys;		/* of rows whose pairs may have changed */
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

#endif							/* SPQ_WATCH_PAIRS_CHANGES_H */
