/*-------------------------------------------------------------------------
 *
 * build_side.h
 *	  The build side in memory: all of it, or the rows of a batch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_BUILD_SIDE_H
#define SPQ_JOIN_ENGINE_BUILD_SIDE_H

#include <float.h>

#include "join/engine/join_state.h"

extern void spq_join_finish_build_side(SpqJoin *join);
extern void spq_join_clear_marks(SpqJoin *join);
extern void spq_join_note_memory(SpqJoin *join);

/* Return whether the join puts its build side into tiles, if they suit the boxes. */
static inline bool
spq_join_wants_tiles(const SpqJoin *join)
{
	const SpqJoinSpec *spec = &join->spec;

	return SPQ_DIM == 2 && !spec->sorted && !spec->probe_lines && !spec->hashed && !spec->first_of_probe &&
		!spec->first_of_build && join->slack <= DBL_MAX;
}

/* Return whether the build side in memory is in tiles. */
static inline bool
spq_join_in_tiles(const SpqJoin *join)
{
	return SPQ_DIM == 2 && join->tiles.nareas > 0;
}

/* Return whether all rows of the build side in memory have dropped out. */
static inline bool
spq_join_all_dropped(const SpqJoin *join)
{
	return join->spec.first_of_build && spq_join_directory_is_empty(&join->directory);
}

#endif							/* SPQ_JOIN_ENGINE_BUILD_SIDE_H */
