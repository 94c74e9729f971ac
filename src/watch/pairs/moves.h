/*-------------------------------------------------------------------------
 *
 * moves.h
 *	  Moves that may begin or end a pair, by the index of the fences.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_WATCH_PAIRS_MOVES_H
#define SPQ_WATCH_PAIRS_MOVES_H

#include "watch/pairs/changes.h"

extern bool spq_watch_can_search(const SpqWatch *watch, SpqWatchRole role);
extern SpqWatchMoves *spq_watch_start_moves(const SpqWatch *watch, const Form_pg_attribute place);
extern void spq_watch_add_move(SpqWatchMoves *moves, SpqWatchChanges *changes, Datum key,
							   const Datum *was, const Datum *is, bool place_only,
							   const float8 *box);
extern void spq_watch_search_moves(SpqWatchMoves *moves, SpqWatchChanges *changes);

#endif							/* SPQ_WATCH_PAIRS_MOVES_H */
