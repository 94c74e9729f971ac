/*-------------------------------------------------------------------------
 *
 * shared_state.h
 *	  What the participants in a shared build side know of each other.
 *
 * The work is done in phases, with a barrier between any two.  All participants
 * work in each phase.  In some, one of them, the elected, also allocates the
 * memory for the next phase:
 *
 *		READ	 rows, each into memory of its own			   rows
 *		COUNT	 rows of each range			  | get items[]		 :
 *		SCATTER	 rows into items[], by range				   items[]
 *		SORT	 ranges, as they are free	  | get buckets[]	 :
 *		FILL	 buckets of the ranges it sorted			   buckets[]
 *		PARENTS	 the level above, as parts are free			   parents[]
 *		USE		 the levels above that, each for itself
 *
 * If the rows do not fit into memory, they are written into files in COUNT, and
 * USE comes next.
 *
 * A participant may arrive in any phase.  After READ it has no rows, but works
 * with the others.  In USE it is no longer attached to the barrier.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_SHARED_STATE_H
#define SPQ_JOIN_SHARED_SHARED_STATE_H

#include "port/atomics.h"
#include "storage/barrier.h"
#include "storage/sharedfileset.h"

#include "join/engine/join_state.h"
#include "join/shared/shared.h"
#include "join/shared/shared_ranges.h"

typedef enum SpqSharedPhase
{
	SPQ_SHARED_READ,
	SPQ_SHARED_COUNT,
	SPQ_SHARED_SCATTER,
	SPQ_SHARED_SORT,
	SPQ_SHARED_FILL,
	SPQ_SHARED_PARENTS,
	SPQ_SHARED_USE
} SpqSharedPhase;

/* Parents that are filled by one participant at a time. */
#define SPQ_SHARED_PARENTS_STEP 16

/* What a participant leaves for the others.  Written by itself only. */
typedef struct SpqSharedParticipant
{
	uint32		rows;
	uint32		nsampled;
	SpqJoinItem sample[SPQ_SHARED_SAMPLE];
	uint32		in_range[SPQ_JOIN_MAX_RANGES];
	dsa_pointer payloads;		/* chunks, each with a pointer to the next */
	uint64		file_rows;		/* in its file, if there is one */
} SpqSharedParticipant;

struct SpqSharedBuild
{
	Barrier		barrier;
	SharedFileSet files;
	dsm_handle	segment;		/* in which this is */
	int			nparticipants;
	pg_atomic_uint64 bytes;		/* that all have read */
	pg_atomic_uint32 overflow;	/* 1: more than allowed */
	pg_atomic_uint32 next_range;
	pg_atomic_uint32 next_parent;

	/* by the elected of COUNT */
	uint32		count;
	int			nranges;
	SpqJoinOrigin origin;
	dsa_pointer items;

	/* by the elected of SORT */
	dsa_pointer buckets;
	dsa_pointer bounds;			/* of each of these */
	dsa_pointer keys;			/* ranges of hashes */
	dsa_pointer first;
	dsa_pointer parents;
	dsa_pointer parent_bounds;
	dsa_pointer parent_keys;

	uint32		range_buckets[SPQ_JOIN_MAX_RANGES]; /* by the participant that
													 * sorted the range */
	SpqSharedParticipant participant[FLEXIBLE_ARRAY_MEMBER];
};

/* A range that this participant has sorted, and where its buckets begin. */
typedef struct SpqSharedRange
{
	int			range;
	uint32		nbuckets;
	uint32	   *first;
} SpqSharedRange;

/* A participant's own state. */
typedef struct SpqSharedSide
{
	SpqSharedBuild *shared;
	dsa_area   *area;
	SpqSharedParticipant *own;
	int			participant;
	SpqSharedPhase phase;
	bool		attached;		/* to the barrier */

	/* while rows are read */
	uint64		limit;			/* bytes that all may have */
	uint64		step;			/* bytes between two additions to the sum */
	uint64		unreported;		/* bytes since the last one */
	char	   *chunk;			/* room for payloads */
	Size		chunk_left;
	Size		chunk_size;		/* of the next one */
	dsa_pointer chunk_pointer;	/* of "chunk" */
	SpqJoinSpool file;			/* after an overflow */
	bool		files_attached;
	MemoryContext scratch;		/* of a payload to be written */

	/* while rows are ordered */
	SpqJoinDivision division;
	uint8	   *range_of;
	uint32		range_start[SPQ_JOIN_MAX_RANGES + 1];
	SpqSharedRange sorted[SPQ_JOIN_MAX_RANGES];
	int			nsorted;
} SpqSharedSide;

/* shared_order.c */
extern bool spq_shared_wait(SpqSharedSide *side);
extern void spq_shared_order(SpqJoin *join, bool elected);

/* shared_payload.c */
extern uint64 spq_shared_payload(SpqSharedSide *side, const void *payload,
								 Size length);
extern void spq_shared_free_payloads(SpqSharedParticipant *participant,
									 dsa_area *area);

static inline void *
spq_shared_address(const SpqSharedSide *side, dsa_pointer pointer)
{
	return DsaPointerIsValid(pointer) ? dsa_get_address(side->area, pointer) : NULL;
}

#endif							/* SPQ_JOIN_SHARED_SHARED_STATE_H */
