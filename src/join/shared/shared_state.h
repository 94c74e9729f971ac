/*-------------------------------------------------------------------------
 *
 * shared_state.h
 *	  The state that the participants in a shared build side share.
 *
 * The work is done in phases, with a barrier between consecutive phases.  All
 * participants work in each phase.  In some phases, one of them, the elected
 * one, also allocates the memory for the next phase:
 *
 *		READ	 rows, each into memory of its own			   rows
 *		COUNT	 rows of each range			  | get items[]		 :
 *		SCATTER	 rows into items[], by range				   items[]
 *		SORT	 one free range after another | get buckets[]	 :
 *		FILL	 buckets of the ranges it sorted			   buckets[]
 *		PARENTS	 the level above, one free part after another  parents[]
 *		USE		 the levels above that, in memory of its own
 *
 * If the rows do not fit into memory, they are written into files in READ and
 * COUNT, and the following phases are skipped.
 *
 * A participant may arrive in any phase.  If it arrives after READ, it has no
 * rows, but takes part in the remaining work.  Before its first pair, it
 * detaches from the barrier.
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

/* Number of parents that a participant fills at a time. */
#define SPQ_SHARED_PARENTS_STEP 16

/*
 * What a participant publishes for the others.  Only the participant itself
 * writes it.
 */
typedef struct SpqSharedParticipant
{
	uint32		rows;
	uint32		nsampled;
	SpqJoinItem sample[SPQ_SHARED_SAMPLE];
	uint32		in_range[SPQ_SHARED_MAX_RANGES];
	dsa_pointer payloads;		/* a list of chunks */
	uint64		file_rows;		/* rows in its file, if it has one */
} SpqSharedParticipant;

struct SpqSharedBuild
{
	Barrier		barrier;
	SharedFileSet files;
	dsm_handle	segment;		/* contains this struct */
	int			nparticipants;
	pg_atomic_uint64 bytes;		/* sum of the bytes that participants have
								 * read */
	pg_atomic_uint32 overflow;	/* 1: the rows do not fit */
	pg_atomic_uint32 next_range;
	pg_atomic_uint32 next_parent;

	/* set by the elected participant in COUNT */
	uint32		count;
	int			nranges;
	SpqJoinOrigin origin;
	dsa_pointer items;

	/* set by the elected participant in SORT */
	dsa_pointer buckets;
	dsa_pointer bounds;			/* of each bucket */
	dsa_pointer keys;			/* ranges of hashes */
	dsa_pointer first;
	dsa_pointer parents;
	dsa_pointer parent_bounds;
	dsa_pointer parent_keys;

	uint32		range_buckets[SPQ_SHARED_MAX_RANGES];	/* set by the
														 * participant that
														 * sorted the range */
	SpqSharedParticipant participant[FLEXIBLE_ARRAY_MEMBER];
};

/*
 * A range that this participant has sorted, and the first items of its
 * buckets.
 */
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
	uint64		limit;			/* bytes that all together may have */
	uint64		step;			/* bytes between two additions to the sum */
	uint64		unreported;		/* bytes since the last addition */
	char	   *chunk;			/* free space for payloads */
	Size		chunk_left;
	Size		chunk_size;		/* size of the next chunk */
	dsa_pointer chunk_pointer;	/* the same address as a dsa_pointer */
	SpqJoinSpool file;			/* after an overflow */
	bool		files_attached;
	SpqJoinPayloads scratch;	/* for a payload that is being written */

	/* while rows are ordered */
	SpqSharedDivision division;
	uint8	   *range_of;
	uint32		range_start[SPQ_SHARED_MAX_RANGES + 1];
	SpqSharedRange sorted[SPQ_SHARED_MAX_RANGES];
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
