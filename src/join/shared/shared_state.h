/*-------------------------------------------------------------------------
 *
 * shared_state.h
 *	  What the participants in a shared build side know of each other.
 *
 * The work is done in phases; a barrier is between any two.  Some are work for
 * all, some begin with memory that one of them, the elected, gets meanwhile:
 *
 *		READ	 each its rows, into memory of its own		   rows
 *		COUNT	 how many are in which range? | get items[]		 :
 *		SCATTER	 rows into items[], by range				   items[]
 *		SORT	 ranges, whoever comes first  | get buckets[]	 :
 *		FILL	 buckets of the ranges that one sorted		   buckets[]
 *		PARENTS	 the level above, whoever comes first		   parents[]
 *		USE		 the levels above that each has for itself
 *
 * If the rows do not fit, COUNT is the time to write them into files, and USE
 * comes next.
 *
 * A participant may come at any time, and then has no rows, but works with the
 * others.  In USE it is not attached to the barrier any more.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_STATE_H
#define SPQ_JOIN_SHARED_STATE_H

#include "port/atomics.h"
#include "storage/barrier.h"
#include "storage/sharedfileset.h"

#include "join/join_state.h"
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
	dsa_pointer payloads;		/* chunks, each with the next one's place */
	uint64		file_rows;		/* in its file, if there is one */
} SpqSharedParticipant;

struct SpqSharedBuild
{
	Barrier		barrier;
	SharedFileSet files;
	dsm_handle	segment;		/* in which this is */
	int			nparticipants;
	pg_atomic_uint64 bytes;		/* that all have read */
	pg_atomic_uint32 overflow;	/* 1: more than they may */
	pg_atomic_uint32 next_range;
	pg_atomic_uint32 next_parent;

	/* by the elected of COUNT */
	uint32		count;
	int			nranges;
	Point		origin;
	dsa_pointer items;

	/* by the elected of SORT */
	dsa_pointer buckets;
	dsa_pointer keys;
	dsa_pointer first;
	dsa_pointer parents;
	dsa_pointer parent_keys;

	uint32		range_buckets[SPQ_JOIN_MAX_RANGES]; /* by who has sorted a
													 * range */
	SpqSharedParticipant participant[FLEXIBLE_ARRAY_MEMBER];
};

/* A range that this participant has sorted, and where its buckets begin. */
typedef struct SpqSharedRange
{
	int			range;
	uint32		nbuckets;
	uint32	   *first;
} SpqSharedRange;

/* A process's own view of it. */
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
	uint64		step;			/* bytes between two looks at the sum */
	uint64		unreported;		/* bytes since the last one */
	char	   *chunk;			/* room for payloads */
	Size		chunk_left;
	Size		chunk_size;		/* of the next one */
	dsa_pointer chunk_pointer;	/* of "chunk" */
	SpqJoinSpool file;			/* after an overflow */
	bool		files_attached;
	MemoryContext scratch;		/* of a payload on its way there */

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

#endif							/* SPQ_JOIN_SHARED_STATE_H */
