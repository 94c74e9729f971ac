/*-------------------------------------------------------------------------
 *
 * tile_sweep.h
 *	  Joins a block of probes with the tiles of the build side, a bufferful of
 *	  pairs at a time.
 *
 * The probes of the block are divided into entries, area by area: all at once, or
 * some at a time while they arrive, and are in the processor's cache.  An entry is
 * compared with the lanes of each tile that it meets, 16 at once:
 *
 *		a difference below 0		the boxes are apart
 *		all differences above 0		they meet, certainly: no box is read
 *		otherwise					a tie: the predicate decides
 *
 * "Certainly" holds for && and for exact comparisons of the same ends.  For
 * other predicates, and for boxes with swapped corners, every comparison is a
 * tie.  The ends of probes are moved outward by the slack of the predicate.
 * If that changes a position of a probe, it has ties only.
 *
 * Results are stored as masks of lanes, and decided a bufferful at a time,
 * after the boxes of ties have been prefetched.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_TILES_TILE_SWEEP_H
#define SPQ_JOIN_TILES_TILE_SWEEP_H

#include "join/boxes/sweep.h"
#include "join/tiles/tile_lanes.h"

/* A buffer of this size has room for all that was found. */
#define SPQ_JOIN_FOUND			256
#define SPQ_JOIN_TILE_MATCHES	(SPQ_JOIN_FOUND * SPQ_JOIN_LANES)

/* Lanes of a block that a probe meets. */
typedef struct SpqJoinFound
{
	uint32		lanes;			/* one bit each; and whether they are ties */
	uint32		probe;
	const uint32 *items;		/* of the lanes of the block */
} SpqJoinFound;

#define SPQ_JOIN_TIES			((uint32) 1 << SPQ_JOIN_LANES)

typedef struct SpqJoinTileSweep
{
	/* constant during a block */
	SpqRelation predicate;
	double		distance;
	SpqJoinSelfJoin self;
	uint32		position;		/* of the first probe;
								 * SPQ_JOIN_SELF_BY_POSITION only */
	const SpqJoinTiles *tiles;
	const SpqJoinItem *build;
	bool		build_is_near;	/* in the processor's cache: need not be
								 * prefetched */
	const SpqJoinItem *probes;
	double		slack;
	bool		all_ties;
	bool		in_tile_order;	/* probes of one tile come one after the other */
	SpqJoinEntries entries;
	uint32		divided;		/* the probes that have entries */

	/* current position */
	uint32		area;
	const SpqJoinEntry *entry,
			   *end;			/* of a chunk of the area */
	const SpqJoinEntryChunk *next_chunk;	/* comes after that, with all
											 * entries of the area that are
											 * left */
	uint32		left;
	uint32		next_area;		/* comes after these */
	uint32		next_wide;		/* probe in the list, after all areas */
	uint32		wide_area;		/* its next area, in its own span */
	SpqJoinEntry wide_entry;
	bool		inside;			/* the entry has been compared with some lanes */
	uint32		x,
				y,				/* the tile, or the list */
				block;			/* of the area */

	SpqJoinFound found[SPQ_JOIN_FOUND];
	uint32		nfound;

	/* counts since the caller last reset them */
	uint64		candidates;		/* pairs whose lanes meet */
} SpqJoinTileSweep;

extern double spq_join_tile_slack(SpqRelation predicate, double distance);
extern void spq_join_tile_sweep_prepare(SpqJoinTileSweep *sweep);
extern void spq_join_tile_sweep_divide(SpqJoinTileSweep *sweep, const SpqJoinItem *probes,
									   uint32 count);
extern void spq_join_tile_sweep_start(SpqJoinTileSweep *sweep);
extern uint32 spq_join_tile_sweep(SpqJoinTileSweep *sweep, SpqJoinMatch *matches, uint32 room);

#endif							/* SPQ_JOIN_TILES_TILE_SWEEP_H */
