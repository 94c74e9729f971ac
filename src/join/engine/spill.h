/*-------------------------------------------------------------------------
 *
 * spill.h
 *	  Writes a build side that does not fit into memory into bins on disk.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_SPILL_H
#define SPQ_JOIN_ENGINE_SPILL_H

#include "join/engine/join_state.h"

extern uint64 spq_join_row_bytes(const SpqJoin *join, const SpqJoinItem *item);
extern void spq_join_spill_build(SpqJoin *join);
extern void spq_join_spill_row(SpqJoin *join, const SpqJoinItem *item);
extern void spq_join_settle_bins(SpqJoin *join);

#endif							/* SPQ_JOIN_ENGINE_SPILL_H */
