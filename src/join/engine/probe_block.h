/*-------------------------------------------------------------------------
 *
 * probe_block.h
 *	  Collects probes in a block, puts them into tile order, and sweeps them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_PROBE_BLOCK_H
#define SPQ_JOIN_ENGINE_PROBE_BLOCK_H

#include "join/engine/join_state.h"

extern uint32 spq_join_first_room(const SpqJoin *join);
extern void spq_join_add_probe(SpqJoin *join, const SpqJoinItem *item);
extern bool spq_join_next_block(SpqJoin *join);
extern void spq_join_count_candidates(SpqJoin *join);
extern void spq_join_end_block(SpqJoin *join);

#endif							/* SPQ_JOIN_ENGINE_PROBE_BLOCK_H */
