/*-------------------------------------------------------------------------
 *
 * batches.h
 *	  Joins a build side that does not fit into memory, batch by batch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_BATCHES_H
#define SPQ_JOIN_ENGINE_BATCHES_H

#include "join/engine/join_state.h"

extern void spq_join_make_batches(SpqJoin *join);
extern bool spq_join_next_batch(SpqJoin *join);
extern bool spq_join_route_row(SpqJoin *join, SpqJoinItem *item);
extern bool spq_join_read_probe(SpqJoin *join, SpqJoinItem *item);
extern void spq_join_remember_accepted(SpqJoin *join, const SpqJoinItem *probe);
extern void spq_join_pass_on_probes(SpqJoin *join);

/*
 * Return whether the current batch has probes on disk that it has not met yet.
 */
static inline bool
spq_join_has_spooled(const SpqJoin *join)
{
	const SpqJoinSpool *probes;

	if (!join->spilled)
		return false;
	probes = &join->batch[join->batch_at_work].probes;
	return probes->nread < probes->count;
}

#endif							/* SPQ_JOIN_ENGINE_BATCHES_H */
