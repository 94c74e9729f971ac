/*-------------------------------------------------------------------------
 *
 * batches.h
 *	  Joins a build side that does not fit into memory, batch by batch.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BATCHES_H
#define SPQ_JOIN_BATCHES_H

#include "join/join_state.h"

extern void spq_join_make_batches(SpqJoin *join);
extern bool spq_join_next_batch(SpqJoin *join);
extern bool spq_join_route_row(SpqJoin *join, SpqJoinItem *item);
extern bool spq_join_read_probe(SpqJoin *join, SpqJoinItem *item);
extern void spq_join_remember_accepted(SpqJoin *join, const SpqJoinItem *probe);
extern void spq_join_pass_on_probes(SpqJoin *join);

#endif							/* SPQ_JOIN_BATCHES_H */
