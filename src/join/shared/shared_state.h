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
 *
 *		AREAS	 count entries of each area	  | get items[]		 :
 *		ENTRIES	 entries of its rows, by area				   entries[]
 *		LANES	 one free area after another				   tiles
 *		ROWS	 rows into items[], where entries were		   items[]
 *
 *		COUNT	 rows of each range			  | get items[]	   rows
 *		SCATTER	 rows into items[], by range				   items[]
 *		SORT	 one free range after another | get buckets[]	 :
 *		FILL	 buckets of the ranges it sorted			   buckets[]
 *		USE		 the levels above, in memory of its own
 *
 * Joins that use tiles (build_side.c) begin with AREAS, and are done after
 * ROWS if tiles suit the rows.  If not, they go on to COUNT, where all other
 * joins begin.
 *
 * If the rows do not fit into memory, they are written into files in READ and
 * the phase after it, and the following phases are skipped.
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
	SPQ_SHARED_AREAS,
	SPQ_SHARED_ENTRIES,
	SPQ_SHARED_LANES,
	SPQ_SHARED_ROWS,
	SPQ_SHARED_COUNT,
	SPQ_SHARED_SCATTER,
	SPQ_SHARED_SORT,
	SPQ_SHARED_FILL,
	SPQ_SHARED_USE
} SpqSharedPhase;

/*
 * What a participant publishes for the others.  Only the participant itself
 * writes it.
 */
typedef struct SpqSharedParticipant
{
	uint32		rows;
	uint32		nsampled;
	SpqJoinItem sample[SPQ_SHARED_SAMPLE];
	SpqJoinExtent extent;		/* of its boxes */
	uint32		in_area[SPQ_JOIN_MAX_AREAS];	/* entries */
	bool		outside;		/* see SpqJoinAreas */
	double		squares;		/* see SpqJoinTileWork */
	uint32		in_range[SPQ_SHARED_MAX_RANGES];
	dsa_pointer payloads;		/* a list of chunks */
	uint64		file_rows;		/* rows in its file, if it has one */
} SpqSharedParticipant;

/* The tiles of an area: the numbers of blocks, then the lanes. */
typedef struct SpqSharedArea
{
	uint32		side[2];
	dsa_pointer memory;
} SpqSharedArea;

struct SpqSharedBuild
{
	Barrier		barrier;
	SharedFileSet files;
	dsm_handle	segment;		/* contains this struct */
	int			nparticipants;
	pg_atomic_uint64 bytes;		/* sum of the bytes that participants have
								 * read */
	pg_atomic_uint32 overflow;	/* 1: the rows do not fit */
	pg_atomic_uint32 next_area;
	pg_atomic_uint32 next_range;
	pg_atomic_uint64 tile_bytes;	/* of tiles */
	pg_atomic_uint32 unsuitable;	/* 1: tiles do not suit the rows */

	/* set by the elected participant in the phase after READ */
	uint32		count;
	dsa_pointer items;
	uint64		tile_memory;	/* bytes for tiles */

	/* set by the participants that filled areas */
	SpqSharedArea tiles[SPQ_JOIN_MAX_AREAS];

	/* set by the elected participant in COUNT */
	int			nranges;
	SpqJoinOrigin origin;

	/* set by the elected participant in SORT */
	dsa_pointer buckets;
	dsa_pointer bounds;			/* of each bucket */
	dsa_pointer keys;			/* ranges of hashes */
	dsa_pointer first;

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
	bool		tiles;			/* the join uses tiles, if they suit */
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

	/* while tiles are filled */
	uint32		in_area[SPQ_JOIN_MAX_AREAS];	/* entries of all participants */
	uint64		nentries;
	uint32		first_row;		/* of its rows in items[] */

	/* while rows are ordered */
	SpqSharedDivision division;
	uint8	   *range_of;
	uint32		range_start[SPQ_SHARED_MAX_RANGES + 1];
	SpqSharedRange sorted[SPQ_SHARED_MAX_RANGES];
	int			nsorted;
} SpqSharedSide;

/* shared_phase.c */
extern bool spq_shared_wait(SpqSharedSide *side);
extern dsa_pointer spq_shared_get_memory(SpqSharedSide *side, Size size);
extern void spq_shared_get_items(SpqSharedSide *side);
extern SpqJoinItem *spq_shared_samples(SpqSharedSide *side, uint32 *count, uint64 *rows);
extern void spq_shared_forget_rows(SpqJoin *join);

/* shared_tiles.c */
extern bool spq_shared_tiles(SpqJoin *join, bool *elected);
extern void spq_shared_free_tiles(SpqSharedBuild *shared, dsa_area *area);

/* shared_order.c */
extern void spq_shared_order(SpqJoin *join, bool elected);

/* shared_payload.c */
extern uint64 spq_shared_payload(SpqSharedSide *side, const void *payload,
								 Size length);
extern void spq_shared_free_payloads(SpqSharedParticipant *participant,
									 dsa_area *area);

/* Return the phase that follows READ. */
static inline SpqSharedPhase
spq_shared_after_read(const SpqSharedSide *side)
{
	return side->tiles ? SPQ_SHARED_AREAS : SPQ_SHARED_COUNT;
}

static inline void *
spq_shared_address(const SpqSharedSide *side, dsa_pointer pointer)
{
	return DsaPointerIsValid(pointer) ? dsa_get_address(side->area, pointer) : NULL;
}

#endif							/* SPQ_JOIN_SHARED_SHARED_STATE_H */
