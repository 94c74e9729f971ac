/*-------------------------------------------------------------------------
 *
 * join_state.h
 *	  The state of a join, for the files that make up the engine.
 *
 * The build side is read first.  If it fits into memory, there is one batch,
 * and nothing is written to disk:
 *
 *		build rows ----> items -> directory
 *									  ^
 *		probe rows ----> block -------+---> pairs
 *
 * (In two dimensions, tiles usually take the place of the directory.)
 *
 * Otherwise its rows go into bins of space (bins/bins.h), and bins that fit
 * into memory together form a batch.  The first batch is joined while probes
 * arrive; probes that other batches need go into the spools of those batches:
 *
 *		build rows --> bins --> batch 0: items <---- block <--+--- probe rows
 *								 batch 1: spools	  spool <--+
 *								 batch 2: spools	  spool <--+
 *
 * If all rows of the first batch drop out, another takes its place at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_JOIN_STATE_H
#define SPQ_JOIN_ENGINE_JOIN_STATE_H

#include <float.h>

#include "join/bins/bins.h"
#include "join/bins/spool.h"
#include "join/boxes/items.h"
#include "join/boxes/sweep.h"
#include "join/engine/join.h"
#include "join/tiles/tile_sweep.h"

/* Room for matches: four times as many as two buckets can have. */
#define SPQ_JOIN_MATCH_BUFFER (4 * SPQ_JOIN_MAX_BUCKET_PAIRS)

/*
 * Rows in a block of probes.  The first block is small, for a quick first
 * pair.  Each further block is SPQ_JOIN_BLOCK_GROWTH times as large as the one
 * before.  The limit grows with the build side, as far as memory allows: the
 * more densely probes lie among the boxes, the better.  But with a small build
 * side, blocks larger than the build side gain nothing and no longer fit into
 * the processor's cache.
 */
#define SPQ_JOIN_FIRST_BLOCK	1024
#define SPQ_JOIN_MIN_BLOCK	256
#define SPQ_JOIN_BLOCK_GROWTH 16
#define SPQ_JOIN_MAX_BLOCK(build_rows) \
	Max(Min(Max((build_rows), 8192), 262144), (build_rows) / 4)

/*
 * Processes that share the probes should end at the same time.  So a process
 * takes at most a quarter of the probes that it still expects, or a sixteenth
 * of those it has taken; see Polychronopoulos and Kuck, Guided Self-Scheduling
 * (1987).
 */
#define SPQ_JOIN_SHARED_BLOCK(expected, taken) \
	Max(Max(((expected) - (taken)) / 4, (taken) / 16), SPQ_JOIN_FIRST_BLOCK)

/*
 * A batch: nbins bins of the build side, beginning with final[first_bin].
 * Its rows exceed the memory only if they could not be divided.  Then they are
 * joined in pieces, and the probes are read again for each piece.
 */
typedef struct SpqJoinBatch
{
	uint32		first_bin;
	uint32		nbins;
	SpqJoinSpool probes;
	SpqJoinSpool again;			/* probes for the next piece, if they drop out
								 * at their first match */
} SpqJoinBatch;

/* A bin that is not divided further. */
typedef struct SpqJoinFinalBin
{
	SpqJoinSpool rows;
	uint64		bytes;
	SpqJoinBinBounds bounds;
} SpqJoinFinalBin;

typedef enum SpqJoinPhase
{
	SPQ_JOIN_PHASE_BUILD,		/* build rows arrive */
	SPQ_JOIN_PHASE_PROBE,		/* probe rows arrive; the first batch is in
								 * memory, or one that replaced it */
	SPQ_JOIN_PHASE_BATCHES,		/* other batches, from their spools */
	SPQ_JOIN_PHASE_END
} SpqJoinPhase;

/*
 * How the build side is made: from rows of this process alone
 * (spill.c), or of several processes that share it (shared/).
 */
typedef struct SpqJoinBuildMethods
{
	/* take a row, and copy its payload */
	void		(*take_row) (SpqJoin *join, SpqJoinItem *item,
							 const void *payload, Size length);
	/* make items and directory of the first batch */
	void		(*done) (SpqJoin *join);
	/* return the address of a row's payload, if build_is_shared */
	uint64		(*address) (const SpqJoin *join, uint64 ref);
	/* release resources outside the join's memory; may be NULL */
	void		(*end) (SpqJoin *join);
} SpqJoinBuildMethods;

struct SpqJoin
{
	/* constant during the join */
	SpqJoinSpec spec;
	double		slack;
	MemoryContext context;
	uint64		build_limit;	/* bytes that the build side may take */
	uint32		max_block;		/* limit of rows in a block */
	uint64		block_limit;	/* bytes that a large block may take */

	const SpqJoinBuildMethods *methods;
	void	   *methods_state;

	SpqJoinPhase phase;
	uint64		next_ordinal;	/* of the side that is being read */

	/* the build side of the current batch */
	SpqJoinItems build;
	SpqJoinTiles tiles;			/* if there are none, there is a directory */
	SpqJoinDirectory directory;
	bool		build_is_shared;	/* other processes use it, too: do not
									 * change it */

	/* the current block of probes */
	SpqJoinItems block;
	uint32		room;			/* limit of rows in this block */
	bool		sweeping;
	bool		probes_done;
	const SpqJoinItem *probes;	/* of the sweep */
	SpqJoinSweep sweep;
	SpqJoinTileSweep tile_sweep;	/* in place of it, if there are tiles */
	SpqJoinMatch match[SPQ_JOIN_MATCH_BUFFER];
	uint32		nmatches;
	uint32		next_match;
	uint32		next_unmatched; /* of the block, or of the build side */
	uint64	   *accepted_of;	/* with count_build: accepted pairs of each
								 * item of the build side, or NULL while there
								 * are none */
	uint32		self_position;	/* start of the next block, in a join with
								 * itself */
	bool		build_swept;	/* all pairs of the build side in memory have
								 * been returned */

	/* only if the build side does not fit into memory */
	bool		spilled;
	SpqJoinCuts cuts;
	SpqJoinBin *bin;			/* of these cuts, while rows arrive */
	SpqJoinSpool *bin_rows;
	pg_prng_state random;
	SpqJoinFinalBin *final;
	uint32		nfinal;
	uint32		final_capacity;
	SpqJoinBatch *batch;
	uint32		nbatches;
	uint32	   *batch_of;		/* of each final bin */
	uint64	   *routed;			/* per batch: 1 + ordinal of its last probe */
	uint32		batch_at_work;
	bool		pieces_follow;	/* some rows of the batch have not been in
								 * memory yet */
	uint32		load_bin;		/* bin from which loading continues */
	bool		load_begun;		/* some rows of that bin have been read */
	SpqJoinRouter router;
	uint8	   *accepted;		/* a bit for each probe, by its ordinal */
	uint64		accepted_size;	/* in bytes */
	uint32		self_bin;		/* bin whose rows are the next probes, in a
								 * join with itself */
	bool		self_begun;

	SpqJoinStats stats;
};

/* build_side.c */
extern void spq_join_finish_build_side(SpqJoin *join);
extern void spq_join_clear_marks(SpqJoin *join);
extern void spq_join_start_counts(SpqJoin *join);
extern void spq_join_clear_counts(SpqJoin *join);
extern void spq_join_note_memory(SpqJoin *join);

/* Return whether the join puts its build side into tiles, if they suit the boxes. */
static inline bool
spq_join_wants_tiles(const SpqJoin *join)
{
	const SpqJoinSpec *spec = &join->spec;

	return SPQ_DIM == 2 && !spec->sorted && !spec->probe_lines && !spec->hashed && !spec->first_of_probe &&
		!spec->first_of_build && join->slack <= DBL_MAX;
}

/* Return whether the build side in memory is in tiles. */
static inline bool
spq_join_in_tiles(const SpqJoin *join)
{
	return SPQ_DIM == 2 && join->tiles.nareas > 0;
}

/* Return whether all rows of the build side in memory have dropped out. */
static inline bool
spq_join_all_dropped(const SpqJoin *join)
{
	return join->spec.first_of_build && spq_join_directory_is_empty(&join->directory);
}

/* spill.c */
extern const SpqJoinBuildMethods spq_join_private_build;
extern void spq_join_add_build(SpqJoin *join, const SpqJoinItem *item);
extern void spq_join_private_done(SpqJoin *join);
extern void spq_join_keep_row(SpqJoin *join, const SpqJoinItem *item);
extern bool spq_join_memory_is_full(const SpqJoin *join);
extern void spq_join_settle_bins(SpqJoin *join);

/* batches.c */
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

/* probe_block.c */
extern uint32 spq_join_first_room(const SpqJoin *join);
extern void spq_join_enlarge_blocks(SpqJoin *join);
extern void spq_join_add_probe(SpqJoin *join, const SpqJoinItem *item);
extern bool spq_join_next_block(SpqJoin *join);
extern void spq_join_count_candidates(SpqJoin *join);
extern void spq_join_end_block(SpqJoin *join);

#endif							/* SPQ_JOIN_ENGINE_JOIN_STATE_H */
