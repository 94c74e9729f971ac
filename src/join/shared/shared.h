/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  A build side that several processes read, order and use together.
 *
 * A parallel query drives the engine like this:
 *
 *		leader		spq_shared_init() in the query's dynamic shared memory
 *		each		join = spq_join_begin_shared(...)
 *					if (spq_join_wants_build(join))
 *						spq_join_build() for the rows of its partial plan
 *					spq_join_build_done(join)	waits for the others
 *					probes and pairs as in join.h
 *		leader		spq_shared_reinit() before a rescan, without workers
 *
 * Each participant has its own probes, and gets their pairs with the whole
 * build side.  From its spq_join_begin_shared() to its spq_join_build_done(),
 * a participant makes the others wait, so it should only read its rows there.
 * While pairs are returned, no participant waits for another.
 *
 * Participants are numbered from 0, the leader.  If there is no dsa_area,
 * spq_join_begin_shared() begins an ordinary join.
 *
 * Not supported: joins of a set with itself, unmatched_build, first_of_build.
 * spec.memory is the limit of one participant; the shared build side may take
 * the sum of all limits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_SHARED_H
#define SPQ_JOIN_SHARED_SHARED_H

#include "storage/dsm.h"
#include "utils/dsa.h"

#include "join/engine/join.h"

typedef struct SpqSharedBuild SpqSharedBuild;

extern Size spq_shared_size(int nparticipants);
extern void spq_shared_init(SpqSharedBuild *shared, int nparticipants,
							dsm_segment *seg);
extern void spq_shared_reinit(SpqSharedBuild *shared, dsa_area *area);
extern SpqJoin *spq_join_begin_shared(const SpqJoinSpec *spec,
									  SpqSharedBuild *shared, dsa_area *area,
									  int participant);
extern bool spq_join_wants_build(SpqJoin *join);

typedef struct SpqSharedEngine
{
	/* the functions of shared.h */
	Size		(*size) (int nparticipants);
	void		(*init) (SpqSharedBuild *shared, int nparticipants, dsm_segment *seg);
	void		(*reinit) (SpqSharedBuild *shared, dsa_area *area);
	SpqJoin    *(*begin) (const SpqJoinSpec *spec, SpqSharedBuild *shared,
						  dsa_area *area, int participant);
	bool		(*wants_build) (SpqJoin *join);
} SpqSharedEngine;

extern const SpqSharedEngine spq_shared2_engine;
extern const SpqSharedEngine spq_shared3_engine;

/* Return the functions for boxes of two or of three axes. */
static inline const SpqSharedEngine *
spq_shared_engine(int axes)
{
	return axes == 2 ? &spq_shared2_engine : &spq_shared3_engine;
}

#endif							/* SPQ_JOIN_SHARED_SHARED_H */
