/*-------------------------------------------------------------------------
 *
 * shared_engine.h
 *	  Shared build sides of one dimension as a table of functions, like
 *	  join/engine/engine.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_SHARED_ENGINE_H
#define SPQ_JOIN_SHARED_SHARED_ENGINE_H

#include "join/shared/shared.h"

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

#endif							/* SPQ_JOIN_SHARED_SHARED_ENGINE_H */
