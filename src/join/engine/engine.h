/*-------------------------------------------------------------------------
 *
 * engine.h
 *	  The engine of one dimension as a table of its functions.
 *
 * For callers that learn only at run time whether boxes have two or three
 * axes.  A box is an array of its numbers, like SpqBox: the high ends on all
 * axes, then the low ends.  Specifications, pairs and counts are the same for
 * both.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_ENGINE_H
#define SPQ_JOIN_ENGINE_ENGINE_H

#include "join/engine/join.h"

#define SPQ_JOIN_MAX_AXES	3

typedef struct SpqJoinEngine
{
	int			axes;
	Size		memory_bytes;	/* SPQ_JOIN_MEMORY_BYTES */
	Size		file_bytes;		/* SPQ_JOIN_FILE_BYTES */

	/* Return whether two boxes are related, as spq_box_related() does. */
	bool		(*related) (SpqRelation relation, double distance,
							const float8 *a, const float8 *b);

	/* the functions of join.h, without "spq_join_" */
	SpqJoin    *(*begin) (const SpqJoinSpec *spec);
	bool		(*build) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
						  const void *payload, Size length);
	void		(*build_done) (SpqJoin *join);
	uint32		(*room) (const SpqJoin *join);
	bool		(*probe) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
						  const void *payload, Size length);
	void		(*probes_done) (SpqJoin *join);
	SpqJoinEvent (*next) (SpqJoin *join, SpqJoinPair *pair);
	uint32		(*more) (SpqJoin *join, SpqJoinPair *pairs, uint32 room);
	void		(*accept) (SpqJoin *join);
	bool		(*restart) (SpqJoin *join);
	const SpqJoinStats *(*stats) (SpqJoin *join);
	void		(*end) (SpqJoin *join);
} SpqJoinEngine;

extern const SpqJoinEngine spq_join2_engine;
extern const SpqJoinEngine spq_join3_engine;

/* Return the engine for boxes of two or of three axes. */
static inline const SpqJoinEngine *
spq_join_engine(int axes)
{
	return axes == 2 ? &spq_join2_engine : &spq_join3_engine;
}

#endif							/* SPQ_JOIN_ENGINE_ENGINE_H */
